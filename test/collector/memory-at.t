# The profile says how much memory the process has, and how many values, while it runs: as the program itself sees it.

use strict;
use warnings;

use Config;
use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library collector need_collector preload profiled);
use File::Copy qw(copy);
use List::Util qw(max);
use NYTPTest qw(build_dir run sanitized scratch_dir valgrind);
use Test::More;

need_collector();
plan skip_all => 'the system does not say it' if !-r '/proc/self/statm';

my $bin  = build_dir() . '/bin';
my $dump = build_dir() . '/test/dump-chunks';
my $MIB  = 1 << 20;

# All marks of memory: {s, mib, values, nth}; nth is the number of the chunk.
sub marks {
    my ($path) = @_;
    my @chunks = split /\n/, run([$dump, $path])->{out};
    return map {
        $chunks[$_] =~ /^ATTRIBUTE\t'memory_at\t'(\d+)%20(\d+)%20(\d+)$/
            ? { s => $1 / 1e7, mib => $2 / $MIB, values => $3, nth => $_ }
            : ()
    } 0 .. $#chunks;
}

# Each mark with how much time statements had before it, and how many calls had returned.
sub places {
    my ($path) = @_;
    my ($ticks, $returns, @places) = (0, 0);
    for (split /\n/, run([$dump, $path])->{out}) {
        $ticks += $1 if /^TIME_\w+\t(-?\d+)/;
        $returns++ if /^SUB_RETURN/;
        push @places, "$ticks $returns $1" if /^ATTRIBUTE\t'memory_at\t'(.*)/;
    }
    return @places;
}

sub marks_of {
    my ($code, %run) = @_;
    my $got = profiled(collector(), ['-e', $code], %run);
    is($got->{status}, 0, 'exit status') or diag($got->{err});
    return ($got, map { [marks($_)] } @{ $got->{files} });
}

sub about { my ($got, $want, $least, $name) = @_; return cmp_ok(abs($got - $want), '<=', $least, "$name: $want") || diag("not $got") }

# It prints what it has itself.
my $SEES = 'sub sees { open my $in, "<", "/proc/self/statm" or die; printf "%s %.1f\n", $_[0], (split " ", <$in>)[1] * ' . "4096 / $MIB }";

subtest 'a program that grows and shrinks' => sub {
    my ($got, $marks) = marks_of(<<"END");
$SEES
use Time::HiRes 'time';
sub work { my \$until = time + 0.06; while (time < \$until) { select undef, undef, undef, 0.002 } }
sees('begin');
my \@keep;
for (1 .. 10) { push \@keep, 'x' x 10_000_000; work() }
sees('most');
undef \$_ for \@keep;
work();
my \@values = 1 .. 200_000;
work();
sees('end');
END
    my %saw  = $got->{out} =~ /^(\w+) ([\d.]+)$/mg;
    my $most = max(map { $_->{mib} } @$marks);
    cmp_ok($saw{most} - $saw{begin}, '>', 90, 'the program has grown by 10 strings of 10 MB');
    cmp_ok(scalar @$marks,           '>=', 6,  'there are marks on the way');
    about($marks->[-1]{mib}, $saw{end}, 2, 'the last one has what the program has at its end');
    cmp_ok($most, '<', max(values %saw) + 8, 'none has more than the program had');    # sanitizers keep what was freed
    cmp_ok($most, '>', $saw{most} - 16, '... and one nearly that') or diag("$most of $saw{most}");
    my $grown = $marks->[-1]{values} - $marks->[0]{values};
    cmp_ok($grown, '>', 150_000, 'perl has 200,000 values more than at the begin, less those of compiling');
    cmp_ok($grown, '<', 210_000, '... and not many others');
    is_deeply([map { $_->{s} } @$marks], [sort { $a <=> $b } map { $_->{s} } @$marks], 'times go up');
    like((places($got->{files}[0]))[0], qr/^0 0 /, 'the first mark is at the begin, before any statement and call');

    my $merged = scratch_dir() . '/merged.out';
    is(run(["$bin/nytprofmerge", '-o', $merged, $got->{files}[0]])->{status}, 0, 'merged');
    is_deeply([places($merged)], [places($got->{files}[0])], '... all marks are where they were');
};

