package M59;
sub f { return g() + 59 }
sub g { return 0 }
1;
