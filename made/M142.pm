package M142;
sub f { return g() + 142 }
sub g { return 0 }
1;
