package M133;
sub f { return g() + 133 }
sub g { return 0 }
1;
