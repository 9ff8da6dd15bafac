package M22;
sub f { return g() + 22 }
sub g { return 0 }
1;
