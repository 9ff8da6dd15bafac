package M144;
sub f { return g() + 144 }
sub g { return 0 }
1;
