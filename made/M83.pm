package M83;
sub f { return g() + 83 }
sub g { return 0 }
1;
