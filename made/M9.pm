package M9;
sub f { return g() + 9 }
sub g { return 0 }
1;
