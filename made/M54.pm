package M54;
sub f { return g() + 54 }
sub g { return 0 }
1;
