package M21;
sub f { return g() + 21 }
sub g { return 0 }
1;
