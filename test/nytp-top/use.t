# nytp-top: shares of a known program, keys on a terminal, a growing profile, messages.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env);
use NYTPTest qw(build_dir run scratch_dir slurp spew until_true);
use POSIX ();
use Sampled qw(may_sample start wait_for_sleep);
use Test::More;
use Time::HiRes qw(time);

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my ($build, $scratch) = (build_dir(), scratch_dir());
my $ours = "$build/bin/nytp-top";

# Waits in one place, all of the time.
my $program = start($^X, '-e', <<'PERL');
$| = 1;
print "ready\n";
sub Some::Package::waits { sleep 100000 }
sub outer { Some::Package::waits() }
outer();
PERL

# Rows by name: [self%, incl%, SELF%, INCL%].
sub rows {
    my ($text) = @_;
    my %rows;
    /^ *([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+) +[\d.]+  (.*)$/ and $rows{$5} = [$1, $2, $3, $4] for split /\n/, $text;
    return \%rows;
}

{
    my $got  = run([$ours, '-p', $program->{pid}, '--batch=1', '-d', 1.5]);
    is($got->{status}, 0, 'a process') or diag($got->{err});
    my $rows = rows($got->{out});
    is($rows->{'Some::Package::CORE:sleep'}[0] // $rows->{'main::CORE:sleep'}[0], '100.0',
        'what waits has all of its own time');
    is($rows->{'main::outer'}[1], '100.0', 'what calls it has the inclusive time');
    is($rows->{'main::outer'}[0], '0.0', '... but no time of its own');
    $rows = rows(run([$ours, '-p', $program->{pid}, '--batch=1', '--by=packages'])->{out});
    is($rows->{'Some::Package'}[1], '100.0', '--by=packages');
    $rows = rows(run([$ours, '-p', $program->{pid}, '--batch=1', '--by=lines'])->{out});
    is($rows->{'-e:3'}[0], '100.0', '--by=lines');
    my @names = run([$ours, '-p', $program->{pid}, '--batch=1', '--sort=name'])->{out} =~ /^ *(?:[\d.]+ +){5} ?(.*)$/mg;
    is_deeply(\@names, [sort @names], '--sort=name');
}

{
    my $begun = time;
    run([$ours, '-p', $program->{pid}, '--batch=12', '-d', 0.1, '-r', 1]);
    cmp_ok(time - $begun, '<', 5, 'it draws each --delay, also if samples are rarer');
}

{
    my $second = start($^X, '-e', '$| = 1; print "ready\n"; sub other { sleep 100 } other()');
    my $rows   = rows(run([$ours, '-p', $program->{pid}, '-p', $second->{pid}, '--batch=1'])->{out});
    my ($first) = run([$ours, '-p', $program->{pid}, '-p', $second->{pid}, '--batch=1'])->{out} =~ /\A(.*)/;
    like($first, qr/\Anytp-top: -e \(2 processes\), \d+ s\z/, '... with the name of their program');
    my ($one, $other) = map { $rows->{$_}[1] // 0 } qw(main::outer main::other);
    ok($one > 0 && $other > 0 && abs($one + $other - 100) < 0.3, 'two processes share one table')
        or diag(explain($rows));
    $second->{end}->();
    is(run([$ours, '-p', $second->{pid}, '--batch=1'])->{status}, 1, 'a process that has ended is an error');
}

# ---- processor time ----

my $half = '$| = 1; print "ready\n"; sub spins { 1 for 1 .. 1e5 } sub waits { select undef, undef, undef, 0.1 } '
    . 'while () { spins() for 1 .. 10; waits() }';

{
    my $got = run([$ours, '--cpu', '-p', $program->{pid}, '--batch=1']);
    like($got->{out}, qr/; 0\.0 s on a processor,.*NAME\n\n\z/s, '--cpu: what waits has no time');
    my $both = start($^X, '-e', $half);
    my $rows;
    until_true(sub { $rows = rows(run([$ours, '--cpu', '-p', $program->{pid}, '-p', $both->{pid}, '--batch=1'])->{out});
        $rows->{'main::spins'} }, $both->{pid});
    cmp_ok($rows->{'main::spins'}[0], '>', 0, '... what works has') or diag(explain($rows));
    ok(!exists $rows->{'main::outer'}, '... and what waits is not among the subs');
    $both->{end}->();
    is(run([$ours, '--cpu', "$scratch/none"])->{status}, 2, '... it does not go with a profile');
}

# ---- processes that cannot be sampled, or only later ----

sub sleeping {
    my $pid = fork // die;
    exec 'sleep', 100 or POSIX::_exit(127) if $pid == 0;
    wait_for_sleep($pid);
    return $pid;
}

{
    my @others = map { sleeping() } 1 .. 2;
    my $no_perl = qr/is not a perl, and does not contain one/;
    my ($first) = run([$ours, (map { ('-p', $_) } $others[0], $program->{pid}), '--batch=1'])->{out} =~ /\A(.*)/;
    like($first, qr/\Anytp-top: -e \(process $program->{pid}\), \d+ s: $others[0]: .* $no_perl\z/,
        'the first line says what is watched, and why the rest is not');
    ($first) = run([$ours, (map { ('-p', $_) } @others, $program->{pid}), '--batch=1'])->{out} =~ /\A(.*)/;
    like($first, qr/: $others[0]: .* $no_perl \(and 1 more\)\z/, '... for one of them');
    my $got = run([$ours, (map { ('-p', $_) } @others), '--batch=1']);
    like($got->{err}, qr/\Anytp-top: $others[0]: .* $no_perl\nnytp-top: $others[1]: .* $no_perl\n\z/,
        'where there is nothing to watch, it says why for each');
    kill KILL => @others;
    waitpid $_, 0 for @others;
}

# A shell that becomes a perl. What it reads keeps it a shell until then.
{
    my $parent = start($^X, '-e', <<'PERL', $^X);
$| = 1;
if (fork == 0) {
    exec 'sh', '-c', 'echo ready; dd bs=1 count=1 >/dev/null 2>&1; exec "$0" -e "sub later { sleep 100 } later()"', $ARGV[0];
}
sub waits { wait }
waits();
PERL
    open my $from, '-|', $ours, '--children', '-p', $parent->{pid}, '--batch=1000', '-d', 0.1 or die;
    my ($seconds, $found, $told) = (0, 0, 0);
    while (!$found && defined(my $line = readline $from)) {
        $seconds = $1 if $line =~ /^nytp-top: .*, (\d+) s/;
        $parent->{go}->() if $seconds >= 2 && !$told++;
        $found = 1 if $line =~ /main::later/;
    }
    close $from;
    ok($found, '--children watches a process that becomes a perl after it was looked at');
    $parent->{end}->();
}

# A shell that runs perls one after the other, and a perl that becomes a shell, which becomes a perl: at some moments
# there is nothing to sample.
{
    my $again = spew("$scratch/again.pl",
        '$| = 1; print "ready\n" if !@ARGV; select undef, undef, undef, 0.3; exec "sh", "-c", q{sleep 0.3; exec '
        . '"$0" "$1" again}, $^X, $0');
    my @families = (
        ['a shell that runs perls', [qw(--children -p)], 'sh', '-c',
        'echo ready; while :; do "$0" -e "select undef, undef, undef, 0.2"; sleep 0.2; done', $^X],
        ['a perl that executes others', ['-p'], $^X, $again],
    );
    for (@families) {
        my ($what, $options, @command) = @$_;
        my $family = start(@command);
        my @tables;
        # what is no perl when it is first looked at is not watched
        until_true(sub {
            @tables = run([$ours, @$options, $family->{pid}, '--batch=12', '-d', 0.1])->{out} =~ /^nytp-top: /mg;
            return scalar @tables;
        }, $family->{pid});
        is(scalar @tables, 12, "$what: --batch goes on while there is nothing to sample");
        $family->{end}->();
    }
}

{
    my $shell = start('sh', '-c', 'echo ready; sleep 100');
    my $got   = run([$ours, '--children', '-p', $shell->{pid}, '--batch=2', '-d', 0.1]);
    is($got->{status}, 1, '--batch fails if no perl came');
    is($got->{err}, "nytp-top: no perl was found that could be sampled\n", '... and says so');
    $shell->{end}->();
}

# ---- a terminal ----

my $screens = 0;
my @tmux;
my $no_tmux = system('tmux -V >/dev/null 2>&1') != 0;

# tmux is not run by run(): under valgrind its server, which lives longer than the command, lost its log.
sub tmux {
    my (@arguments) = @_;
    open my $from, '-|', @tmux, @arguments or die "tmux: $!";
    my $out = do { local $/ = undef; readline $from };
    close $from;
    return $out // '';
}

# Each has a tmux server of its own: one that was killed may take some time to end.
sub begin_screen {
    my ($columns, @arguments) = @_;
    @tmux = ('tmux', '-u', '-L', "nytp-top-$$-" . ++$screens, '-f', '/dev/null');
    tmux('new-session', '-d', '-s', 'top', '-x', $columns, '-y', 24, '-c', $scratch,
        "LC_ALL=C.UTF-8 $ours @arguments; echo status \$?; sleep 1000");
    return;
}

sub end_screen { return tmux('kill-server') }
sub screen { return tmux('capture-pane', '-p', '-t', 'top') }

# Whether the screen looks so after the keys.
sub came {
    my ($pattern, @keys) = @_;
    tmux('send-keys', '-t', 'top', @keys) if @keys;
    return 1 if until_true(sub { screen() =~ $pattern });
    diag(screen());
    return 0;
}

SKIP: {
    skip 'no tmux', 22 if $no_tmux;
    begin_screen(100, '-p', $program->{pid});
    ok(came(qr/^subs by self.*^ *[\d.]+ .*main::outer$/ms), 'it draws a table');
    ok(came(qr/^lines by self.*-e:3$/ms, '2'), 'a key chooses lines');
    ok(came(qr/^-e \(process $program->{pid}\)\n.*main program +-e:5$/ms, 'k'), 'another one the stack');
    ok(came(qr/any key +back/, 'h'), 'another one help');
    ok(came(qr/^subs by inclusive, last seconds/m, 'x', '1', 'i'), 'and orders');
    tmux('send-keys', '-t', 'top', 'S', '/', 'outer', 'Enter', 'Down');
    ok(came(qr/^ *[\d.]+ .*main::outer\n\n.*^── main::outer (?:─)+\n +[\d.]+  called by  main::RUNTIME +-e:5\n +[\d.]+  calls      Some::Package::waits +-e:4$/ms),
        'the selected sub stands below the rows');
    ok(came(qr/^calls of main::outer by self; .*main::RUNTIME -> main::outer at -e:5$/ms, 'Enter'), 'Enter shows the callers of the selected sub');
    like(screen(), qr/ main::outer -> Some::Package::waits at -e:4$/m, '... and whom it calls');
    ok(came(qr/^subs by self; .*Package::waits$/ms, 'Escape', '/', 'Escape'), 'Esc the table again');
    came(qr/^subs by inclusive, last seconds/m, 'i');
    ok(came(qr/filter: outer;.*NAME\n[^\n]*main::outer\n\s*\n/s, '/', 'outer', 'Enter'),
        'a filter leaves what has its text');
    ok(came(qr/^nytp-top: .*: saved as nytp-top\.txt$/m, '/', 'Escape', 'W'), 'a key saves the table');
    like(slurp("$scratch/nytp-top.txt"), qr/^subs by inclusive, last seconds.*^ *[\d.]+ .* main::outer$/ms, '... as it is shown');
    ok(came(qr/filter: outer;/, '/', 'outer', 'Enter') && screen() !~ /saved/, '... which is said until the next key');
    ok(came(qr/filter: outer;.*NAME\n[^\n]*main::outer\nstatus 0$/ms, 'q'), 'q ends it, and the last table stays');
    end_screen();

    begin_screen(100, '-p', $program->{pid});
    came(qr/ s sampled/);
    ok(came(qr/^nytp-top: .* s, stopped$/m, 'Z'), 'a key pauses it');
    my $picture = screen();
    my ($seconds) = $picture =~ /, (\d+) s, stopped/;
    select undef, undef, undef, 3.1;
    is(screen(), $picture, '... and what it shows stays');
    my $goes_on = time;
    ok(came(qr/^nytp-top: [^,]*, \d+ s$/m, 'Z'), 'it goes on');
    my ($later) = screen() =~ /, (\d+) s$/m;
    cmp_ok($later - $seconds, '<=', time - $goes_on + 2, '... without the time in between');
    ok(came(qr/, stopped\n.*main::outer$/ms, ('NPage') x 20, 'Z'), 'it scrolls to the last page at most');
    ok(came(qr/, 0 s, stopped\n[^\n]*; 0\.0 s sampled/, 'r'), 'a key begins again, with nothing');
    end_screen();

    my $both = start($^X, '-e', $half);
    begin_screen(100, '-p', $both->{pid});
    ok(came(qr/ s sampled \([1-9]\d? % work\), .*main::(?:waits|spins)\n.*main::(?:waits|spins)\n/s),
        'it says how much of the time is work');
    ok(came(qr/ s on a processor, .*^ *(?:100|9\d)\.\d .*main::spins$/ms, 'w'), '... and counts that alone');
    ok(came(qr/ s sampled \(.*main::waits$/ms, 'w'), '... or all again');
    end_screen();
    $both->{end}->();

    my ($long, $wide) = ('long' x 40, "\xe6\x97\xa5" x 40);
    my $deep = start($^X, '-Mutf8', '-e',
        "\$| = 1; print qq(ready\\n); sub $long { sleep 100 } sub $wide { $long() } $wide()");
    begin_screen(61, '-p', $deep->{pid});
    came(qr/ s sampled/);
    ok(came(qr/^main::(?:long){7}lo\xe2\x80\xa6ng(?:long){4} +-e:1\nmain::(?:\xe6\x97\xa5){15}\xe2\x80\xa6(?:\xe6\x97\xa5){9} +-e:1\nmain program +-e:1\n\n/m, 'k'),
        'names that are too long for a line are shortened, so that the place is shown');
    end_screen();
    $deep->{end}->();

    # Emacs names its shell so.
    like(run(['script', '-qec', "$ours -p $program->{pid}", '/dev/null'], env => { TERM => 'dumb' }, stdin => 'q')->{out},
        qr/^ self%.*main::outer\r?$/ms, 'a terminal on which the cursor cannot be moved gets one table');
}

# In a group of its own, as timeout(1) has it, it is in the background, and the system stops it.
SKIP: {
    skip 'no script', 2 if system('script --version >/dev/null 2>&1') != 0;
    my $pid_file = "$scratch/background.pid";
    local $ENV{TERM} = 'xterm';
    my $script = open my $terminal, '|-', 'sh', '-c', 'exec script -qc "$0" /dev/null >/dev/null',
        "'$^X' -e 'setpgrp; open my \$f, q(>), q($pid_file); print {\$f} \$\$; close \$f; exec \@ARGV' "
        . "'$ours' -p $program->{pid}; :" or die;
    my $pid;
    until_true(sub { -e $pid_file && ($pid = slurp($pid_file)) }, $script) or die "nothing in $pid_file\n";
    my $state = sub { -e "/proc/$pid" && slurp("/proc/$pid/stat") =~ /\) (.)/ ? $1 : '' };
    ok(until_true(sub { $state->() eq 'T' }, $pid), 'in the background of its terminal it is stopped');
    kill $_ => $pid for qw(TERM CONT);
    ok(until_true(sub { $state->() =~ /\A[ZX]?\z/ }), '... and ends by SIGTERM') or kill KILL => $pid;
    close $terminal;
}

# ---- a profile that grows ----

{
    my $file = "$scratch/grows.out";
    my $pid  = fork // die;
    if ($pid == 0) {
        my %env = (clean_env(), PERL5LIB => "$build/perl5", NYTPROF => "file=$file");
        delete @ENV{ grep { !defined $env{$_} } keys %env };
        $ENV{$_} = $env{$_} for grep { defined $env{$_} } keys %env;
        exec $^X, '-d:NYTProf', '-e',
            'sub waits { select undef, undef, undef, 0.02 } waits() while 1' or POSIX::_exit(127);
    }
    until_true(sub { -s $file }, $pid) or die "nothing is profiled\n";
    my ($got, @totals);
    until_true(sub {
        $got    = run([$ours, $file, '--batch=2']);
        @totals = $got->{out} =~ /; ([\d.]+) s in calls that ended/g;
        return @totals && $totals[-1] > $totals[0];
    }, $pid);
    ok(@totals && $totals[-1] > $totals[0], 'a growing profile grows') or diag($got->{err});
    cmp_ok(rows($got->{out})->{'main::CORE:sselect'}[0], '>', 0, '... with its built-in');
  SKIP: {
        skip 'no tmux', 3 if $no_tmux;
        begin_screen(100, $file);
        came(qr/^subs .*main::waits/ms);
        came(qr/stopped/, 'Z');
        my ($total) = screen() =~ /; ([\d.]+ s) in calls that ended/;
        select undef, undef, undef, 1;
        ok(came(qr/^subs by name; \Q$total\E in calls that ended/m, 'n'),
            'it stays as it is while paused, also in another order');
        ok(came(qr/^subs by name; (?!\Q$total\E)[\d.]+ s in calls/m, 'Z'), '... and shows the rest when it goes on');
        came(qr/stopped/, 'Z');
        ok(came(qr/^status 0$/m, 'Zq'), 'it ends at once if it goes on and is to end');
        end_screen();
    }
    kill KILL => $pid;
    waitpid $pid, 0;
    my $ended = run([$ours, $file, '--batch=100', '-d', 0.2]);
    is($ended->{status}, 0, 'one whose process was killed comes to its end');
    like($ended->{out}, qr/; (?!0\.0)[\d.]+ s in calls that ended, 0\.0 s in the last 5 s$/m, '... nothing of it is of the last seconds');
}

is(run([$ours])->{status}, 2, 'nothing to watch is wrong usage');
is(run([$ours, "$scratch/none", '--batch=1'])->{status}, 1, 'so is no such file an error');
{
    my $got = run([$ours, spew("$scratch/text", "no profile\n"), '--batch=3']);
    is("$got->{status} $got->{out}", '1 ', 'what is not a profile is an error');
    like($got->{err}, qr/\Anytp-top: \S+: offset 0: not a Perl profile: .*\n\z/, '... that is said');
}
is(scalar(() = run([$ours, '-p', $program->{pid}])->{out} =~ /^ self%/mg), 1, 'without a terminal it prints one table');
$program->{end}->();
done_testing();
