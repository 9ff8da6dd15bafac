package M135;
sub f { return g() + 135 }
sub g { return 0 }
1;
