package M136;
sub f { return g() + 136 }
sub g { return 0 }
1;
