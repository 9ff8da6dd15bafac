package M110;
sub f { return g() + 110 }
sub g { return 0 }
1;
