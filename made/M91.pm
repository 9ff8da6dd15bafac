package M91;
sub f { return g() + 91 }
sub g { return 0 }
1;
