package M62;
sub f { return g() + 62 }
sub g { return 0 }
1;
