package M63;
sub f { return g() + 63 }
sub g { return 0 }
1;
