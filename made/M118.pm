package M118;
sub f { return g() + 118 }
sub g { return 0 }
1;
