package M50;
sub f { return g() + 50 }
sub g { return 0 }
1;
