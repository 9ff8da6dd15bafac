package M104;
sub f { return g() + 104 }
sub g { return 0 }
1;
