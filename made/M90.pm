package M90;
sub f { return g() + 90 }
sub g { return 0 }
1;
