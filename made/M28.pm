package M28;
sub f { return g() + 28 }
sub g { return 0 }
1;
