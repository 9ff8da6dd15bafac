package M127;
sub f { return g() + 127 }
sub g { return 0 }
1;
