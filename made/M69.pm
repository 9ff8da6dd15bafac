package M69;
sub f { return g() + 69 }
sub g { return 0 }
1;
