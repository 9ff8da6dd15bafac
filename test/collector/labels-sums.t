# The labels of a sub add up to the sub: what readers say of a profile with labels, added up by base, is what they say
# with --no-labels.
#
# - Calls and exclusive ticks: the same, exactly.
# - Inclusive ticks of calls within no other call of the base: the same, exactly. So they are the sum over labels only
# where no call
#   with one label is within a call with another; the sum is greater where one is.
# - Inclusive ticks by caller (nytprofcg): the same sum, since there a call within another counts with labels and
# without.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CallgrindFile;
use Collapsed qw(parsed);
use CollectorRun qw(need_collector profiled tool);
use JSON::PP ();
use NYTPTest qw(run);
use Test::More;

need_collector();

my $got = profiled('ours', ['-e', <<'END'], options => { labels => 'regex,file,My::rec=0,My::get=0,My::page=0,List::Util::max=0' });
package My; use List::Util;
sub work { my $x = 0; $x++ for 1 .. shift; return $x }
sub rec { my ($n) = @_; work(20); return $n && rec(int($n / 2)) }
sub get { my ($k) = @_; work(10); "k$k" =~ /k$k/; "x" =~ /y/; -e "/nope/$k"; return List::Util::max($k, 3) }
sub page { my ($n) = @_; my $span = DB::begin_span("GET /$n"); get($n); rec($n); return if $n > 2; page($n + 1); eval { get(9); die } }
page($_ % 4) for 1 .. 20; get(undef); rec(undef); { my $span = DB::begin_span('outer'); my $in = DB::begin_span('inner'); get(1) }
END
is("$got->{status} $got->{err}", '0 ', 'a profile');
my $path = $got->{files}[0];

# nytprofcalls shows a blank as "?" where a number follows at the end of a name.
sub base { my ($name) = @_; return $name =~ s/^([\w:]+)[ ?].*/$1/sr }

# By base, of a call tree: calls, exclusive ticks, inclusive ticks of the outermost calls of each base, and of each
# name.
sub sums_of_tree {
    my (@options) = @_;
    my $shown = run([tool('nytp-tree'), '--json', @options, $path]);
    is("$shown->{status} $shown->{err}", '0 ', join ' ', 'nytp-tree', @options);
    my (%sum, $visit);
    $visit = sub {
        my ($call, %within) = @_;
        my ($name, $base) = ($call->{name}, base($call->{name}));
        my $sum = $sum{$base} //= { map { $_ => 0 } qw(calls exclusive outermost by_name) };
        $sum->{calls}     += $call->{calls};
        $sum->{exclusive} += $call->{exclusive_ticks};
        $sum->{outermost} += $call->{inclusive_ticks} if !$within{"base $base"};
        $sum->{by_name}   += $call->{inclusive_ticks} if !$within{"name $name"};
        $visit->($_, %within, "base $base" => 1, "name $name" => 1) for @{ $call->{children} };
    };
    $visit->($_) for @{ JSON::PP::decode_json($shown->{out})->{tree} };
    return \%sum;
}

my ($with, $without) = map { sums_of_tree(@$_) } [], ['--no-labels'];
for my $what (qw(calls exclusive outermost)) {
    my ($have, $want) = map { my $sums = $_; +{ map { $_ => $sums->{$_}{$what} } keys %$sums } } $with, $without;
    is_deeply($have, $want, "$what: labels add up");
}
is($without->{'My::get'}{calls}, 82, 'calls of a sub with labels');
is($with->{$_}{by_name}, $without->{$_}{outermost}, "$_: so do inclusive ticks, since none is within another")
    for 'My::get', 'My::CORE:match', 'My::CORE:ftis', 'List::Util::max';
cmp_ok($with->{$_}{by_name}, '>', $without->{$_}{outermost},
    "$_: inclusive ticks do not where one label is within another") for 'My::rec', 'My::page', 'NYTProf::span';

# Stacks, by ticks and by calls.
for my $options ([], ['--calls']) {
    my ($labelled, $plain) = map { parsed(run([tool('nytprofcalls'), @$options, @$_, $path])->{out}) } [],
        ['--no-labels'];
    my %sum;
    $sum{ join ';', map { base($_) } split /;/ } += $labelled->{$_} for keys %$labelled;
    is_deeply(\%sum, $plain, "nytprofcalls @$options: labels add up");
}

# By caller.
sub sums_of_callgrind {
    my (@options) = @_;
    my $file = CallgrindFile->parse(run([tool('nytprofcg'), '--no-split', '-o', '-', @options, $path])->{out});
    is_deeply($file->{complaints}, [], join ' ', 'nytprofcg', @options);
    my %sum;
    for my $name (keys %{ $file->{functions} }) {
        my $f = $file->{functions}{$name};
        $sum{ base($name) }{self} += $_->[0] for values %{ $f->{self} };
        for my $call (@{ $f->{calls} }) {
            $sum{ base($call->{to}) }{calls}     += $call->{count};
            $sum{ base($call->{to}) }{inclusive} += $call->{costs}[0];
        }
    }
    return \%sum;
}
my ($labelled, $plain) = map { sums_of_callgrind(@$_) } [], ['--no-labels'];
for my $name ('My::rec', 'My::page', 'NYTProf::span') { # one label is within another, and without labels the sub in itself
    my ($apart, $together) = map { delete $_->{$name}{inclusive} } $labelled, $plain;
    cmp_ok($apart, '>=', $together, "$name: inclusive time is that of each label");
}
is_deeply($labelled, $plain, 'labels add up by caller');

done_testing();
