package M3;
sub f { return g() + 3 }
sub g { return 0 }
1;
