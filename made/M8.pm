package M8;
sub f { return g() + 8 }
sub g { return 0 }
1;
