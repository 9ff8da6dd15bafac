package M31;
sub f { return g() + 31 }
sub g { return 0 }
1;
