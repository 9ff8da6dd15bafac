package M25;
sub f { return g() + 25 }
sub g { return 0 }
1;
