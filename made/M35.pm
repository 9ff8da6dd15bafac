package M35;
sub f { return g() + 35 }
sub g { return 0 }
1;
