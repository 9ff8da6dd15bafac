package M71;
sub f { return g() + 71 }
sub g { return 0 }
1;
