package M107;
sub f { return g() + 107 }
sub g { return 0 }
1;
