# The lines of calls of which filters leave a part: they are those that the collector has summed up.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(profiled);
use Cwd qw(getcwd);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();
my $top     = getcwd();

sub output {
    my ($program, @arguments) = @_;
    my $got = run(["$bin/$program", @arguments]);
    is($got->{status}, 0, "$program @arguments") or diag($got->{err});
    return $got->{out};
}

# Numbers of calls by line and callee, of the calls that lines of the script make.
sub calls_of {
    my ($script, @arguments) = @_;
    my %calls;
    for (split /\r\n/, output('nytprofcsv', '--table=calls', '--no-merge-evals', '-o', '-', @arguments)) {
        my ($callee, $caller, $fid, $file, $line, $calls) = split /,/;
        next if $caller !~ /^main::/ || "$caller $callee" =~ /BEGIN|::END|import/ || ($file ne '' && $file !~ /\Q$script\E$/);
        $calls{ ($file ne '' ? $line : 'no line') . ": $callee" } += $calls;
    }
    return \%calls;
}

# A list of the calls that only one of them has.
sub differences {
    my ($whole, $part) = @_;
    my %names = (%$whole, %$part);
    return [map { my $more = ($part->{$_} // 0) - ($whole->{$_} // 0); $more ? sprintf '%+d %s', $more, $_ : () } sort keys %names];
}

my $script = 'test/scripts/calls.pl';
my %at;
{
    open my $in, '<', $script or die $!;
    while (<$in>) { $at{$1} = $. while /(goto &fib|thrown\(\)|leaves_loop\(\) }|left\(\$n\);)/g }
}

# What is left by die, goto and last has no line. The call that goto makes is one of the line that it leaves.
my @without_line = sort "+12 no line: main::thrown", "-12 $at{'thrown()'}: main::thrown",
    "+12 no line: main::leaves_loop", "-12 $at{'leaves_loop() }'}: main::leaves_loop",
    "+12 no line: main::left",        "-12 $at{'left($n);'}: main::left",
    "+12 $at{'left($n);'}: main::fib", "-12 $at{'goto &fib'}: main::fib";

sub has_lines {
    my ($name, $profile) = @_;
    my $whole = calls_of($script, $profile);
    cmp_ok(scalar(keys %$whole), '>', 20, "$name: lines call subs");
    is_deeply([sort @{ differences($whole, calls_of($script, '--range=0..', $profile)) }], \@without_line, '... and statements say which');
    return;
}

sub ours {
    my ($name, $script_or_code, %options) = @_;
    mkdir "$scratch/$name";
    return profiled('ours', $script_or_code, profiles => "$scratch/$name", options => \%options)->{files}[0];
}

my ($profile, $merged, $slice) = (ours('ours', ["$top/$script"]), "$scratch/merged.out", "$scratch/slice.out");
has_lines('ours', $profile);
has_lines("stock's", record('calls', [$script], calls => 1));
is(run(["$bin/nytprofmerge", '-o', $merged, $profile])->{status}, 0, 'a merged profile');
has_lines('merged', $merged);

my $entries = ours('entries', ["$top/$script"], calls => 2);
is_deeply(differences(calls_of($script, $entries), calls_of($script, '--range=0..', $entries)), [], 'with calls=2 all lines are known');

is(run(["$bin/nytprofmerge", '--range=..60%', '-o', $slice, $profile])->{status}, 0, 'a slice');
is_deeply(calls_of($script, $slice), calls_of($script, '--range=..60%', $profile), '... has the lines of the range');

# A process that was killed has summed up some calls. The others have their lines, too.
# A checkpoint may write a mark, with a comment that fills a block before it, in the middle of a return.
my @f = (
    [SUB_RETURN => 1, 5, 5, 'main::f'], [COMMENT => '    '], [ATTRIBUTE => 'memory_at', '30 4096 7'],
    [ATTRIBUTE => 'wait_for_cpu', '0.002'], [TIME_LINE => 5, 1, 3], ['DISCOUNT'], [ATTRIBUTE => 'wait_for_cpu', '0.004']
);
my $killed = spew("$scratch/killed.out",
    profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [PID_START => 7, 1, 100], [NEW_FID => 1, 0, 0, 2, 0, 0, '/a.pl'],
        [SUB_INFO => 1, 'main::f', 2, 4], @f, [TIME_LINE => 10, 1, 6], @f, [TIME_LINE => 10, 1, 7],
        [SUB_CALLERS => 1, 7, 'main::RUNTIME', 1, 5e-7, 5e-7, 0, 0, 'main::f'], @f, [TIME_LINE => 10, 1, 7]));
my @calls = output('nytprofcg', '-o', '-', $killed) =~ /^calls=(\d+) 2\n(\d+) \d+/gm;
is("@calls", '1 6 2 7', 'killed: calls and lines');
my $two = spew("$scratch/two.out", slurp($profile) . slurp($killed));
is(run(["$bin/nytprofmerge", '-o', $merged, $profile, $killed])->{status}, 0, 'merged with another profile');
for my $file ($killed, $two, $merged) {
    @calls = map { /^main::f,main::RUNTIME,\d+,\/a\.pl,(\d+),(\d+)/ ? "$2 $1" : () } split /\r\n/, output('nytprofcsv', '--table=calls', '-o', '-', $file);
    is("@calls", '1 6 2 7', "... nytprofcsv $file");
}

# A profile without DISCOUNTs does not say the lines of calls, so no program shows one.
my $leave = ours('leave', ['-e', 'sub f { /$_[0]$_/ for 1 .. 2000; 1 } f($_) for 1 .. 5'], leave => 0);
my $calls = calls_of('-e', '--range=0..', $leave);
is(join(' ', grep { !/no line/ } keys %$calls), '', 'leave=0: no lines');
like(output('nytp-tree', '--findings', '--range=0..', $leave), qr/^main::f compiles regular expressions, /m, 'the caller is named');
like(output('nytp-diff', '--by=places', '--range=0..', $profile, $leave), qr/main::f -> main::CORE:regcomp$/m, '... alone');

done_testing();
