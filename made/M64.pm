package M64;
sub f { return g() + 64 }
sub g { return 0 }
1;
