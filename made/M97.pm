package M97;
sub f { return g() + 97 }
sub g { return 0 }
1;
