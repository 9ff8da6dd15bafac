package M148;
sub f { return g() + 148 }
sub g { return 0 }
1;
