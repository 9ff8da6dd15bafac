package M140;
sub f { return g() + 140 }
sub g { return 0 }
1;
