package M42;
sub f { return g() + 42 }
sub g { return 0 }
1;
