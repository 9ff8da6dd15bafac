package M45;
sub f { return g() + 45 }
sub g { return 0 }
1;
