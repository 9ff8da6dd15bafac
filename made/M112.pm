package M112;
sub f { return g() + 112 }
sub g { return 0 }
1;
