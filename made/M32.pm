package M32;
sub f { return g() + 32 }
sub g { return 0 }
1;
