package M57;
sub f { return g() + 57 }
sub g { return 0 }
1;
