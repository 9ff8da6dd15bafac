package M46;
sub f { return g() + 46 }
sub g { return 0 }
1;
