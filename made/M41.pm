package M41;
sub f { return g() + 41 }
sub g { return 0 }
1;
