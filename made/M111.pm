package M111;
sub f { return g() + 111 }
sub g { return 0 }
1;
