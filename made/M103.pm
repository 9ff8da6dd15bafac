package M103;
sub f { return g() + 103 }
sub g { return 0 }
1;
