package M105;
sub f { return g() + 105 }
sub g { return 0 }
1;
