package M70;
sub f { return g() + 70 }
sub g { return 0 }
1;
