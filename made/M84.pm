package M84;
sub f { return g() + 84 }
sub g { return 0 }
1;
