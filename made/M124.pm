package M124;
sub f { return g() + 124 }
sub g { return 0 }
1;
