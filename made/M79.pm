package M79;
sub f { return g() + 79 }
sub g { return 0 }
1;
