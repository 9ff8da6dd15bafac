


sub again { return 3 } 1