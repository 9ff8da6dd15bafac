package M137;
sub f { return g() + 137 }
sub g { return 0 }
1;
