# What becomes of a recording: signals, programs that are to convert it and fail, directories that disappear, links and
# FIFOs of other users, commands of which nothing can be recorded.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP ();
use NYTPTest qw(build_dir has_ended run scratch_dir slurp spew until_true valgrind);
use POSIX qw(mkfifo);
use Sampled qw(may_sample recorder recording sampled_perl start without_losses);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my ($build, $scratch) = (build_dir(), scratch_dir());
my $waits   = '$| = 1; sub outer { inner() } sub inner { print "ready\n"; sysread STDIN, my $x, 1 }';
my $program = start(sampled_perl(), '-e', "$waits outer()");
my $stack   = qr/^(?:main::RUNTIME;)?main::outer;main::inner;main::CORE:sysread \d+$/m;

sub folded { my ($file) = @_; return run(["$build/bin/nytprofcalls", "$scratch/$file"])->{out} }
sub recorded { my (@arguments) = @_; return run([recorder(), @arguments], dir => $scratch) }

sub wait_until {
    my ($what, $holds, $pid) = @_;
    return until_true($holds, $pid) || fail("$what, after a while");
}

# A nytp-record that has another program beside it in the place of nytprofcalls.
sub recorder_with {
    my ($script) = @_;
    my $bin = "$scratch/bin";
    mkdir $bin;
    unlink "$bin/nytp-record", "$bin/nytprofcalls";
    system('cp', recorder(), "$bin/nytp-record") == 0 or die;
    chmod 0755, spew("$bin/nytprofcalls", $script);
    return ("$bin/nytp-record", "--offsets=$build/share/nytprof/offsets");
}

# Starts a recording in a group of its own, as systemd and shells do, and waits until it has a sample. { pid, end }: end
# waits, and returns what run() does.
sub in_group {
    my ($file, @command) = @_;
    my $pid = fork // die;
    if ($pid == 0) {
        setpgrp 0, 0;
        $SIG{$_} = 'DEFAULT' for qw(TERM HUP INT); # nohup ignores some
        chdir $scratch or die;
        open STDERR, '>', "$scratch/err" or die;
        exec @command, '-o', $file, '-p', $program->{pid} or POSIX::_exit(127);
    }
    my $profile = grep({ /^--format/ } @command) ? "$file.nytprof.out" : $file;
    wait_until("$file has a sample",
        sub { -e "$scratch/$profile" && kill(USR1 => $pid) && folded($profile) =~ $stack }, $pid);
    return { pid => $pid,
        end => sub { waitpid $pid, 0;
        return { status => $? >> 8, signal => $? & 127, err => slurp("$scratch/err") } } };
}

# ---- signals ----

for my $signal (qw(TERM HUP INT)) {
    my $recording = in_group("$signal.folded", recorder(), '--format=folded');
    kill $signal => -$recording->{pid};
    my $got = $recording->{end}->();
    is("$got->{status} $got->{signal}", '0 0', "SIG$signal for the group");
    like(without_losses($got->{err}),
        qr/\A\S+ \d+ samples? in .*: $signal\.folded\n\S+ next: flamegraph\.pl $signal\.folded >flame\.svg\n\z/,
        '... ends the recording, which is said');
    like(slurp("$scratch/$signal.folded"), $stack, '... and whole');
    is_deeply([glob "$scratch/$signal.folded.*"], [], '... and leaves nothing else');

    # timeout(1) sends it twice.
    my @twice = recorder_with("#!/bin/sh\nkill -$signal 0\nexec '$build/bin/nytprofcalls' \"\$@\"\n");
    $recording = in_group("again-$signal.folded", @twice, '--format=folded');
    kill $signal => -$recording->{pid};
    is($recording->{end}->()->{status}, 0, '... also if it comes again while the result is written');
    like(slurp("$scratch/again-$signal.folded"), $stack, '... which is whole');
}

