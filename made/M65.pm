package M65;
sub f { return g() + 65 }
sub g { return 0 }
1;
