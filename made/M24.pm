package M24;
sub f { return g() + 24 }
sub g { return 0 }
1;
