package M96;
sub f { return g() + 96 }
sub g { return 0 }
1;
