package M12;
sub f { return g() + 12 }
sub g { return 0 }
1;
