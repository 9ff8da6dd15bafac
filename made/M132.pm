package M132;
sub f { return g() + 132 }
sub g { return 0 }
1;
