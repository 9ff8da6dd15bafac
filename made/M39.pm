package M39;
sub f { return g() + 39 }
sub g { return 0 }
1;
