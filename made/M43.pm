package M43;
sub f { return g() + 43 }
sub g { return 0 }
1;
