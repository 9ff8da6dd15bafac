package M23;
sub f { return g() + 23 }
sub g { return 0 }
1;
