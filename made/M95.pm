package M95;
sub f { return g() + 95 }
sub g { return 0 }
1;
