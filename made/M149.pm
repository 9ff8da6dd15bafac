package M149;
sub f { return g() + 149 }
sub g { return 0 }
1;
