package M44;
sub f { return g() + 44 }
sub g { return 0 }
1;
