package M106;
sub f { return g() + 106 }
sub g { return 0 }
1;
