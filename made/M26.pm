package M26;
sub f { return g() + 26 }
sub g { return 0 }
1;
