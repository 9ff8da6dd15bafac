# nytp-record --dump: of families, of deep stacks, and of a program that is stopped only while it is read.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir run scratch_dir slurp spew until_true);
use POSIX ();
use Sampled qw(dump_of folded_of may_sample recorder recording sampled_perl start wait_for_sleep);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my ($ours, $scratch) = (recorder(), scratch_dir());

# ---- children ----

{
    my $program = start('sh', '-c',
        'sleep 1000 & "$0" -e \'$| = 1; if (!fork) { sub child { sleep 1000 } child() } print "ready\n"; sub parent '
        . '{ sleep 1000 } parent()\'; :', sampled_perl());
    my @dumped;
    ok(
        until_true(sub {
            my $got = dump_of($program->{pid}, '--children', '--json');
            @dumped = map { decode_json($_)->{frames} } split /\n/, $got->{out};
            return grep({ $_->[1]{name} eq 'main::child' } @dumped);
        }, $program->{pid}),
        '--dump --children has a child below a shell'
    );
    is(scalar @dumped, 2, '... and its parent, and nothing else');
    $program->{end}->();
    my $other = fork // die;
    exec 'sleep', 1000 or POSIX::_exit(127) if !$other;
    wait_for_sleep($other);
    my $got = dump_of($other, '--children');
    is($got->{status}, 1, 'a family without a perl is an error');
    like($got->{err}, qr/no perl among the process and its descendants/, '... that says so');
    kill KILL => $other;
    waitpid $other, 0;
}

# ---- --stop stops the program while it is read, not while it is printed ----

{
    my $deep    = 20_000;
    my $program = start(sampled_perl(), '-e',
        "no warnings; \$| = 1; sub deep { my (\$n) = \@_; \$n ? deep(\$n - 1) : do { print qq(busy\\n); while (1) { 1 for 1 .. 1e5 } } } deep($deep)");
    pipe my $from, my $to or die;
    my $pid = fork // die;
    if ($pid == 0) {
        open STDOUT, '>&', $to or die;
        exec $ours, '--dump', '--stop', '--args', "--depth=1000000", '-p', $program->{pid} or POSIX::_exit(127);
    }
    close $to;
    # The number of write(2) is 1 on x86-64 and 64 on arm64.
    ok(until_true(sub { slurp("/proc/$pid/wchan") =~ /pipe/ || slurp("/proc/$pid/stat") =~ /\) S .*/
        && slurp("/proc/$pid/syscall") =~ /\A(?:1|64) / }, $pid), 'a dump waits for the reader of its output');
    like(slurp("/proc/$program->{pid}/status"), qr/^State:\s+R/m, '... while the program goes on');
    my @lines = readline $from;    # perhaps with the print
    is(scalar(grep { /^  main::deep/ } @lines), $deep + 1, '... and has all of the stack');
    like($lines[-1], qr/^  main program at /, '... to its end');
    waitpid $pid, 0;

    # ---- depth ----

    is(() = dump_of($program->{pid}, '--depth=100000')->{out} =~ /^  main::deep/mg, $deep + 1,
        'a stack of more calls than are read at first');
    my $cut = dump_of($program->{pid}, '--depth=50');
    is(() = $cut->{out} =~ /^  main::deep/mg, 50, '--depth');
    like($cut->{out}, qr/^  \.\.\. \(outer calls are left out\)\n\z/m, '... says that there are more');
    $cut = decode_json(dump_of($program->{pid}, '--depth=50', '--json')->{out});
    is(scalar @{ $cut->{frames} }, 50, '... also in JSON, where no frame is that of the main program');

    my $out = "$scratch/cut.out";
    my $got = run([$ours, '--depth=50', '-d', 0.3, '-p', $program->{pid}, '-o', $out]);
    like($got->{err},
        qr/^nytp-record: \d+ of the stacks were deeper than --depth=50: their outer calls are shown as one$/m,
        'a recording says so, too');
    like(folded_of($out), qr/^main::\(outer calls left out\)(?:;main::deep){50} [1-9]/m,
        '... and shows what is left out');
    is(run([build_dir() . "/bin/$_", '--strict', '-o', "$scratch/x", $out])->{err}, '', "... which $_ reads")
        for qw(nytprofcg nytp-dot nytp-tree nytprofmerge nytp-pprof);
    $program->{end}->();
}

# Calls with many contexts each: blocks and loops are contexts, too.
{
    my $blocks  = 20;
    my $program = start(sampled_perl(), '-e',
        'no warnings; $| = 1; my $open = "for my \$a (1) {" x ' . $blocks . '; my $close = "}" x ' . $blocks
        . '; eval "sub deep { my (\$n) = \@_; $open if (\$n) { deep(\$n - 1) } else { print qq(ready\\\\n); sleep '
        . '1000 } $close } deep(999)"; die $@ if $@');
    is(() = dump_of($program->{pid})->{out} =~ /^  main::deep/mg, 1000,
        'a thousand calls of twenty blocks each are read by default');
    $program->{end}->();
}

done_testing();
