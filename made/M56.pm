package M56;
sub f { return g() + 56 }
sub g { return 0 }
1;
