package M85;
sub f { return g() + 85 }
sub g { return 0 }
1;
