package M58;
sub f { return g() + 58 }
sub g { return 0 }
1;
