package M139;
sub f { return g() + 139 }
sub g { return 0 }
1;
