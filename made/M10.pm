package M10;
sub f { return g() + 10 }
sub g { return 0 }
1;
