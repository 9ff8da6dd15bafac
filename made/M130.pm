package M130;
sub f { return g() + 130 }
sub g { return 0 }
1;
