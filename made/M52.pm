package M52;
sub f { return g() + 52 }
sub g { return 0 }
1;
