package M93;
sub f { return g() + 93 }
sub g { return 0 }
1;
