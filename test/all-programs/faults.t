# If a read, a write, memory or a thread is refused, each program says so and fails, or goes on without it. No
# output file is incomplete.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Faults qw(can_fault each_fault);
use FuzzSeeds qw(seeds);
use NYTPTest qw(build_dir converters record run scratch_dir slurp spew valgrind);
use Test::More;

plan skip_all => 'sanitizers' if !can_fault();

my $dir     = scratch_dir();
my ($out, $csv) = map { "$dir/out.$_" } qw(html csv);    # nytprofhtml and nytprofcsv take other names for directories
my @tiny    = ('test/scripts/tiny.pl');
my $profile = record('tiny', \@tiny, calls => 2);
my $plain   = record('tiny-plain', \@tiny, calls => 2, compress => 0, savesrc => 0);
my %seeds   = seeds();
my $tmon    = spew(scratch_dir() . '/tmon.out', $seeds{tmon});

# How each program is run: its arguments, with the output in a file. To write to standard output it is run in a
# shell and reads a pipe, which takes a thread.
my %arguments = (
    nytprofcalls => [['-o', $out, $profile], ['--reverse', '--min=1', '-o', $out, $plain, $profile]],
    nytprofcg    => [['-o', $out, $profile], ['-o', $out, $plain]],
    nytprofmerge => [['-o', $out, $profile, $plain], ['--compress=0', '-o', $out, $plain]],
    'nytp-dot'   => [['-o', $out, $profile], ['--collapse=package', '-o', $out, $plain]],
    nytprofhtml  => [['-o', $out, $profile], ['--no-source', '-o', $out, $plain], ['-o', $out, $tmon]],
    nytprofcsv   => [['-o', $csv, $profile], ['--table=lines', '-o', $csv, $plain], ['-o', $csv, $tmon]],
    'nytp-dprof' => [['-o', $out, $profile], ['-o', $out, $tmon]],
    'nytp-pprof' => [['-o', $out, $profile], ['--lines', '-o', $out, $plain]],
    'nytp-speedscope' => [['-o', $out, $profile], ['--timeline', '-o', $out, $plain]],
    'nytp-trace' => [['-o', $out, $profile], ['--json', '-o', $out, $plain]],
    'nytp-table' => [['-o', $out, $profile], ['--by=subs', '--format=json', '-o', $out, $plain]],
    'nytp-tree'  => [['-o', $out, $profile]],
    'nytp-dprofpp' => [['-S', '-o', $out, $profile], ['-T', '-o', $out, $plain], ['-o', $out, $tmon]],
);

sub left_over { return join ' ', map { s{.*/}{}r } glob "$dir/.[!.]* $dir/*" }

# The content of a merged profile, whose compression depends on the memory and threads that there were.
sub shown {
    my ($name, $result) = @_;
    return $result if $name ne 'nytprofmerge';
    my $merged = spew(scratch_dir() . '/merged', $result);
    my $got    = run([build_dir() . '/test/dump-chunks', $merged]);
    return "$got->{status} $got->{out}";
}

# What is wrong with a run, if anything.
sub complaint {
    my ($name, $got, $result, $whole) = @_;
    return "signal $got->{signal}" if $got->{signal};
    if ($got->{status} == 0) {
        return 'another result' if $result ne $whole && shown($name, $result) ne shown($name, $whole);
        return $got->{err} =~ /\A(?:$name: warning: .+\n)*\z/ ? () : "done, and said $got->{err}";
    }
    return "exit $got->{status}" if $got->{status} != 1;
    return $got->{err} =~ /\A(?:$name: warning: .+\n)*$name: .+\n\z/ ? () : "failed, and said '$got->{err}'";
}

# With an output file that exists already for one half of the faults, and without for the other. With EXHAUSTIVE, all
# faults come with both. With { first => 2, step => 3 } the 2nd call fails, the 5th and so on.
sub into_a_file {
    my ($name, $which, $arguments) = @_;
    my $tool  = build_dir() . "/bin/$name";
    my ($out) = grep { /^\Q$dir\E/ } @$arguments;
    my $ran   = run([$tool, @$arguments]);
    is($ran->{status}, 0, "$name @$arguments") or diag($ran->{err});
    my ($whole, @wrong, $count) = slurp($out);
    for my $first ($ENV{EXHAUSTIVE} ? (0, 1) : 0) {
        my ($turn, $before) = $first;
        my $prepare = sub {
            $before = $turn++ % 2 ? undef : "as it was\n";
            defined $before ? spew($out, $before) : unlink $out;
        };
        $count += each_fault($name, [$tool, @$arguments], { before => $prepare, %$which }, sub {
            my ($fault, $got) = @_;
            my $result = -e $out ? slurp($out) : undef;
            push @wrong, map { "$fault: $_" } complaint($name, $got, $result // '', $whole);
            push @wrong, "$fault: incomplete output" if $got->{status} && ($result // 'none') ne ($before // 'none');
            push @wrong, "$fault: left " . left_over() if left_over() ne (defined $result ? $out =~ s{.*/}{}r : '');
            unlink glob "$dir/.n*";
        });
    }
    unlink $out;
    cmp_ok($count, '>', 3, "$count faults");
    is(join("\n", @wrong), '', 'each is reported, or makes no difference');
    return;
}

sub from_a_pipe {
    my ($name, $which) = @_;
    my $tool    = build_dir() . "/bin/$name";
    my @command = ('sh', '-c', 'cat "$0" | "$@"', $profile, $tool, '-o', '-', '-');
    my $whole   = run(\@command)->{out};
    my @wrong;
    my $threads = 0;
    my $count   = each_fault($name, \@command, $which, sub {
        my ($fault, $got) = @_;
        $threads++ if $fault =~ /^pthread/;
        push @wrong, map { "$fault: $_" } complaint($name, $got, $got->{out}, $whole);
    });
    cmp_ok($count, '>', 3, "$name, between pipes: $count faults");
    cmp_ok($threads, '>', 0, 'threads are among them');
    is(join("\n", @wrong), '', 'each is reported, or makes no difference');
    return;
}

# With EXHAUSTIVE, every call of each program. Otherwise one in three, of another third in each program, as most calls are
# those of reading, which all have in common; and one in six of the other ways to run it.
my $turn = 0;
for my $name (sort keys %arguments) {
    my ($first, @others) = @{ $arguments{$name} };
    into_a_file($name, $ENV{EXHAUSTIVE} || valgrind() ? {} : { first => 1 + $turn++ % 3, step => 3 }, $first);
    my $some = $ENV{EXHAUSTIVE} ? {} : { step => 6 };
    into_a_file($name, $some, $_) for @others;
    from_a_pipe($name, $some);
}

my @untested = grep { !$arguments{$_} } converters();
is("@untested", '', 'no program is left out');

done_testing();