# A shell without job control ignores SIGINT for what it starts in the background, since Ctrl-C is for the others.
{
    local $SIG{INT} = 'IGNORE';
    my $recording = recording("$scratch/background.out", ['-p', $program->{pid}]);
    kill INT => $recording->{pid};
    my $ended = until_true(sub { slurp("/proc/$recording->{pid}/stat") =~ /\) Z / });
    ok($ended, 'kill -INT ends a recorder in the background of a script') or kill TERM => $recording->{pid};
    is($recording->{end}->(), 0, '... and its profile is complete');
}

SKIP: {
    skip 'no script', 1 if system('script --version >/dev/null 2>&1') != 0;
    my ($pid_file, $told) = map { "$scratch/$_" } qw(background.pid told);
    # Both are in the group that Ctrl-C is for.
    my $told_by = "'$^X' -e '\$SIG{INT} = sub { open my \$f, q(>), q($told) }; select undef, undef, undef, 0.01 until -e q($told-end)'";
    my $ours    = recorder();
    my $script  = open my $terminal, '|-', 'sh', '-c', 'exec script -qc "$0" /dev/null >/dev/null', "trap '' INT; '$ours' -p $program->{pid} -o '$scratch/ignores.out' "
        . "2>/dev/null & echo \$! >'$pid_file'; exec $told_by" or die;
    $terminal->autoflush;
    wait_until('it has begun', sub { -s $pid_file && -s "$scratch/ignores.out" }, $script);
    wait_until('Ctrl-C reaches the group', sub { print {$terminal} "\cC"; -e $told }, $script);
    chomp(my $recorder = slurp($pid_file));
    # What was handled before SIGUSR1 is handled was no end.
    my $size = -s "$scratch/ignores.out";
    ok(until_true(sub { kill USR1 => $recorder; -s "$scratch/ignores.out" > $size }, $recorder), '... and Ctrl-C does not');
    # The system drops a SIGINT while another one waits, as that of a Ctrl-C may.
    wait_until('kill -INT does', sub { kill INT => $recorder; has_ended($recorder) });
    spew("$told-end", '');
    close $terminal;
}

{
    my $recording = in_group('killed.folded', recorder(), '--format=folded');
    kill KILL => $recording->{pid};
    is($recording->{end}->()->{signal}, 9, 'a recorder that is killed');
    like(folded('killed.folded.nytprof.out'), $stack, '... leaves a profile');

    $recording = in_group('stuck.folded',
        recorder_with("#!/bin/sh\necho \$\$ > '$scratch/converter'\nexec sleep 1000\n"), '--format=folded');
    kill INT => $recording->{pid};
    wait_until('the other program runs', sub { -s "$scratch/converter" }, $recording->{pid});
    my $converter = slurp("$scratch/converter") + 0;
    wait_until('Ctrl-C ends it', sub { kill INT => $recording->{pid}; !kill 0 => $converter });
    my $got = $recording->{end}->();
    is($got->{status}, 1, 'Ctrl-C while another program takes long');
    like($got->{err}, qr/nytprofcalls was ended by a signal: Interrupt\n/, '... ends that');
    like(folded('stuck.folded.nytprof.out'), $stack, '... and the profile is kept');
}

# ---- programs that fail ----

