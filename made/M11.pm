package M11;
sub f { return g() + 11 }
sub g { return 0 }
1;
