package M100;
sub f { return g() + 100 }
sub g { return 0 }
1;
