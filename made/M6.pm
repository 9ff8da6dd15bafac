package M6;
sub f { return g() + 6 }
sub g { return 0 }
1;
