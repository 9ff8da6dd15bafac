package M128;
sub f { return g() + 128 }
sub g { return 0 }
1;
