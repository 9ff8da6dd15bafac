package M18;
sub f { return g() + 18 }
sub g { return 0 }
1;
