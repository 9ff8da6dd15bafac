package M29;
sub f { return g() + 29 }
sub g { return 0 }
1;
