package M60;
sub f { return g() + 60 }
sub g { return 0 }
1;
