package M122;
sub f { return g() + 122 }
sub g { return 0 }
1;
