package M67;
sub f { return g() + 67 }
sub g { return 0 }
1;
