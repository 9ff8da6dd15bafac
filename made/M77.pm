package M77;
sub f { return g() + 77 }
sub g { return 0 }
1;
