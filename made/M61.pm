package M61;
sub f { return g() + 61 }
sub g { return 0 }
1;
