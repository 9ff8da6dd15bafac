# Files made to exhaust memory: tiny chunks that each define something, and compressed files that inflate to a
# thousand times their size. No program takes more than NYTP_MEMORY_MIB, which is 64 MiB and 8 times the file's size here, and
# it ends: if that is not enough, it says so and leaves no output. Without it, half of the machine's memory is the limit. The
# modules that read profiles have limits of their own, and perl survives them. With EXHAUSTIVE there are more and larger
# files, and no program takes more than three times as long for a file that is twice as long.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Command ();
use Compress::Zlib ();
use List::Util qw(min);
use NYTPTest qw(build_dir compiler converters memory_is_limited patience run sanitized scratch_dir slurp spew top_dir
    until_true valgrind);
use POSIX ();
use ProfileBytes qw(profile_bytes);
use Test::More;

plan skip_all => 'sanitizers take memory of their own' if sanitized();
plan skip_all => 'the system keeps no limit of memory' if !memory_is_limited();

my $dir   = scratch_dir();
my $many  = $ENV{EXHAUSTIVE} ? 500_000 : valgrind() ? 2_000 : 60_000;
my $magic = profile_bytes([VERSION => 5, 0]);

sub chunks {
    return substr profile_bytes([VERSION => 5, 0], @_), length $magic;
}

