package M49;
sub f { return g() + 49 }
sub g { return 0 }
1;
