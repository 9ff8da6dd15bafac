package M48;
sub f { return g() + 48 }
sub g { return 0 }
1;
