package M87;
sub f { return g() + 87 }
sub g { return 0 }
1;
