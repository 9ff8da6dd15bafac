package M33;
sub f { return g() + 33 }
sub g { return 0 }
1;
