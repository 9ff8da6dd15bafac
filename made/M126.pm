package M126;
sub f { return g() + 126 }
sub g { return 0 }
1;
