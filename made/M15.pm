package M15;
sub f { return g() + 15 }
sub g { return 0 }
1;
