package M114;
sub f { return g() + 114 }
sub g { return 0 }
1;
