package M51;
sub f { return g() + 51 }
sub g { return 0 }
1;
