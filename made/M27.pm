package M27;
sub f { return g() + 27 }
sub g { return 0 }
1;
