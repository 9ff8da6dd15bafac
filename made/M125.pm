package M125;
sub f { return g() + 125 }
sub g { return 0 }
1;
