package M80;
sub f { return g() + 80 }
sub g { return 0 }
1;
