# Equal evals at a line: with evals in them, in which subs are defined; with other texts of equal length and sum; very many.
sub f { 1 }
for my $n (1 .. 4) {
    eval 'f(); f()'; eval 'eval q{f() for 1 .. 2}; f()';
    eval "sub { f() }->() for 1 .. $n % 2";
    eval $n % 2 ? 'f(12)' : 'f(21)';
    eval ''; eval '0'; eval "no such code"; eval "\n\n\n\n\n  f();\n\n\n\n\n\n\nf();";
}
eval "f() for 1 .. $_; eval 'f()'; sub g$_ { f() } g$_()" for 1 .. 210;
eval "f($_) if 0" for 1 .. 210;
