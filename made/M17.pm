package M17;
sub f { return g() + 17 }
sub g { return 0 }
1;
