package M134;
sub f { return g() + 134 }
sub g { return 0 }
1;
