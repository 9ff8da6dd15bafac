package M143;
sub f { return g() + 143 }
sub g { return 0 }
1;
