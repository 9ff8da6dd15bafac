package M73;
sub f { return g() + 73 }
sub g { return 0 }
1;
