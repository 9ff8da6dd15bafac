package M116;
sub f { return g() + 116 }
sub g { return 0 }
1;
