package M92;
sub f { return g() + 92 }
sub g { return 0 }
1;
