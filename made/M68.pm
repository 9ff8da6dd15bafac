package M68;
sub f { return g() + 68 }
sub g { return 0 }
1;
