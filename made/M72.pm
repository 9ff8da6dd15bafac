package M72;
sub f { return g() + 72 }
sub g { return 0 }
1;