{
    my %fails = (
        'is killed'          => ["#!/bin/sh\nkill -KILL \$\$\n", qr/nytprofcalls was ended by a signal: Killed\n/],
        'fails'              => ["#!/bin/sh\necho >&2 no room; exit 1\n", qr/\Ano room\n/],
        'cannot be executed' => ["#!/nonexistent\n", qr{/nytprofcalls: cannot execute: No such file}],
    );
    for my $how (sort keys %fails) {
        my ($script, $said) = @{ $fails{$how} };
        next if valgrind() && $how eq 'cannot be executed';    # which valgrind says in its own words
        my $got = run([recorder_with($script), '--format=folded', '-o', 'fails.folded', '-p', $program->{pid}, '-d',
            0.2], dir => $scratch);
        is($got->{status}, 1, "the other program $how");
        like($got->{err}, $said, '... which is said');
        like($got->{err},
            qr/fails\.folded: not written; the recording is kept as a profile: nytprofcalls --root -o fails\.folded fails\.folded\.nytprof\.out\n\z/, '... and what remains');
        like(folded('fails.folded.nytprof.out'), $stack, '... which is a profile');
        ok(!-e "$scratch/fails.folded", '... and nothing else');
    }
    is(recorded('--format=folded', '-o', 'fails.folded', '-p', $program->{pid}, '-d', 0.2)->{status}, 0,
        'the next recording');
    ok(!-e "$scratch/fails.folded.nytprof.out", '... replaces it');

    my $got = recorded('--format=folded', '-o', '/dev/full', '-p', $program->{pid}, '-d', 0.2);
    like($got->{err}, qr/No space left.*\n.*the recording is lost\n\z/, 'a full device');
    $got = recorded('--format=folded', '-o', '-', '-p', $program->{pid}, '-d', 0.2);
    like($got->{out}, $stack, 'standard output');
    like(without_losses($got->{err}), qr/ samples? in .*: standard output\n\z/, '... is said to be it');
}


for my $options ([], ['--format=folded']) {
    mkdir "$scratch/gone" or die;
    my $recording = in_group('gone/out', recorder(), @$options);
    system('rm', '-r', "$scratch/gone") == 0 or die;
    kill INT => $recording->{pid};
    my $got = $recording->{end}->();
    is($got->{status}, 1, "a directory that disappears: @$options");
    unlike($got->{err}, qr/\d samples?/, '... is no success');
    like($got->{err}, qr/the recording is lost|was removed while it was written/, '... and says so');
}

# ---- what cannot be written, before a command is started ----

{
    mkdir "$scratch/directory";
    spew("$scratch/file", '');
    symlink 'directory', "$scratch/to-directory" or die;
    my %impossible = ('missing/out' => 'No such file', directory => 'Is a directory', 'file/out' => 'Not a directory',
        '/proc/out' => '');
    for my $output (sort keys %impossible) {
        for my $format ('profile', 'folded') {
            my $got = recorded("--format=$format", '-o', $output, 'touch', 'started');
            is($got->{status}, 1, "-o $output --format=$format");
            like($got->{err}, qr/\Anytp-record: $output: cannot write: $impossible{$output}.*\n\z/,
                '... is refused in one line');
        }
    }
    like(recorded('--format=folded', '-o', 'to-directory', 'touch', 'started')->{err}, qr/: Is a directory\n\z/,
        'a link to a directory');
    ok(!-e "$scratch/started", 'and no command was started');
}

# ---- what others have planted ----

SKIP: {
    skip 'needs root', 1 if $> != 0;
    my ($nobody, $place) = (65534, "$scratch/place");
    mkdir $place or die;
    spew("$scratch/precious", 'precious');
    mkfifo("$place/fifo", 0666) or die;
    symlink "$scratch/precious", "$place/theirs" or die;
    system('chown', '-h', $nobody, $place, "$place/theirs", "$place/fifo") == 0 or die;
    for my $format ('profile', 'folded') {
        my $got = recorded("--format=$format", '-o', 'place/fifo', 'touch', 'started');
        like($got->{err},
            qr/\A\S+ place\/fifo: cannot write: it is a FIFO of another user \(use -o - with a redirection\)\n\z/,
            "$format: a FIFO of another user");
    }
    my $got = recorded('--format=folded', '-o', 'place/theirs', 'touch', 'started');
    like($got->{err}, qr/\A\S+ place\/theirs: cannot write: it is a symbolic link of another user\n\z/,
        'a link of another user');
    ok(!-e "$scratch/started", '... is refused before the command is started');
    for my $converter (qw(nytprofcalls nytprofcg nytp-tree nytprofmerge)) {
        $got = run(["$build/bin/$converter", '-o', 'place/theirs', 'killed.folded.nytprof.out'], dir => $scratch);
        is($got->{status}, 1, "$converter does not follow it");
    }
    is(slurp("$scratch/precious"), 'precious', 'where it leads, nothing has changed');
    is(recorded('-o', 'place/theirs', '-p', $program->{pid}, '-d', 0.2)->{status}, 0, 'a profile replaces it');
    is(slurp("$scratch/precious"), 'precious', '... and does not follow it either');
    ok(!-l "$place/theirs", '... so the link is gone');
    symlink 'theirs', "$place/ours" or die;
    is(recorded('--format=folded', '-o', 'place/ours', '-p', $program->{pid}, '-d', 0.2)->{status}, 0,
        'a link of our own');
    like(slurp("$place/theirs"), $stack, '... is followed');
}

