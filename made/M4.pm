package M4;
sub f { return g() + 4 }
sub g { return 0 }
1;
