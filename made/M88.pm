package M88;
sub f { return g() + 88 }
sub g { return 0 }
1;
