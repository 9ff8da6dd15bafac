package M81;
sub f { return g() + 81 }
sub g { return 0 }
1;
