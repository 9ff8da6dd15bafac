package M129;
sub f { return g() + 129 }
sub g { return 0 }
1;
