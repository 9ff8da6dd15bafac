package M76;
sub f { return g() + 76 }
sub g { return 0 }
1;
