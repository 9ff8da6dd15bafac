package M74;
sub f { return g() + 74 }
sub g { return 0 }
1;