# ---- what is said ----

{
    my %lines = (
        "true ended before a sample was taken, so nothing is recorded(?:: .*)?" => ['true'],
        "sh ended before a sample was taken, so nothing is recorded(?:: .*)?"    => ['sh', '-c', 'exit 3'],
        "/nonexistent: cannot execute: No such file or directory"                => ['/nonexistent'],
        "$scratch: cannot execute: Permission denied"                            => [$scratch],
    );
    for my $line (sort keys %lines) {
        my $got = recorded(@{ $lines{$line} });
        like($got->{err}, qr/\Anytp-record: $line\n\z/, "@{ $lines{$line} } makes one line");
        is($got->{status}, { '/nonexistent' => 127, $scratch => 126, sh => 3, true => 1 }->{ $lines{$line}[0] },
            '... and has the exit status that a shell gives, but 1 where nothing else failed: there is no profile');
    }
    my $ends = start(sampled_perl(), '-e', "$waits outer()");
    my $program_pid = $program->{pid};
    $program = $ends;
    my $recording = in_group('ends.out', recorder());
    $ends->{end}->();
    like(without_losses($recording->{end}->()->{err}),
        qr/\Anytp-record: process $ends->{pid} has ended\n.* samples? in .*: ends\.out\n.*: next: nytprofhtml --open ends\.out\n\z/, 'a process that ends is said to');
    kill KILL => $program_pid;
}

# ---- names that a terminal would act on ----

{
    my $script = spew("$scratch/odd.pl", <<'PERL');
use Sub::Util;
use utf8;
$| = 1;
#line 7 "file\e]0;x\a\x{9b}.pl"
my $inner = Sub::Util::set_subname("Odd::a\e[31m\x{202e}\x{9b}", sub { print "ready\n"; sysread STDIN, my $x, 1 });
$inner->("\e[2J\0\x9b", bless [], "Class\e[1m");
PERL
    spew($script, slurp($script) =~ s/(\\e|\\a)/eval qq{"$1"}/ger =~ s/(#line.*?)\\x\{9b\}/$1\xc2\x9b/r);
    my $odd = start(sampled_perl(), $script, "\xE2\x80\xAE");
    my $acts = qr/[\x00-\x09\x0B-\x1F\x7F]|\xC2[\x80-\x9F]|\xE2\x80[\x8E\x8F\xAA-\xAE]/;
    my $text = recorded('--dump', '--args', '-p', $odd->{pid})->{out};
    unlike($text, $acts, '--dump prints nothing that a terminal acts on');
    like($text, qr/^  Odd::a\\x1b\[31m\\x\{202e\}\\x9b\("\\u001b\[2J\\u0000\\u009b", Class\\x1b\[1m=ARRAY\(\S+\)\) at \S*file\\x1b\]0;x\\x07\\x9b\.pl line 7$/m, '... but escapes');
    like($text, qr/\A\d+: perl [^\n]* \\x\{202e\}\n/, '... also of the arguments');
    my $json = recorded('--dump', '--json', '--args', '-p', $odd->{pid})->{out};
    unlike($json, $acts, 'nor does --json');
    is(JSON::PP::decode_json($json)->{frames}[1]{name}, "Odd::a\e[31m\x{202e}\x{9b}",
        '... which has the name as it is');
    unlike(run(["$build/bin/nytp-top", '--batch=1', '-d', 0.2, '-p', $odd->{pid}])->{out}, $acts, 'nor nytp-top');
    $odd->{end}->();
}

done_testing();
