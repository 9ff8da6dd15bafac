package M16;
sub f { return g() + 16 }
sub g { return 0 }
1;
