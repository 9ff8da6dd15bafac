# The profiles of several processes become one file in the end, or stay where a message says.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir run scratch_dir slurp spew until_true);
use POSIX ();
use Sampled qw(may_sample recorder sampled_perl start without_losses);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my ($build, $scratch) = (build_dir(), scratch_dir());
my $merge = "$build/bin/nytprofmerge";

# Children that wait until they are told to end, by a file, each in a sub of its own; and one that is told so earlier.
my $script = spew("$scratch/family.pl", <<'PERL');
use Time::HiRes qw(sleep);
my ($count, $until) = @ARGV;
sub child { sleep 0.05 until -e $until }
sub short { sleep 0.05 until -e "$until.short" }
sub parent { waitpid shift, 0; open my $ended, '>', "$until.ended"; sleep 0.05 until -e $until; 1 while wait > 0 }
my @pids;
for my $n (1 .. $count) { push @pids, my $pid = fork; if (!$pid) { $n == 1 ? short() : child(); exit } }
parent($pids[0]);
PERL
my $PAUSES = qr/(?:Time::HiRes::sleep|main::CORE:wait(?:pid)?)/;    # what each of them does
mkdir my $told = "$scratch/told";

sub folded { my (@files) = @_; return join '', map { run(["$build/bin/nytprofcalls", $_])->{out} } @files }
sub files {
    my ($name) = @_;
    return grep { -e "$scratch/$_" } map { s{.*/}{}r } glob("$scratch/$name $scratch/$name.*");
}

sub wait_until {
    my ($what, $holds, $pid) = @_;
    return until_true($holds, $pid) || fail("$what, after a while");
}

# A nytp-record that has another program beside it in the place of nytprofmerge.
sub recorder_with {
    my ($script) = @_;
    my $bin = "$scratch/bin";
    mkdir $bin;
    unlink "$bin/nytp-record", "$bin/nytprofmerge";
    system('cp', recorder(), "$bin/nytp-record") == 0 or die;
    chmod 0755, spew("$bin/nytprofmerge", $script);
    return ("$bin/nytp-record", "--offsets=$build/share/nytprof/offsets");
}

# Starts a recording of a family in a group of its own, and waits until all of its profiles are there, and have samples,
# and one process has ended. { pid, go, end }: go has the family end; end waits, and returns what run() does.
sub record {
    my ($name, $count, @command) = @_;
    my $until = "$told/$name";
    my $pid   = fork // die;
    if ($pid == 0) {
        setpgrp 0, 0;
        $SIG{$_} = 'DEFAULT' for qw(TERM HUP INT);
        chdir $scratch or die;
        open STDERR, '>', "$scratch/err" or die;
        exec @command, '-o', $name, sampled_perl(), $script, $count, $until or POSIX::_exit(127);
    }
    my $profile = grep({ /^--format=folded/ } @command) ? "$name.nytprof.out" : $name;
    wait_until("$name: profiles", sub { grep({ /^\Q$profile\E\.\d+$/ } files($name)) == $count }, $pid);
    # With many children it waits for those of some: to read the profiles of all takes long.
    my @parts = glob "$scratch/$profile.*";
    my @subs  = @parts < 10 ? qw(parent child short) : qw(parent child);
    wait_until("$name: samples", sub {
        kill USR1 => $pid;
        my $stacks = folded("$scratch/$profile", @parts < 10 ? @parts : @parts[0, 1]);
        return @subs == grep { $stacks =~ /main::$_;$PAUSES [1-9]/ } @subs;
    }, $pid);
    spew("$until.short", '');
    wait_until("$name: one has ended", sub { -e "$until.ended" }, $pid);
    return {
        pid     => $pid,
        profile => $profile,
        go      => sub { spew($until, ''); return },
        end     => sub { waitpid $pid, 0;
            return { status => $? >> 8, signal => $? & 127, err => slurp("$scratch/err") } },
    };
}

sub has_all {
    my ($text, $name, @subs) = @_;
    like($text, qr/^(?:main::RUNTIME;)?main::$_;$PAUSES [1-9]/m,
        "$name: the stacks of $_") for @subs ? @subs : qw(parent child short);
    return;
}

# ---- one file ----

for my $format ('profile', 'folded') {
    my $recording = record("$format.out", 3, recorder(), "--format=$format");
    $recording->{go}->();
    my $got = $recording->{end}->();
    is($got->{status}, 0, "$format: recorded") or diag($got->{err});
    my $next = $format eq 'profile' ? 'nytprofhtml --open profile.out' : 'flamegraph.pl folded.out >flame.svg';
    like(without_losses($got->{err}),
        qr/\A\S+ \d+ samples of 4 processes in \S+ s, \d+ torn\S*[^:]*: $format\.out\n\S+ next: \Q$next\E\n\z/,
        '... which is said, and what is next');
    is_deeply([files("$format.out")], ["$format.out"], '... into one file');
    has_all($format eq 'folded' ? slurp("$scratch/folded.out") : folded("$scratch/profile.out"), $format);
}

# ---- many ----

{
    my $many = 150;
    my $recording = record('many.out', $many, recorder(), '-r', 10);
    $recording->{go}->();
    my $got = $recording->{end}->();
    is($got->{status}, 0, "$many children") or diag($got->{err});
    like($got->{err}, qr/ of 151 processes in /, '... are all recorded');
    is_deeply([files('many.out')], ['many.out'], '... into one file');
    has_all(folded("$scratch/many.out"), 'many', 'parent', 'child');
}

