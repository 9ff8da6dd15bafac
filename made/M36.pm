package M36;
sub f { return g() + 36 }
sub g { return 0 }
1;
