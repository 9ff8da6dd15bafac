package LargeProfile;

# A made-up profile of a very large program: 3,000 files with 28 MB of source, 30,000 subs, 100,000 stacks. Always the
# same.
#
#   use LargeProfile qw(large_profile);
#   spew('large.out', large_profile());

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(large_profile);

my ($FILES, $SUBS, $LINES, $STACKS) = (3000, 10, 230, 100_000);

sub _number {
    my ($n) = @_;
    return pack 'C', $n if $n < 0x80;
    return pack 'n', 0x8000 | $n if $n < 0x4000;
    return substr pack('N', 0xC00000 | $n), 1 if $n < 0x200000;
    return pack 'N', 0xE0000000 | $n;
}

sub _text { return "'" . _number(length $_[0]) . $_[0] }

sub _words { return map { join '', map { chr 97 + rand 26 } 1 .. 3 + rand 8 } 1 .. 3000 }

sub _module { my ($words, $f) = @_; return map { ucfirst } $words->[$f % 40], $words->[40 + $f % 300], "M$f" }

# Returns of a tree of calls, innermost first. Adds the bytes to $$out; returns the inclusive ticks.
sub _calls {
    my ($out, $names, $made, $depth) = @_;
    my $own = my $incl = 1 + int rand 200;
    my $kids = $depth >= 30 || $$made >= $STACKS ? 0 : $depth < 6 ? 3 : int rand 2.6;
    for (1 .. $kids) { $$made++; $incl += _calls($out, $names, $made, $depth + 1) }
    $$out .= '<' . _number($depth) . pack('dd', $incl, $own) . _text($names->[rand @$names]);
    return $incl;
}

sub _source {
    my ($words) = @_;
    my @signs = (qw($self my return -> => = ; if for), '()');
    my $out = '';
    for my $f (1 .. $FILES) {
        $out .= 'S' . _number($f) . _number($_)
            . _text(join(' ', '   ', map { ($signs[rand @signs], $words->[rand 3000]) } 1 .. 3) . "\n") for 1 .. $LINES;
    }
    return $out;
}

sub large_profile {
    srand 1;
    my @words = _words();
    my @names = map { my $f = $_;
        map { join '::', _module(\@words, $f), $words[rand 3000] . "_$_" } 1 .. $SUBS } 1 .. $FILES;
    my $out = "NYTProf 5 0\n:ticks_per_sec=10000000\n:application=large.pl\n!blocks=0\nP" . _number(7) . _number(1)
        . pack 'd', 1e9;
    $out .= '@' . join('', map { _number($_) } $_, 0, 0, 0x12, 0, 0)
        . _text('/srv/app/lib/' . join('/', _module(\@words, $_)) . '.pm') for 1 .. $FILES;
    for my $f (1 .. $FILES) { $out .= '+' . _number(int rand 300) . _number($f) . _number(3 * $_) for 1 .. 80 }
    my $made = 0;
    while ($made < $STACKS) { $made++; _calls(\$out, \@names, \$made, 1) }
    for my $i (0 .. $#names) {
        my ($f, $first) = (int($i / $SUBS) + 1, 1 + 23 * ($i % $SUBS));
        $out .= 's' . _number($f) . _text($names[$i]) . _number($first) . _number($first + 19);
        for (1 .. 2) {
            my $caller = int rand @names;
            $out .= 'c' . _number(int($caller / $SUBS) + 1) . _number(1 + 3 * int rand 70) . _text($names[$caller])
                . _number(1 + int rand 50)
                . pack('ddd', rand() * 1e-3, rand() * 1e-4, 0) . _number(0) . _text($names[$i]);
        }
    }
    return $out . _source(\@words) . 'p' . _number(7) . pack 'd', 1e9 + 10;
}

1;
