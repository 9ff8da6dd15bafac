# A profile that stops early gives what is there. A damaged one gives nothing, except with --salvage. A terminal shows
# how long reading will take.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Collapsed qw(parsed frames_of);
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir fewer run scratch_dir slurp spew until_true valgrind);
use ProfileBytes qw(simple_profile);
use Test::More;

my $ours    = build_dir() . '/bin/nytprofcalls';
my $scratch = scratch_dir();
my ($pod2man) = map { $_->{path} } grep { $_->{name} eq 'pod2man' } recordings();

my @names   = qw(main::f main::g Shop::Store::row Shop::Log::debug);
my @returns = map { [(3, 2, 3, 2, 1)[$_ % 5], 1 + $_ % 7, $names[$_ % 4]] } 1 .. 25;
my @first_kept = map { ['-o', "$scratch/kept", @$_] } [], ['--calls'];

sub beside { return join ' ', map { s{.*/}{}r } glob "$scratch/.n* $scratch/kept*" }

# What a cut leaves out, it leaves out: no sub has more than in the whole.
sub more_than {
    my ($part, $whole) = @_;
    my ($has, $may) = map { frames_of($_) } $part, $whole;
    return grep { $has->{$_} > ($may->{$_} // -1) } keys %$has;
}

sub no_more_than { return !more_than(@_) }

# A complaint for the cut at that byte, or nothing.
sub cut_at {
    my ($bytes, $length, $whole) = @_;
    my $path = spew("$scratch/cut.out", substr $bytes, 0, $length);
    my $got  = run([$ours, $path]);
    return "exit $got->{status}" if $got->{status} != 0;
    return "said $got->{err}"
        if $got->{err} !~ /\Anytprofcalls: warning: \Q$path\E(?:: it was cut|: \d+ process(?:es)? killed or still running); what is there is used\n\z/;
    return 'more than there was' if !no_more_than(parsed($got->{out}), $whole);
    $got = run([$ours, '--strict', $path]);
    return "--strict: exit $got->{status}, $got->{out}" if $got->{status} != 1 || $got->{out} ne '';
    return $got->{err} =~ /\Anytprofcalls: \Q$path\E: cut short at offset \d+.*\n\z/ ? () : "--strict said $got->{err}";
}

sub is_cut_well {
    my ($name, $bytes, @lengths) = @_;
    my $whole = parsed(run([$ours, spew("$scratch/whole.out", $bytes)])->{out});
    my @wrong;
    for my $length (@lengths) {
        my ($complaint) = cut_at($bytes, $length, $whole);
        push @wrong, "at $length: $complaint" if defined $complaint;
    }
    return is(join("\n", @wrong), '', "$name, cut at " . @lengths . ' places');
}

subtest 'cut short' => sub {
    for my $compress (0, 1) {
        my $bytes = simple_profile(\@returns, compress => $compress);
        my @lengths = $compress ? 0 .. length($bytes) - 1 : map { $_ * 5 } 0 .. (length($bytes) - 1) / 5;
        my $first_line = index($bytes, "\n") + 1; # less than that is not a profile: test/all-programs/tools.t
        is_cut_well($compress ? 'compressed' : 'plain', $bytes, fewer(10, grep { $_ >= $first_line } @lengths));
    }
    my $real = slurp($pod2man);
    # After the compressed part there is a comment. Without it nothing is missing.
    my $end = rindex $real, "#\n# Compressed";
    cmp_ok($end, '>', 10_000, 'a recorded one');
    is_cut_well('recorded', $real, fewer(10, map { int($end * $_ / 30) } 1 .. 29));
};

subtest 'how much of it is there' => sub {
    my $whole = parsed(run([$ours, '--calls', spew("$scratch/whole.out", simple_profile(\@returns))])->{out});
    my $all   = 0;
    $all += $_ for values %$whole;
    is($all, 25, 'all calls of the whole');
    my $before = 0;
    for my $length (fewer(5, map { $_ * 20 } 1 .. length(simple_profile(\@returns)) / 20)) {
        my $path  = spew("$scratch/cut.out", substr simple_profile(\@returns), 0, $length);
        my $calls = 0;
        $calls += $_ for values %{ parsed(run([$ours, '--calls', $path])->{out}) };
        fail("fewer calls with more bytes at $length") if $calls < $before;
        $before = $calls;
    }
    cmp_ok($before, '>=', 23, 'nearly all of them near the end');
};

subtest 'one of several is cut' => sub {
    my $bytes = simple_profile(\@returns);
    my $whole = spew("$scratch/whole.out", $bytes);
    my $cut   = spew("$scratch/cut.out", substr $bytes, 0, length($bytes) - 5);
    my $got   = run([$ours, $cut, $whole]);
    is($got->{status}, 0, 'done');
    is(() = $got->{err} =~ /\n/g, 1, 'one warning');
    is($got->{out}, run([$ours, $whole, $whole])->{out}, 'and both are summed');
};

# ---- corrupt ----

# With $junk, what is inflated may be read for a while, with warnings.
sub is_refused {
    my ($name, $bytes, $expected, $junk) = @_;
    my $path = spew("$scratch/corrupt.out", $bytes);
    my $warned = $junk ? qr/(?:nytprofcalls: warning: \Q$path\E: offset \d+ .*\n)*/ : qr//;
    for my $options (@first_kept) {
        spew("$scratch/kept", "as it was\n");
        my $got = run([$ours, @$options, $path]);
        is("$got->{status}$got->{out}", '1', "$name: exit 1, no output");
        like($got->{err}, qr/\A${warned}nytprofcalls: \Q$path\E: .*$expected.*\n\z/, "$name: what and where");
        is(slurp("$scratch/kept") . beside(), "as it was\nkept", "$name: the old file is untouched");
        unlink "$scratch/kept";
        run([$ours, @$options, $path]);
        is(beside(), '', "$name: there is no new one");
    }
    my $got = run([$ours, '--salvage', $path]);
    return $got->{status} == 0 && $got->{err} =~ /\A${warned}nytprofcalls: warning: .*what precedes it is used.*\n\z/
        ? $got->{out} : undef;
}

subtest 'corrupt' => sub {
    my $bytes = simple_profile(\@returns);
    my $lines = run([$ours, spew("$scratch/whole.out", $bytes)])->{out};
    my $at    = length($bytes) - 11;               # the PID_END: its tag, 4711 in two bytes, a time
    (my $tag = $bytes) =~ s/p(.{10})\z/\xEE$1/s;
    is(is_refused('unknown tag', $tag, "offset $at: unknown tag 0xee: expected a chunk"), $lines, 'salvaged');
    (my $type = $bytes) =~ s/.*\K'(?=\x07main::)/x/s;
    isnt(is_refused('no string', $type, 'offset \d+: expected a string .* in a SUB_RETURN chunk'), undef, 'salvaged');
    (my $length = $bytes) =~ s/.*'\K\x07(?=main::)/\xFF\x7F\xFF\xFF\xFF/s;
    isnt(is_refused('impossible length', $length, 'offset \d+: expected .* in a SUB_RETURN chunk'), undef, 'salvaged');
    is(is_refused('no profile', "#!/usr/bin/perl\n",
        'offset 0: not a Perl profile: expected "NYTProf 5 0" or "#fOrTyTwO"'),
        undef, 'nothing to salvage');
    is(is_refused('another format', "NYTProf 6 0\n", 'format 6.0: this library reads 4.0 and 5.0'),
        undef, 'nothing to salvage');
};

subtest 'corrupt where it is compressed' => sub {
    my $bytes = slurp($pod2man);
    my $lines = parsed(run([$ours, spew("$scratch/whole.out", $bytes)])->{out});
    substr($bytes, int(length($bytes) / 2), 400) = "\xFF" x 400;
    my $salvaged = is_refused('bad data', $bytes, 'offset \d+', 1);
    # What damaged bytes are inflated to may look like a few chunks before it makes no sense.
    cmp_ok(scalar(() = more_than(parsed($salvaged), $lines)), '<', 10, 'salvaged: what came before');
    cmp_ok(keys %{ parsed($salvaged) }, '>', 50, 'which is a lot');
};

subtest 'what cannot be read' => sub {
    my %wrong = ("$scratch/missing" => 'No such file or directory', $scratch => 'Is a directory');
    for my $path (sort keys %wrong) {
        my $got = run([$ours, '-o', "$scratch/kept", $path]);
        is("$got->{status}$got->{out}", '1', "$wrong{$path}: exit 1");
        like($got->{err}, qr/\Anytprofcalls: \Q$path\E: .*$wrong{$path}\n\z/, 'in the words of the system');
        is(beside(), '', 'no output');
    }
    my $got = run([$ours], dir => $scratch);
    like($got->{err}, qr/\Anytprofcalls: nytprof\.out: .*No such file/, 'nytprof.out too');
};

# ---- progress ----

# Feeds a profile through a pipe, for so many seconds, to a nytprofcalls whose stderr is a terminal of that kind.
sub on_a_terminal {
    my ($term, $seconds) = @_;
    my $bytes = simple_profile([map { [1, 1, 'main::f'] } 1 .. 40_000]);
    my $slow  = '$| = 1; $/ = \(1 + (-s STDIN) / 8); while (<STDIN>) { print; select undef, undef, undef, '
        . $seconds / 8 . ' }';
    spew("$scratch/slow.pl", $slow);
    spew("$scratch/long.out", $bytes);
    my $pipeline = "$^X $scratch/slow.pl < $scratch/long.out | $ours -o $scratch/lines -";
    my $got = run(['script', '-qec', $pipeline, '/dev/null'], env => { TERM => $term });
    is($got->{status}, 0, 'done');
    is(slurp("$scratch/lines"), "main::f 40000\n", 'the result is the same');
    return $got->{out};
}

subtest 'progress' => sub {
    my $at_once = '';
    my $head    = qr/nytprofcalls: [\d.]+ m?s[^\r\n]*\r\nnytprofcalls: \S+lines, 14\.?0? B \(flamegraph\.pl draws it\)\r\n/;
    # unless the machine was busy
    until_true(sub { $at_once = on_a_terminal('xterm', 0); valgrind() || $at_once =~ /\A$head\z/ });
    SKIP: {
        skip 'nothing is fast under memcheck', 1 if valgrind();
        like($at_once, qr/\A$head\z/, 'only what the time is made of, and what was written, when it is fast');
    }
    is(on_a_terminal('dumb', 2), '', 'nothing where it could not be wiped off');
    my $progress = on_a_terminal('xterm', 2);
    my $no_wrap = qr/\e\[\?7lnytprofcalls: \d+\.\d MiB, \d+\.\d MiB\/s: standard input\e\[\?7h/;
    like($progress, qr/\A(?:\r\e\[K$no_wrap)+\r\e\[K$head\z/,
        'how far and how fast, on one line however narrow, wiped off at the end');
    my $got = run(['sh', '-c', "$^X $scratch/slow.pl < $scratch/long.out | $ours - >$scratch/lines"]);
    is($got->{err}, '', 'nothing where there is no terminal');
};

done_testing();
