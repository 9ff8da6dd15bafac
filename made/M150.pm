package M150;
sub f { return g() + 150 }
sub g { return 0 }
1;
