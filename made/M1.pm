package M1;
sub f { return g() + 1 }
sub g { return 0 }
1;
