package M109;
sub f { return g() + 109 }
sub g { return 0 }
1;
