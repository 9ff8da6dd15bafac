package M147;
sub f { return g() + 147 }
sub g { return 0 }
1;
