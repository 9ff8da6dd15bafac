package M37;
sub f { return g() + 37 }
sub g { return 0 }
1;
