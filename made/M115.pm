package M115;
sub f { return g() + 115 }
sub g { return 0 }
1;
