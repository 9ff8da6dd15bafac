package M101;
sub f { return g() + 101 }
sub g { return 0 }
1;
