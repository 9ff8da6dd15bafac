package M121;
sub f { return g() + 121 }
sub g { return 0 }
1;
