package M108;
sub f { return g() + 108 }
sub g { return 0 }
1;
