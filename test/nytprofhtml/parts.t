# The bar of a report says where the time of a program went: its parts are all of the time, for every kind of profile.

use strict;
use warnings;

use Config;
use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(need_collector preloaded);
use List::Util qw(max sum0);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Sampled qw(may_sample recorder);
use StockModules;
use Test::More;
use Written qw(rows_of);

need_collector();
preloaded();
my ($build, $dir) = (build_dir(), scratch_dir());

# By its own processor time: on a busy machine a process may be queued for all of a time on the wall.
my $work = 'use Time::HiRes qw(clock sleep); sub work { my ($end, $n) = (clock + $_[0], 0); $n += sqrt $n + 1 while clock < $end } '
    . 'sub rest { sleep $_[0] } ';
my $waits = 'sub DB::begin_span; sub ask { DB::begin_span("GET /$_[0]") if defined &DB::begin_span; work(0.02); rest(0.01) } ';

# Runs perl code with these options of the collector. Returns the profile, which is that of all processes. Without a thread
# that writes: on a busy machine, a process waits at its end until that has had a processor.
sub profile_of {
    my ($name, $options, $code, @perl) = @_;
    mkdir "$dir/$name" or die;
    spew("$dir/$name/$name.pl", $code);
    my $ran = run([$^X, @perl ? @perl : ("-I$build/perl5", '-d:NYTProf'), "$name.pl"], dir => "$dir/$name",
        env => { NYTPROF => join ':', "file=$dir/$name/out", 'addpid=1', @perl ? () : 'thread=0', $options || () });
    my @files = glob "$dir/$name/out.*";
    return $files[0] if @files == 1;
    run(["$build/bin/nytprofmerge", '-o', "$dir/$name.out", @files]);
    return "$dir/$name.out";
}

my %in = (s => 1, ms => 1e-3, "\x{B5}s" => 1e-6, ns => 1e-9);
my $time = qr/([\d.,]+)\x{A0}?\s?(s|ms|\x{B5}s|ns)/;

