package M40;
sub f { return g() + 40 }
sub g { return 0 }
1;
