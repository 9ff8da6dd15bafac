package M19;
sub f { return g() + 19 }
sub g { return 0 }
1;
