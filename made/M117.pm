package M117;
sub f { return g() + 117 }
sub g { return 0 }
1;