# A time in seconds, and by how much it may be rounded.
sub seconds_in {
    my ($number, $unit) = $_[0] =~ /\A$time/ or return (0, 0);
    my ($decimals) = $number =~ /\.(\d+)/;
    return ($number =~ tr/,//dr * $in{$unit}, 0.5 * 10**-length($decimals // '') * $in{$unit});
}

# How long it lasted, by the begins and ends of the processes; undef if one has no end.
sub lived_s {
    my ($page) = @_;
    my $of = $page->{core}{processes};
    return if grep { !$_ } @{ $of->{end_s} };
    return sum0(map { $of->{end_s}[$_] - $of->{start_s}[$_] } 0 .. $#{ $of->{pid} });
}

sub check {
    my ($name, $profile, %how) = @_;
    my $got = run(["$build/bin/nytprofhtml", '-o', "$dir/$name.html", $profile]);
    is($got->{status}, 0, "$name: a report") or return diag($got->{err});
    utf8::decode(my $html = slurp("$dir/$name.html"));
    my ($lede) = $html =~ m{<p id="lede"[^>]*>.*?: ([^<:]*)\.</p>}s or return fail("$name: says where its time went");
    my ($lasted, @parts) = split / = | \+ /, $lede;
    my ($lasted_s, $error_s) = seconds_in($lasted);
    my @s = map { [seconds_in($_)] } @parts;
    cmp_ok(abs(sum0(map { $_->[0] } @s) - $lasted_s), '<=', 1e-9 + $error_s + sum0(map { $_->[1] } @s), "$name: $lede") if @parts;
    my ($bar) = $html =~ m{<div id="parts"[^>]*>(.*?)</div>}s;
    is(defined $bar ? 1 : 0, @parts > 1 ? 1 : 0, "$name: a bar, if there are parts");
    cmp_ok(abs(sum0($bar =~ /flex-grow:([\d.]+)/g) - 1), '<', 5e-4, '... which is as wide as all of them') if defined $bar;
    my %of = map { /\A$time (\w+)/ ? ($3 => (seconds_in($_))[0]) : () } @parts;
    cmp_ok(sum0(grep { defined } @of{split ' '}), '>', $how{least}{$_}, "... $_") for sort keys %{ $how{least} };
    my $page  = ReportPage->new($html);
    my $lived = lived_s($page);
    return if !defined $lived || $how{is_not_clocked};
    # What was before the first statement and after the last is not in it, and the process may have been queued there.
    my $queued = sum0(map { ($_->{processor_wait_s} || 0) - ($_->{queued_s} || 0) } rows_of('processes', $profile));
    cmp_ok(abs($lasted_s - $lived), '<', 0.02 * $lived + 0.05 + max(0, $queued), "... and that is how long it lasted, $lived s");
    return;
}

# The kernel may count a sleep as queued (doc/numbers.md).
my %measured = (least => { work => 0.002, 'asleep queued' => 0.09 });
check(script => profile_of(script => '', "$work work(0.05); rest(0.1)"), %measured);
check(server => profile_of(server => '', "$work $waits for my \$n (1 .. 10) { ask(\$n % 3) }"), %measured);
my $forks = "$work for my \$n (1 .. 3) { next if fork; work(0.03); rest(0.05); exit } 1 while wait > 0;";
my $batch = profile_of(batch => '', $forks);
check(batch => $batch, %measured);
run(["$build/bin/nytprofmerge", '-o', "$dir/two.out", $batch, glob "$dir/script/out.*"]);
check(merged => "$dir/two.out", %measured);
check(killed => profile_of(killed => '', "$work work(0.05); rest(0.1); work(0.05); kill KILL => \$\$; sleep 1"));
check('stmts=0' => profile_of('stmts=0' => 'stmts=0', "$work work(0.05); rest(0.1)"), %measured);
check('calls=0' => profile_of('calls=0' => 'calls=0', "$work work(0.05); rest(0.1)"), %measured);
check(memory => profile_of(memory => 'heap=1', "$work my \@kept = map { 'x' x 1000 } 1 .. 1000; work(0.05); rest(0.1)"), %measured);
SKIP: {
    skip 'a perl without threads', 1 if !$Config{useithreads};
    check(threads => profile_of(threads => '', "use threads; $work threads->create(sub { work(0.03); rest(0.05) })->join for 1 .. 2; work(0.03)"),
        is_not_clocked => 1);
}
SKIP: {
    skip 'no Coro', 1 if !eval { require Coro; 1 };
    check(coro => profile_of(coro => '', "use Coro; $work my \@all = map { async { work(0.01), cede for 1 .. 3 } } 1 .. 3; \$_->join for \@all; rest(0.1)"),
        %measured);
}
SKIP: {
    my @stock = StockModules::command();
    skip 'no stock collector', 1 if !@stock;
    check(stock => profile_of(stock => '', "$work work(0.05); rest(0.1)", @stock[1 .. $#stock], '-d:NYTProf'), least => { asleep => 0.09 }, is_not_clocked => 1);
}
SKIP: {
    my $forbidden = may_sample();
    skip $forbidden, 1 if defined $forbidden;
    spew("$dir/sampled.pl", "$work work(0.3); rest(0.3)");
    run([recorder(), '-o', "$dir/sampled.out", '--', $^X, "$dir/sampled.pl"]);
    check(sampled => "$dir/sampled.out", least => { asleep => 0.2 }, is_not_clocked => 1);
}

# Each process of a second has so many ms of work, and is queued in the rest.
for my $case (['other programs have the processors', 2, [500], 'Other programs had the 2 processors that it could use'],
    ['processes wait for one another', 2, [700, 700], '2 processors are too few for it'], ['one processor', 1, [700, 200], '1 processor is too few for it'],
    ['half of one', 0.5, [400], '0.5 processors are too few for it'],
    ['hardly queued', 2, [900], undef], ['not known', undef, [500], undef]) {
    my ($name, $processors, $work, $sentence) = @$case;
    my $pid     = 10;
    my $profile = spew("$dir/queued.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000],
        (defined $processors ? [ATTRIBUTE => processors => $processors] : ()), [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/a.pl'],
        map { my $own = $pid++; ([PID_START => $own, 1, 1_700_000_000], [ATTRIBUTE => waits => 1],
            [ATTRIBUTE => waited => '0 0 ' . (1000 - $_)], [TIME_LINE => 1000, 1, 1], [PID_END => $own, 1_700_000_001]) } @$work));
    my ($lede) = run(["$build/bin/nytprofhtml", '-o', '-', $profile])->{out} =~ m{<p id="lede"[^>]*>(.*?)</p>}s;
    my ($after) = $lede =~ / queued\. (.*)\.\z/;
    is($after, $sentence, $name) or diag($lede);
}
done_testing();
