package M131;
sub f { return g() + 131 }
sub g { return 0 }
1;
