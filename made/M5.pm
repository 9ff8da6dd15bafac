package M5;
sub f { return g() + 5 }
sub g { return 0 }
1;
