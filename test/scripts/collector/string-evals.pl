# String evals: many from one line, nested ones, equal ones, some that define subs, some that fail.
use strict;
use warnings;

my $sum = 0;
$sum += eval "my \$x = $_;\n\$x * 2" for 1 .. 200;
for my $n (1 .. 20) {
    no strict 'refs';
    eval "sub made_$n { return \$_[0] + $n }\n1" or die;
    $sum += &{"made_$n"}($_) for 1 .. 5;
}
my $nested = 'eval(q{eval(q{sub innermost { 7 } 1}); innermost() + 1}) + 1';
no warnings 'redefine';
$sum += eval $nested for 1 .. 3;
eval 'sub again { 1 }; again()' for 1 .. 1;
{ no warnings 'redefine'; eval 'sub again { 2 }; again()' for 1 .. 3 }
eval 'this is no perl';
print $@ ? "syntax error seen\n" : "none?\n";
eval "die 'from within'";
print "died: ", $@ =~ /^from within/ ? 1 : 0, "\n";
eval { eval "die {code => 5}"; print "code $@->{code}\n"; die "outer\n" };
print $@, $sum, "\n";
eval "\n\n#line 40 \"named.tmpl\"\nsub named { return (caller(0))[1] } print named(), \"\\n\"";
eval "BEGIN { \$main::early = 1 } \$main::early++";
print eval { eval "1;" x 100 }, "\n";