my $begin = chunks([PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl']);
my $end   = chunks([PID_END => 7, 2.5]);

# The chunks that make returns for each number, one at a time: a list would take more memory than the programs.
sub each_of {
    my ($make) = @_;
    my $bytes = '';
    $bytes .= chunks($make->($_)) for 1 .. $many;
    return $begin . $bytes . $end;
}

# Time grows with the total length of the stacks: half a million levels would take hours.
my $deepest = 30_000;

my %distinct = (
    lines      => sub { [TIME_LINE    => 1, 1, $_[0]] },
    spread     => sub { [TIME_BLOCK   => 1, 1, 99 * $_[0], 99 * $_[0], 99 * $_[0]] },
    far        => sub { [TIME_LINE    => 1, $_[0] % 2000, 1_000_000] },
    fids       => sub { [NEW_FID      => $_[0], 0, 0, 0, 0, 0, ''] },
    evals      => sub { [NEW_FID      => $_[0] + 1, 1, $_[0], 0, 0, 0, "(eval $_[0])[a.pl:1]"] },
    subs       => sub { [SUB_INFO     => 1, $_[0], 1, 1] },
    overlaps   =>
    sub { ([TIME_LINE   => 1, 1, $_[0]], [SUB_INFO => 1, $_[0], $_[0], $many],
        [SUB_CALLERS => 1, 1, 'a', 1, 0, 0, 0, 0, $_[0]]) },
    ranges     => sub { [SUB_INFO     => $_[0], 'f', 1, 1] },
    arcs       => sub { [SUB_CALLERS  => 1, $_[0], 'a', 1, 0, 0, 0, 0, 'b'] },
    callers    => sub { [SUB_CALLERS  => 1, 1, $_[0], 1, 0, 0, 0, 0, 'b'] },
    called     => sub { [SUB_CALLERS  => 1, 1, "c$_[0]", 1, 1, 1, 0, 0, $_[0]] },
    returns    => sub { [SUB_RETURN   => 1, 1, 1, $_[0]] },
    deep       => sub { [SUB_RETURN   => 1 + ($many - $_[0]) % $deepest, 1, 1, 'f'] },
    sparse     => sub { [SUB_RETURN   => 2 + 2 * (($many - $_[0]) % $deepest), 1, 1, 'f'] },
    pids       => sub { [PID_START    => $_[0], 1, 0] },
    ends       => sub { [PID_END      => $_[0], 0] },
    attributes => sub { [ATTRIBUTE    => $_[0], ''] },
    values     => sub { [ATTRIBUTE    => 'a', 'v' x ($_[0] % 1000)] },
    source     => sub { [SRC_LINE     => 1, $_[0], ''] },
    requests   => sub { ([ATTRIBUTE   => request => $_[0]], [SUB_RETURN => 1, 1, 1, 'NYTProf::span r']) },
    notes      => sub { $_[0] == 1 ? [SUB_RETURN => 1, 1, 1, 'f'] : [ATTRIBUTE => clock => "$_[0] 0 0 0"] },
    waits      => sub { ([SUB_RETURN  => 1, 4e15, 4e15, 'main::CORE:sleep'], [TIME_LINE => 10, 1, 2]) },
);

# The same chunk over and over, or long names, which compress best.
my $repeats = $ENV{EXHAUSTIVE} ? 20 : valgrind() ? 1 : 3;
my $part    = valgrind() ? 50 : 1;
my %inflated = (
    'the same statement' => sub { $begin . chunks([TIME_LINE  => 1, 1, 1]) x ($repeats * 1_000_000 / $part) },
    'the same call'      => sub { $begin . chunks([SUB_RETURN => 1, 1, 1, 'f']) x ($repeats * 200_000 / $part) },
    'the same process'   => sub { chunks([PID_START => 7, 1, 0]) x ($repeats * 500_000 / $part) },
    'long names'         => sub { join '', $begin,
        map { chunks([SUB_RETURN => 1, 1, 1, $_ . 'x' x ((15 << 20) / $part)]) } 1 .. 2 * $repeats },
    'long files'         => sub { join '', $begin,
        map { chunks([NEW_FID => $_, 0, 0, 0, 0, 0, $_ . 'x' x ((15 << 20) / $part)]) } 1 .. 2 * $repeats },
    'a line without end' => sub { '#' . 'x' x (70 << 20) },
);

# A profile of these chunks, compressed. Some are read twice.
my %compressed;
sub compressed {
    my ($name) = @_;
    return $compressed{$name} //= "${magic}z" . Compress::Zlib::compress($inflated{$name}->());
}

# Marks of Devel::DProf: names, ids, and calls that do not return.
my $tmon = "#fOrTyTwO\n\$hz=100;\n\$rrun_rtime=9;\nPART2\n";
my %dprof = (
    'tmon ids'   => sub { $tmon . join '', map { sprintf "& %x a b%d\n+ %x\n- %x\n", $_, $_, $_, $_ } 1 .. $many },
    'tmon names' => sub { $tmon . join '', map { "+ & $_\n" } 1 .. $many },
    'tmon far'   => sub { $tmon . join '', map { sprintf "& %x a b\n", $_ * 4093 } 1 .. $many },
);

my $peak_memory = "$dir/peak-memory";
is(run([compiler(), '-D_GNU_SOURCE', '-o', $peak_memory, top_dir() . '/test/bench/peak-memory.c'])->{status}, 0,
    'peak-memory');

my @programs = converters();
my %others = (    # options with code of their own
    nytprofcalls => [['--reverse', '--min=1'], ['--calls']],
    nytprofcg    => [['--no-merge-evals'], ['--no-wait']],
    nytprofcsv   => [['--range=0s..']],
    'nytp-dot'   => [['--collapse=package'], ['--min=0', '--max-nodes=1000000']],
    'nytp-pprof' => [['--lines']],
    'nytp-tree'  => [['--table'], ['-T'], ['--reverse'], ['--json'], ['--findings']],
);

# Deep calls would print gigabytes of stacks, and a full disk would harm others. What does not end is ended by its
# processor time, which a busy machine does not use up.
my $most_bytes = 256 << 20;
my @bounds     = ('sh', '-c', sprintf('ulimit -t %d; ulimit -f %d; exec "$@"', patience(300), $most_bytes / 512),
    'bounded');

# Runs a command, which may take so many MiB plus so many times the size of the file. Returns the result, and what is
# wrong with it, if anything. Under memcheck, memory is not judged.
sub bounded {
    my ($said, $path, $mib, $times, @command) = @_;
    my $peak = "$dir/peak";
    unlink $peak;
    my $got = run([@bounds, $peak_memory, $peak, @command], limit_s => 3600);
    return $got, "${said}signal $got->{signal}, or took too long: $got->{err}" if !-s $peak;
    my ($kib, $most_kib) = (slurp($peak), $mib * 1024 + $times * (-s $path) / 1024);
    return $got, $kib > $most_kib && !valgrind() ? sprintf '%s%d KiB, which is more than %d', $said, $kib,
        $most_kib : undef;
}

sub complaint {
    my ($program, $options, $path) = @_;
    # else a directory
    my ($said, $out) = ("$program @$options: ", "$dir/out" . ($program eq 'nytprofcsv' ? '.csv' : '.html'));
    unlink $out;
    local $ENV{NYTP_MEMORY_MIB} = $ENV{NYTP_MEMORY_MIB} // 64 + int 8 * (-s $path) / (1 << 20);
    my ($got, $wrong) = bounded($said, $path, 64, 8, build_dir() . "/bin/$program", @$options, '-o', $out, $path);
    return $wrong if defined $wrong;
    return if $got->{status} == 0;
    my $of_glib = qr{\S*/glib/gprintf\.c:\d+: failed to allocate memory\n}; # which it prints before it ends the program
    my $refused =
        qr/\A(?:$program: warning: .*\n)*$of_glib?$program: (?:.*\Q$path\E.*|\Q$out\E: cannot write: File too large)\n\z/;
    return "${said}exit $got->{status}: $got->{err}" if $got->{status} != 1 || $got->{err} !~ $refused;
    return "${said}left something" if -e $out || grep { -e } glob "$dir/.nytp*";
    return;
}

# Perl itself takes 8 MiB. ReadStream holds one chunk, or the names of a tmon.out, which is not compressed. Data also
# holds what it loads.
my %modules = (
    ReadStream => [8 + 32,      32,
        'Devel::NYTProf::ReadStream::for_chunks { } quiet => 1, filename => $ARGV[0]'],
    Data       => [8 + 32 + 64, 32 + 512, 'Devel::NYTProf::Data->new({ quiet => 1, filename => $ARGV[0] })'],
);

sub module_complaint {
    my ($module, $path) = @_;
    my ($mib, $times, $code) = @{ $modules{$module} };
    my ($got, $wrong) = bounded("$module: ", $path, $mib, $times,
        $^X, '-I' . build_dir() . '/perl5', "-MDevel::NYTProf::$module", '-e',
        "eval { $code; 1 } or print STDERR \$@; print 'lives'", $path);
    return $wrong if defined $wrong;
    return "$module: exit $got->{status}: $got->{err}"
        if $got->{out} ne 'lives' || $got->{err} !~ /\A(?:\Q$path\E: .* at -e line 1\.\n)?\z/;
    return;
}

sub bounded_ok {
    my ($name, $bytes) = @_;
    my $path = spew("$dir/bomb", $bytes);
    undef $bytes;
    my @wrong;
    for my $program (@programs) {
        push @wrong, map { complaint($program, $_, $path) } [], $ENV{EXHAUSTIVE} ? @{ $others{$program} // [] } : ();
    }
    push @wrong, map { module_complaint($_, $path) } sort keys %modules;
    is(join("\n", @wrong), '', sprintf '%s: %d bytes', $name, -s $path);
}

for my $name ($ENV{EXHAUSTIVE} ? sort keys %distinct : qw(called evals far)) {
    my $chunks = each_of($distinct{$name});
    bounded_ok($name,               $magic . $chunks) if $ENV{EXHAUSTIVE};
    bounded_ok("$name, compressed", "${magic}z" . Compress::Zlib::compress($chunks));
}
bounded_ok($_, compressed($_))
    for $ENV{EXHAUSTIVE} ? sort keys %inflated : ('long names', 'the same process');
bounded_ok($_, $dprof{$_}->()) for $ENV{EXHAUSTIVE} ? sort keys %dprof : 'tmon names';

# Memory and time are those of the calls that there are, whatever depth they have.
my $far_calls = chunks([SUB_RETURN => 4e9, 1, 1, 'f'], [SUB_RETURN => 1, 1, 1, 'f']) x 1000;
is(complaint('nytprofcalls', [$_], spew("$dir/bomb", $magic . $begin . $far_calls . $end)), undef,
    "calls 4,000,000,000 deep, $_")
    for '--no-wait', '--range=0..1';

# Each takes parts of this many chunks, one part after another.
my $half    = 50_000;
my %growing = (
    'starts and then ends'    => [sub { [PID_START => $_[0], 1, 0] }, sub { [PID_END => $_[0], 0] }],
    'rising ranges of a sub'  => [sub { [SUB_INFO => $_[0], 'f', 1, 1] }],
    'falling ranges of a sub' => [sub { [SUB_INFO => 1_000_000 - $_[0], 'f', 1, 1] }],
    'random ranges of a sub'  => [sub { [SUB_INFO => $_[0] * 7919 % 1_000_003, 'f', 1, 1] }],
    'ranges without lines'    => [sub { [SUB_INFO => $_[0], 'f', 0, 0] },
        sub { [SUB_CALLERS => 1, $_[0], 'a', 1, 1, 1, 0, 0, 'f'] }],
    'ranges of a file' => [sub { ([SUB_INFO => 1, "f$_[0]", $_[0], $_[0]], [TIME_LINE => 1, 1, $_[0]]) }],
    'evals that ran'   =>
    [sub { ([NEW_FID => $_[0] + 1, 1, $_[0], 0, 0, 0, "(eval $_[0])[a.pl:1]"], [TIME_LINE => 1, $_[0] + 1, 1]) },
                           sub { [SUB_INFO => $_[0] + 1, "f$_[0]", 1, 2] }],
    'evals in evals'   => [sub { [NEW_FID => $_[0] + 1, $_[0], 1, 0, 0, 0, "(eval $_[0])[a.pl:1]"] }],
);

# Names that had one hash when it could be computed without knowing the process: that of base/hash.h, whose sums of
# multiples had an inverse, and GLib's of strings, for which "aB" and "b!" are the same.
sub old_hash_name {
    my ($n) = @_;
    use integer;
    my ($second, $inverse) = ($n * 2654435761 + 97, -1018231460777725123);    # of 0x9E3779B97F4A7C15 modulo 2**64
    return pack 'q<q<', ((42 - $second * -4417276706812531889) * $inverse) ^ 16, $second;
}
sub glib_hash_name { my ($n) = @_; return join '', map { $n >> $_ & 1 ? 'aB' : 'b!' } 0 .. 19 }
for my $made ([old => \&old_hash_name], [glib => \&glib_hash_name]) {
    my ($hash, $name) = @$made;
    $growing{"names with one hash, $hash"} = [sub { my $sub = $name->($_[0]);
        ([SUB_RETURN => 1, 1, 1, $sub], [SUB_INFO => 1, $sub, 1, 1]) },
        sub { [SUB_CALLERS => 1, 1, 'a', 1, 1, 1, 0, 0, $name->($_[0])] }];
    $growing{"files with one hash, $hash"} =
        [sub { ([NEW_FID => $_[0] + 1, 0, 0, 0, 0, 0, $name->($_[0])], [TIME_LINE => 1, $_[0] + 1, 1],
            [SRC_LINE => $_[0] + 1, 1, "x\n"]) }];
}
# GLib's tables have a prime number of places.
$growing{'fids with one hash'} =
    [sub { ([NEW_FID => $_[0] * 65_521, 0, 0, 0, 0, 0, "f$_[0]"], [TIME_LINE => 1, $_[0] * 65_521, 1],
        [SRC_LINE => $_[0] * 65_521, 1, "x\n"]) }];

# Returns the paths of a file with so many chunks in each part, and of one with twice as many.
sub half_and_whole {
    my (@parts) = @_;
    my ($small, $large) = ($magic . $begin, $magic . $begin);
    for my $make (@parts) {
        my @halves = map { chunks(map { $make->($_) } @$_) } [1 .. $half], [$half + 1 .. 2 * $half];
        $small .= $halves[0];
        $large .= join '', @halves;
    }
    return spew("$dir/half", $small . $end), spew("$dir/bomb", $large . $end);
}

# Returns the processor time that a program takes, and what is wrong with its result, if anything.
sub seconds_of {
    my (@run) = @_;
    my $before = (times)[2] + (times)[3];
    my $wrong  = complaint(@run);
    return ((times)[2] + (times)[3] - $before, $wrong);
}

# A third of a second is too short to say how it grows. Only what seems to grow too fast is run again: the fastest of
# three runs was disturbed least.
sub growth_complaint {
    my ($program, $options, $small, $large) = @_;
    my ($seconds, $wrong) = seconds_of($program, $options, $large);
    return $wrong // () if defined $wrong || $seconds < 0.33;
    my ($of_half) = seconds_of($program, $options, $small);
    for (1 .. 2) {
        return if $seconds <= 3 * $of_half;
        $of_half = min($of_half, (seconds_of($program, $options, $small))[0]);
        $seconds = min($seconds, (seconds_of($program, $options, $large))[0]);
    }
    return $seconds > 3 * $of_half
        ? sprintf('%s: %.2f s, and for twice as much %.2f s', "$program @$options", $of_half, $seconds) : ();
}

for my $name ($ENV{EXHAUSTIVE} && !valgrind() ? sort keys %growing : ()) {
    my ($small, $large) = half_and_whole(@{ $growing{$name} });
    my @wrong;
    for my $program (@programs) {
        push @wrong, map { growth_complaint($program, $_, $small, $large) } [], @{ $others{$program} // [] };
    }
    is(join("\n", @wrong), '', "$name: time grows with size");
}

# The limit that a program sets before it reads: half of what the machine or a control group allows.
SKIP: {
    skip 'RLIMIT_DATA has no effect under valgrind', 1 if valgrind();
    POSIX::mkfifo("$dir/fifo", 0600) or die "mkfifo: $!\n";
    my $job = Command::start([build_dir() . '/bin/nytprofcalls', '-o', "$dir/out", "$dir/fifo"],
        env => { NYTP_MEMORY_MIB => undef });
    open my $fifo, '>', "$dir/fifo" or die "fifo: $!\n";
    my $limit;
    until_true(sub {
        ($limit) = slurp("/proc/$job->{pid}/limits") =~ /^Max data size +(\d+)/m;
        return defined $limit;
    }, $job->{pid});
    my ($kib) = slurp('/proc/meminfo') =~ /^MemTotal: +(\d+)/;
    ok(defined $limit && $limit <= $kib * 512, 'the limit is at most half of the memory') or diag($limit);
    close $fifo or die "fifo: $!\n";
    waitpid $job->{pid}, 0;
}

# The names alone have more bytes than the memory limit; half of the machine's is enough for them.
SKIP: {
    skip 'RLIMIT_DATA has no effect under valgrind', 8 if valgrind();
    my $bomb = spew("$dir/bomb", compressed('long names'));
    unlink "$dir/out";
    local $ENV{NYTP_MEMORY_MIB} = 64;
    my $got = run([build_dir() . '/bin/nytprofcalls', '-o', "$dir/out", $bomb]);
    is($got->{status}, 1, 'a bomb is refused');
    like($got->{err},
        qr/\Anytprofcalls: \Q$bomb\E: .*out of memory.*: the limit is 64 MiB; NYTP_MEMORY_MIB raises it\n\z/,
        'the message names the limit');
    $got = run(['sh', '-c', 'ulimit -v 50000; exec "$0" "$@"', build_dir() . '/bin/nytprofcalls', '-o', "$dir/out",
        $bomb]);
    is($got->{status}, 1, 'so it is under a lower limit of the system');
    like($got->{err}, qr/\Anytprofcalls: \Q$bomb\E: .*out of memory[^;]*\n\z/, 'which the message does not call ours');
    ok(!-e "$dir/out", 'there is no output');
    $got = run([build_dir() . '/bin/nytprofcalls', '-o', "$dir/out", $bomb], env => { NYTP_MEMORY_MIB => undef });
    is($got->{status}, 0, 'a profile that needs more is read') or diag($got->{err});

    spew($bomb, $magic . $begin . join('', map { chunks([TIME_LINE => 1, 1, $_]) } 1 .. 130_000) . $end);
    $got = run([build_dir() . '/bin/nytprofcg', '-o', "$dir/out", $bomb], env => { NYTP_MEMORY_MIB => 22 });
    is($got->{status}, 0, 'nytprofcg: about 50 bytes for each line that ran') or diag($got->{err});
    spew($bomb, $magic . $begin . join('', map { chunks([SUB_CALLERS => 1, 1, 'a', 1, 1, 1, 0, 0, "b$_"]) } 1 .. 12_000)
        . $end);
    my @wrong;
    for my $mib ($ENV{EXHAUSTIVE} ? 16 .. 24 : (17, 20, 23)) {
        local $ENV{NYTP_MEMORY_MIB} = $mib;
        push @wrong, complaint('nytp-dot', ['--min=0', '--max-nodes=12000'], $bomb);
    }
    is("@wrong", '', 'nytp-dot: libcgraph is refused memory');
}

done_testing();
