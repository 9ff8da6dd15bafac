package M89;
sub f { return g() + 89 }
sub g { return 0 }
1;
