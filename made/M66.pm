package M66;
sub f { return g() + 66 }
sub g { return 0 }
1;
