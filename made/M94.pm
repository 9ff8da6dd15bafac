package M94;
sub f { return g() + 94 }
sub g { return 0 }
1;
