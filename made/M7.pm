package M7;
sub f { return g() + 7 }
sub g { return 0 }
1;
