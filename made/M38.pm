package M38;
sub f { return g() + 38 }
sub g { return 0 }
1;
