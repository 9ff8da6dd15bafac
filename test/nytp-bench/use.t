# nytp-bench: two versions of a program in turns, what it says and how it exits, and that it leaves nothing.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(as_users clock_library finish preload start);
use JSON::PP qw(decode_json);
use List::Util qw(max);
use NYTPTest qw(build_dir run sanitized scratch_dir spew until_true valgrind);
use Test::More;

my ($dir, $tmp) = (scratch_dir(), scratch_dir());
my %env = (as_users(), TMPDIR => $tmp, HOME => $dir, GIT_CONFIG_NOSYSTEM => 1,
    map { ("GIT_AUTHOR_$_" => 'x', "GIT_COMMITTER_$_" => 'x') } qw(NAME EMAIL));
my $bench = build_dir() . '/bin/nytp-bench';

# What is in the directory for temporary files.
sub left {
    opendir my $handle, $tmp or die $!;
    return join ' ', grep { !/^\.\.?$/ } readdir $handle;
}

sub bench {
    my ($arguments, %more) = @_;
    my %run = (dir => $dir, %more, env => { %env, %{ $more{env} // {} } });
    my $got = run([$bench, '--runs=8', @$arguments], %run);
    is(left(), '', 'nothing is left') or die;
    return $got;
}

# Does as much work as the first argument says, in as many calls as the second one says.
spew("$dir/work.pl", <<'PERL');
my ($units, $calls) = @ARGV;
sub work { my $sum = 0; $sum += $_ for 1 .. $_[0] }
work(50_000 * $units / $calls) for 1 .. $calls;
PERL
sub work { return ($^X, 'work.pl', @_) }

subtest 'slower' => sub {
    my $got = bench(['--', work(2, 10), ':::', work(20, 10)]);
    is($got->{status}, 3, 'exit status') or diag($got->{err});
    like($got->{out}, qr/^processor time .*\+\d+\.\d %, p = 0\.0\d+, \d+ pairs of runs$/m, 'how much, and how sure');
    like($got->{out}, qr/^calls +(\d+) +\1  same$/m,                                   'calls');
    like($got->{out}, qr/^NEW is slower by \d+\.\d %; the limit is 5 %\.$/m,           'in words');
    my ($where) = $got->{out} =~ /^What changed in the profiles:\n(.*)/ms;
    like($where, qr/ main::work$/m, 'and where');
    cmp_ok($where =~ tr/\n//, '<=', 10, '... in at most ten lines');
    unlike($got->{out}, qr/ $/m, 'no blanks at ends of lines');
    is($got->{err}, '', 'no progress where there is no terminal');

    return if valgrind();    # whose start takes most of the time

    my @sleep = ($^X, '-e', 'sub work { select undef, undef, undef, shift } work(@ARGV)');
    # It sleeps for longer than runs differ by on this machine now.
    my $alike = decode_json(bench(['--wall', '--json', '--limit=1e5', '--', @sleep, 0, ':::', @sleep, 0])->{out});
    my $sleep = 0.25 + 5 * max(map { @$_ } @{ $alike->{pairs} });
    $got = bench(['--wall', '--json', '--limit=20', '--', @sleep, 0, ':::', @sleep, $sleep]);
    is($got->{status}, 3, '--wall');
    my $json = decode_json($got->{out});
    is("$json->{measure} $json->{slower}", 'time 1', '--json');
    is(@{ $json->{pairs} } % 8, 0, '... after as many pairs as it took on this machine');
    cmp_ok($json->{new_seconds}, '>', $json->{old_seconds}, '... has the times');
};

subtest 'not slower' => sub {
    my $got = bench(['--limit=100%', '--', work(4, 10), ':::', work(4, 10)]);
    is($got->{status}, 0, 'the same command');
    like($got->{out}, qr/^NEW (?:is not slower|is faster|takes .* within)/m, 'in words');
    is(bench(['--', work(8, 10), ':::', work(2, 10)])->{status}, 0, 'a faster one');
};

# The limit is a third above what NEW takes more, so half of it is a third below.
subtest 'in doubt' => sub {
    my @both = ('--', work(1, 1), ':::', work(8, 1));
    my $pairs;
    until_true(sub {
        my $change = decode_json(bench(['--json', '--limit=0%', @both])->{out})->{change};
        my $json   = decode_json(bench(['--json', sprintf('--limit=%f%%', 400 / 3 * $change), @both])->{out});
        $pairs = @{ $json->{pairs} };
        return !$json->{slower} && $pairs == 32;
    });
    is($pairs, 32, 'four times as many runs');
};

subtest '--fail-calls' => sub {
    my @same_work = ('--limit=500', '--', work(2, 10), ':::', work(2, 11));
    is(bench(\@same_work)->{status}, 0, 'more calls are fine');
    my $got = bench(['--fail-calls', @same_work]);
    is($got->{status}, 3, '... but not with it');
    like($got->{out}, qr/^NEW makes more calls\.$/m, 'it says so');
    like($got->{out}, qr/^calls +10 +11  \+10\.0 %$/m, 'and the numbers');
    is(bench(['--fail-calls', '--limit=500', '--', work(2, 11), ':::', work(2, 10)])->{status}, 0, 'fewer are fine');
};

subtest 'children' => sub {
    my $parent = 'system($^X, "work.pl", $_, 5) for @ARGV';
    my $got    = bench(['--json', '--', $^X, '-e', $parent, 2, 2, ':::', $^X, '-e', $parent, 20, 20]);
    is($got->{status}, 3, 'their processor time counts') or diag($got->{err});
    my $json = decode_json($got->{out});
    is("$json->{old_calls} $json->{new_calls}", '12 12', 'and their calls, with system()');
    my %without_calls = (NYTPROF => 'calls=0:subs=0');
    $got = bench(['--json', '--limit=1e5', '--', work(1, 9), ':::', work(1, 9)], env => \%without_calls);
    is(decode_json($got->{out})->{old_calls}, 0, 'NYTPROF may have options');
};

subtest 'what goes wrong' => sub {
    my $fails = 'print STDERR "line $_\n" for 1 .. 50; print <STDIN>; exit 4';
    for my $case (
        ['a run fails', [$^X, '-e', 1], [$^X, '-e', $fails],
            qr/^nytp-bench: NEW: \S*perl\S* failed with exit status 4\n.* ends with\n(?:line \d+\n)*line 50\n\z/],
        ['no program', ['nosuch'], [$^X, '-e', 1],
            qr/^nytp-bench: nosuch: cannot execute: No such .*\nnytp-bench: OLD: nosuch failed with exit status 127\n\z/],
        ['no perl', ['true'], ['true'], qr/^nytp-bench: no perl has written a profile\n\z/],
    ) {
        my ($name, $old, $new, $message) = @$case;
        my @both = ('--', @$old, ':::', @$new);
        my $got  = bench(\@both);
        is("$got->{status} $got->{out}", '1 ', "$name: exit status");
        like($got->{err}, $message, '... and a message');
        is(bench(['--bisect', @both])->{status}, 125, '... with --bisect another status');
    }
    for my $wrong (
        [[],                                    qr/two commands/],
        [['--', 'a'],                           qr/two commands/],
        [['--', 'a', ':::'],                    qr/no command after :::/],
        [['--', ':::', 'a'],                    qr/no command before :::/],
        [['--baseline=x'],                      qr/which command/],
        [['--baseline=x', '--', 'a', ':::', 'b'], qr/without :::/],
        [['--runs=7', '--', 'a', ':::', 'b'],   qr/--runs=7: expected a whole number from 8 to 200/],
        [['--', 'a', ':::', 'b', ':::', 'c'],   qr/there is ::: twice/],
        [['--limit=much', '--', 'a', ':::', 'b'], qr/expected a percentage/],
    ) {
        my ($arguments, $message) = @$wrong;
        my $got = bench($arguments);
        is("$got->{status} $got->{out}", '2 ', "@$arguments: wrong usage");
        like($got->{err}, $message, '... and what');
    }
    is(bench(['--nosuch', '--bisect'])->{status}, 125, '... with --bisect, it says nothing of a commit');
};

subtest '--bisect' => sub {
    is(bench(['--bisect', '--', work(2, 10), ':::', work(20, 10)])->{status},              1, 'slower is bad');
    is(bench(['--bisect', '--limit=100', '--', work(2, 10), ':::', work(2, 10)])->{status}, 0, 'not slower is good');
};

sub git {
    my $got = run(['git', @_], dir => "$dir/repository", env => \%env);
    $got->{status} == 0 or die "git @_: $got->{err}";
    return $got->{out};
}

subtest '--baseline' => sub {
    plan skip_all => 'no git' if run(['git', '--version'])->{status} != 0;
    mkdir "$dir/repository" or die $!;
    mkdir "$dir/repository/sub dir" or die $!;
    my $program = "$dir/repository/sub dir/work.pl";
    spew($program, 'sub work { my $x = 0; $x += $_ for 1 .. 100_000 } work()');
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'fast');
    spew($program, 'sub work { my $x = 0; $x += $_ for 1 .. 100_000 } work() for 1 .. 9');
    mkdir "$dir/repository/.git/hooks";
    spew("$dir/repository/.git/hooks/post-checkout", "#!/bin/sh\ntouch $dir/hooked\n");
    chmod 0755, "$dir/repository/.git/hooks/post-checkout";
    my @command = ('--', $^X, 'work.pl');
    my $got     = bench(['--baseline=HEAD', @command], dir => "$dir/repository/sub dir");
    is($got->{status}, 3, 'what is not committed is slower than the commit') or diag($got->{err});
    like($got->{out}, qr/^OLD: \S+ work\.pl, in HEAD$/m, 'it says what ran where');
    like($got->{out}, qr/^calls +1 +9 /m,                'calls');
    like($got->{out}, qr/^.* 1 -> 9 +main::work$/m,      'files of two checkouts are the same');
    ok(!-e "$dir/hooked", 'hooks do not run');
    is(git('worktree', 'list') =~ tr/\n//, 1, 'the worktree is gone');
    for my $case (
        ['a commit that is not there', 'nosuch', 'repository',  qr/there is no such commit/],
        ['an option',                  '--help', 'repository',  qr/--help is not a commit/],
        ['no repository',              'HEAD',   '',            qr/not a git repository/],
        ['a directory that is new',    'HEAD',   'repository/new', qr/does not have the directory new/],
    ) {
        my ($name, $commit, $where, $message) = @$case;
        mkdir "$dir/$where";
        $got = bench(["--baseline=$commit", @command], dir => "$dir/$where");
        is("$got->{status} $got->{out}", '1 ', $name);
        like($got->{err}, $message, '... is said');
    }

    for my $signal (qw(INT TERM)) {
        unlink "$dir/runs";
        my $waits = 'open my $runs, ">", "$ARGV[0]/runs"; sleep 600';
        my @run   = ($bench, '--baseline=HEAD', '--', $^X, '-e', $waits, $dir);
        my $job   = start(\@run, dir => "$dir/repository", env => \%env);
        until_true(sub { -e "$dir/runs" }, $job->{pid});
        kill $signal => $job->{pid};
        my $ended = finish($job);
        is($ended->{signal}, { INT => 2, TERM => 15 }->{$signal}, "SIG$signal ends it");
        is(left(), '', '... and nothing is left');
        is(git('worktree', 'list') =~ tr/\n//, 1, '... nor a worktree');
    }
};

subtest 'a busy machine' => sub {
    plan skip_all => 'the library that replaces the kernel does not go with these tools' if sanitized() || valgrind();
    my %busy = (LD_PRELOAD => preload(clock_library('other-kernel')), RUNS => 0.5, WAITS => 0.5);
    my $got  = bench(['--limit=1e5', '--', work(1, 1), ':::', work(1, 1)], env => \%busy);
    like($got->{out}, qr/^The machine was busy: for \d+ % of the time\. 4 pairs of runs were repeated\.$/m,
        'pairs are repeated, but not forever');
    $got = bench(['--limit=1e5', '--', work(1, 1), ':::', work(1, 1)], env => { %busy, WAITS => 0.001 });
    unlike($got->{out}, qr/busy/, 'unless they waited for less than 2 %');
};

done_testing();
