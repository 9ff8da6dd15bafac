package M102;
sub f { return g() + 102 }
sub g { return 0 }
1;
