package M13;
sub f { return g() + 13 }
sub g { return 0 }
1;
