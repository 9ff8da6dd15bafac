package M75;
sub f { return g() + 75 }
sub g { return 0 }
1;
