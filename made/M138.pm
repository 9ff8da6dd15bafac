package M138;
sub f { return g() + 138 }
sub g { return 0 }
1;
