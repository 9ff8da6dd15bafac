package M55;
sub f { return g() + 55 }
sub g { return 0 }
1;
