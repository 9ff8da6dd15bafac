package M113;
sub f { return g() + 113 }
sub g { return 0 }
1;
