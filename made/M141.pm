package M141;
sub f { return g() + 141 }
sub g { return 0 }
1;
