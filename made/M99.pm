package M99;
sub f { return g() + 99 }
sub g { return 0 }
1;
