package M47;
sub f { return g() + 47 }
sub g { return 0 }
1;
