package M119;
sub f { return g() + 119 }
sub g { return 0 }
1;
