package M146;
sub f { return g() + 146 }
sub g { return 0 }
1;
