package M14;
sub f { return g() + 14 }
sub g { return 0 }
1;
