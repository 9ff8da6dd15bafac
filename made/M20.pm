package M20;
sub f { return g() + 20 }
sub g { return 0 }
1;
