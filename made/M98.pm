package M98;
sub f { return g() + 98 }
sub g { return 0 }
1;
