# Statements that span lines, many on one line, lines without statements, else and elsif, nested data, here-documents.
use strict; use warnings; my $n = 0; for (1 .. 3) { $n++; $n += 2 } print "$n\n"; sub one { 1 } one(); one();

sub spread
{
    my (
        $first,
        $second,
    ) = @_;
    return
        $first
        +
        $second;
}
print spread(
    1,
    spread(
        2,
        3,
    ),
), "\n";
for my $v (0 .. 4) {
    if ($v == 0) { print 'zero' }
    elsif ($v == spread(1, 1)) {
        print 'two';
    }
    elsif ($v == 3) { print 'three' }
    else {
        print 'else';
    }
    unless ($v) { print '!' } else { print '.' }
}
my %table = (
    a => sub { return 1 },
    b => sub {
        my $x = 2;
        return $x;
    },
    c => { d => [map { $_ * 2 }
            1 .. 3] },
);
print $table{a}->(), $table{b}->(), "@{ $table{c}{d} }\n";
print <<"END" . one() . "\n";
a text @{[ spread(4,
5) ]}
with lines
END
my $t = $n > 1
    ? one()
    : spread(1, 2);
print "$t\n" if $t
    and one()
    or spread(0, 0);
{
    ;
    { { $n-- } }
}
print $n, "\n"; # the end
