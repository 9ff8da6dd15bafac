package M30;
sub f { return g() + 30 }
sub g { return 0 }
1;
