# --span and --slowest: what ran within some spans, and how long.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library preload profiled);
use Instructions qw(count_instructions have_callgrind);
use NYTPTest qw(build_dir run scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use Test::More;
use Written qw(rows_of);

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();

# Each page waits for as long as its number says, in ms, by a clock that passes only then, and a little when it is read.
# The fifth is the slowest.
my %told  = (options => { clock => 0, waits => 0 }, env => { LD_PRELOAD => preload(clock_library('told-clock')) });
my $pages = profiled('ours', ['-e', <<'END'], %told)->{files}[0];
use NYTProf::Span;
sub pause { select undef, undef, undef, $_[0] / 1000 }
sub render { pause($_[0] / 2) }
sub page { my ($name, $ms) = @_; my $span = span("GET /$name"); pause($ms); render($ms); return }
sub serve { page('albums', $_) for @_; pause(5) }
serve(1, 2); page('users', 30); serve(3, 90, 1);
END

sub calls {
    my (@options) = @_;
    my $got = run(["$bin/nytprofcalls", '--calls', @options, $pages]);
    is($got->{status}, 0, "@options") or diag($got->{err});
    my %calls;
    /([^;]+) (\d+)\z/ and $calls{$1} += $2 for split /\n/, $got->{out};
    return \%calls;
}

sub is_left {
    my ($options, %expected) = @_;
    my $calls = calls(@$options);
    is_deeply({ map { ($_ => $calls->{$_} // 0) } keys %expected }, \%expected, "@$options");
    return;
}
my ($albums, $users) = map { "NYTProf::span GET /$_" } qw(albums users);
is_left(['--span=GET /albums'],                  $albums => 5, $users => 0, 'main::render' => 5, 'main::serve' => 0);
is_left(['--span=GET /u*'],                      $albums => 0, $users => 1, 'main::render' => 1, 'main::serve' => 0);
is_left(['--span=GET /????s'],                   $albums => 0, $users => 1);
is_left(['--span=*'],                            $albums => 5, $users => 1, 'main::render' => 6);
is_left(['--span=main::render'],                 $albums => 0, $users => 0, 'main::render' => 6);
is_left(['--slowest=2'],                         $albums => 1, $users => 1);
is_left(['--slowest=1%'],                        $albums => 1, $users => 0);
is_left(['--slowest=100%'],                      $albums => 5, $users => 1);
is_left(['--slowest=1', '--span=*users'],        $albums => 0, $users => 1);
is_left(['--slowest=1', '--span=main::serve'],   $albums => 3, $users => 0, 'main::serve' => 1);

# ---- times ----

sub ticks {
    my (@options) = @_;
    my %sum;
    for (split /\n/, run(["$bin/nytprofcalls", '--unit=ticks', @options])->{out}) {
        my ($stack, $ticks) = /\A(.*) (\d+)\z/ or die $_;
        my %seen;
        $sum{$_} += $ticks for grep { !$seen{$_}++ } 'all', split /;/, $stack;
    }
    return \%sum;
}
my ($whole, $spans) = map { ticks(@$_) } [$pages], ['--span=*', $pages];
is_near($spans->{$_}, $whole->{$_}, "--span=*: the time of $_") for $albums, $users, 'main::render';
is_near($spans->{all}, $whole->{$albums} + $whole->{$users}, '... and no other time');

# The clock is exact to the statement that runs: here within 2 us.
sub is_near {
    my ($got, $expected, $name) = @_;
    cmp_ok(abs $got - $expected, '<=', 20, $name) or diag("$got is not $expected");
    return;
}
# ---- the table of spans ----

my @rows = rows_of('spans', $pages);
is(join(' ', map { $_->{span} } @rows), 'GET /albums GET /albums GET /users GET /albums GET /albums GET /albums', 'a row for each span, as it ended');
is(scalar(grep { $rows[$_]{begin_s} + $rows[$_]{latency_s} > $rows[ $_ + 1 ]{begin_s} + 2e-6 } 0 .. $#rows - 1), 0, '... before the next one began');
my %sum;
for my $row (@rows) { $sum{ $row->{span} } += $row->{latency_s} * 1e7; $sum{waiting} += $row->{waiting_s} * 1e7 }
is_near($sum{"GET /$_"}, $whole->{"NYTProf::span GET /$_"}, "the time of all /$_") for qw(albums users);
is_near($sum{waiting}, $spans->{'main::CORE:sselect'}, '... of which all of select() is waiting');
my ($slowest) = sort { $b->{latency_s} <=> $a->{latency_s} } @rows;
my ($alone, @others) = rows_of('spans', $pages, '--slowest=1');
is(scalar @others, 0, '--slowest=1 is one row');
is_near($alone->{$_} * 1e7, $slowest->{$_} * 1e7, "... the slowest of all: $_") for qw(begin_s latency_s work_s waiting_s);
is_near(ticks('--slowest=1', $pages)->{all}, $slowest->{latency_s} * 1e7, '... and what other programs show of it');

is(run(["$bin/nytprofmerge", '--span=GET /albums', '-o', "$scratch/spans.out", $pages])->{status}, 0, 'a file of spans');
is_near(ticks('--slowest=2', "$scratch/spans.out")->{all}, ticks('--span=GET /albums', '--slowest=2', $pages)->{all}, '... has the slowest of them');

# ---- a call that took longer than its statements, after another one, of which it has nothing ----

my $longer = spew("$scratch/longer.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 1000], [PID_START => 7, 1, 1e9],
    [NEW_FID => 1, 0, 0, 0x12, 0, 0, 't.pl'], (map { [SUB_INFO => 1, "main::$_", 1, 9] } 'leaf', 'before', 'longer'),
    [SUB_ENTRY => 1, 1], [SUB_ENTRY => 1, 2], [TIME_LINE => 100, 1, 3],
    [SUB_RETURN => 2, 95, 95, 'main::leaf'], [SUB_RETURN => 1, 100, 5, 'main::before'], [SUB_ENTRY => 1, 1], [TIME_LINE => 50, 1, 4],
    [SUB_RETURN => 1, 80, 80, 'main::longer'], [PID_END => 7, 1e9 + 1]));
my @times = split /\r\n/, run(["$bin/nytprofcsv", '--table=calls', '-o', '-', '--span=main::longer', $longer])->{out};
is_deeply([map { (split /,/)[0, 7] } grep { !/,0\.0+,0\.0+,0\.0+,0\z/ } @times[1 .. $#times]], ['main::longer', '0.080000000'],
    'a call before a span has nothing of it, also where SUB_ENTRY is read');

# ---- a pipe, several profiles in a file, and what is not there ----

is(run(['sh', '-c', "cat '$pages' | '$bin/nytprofcalls' --slowest=1 -"])->{out}, run(["$bin/nytprofcalls", '--slowest=1', $pages])->{out},
    'standard input, a pipe, is read twice');
my $two = spew("$scratch/two.out", slurp($pages) x 2);
is(ticks('--span=*', $two)->{all}, 2 * $spans->{all}, 'two profiles in a file');
my $none = run(["$bin/nytp-tree", '--span=PUT /', $pages]);
is("$none->{status} $none->{out}", '1 ', 'a span that is not there');
like($none->{err}, qr{^nytp-tree: there is nothing to write: \S+ has no span 'PUT /', but 'GET /albums', 'GET /users'$}, '... and which there are');
for my $n ('0', 'x', '1.5', '101%', '-1', '') {
    my $got = run(["$bin/nytp-tree", "--slowest=$n", $pages]);
    is($got->{status}, 2, "--slowest=$n is refused");
    like($got->{err}, qr/expected how many spans, as 5 or 1%/, '... and it says what it should be');
}
SKIP: {
    skip 'valgrind needs a TMPDIR', 2 if valgrind();
    my $full = run(['sh', '-c', "cat '$pages' | '$bin/nytp-tree' --slowest=1 -"], env => { TMPDIR => "$scratch/not-there" });
    is($full->{status}, 1, 'no place for a copy of standard input');
    like($full->{err}, qr/\Anytp-tree: temporary file: No such file or directory \(TMPDIR says where it is\)\n\z/, '... is said');
}

# ---- many spans, with as many marks of memory ----

sub instructions_of {
    my ($count) = @_;
    my @chunks = map { ([TIME_LINE => 9, 1, 1], [TIME_LINE => 3, 1, 2], [SUB_RETURN => 1, 3, 3, 'main::f'], [ATTRIBUTE => memory_at => 12 * $_ - 1 . ' 4096 1']) } 1 .. $count;
    my $many = spew("$scratch/many.out", profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1e9], @chunks, [PID_END => 7, 1e9 + 1]));
    return count_instructions(["$bin/nytprofcalls", '--span=main::f', $many])->{program};
}
SKIP: {
    skip 'EXHAUSTIVE=1 counts instructions', 1 if !$ENV{EXHAUSTIVE} || valgrind() || !have_callgrind();
    my ($some, $twice) = map { instructions_of($_) } 8000, 16000;
    cmp_ok($twice, '<', 2.3 * $some, 'twice as many spans take twice as many instructions');
}

done_testing();
