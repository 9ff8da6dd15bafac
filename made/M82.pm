package M82;
sub f { return g() + 82 }
sub g { return 0 }
1;
