package M2;
sub f { return g() + 2 }
sub g { return 0 }
1;
