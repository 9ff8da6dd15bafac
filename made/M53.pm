package M53;
sub f { return g() + 53 }
sub g { return 0 }
1;
