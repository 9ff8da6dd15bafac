package M34;
sub f { return g() + 34 }
sub g { return 0 }
1;
