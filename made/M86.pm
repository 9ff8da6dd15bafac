package M86;
sub f { return g() + 86 }
sub g { return 0 }
1;