{
    my $recording = record('few.out', 40, 'sh', '-c', 'ulimit -Sn 40; exec "$@"', 'sh', recorder());
    my $limit = slurp('/proc/' . (split ' ', slurp("/proc/$recording->{pid}/task/$recording->{pid}/children"))[0]
        . '/limits');
    like($limit, qr/^Max open files +40 /m, 'the command keeps its limit of open files');
    $recording->{go}->();
    like($recording->{end}->()->{err}, qr/ of 41 processes in /,
        '... which does not limit how many processes are recorded');
}

# ---- signals ----

for my $signal (qw(TERM INT)) {
    my @slow = recorder_with("#!/bin/sh\nsleep 0.3\nkill -$signal 0\nexec '$merge' \"\$@\"\n");
    my $recording = record("$signal.out", 2, @slow);
    kill $signal => -$recording->{pid};
    my $got = $recording->{end}->();
    my $of_command = $signal eq 'TERM' ? 143 : 130; # if the command has ended before its recorder, its status counts
    like("$got->{status} $got->{signal}", qr/^(?:0|$of_command) 0\z/,
        "SIG$signal for the group, and again while the profiles are merged") or diag($got->{err});
    is_deeply([files("$signal.out")], ["$signal.out"], '... leaves one file');
    has_all(folded("$scratch/$signal.out"), $signal);
}

{
    my $recording = record('killed.out', 2, recorder());
    kill KILL => $recording->{pid};
    is($recording->{end}->()->{signal}, 9, 'a recorder that is killed');
    $recording->{go}->();
    my @parts = files('killed.out');
    is(scalar @parts, 3, '... leaves a profile of each process');
    my $got = run([$merge, '-o', "$scratch/by-hand", map { "$scratch/$_" } @parts]);
    is($got->{status}, 0, '... which nytprofmerge merges') or diag($got->{err});
    has_all(folded("$scratch/by-hand"), 'merged by hand');
}

# ---- what goes wrong ----

sub is_kept {
    my ($name, $recording, $said) = @_;
    my $got = $recording->{end}->();
    is($got->{status}, 1, "$name: exit 1");
    like($got->{err}, $said, '... says why');
    like($got->{err},
        qr/^\S+ \Q$name\E: not merged; the profiles of the 3 processes are kept, \Q$recording->{profile}\E to \Q$recording->{profile}\E\.\d+: nytprofmerge merges them\n\z/m, '... and what is left');
    is(scalar(my @left = files($name)), 3, '... which is there');
    has_all(folded(map { "$scratch/$_" } files($name)), $name);
    is_deeply([glob "$scratch/.nytp-*"], [], '... and nothing else');
    return;
}

{
    my $recording = record('full.out', 2, recorder_with("#!/bin/sh\nexec '$merge' \"\$@\" >/dev/full\n"));
    $recording->{go}->();
    is_kept('full.out', $recording, qr/^nytprofmerge: .*No space left on device/m);

    $recording = record('full.folded', 2, recorder_with("#!/bin/sh\nexec '$merge' \"\$@\" >/dev/full\n"),
        '--format=folded');
    $recording->{go}->();
    is_kept('full.folded', $recording, qr/^nytprofmerge: .*No space left on device/m);

    $recording = record('stuck.out', 2, recorder_with("#!/bin/sh\necho \$\$ > '$scratch/merger'\nexec sleep 1000\n"));
    kill INT => $recording->{pid};
    wait_until('the profiles are merged', sub { -s "$scratch/merger" }, $recording->{pid});
    my $merger = slurp("$scratch/merger") + 0;
    wait_until('Ctrl-C ends it', sub { kill INT => $recording->{pid}; !kill 0 => $merger });
    is_kept('stuck.out', $recording, qr/nytprofmerge was ended by a signal: Interrupt\n/);
    $recording->{go}->();
}

{
    my $recording = record('replaced.out', 2, recorder());
    my ($part) = grep { folded("$scratch/$_") =~ /main::child/ } files('replaced.out');
    rename "$scratch/$part", "$scratch/moved" or die;
    symlink "$scratch/moved", "$scratch/$part" or die;
    $recording->{go}->();
    is_kept('replaced.out', $recording, qr/^\S+ \Q$part\E: was removed or replaced before it could be merged$/m);
}

# A limit on the size of files stands for a full disk. A process whose profile cannot be written is not begun again, and
# without one that can there is nothing to do.
{
    my $program = start(sampled_perl(), '-e', '$| = 1; print "ready\n" if fork; sleep 1000');
    my $said    = "$scratch/no-room";
    my $pid     = fork // die;
    if (!$pid) {
        open STDERR, '|-', "cat >'$said'" or die;
        exec 'sh', '-c', 'ulimit -f 0; exec "$@"', 'sh', recorder(), '--children', '-p', $program->{pid}, '-o', "$said.out"
            or POSIX::_exit(127);
    }
    wait_until('both are found', sub { files('no-room.out') == 2 }, $pid);
    wait_until('both are to be written', sub { kill USR1 => $pid; waitpid($pid, POSIX::WNOHANG()) == $pid });
    is($?, 1 << 8, 'no room for profiles');
    wait_until('all that is said', sub { slurp($said) =~ /not merged/ });
    is(scalar(() = slurp($said) =~ /cannot write/g), 2, '... which is said once for each process') or diag(slurp($said));
    is(scalar(my @left = files('no-room.out')), 2, '... of which no other profiles are begun');
    $program->{end}->();
}

done_testing();
