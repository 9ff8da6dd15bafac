package M120;
sub f { return g() + 120 }
sub g { return 0 }
1;
