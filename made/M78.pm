package M78;
sub f { return g() + 78 }
sub g { return 0 }
1;