# The clock passes only when it is asked, and in sleeps.
subtest 'a clock that is told' => sub {
    my ($got, $marks) = marks_of('sub f { select undef, undef, undef, 0.01 } f() for 1 .. 100; select undef, undef, undef, 3; f()',
        options => { clock => 0, waits => 0 }, env => { LD_PRELOAD => preload(clock_library('told-clock')) });
    my @apart = map { $marks->[$_]{s} - $marks->[$_ - 1]{s} } 1 .. $#$marks;
    cmp_ok(scalar @$marks, '>=', 17, 'some 20 a second');
    cmp_ok(scalar @$marks, '<=', 24, '... and not more, and none while nothing happens');
    is(scalar(grep { $_ > 0.07 } @apart), 1, 'no gap but that of 3 seconds');
    is(scalar(grep { $_ < 0.05 } @apart[0 .. $#apart - 1]), 0, 'but for the end, none is less than 50 ms after another');
    about($marks->[-1]{s}, 4.01, 0.002, 'the last one is at the end');
};

subtest 'forked children, exec' => sub {
    my ($got, @of) = marks_of('if (!fork) { my @values = 1 .. 100_000; my $x = "x" x 20_000_000; exit } wait; fork || exec $^X, "-e", 1; wait');
    cmp_ok(scalar @of, '>=', 2, 'have profiles of their own');
    like((places($_))[0], qr/^0 0 /, 'which begin with a mark') for @{ $got->{files} };
    my ($grown) = grep { $_->[-1]{values} - $_->[0]{values} > 90_000 } @of;
    ok($grown, 'the child has its values');
    about($grown->[-1]{mib} - $grown->[0]{mib}, 22, 8, '... and memory')
        if $grown && !valgrind();    # which needs memory for each page
};

subtest 'recording is off for a while' => sub {
    my ($got, $marks) = marks_of(
        'sub f { select undef, undef, undef, 0.01 } f() for 1 .. 10; DB::disable_profile(); f() for 1 .. 100; DB::enable_profile(); f() for 1 .. 10',
        options => { clock => 0, waits => 0 }, env => { LD_PRELOAD => preload(clock_library('told-clock')) });
    is(scalar(grep { $_->{s} > 0.11 && $_->{s} < 1.09 } @$marks), 0, 'there are no marks in it');
    about($marks->[-1]{s}, 1.2, 0.002, 'which has passed all the same');
};

subtest 'a system without the file' => sub {
    plan skip_all => 'the library that replaces the kernel is not for sanitizers and valgrind' if sanitized() || valgrind();
    my ($got, $marks) = marks_of('print 1', env => { LD_PRELOAD => preload(clock_library('other-kernel')), REFUSED => 'statm' });
    is("$got->{out} $got->{err}", '1 ', 'output');
    is_deeply($marks, [], 'there are no marks');
};

# The file is open only while it is read.
subtest 'descriptors' => sub {
    plan skip_all => 'valgrind has some of its own' if valgrind();
    my $code = 'close STDIN; select undef, undef, undef, 0.06; f(); sub f { 1 } opendir my $d, "/proc/self/fd"; my @all = sort grep { /\d/ } readdir $d; print "@all"';
    my $plain = run([$^X, '-e', $code])->{out};
    my ($got) = marks_of($code);
    my $extra = grep { $plain !~ /\b$_\b/ } split / /, $got->{out};
    cmp_ok($extra, '<=', 1, 'only that of the profile is there besides') or diag("$plain, $got->{out}");
    unlike($got->{out}, qr/^0\b.*\b0\b/, 'and the first one is free') if $plain !~ /^0/;
};

SKIP: {
    my $stock = '/usr/bin/nytprofcsv';
    skip 'stock is not there', 2 if !-x $stock;
    my ($got) = marks_of('sub f { my $x = 0; $x += $_ for 1 .. 10_000 } f() for 1 .. 200');
    my $read = run([$stock, '-f', $got->{files}[0], '-o', scratch_dir() . '/csv']);
    is($read->{status}, 0,  'stock reads it');
    is($read->{err},    '', '... and says nothing') or diag($read->{out});
}

done_testing();
