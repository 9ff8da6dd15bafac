package M145;
sub f { return g() + 145 }
sub g { return 0 }
1;
