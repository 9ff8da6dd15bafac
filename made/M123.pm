package M123;
sub f { return g() + 123 }
sub g { return 0 }
1;
