package FuzzSeeds;

# Small profiles from which the fuzz targets start, recorded and made up. Malformed ones are named after
# their defect.
#
#   use FuzzSeeds qw(seeds);
#   my %bytes_of = seeds();

use strict;
use warnings;

use Compress::Zlib ();
use Exporter 'import';
use MadeMemory qw(made_memory);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes simple_profile);

our @EXPORT_OK = qw(seeds small_of_each_kind);

my @begin = ([VERSION => 5, 0], [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl']);
my @subs  = (
    [SUB_INFO => 1, 'main::RUNTIME', 1, 1],
    [SUB_INFO => 1, 'Shop::row', 3, 9],
    [SUB_INFO => 1, 'Shop::deep', 11, 20],
);
my $most = 0xFFFF_FFFF;

sub _complete { return profile_bytes(@begin, @_, [PID_END => 7, 2.5]) }

# Each kind of chunk once.
my @every = (
    [COMMENT => ' a profile'], [ATTRIBUTE => 'ticks_per_sec', 1_000_000], [OPTION => 'calls', 2],
    [TIME_LINE => 12, 1, 3], ['DISCOUNT'], [TIME_LINE => -1, 1, 4], [TIME_BLOCK => 5, 1, 5, 4, 3],
    [SUB_ENTRY => 1, 5], [SUB_RETURN => 2, 3.5, 1.5, 'Shop::deep'], [SUB_RETURN => 1, 9, 5, 'Shop::row'],
    @subs, [SUB_INFO => 1, 'main::CORE:print', 0, 0], [SUB_CALLERS => 0, 0, '', 0, 0, 0, 0, 0, 'main::CORE:print'],
    [ATTRIBUTE => kept => '4 -9007199254740992'], [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 9e-7, 5e-7, 0, 0, 'Shop::row'],
    [SUB_CALLERS => 1, 5, 'Shop::row', 3, 3.5e-7, 1.5e-7, 1e-7, 2, 'Shop::deep'],
    [SRC_LINE => 1, 1, "print 'x';\n"], [ATTRIBUTE => 'cumulative_overhead_ticks', 17],
);

sub _well_formed {
    my @evals = map { [NEW_FID => $_ + 1, 1, 3, 0x102, 0, 0, "(eval $_)[/srv/shop.pl:3]"] } 1 .. 4;
    return (
        'every-chunk'            => _complete(@every),
        'every-chunk-compressed' => profile_bytes([VERSION => 5, 0], ['START_DEFLATE'], @begin[1, 2], @every,
            [PID_END => 7, 2]),
        'format-4'               => profile_bytes([VERSION => 4, 0], @begin[1, 2], [TIME_LINE => 1, 1, 1],
            [PID_END => 7, 2]),
        'calls'                  => simple_profile([map { [3 - $_ % 3, 10 + $_, "Shop::f" . $_ % 4] } 0 .. 17]),
        'evals'                  => _complete(@evals, @subs, map { my $fid = $_->[1]; (
            [SRC_LINE => $fid, 1, "sub g { 1 } g()\n"], [SUB_INFO => $fid, 'main::g', 1, 1],
            [TIME_LINE => 4, $fid, 1],
            [SUB_CALLERS => $fid, 1, 'main::RUNTIME', 1, 1e-6, 1e-6, 0, 0, 'main::g']) } @evals),
        'labels'                 => profile_bytes($begin[0], [ATTRIBUTE => 'labels', 'sql=Shop::query,regex'],
            @begin[1, 2],
            [SUB_RETURN => 3, 3, 3, 'Shop::query SELECT 1'], [SUB_RETURN => 2, 2, 2, 'main::CORE:match /a/'],
            [SUB_RETURN => 2, 7, 4, 'Shop::query SELECT 1'], [SUB_RETURN => 1, 9, 0, 'NYTProf::span GET /'],
            [PID_END => 7, 2]),
        'eval-marks'             => _complete(@evals, @subs, [ATTRIBUTE => eval_begin => '1 1 3'], [TIME_LINE => 4, 2, 1],
            [ATTRIBUTE => eval_begin => '1 2 1'], [SUB_RETURN => 2, 2, 2, 'Shop::deep'], [ATTRIBUTE => eval_end => '1 3'],
            [ATTRIBUTE => eval_end => '1 4 1'], [SUB_RETURN => 1, 9, 7, 'Shop::row'], [ATTRIBUTE => eval_begin => '0 1 7'],
            [SUB_RETURN => 1, 1, 1, 'Shop::deep'], [ATTRIBUTE => eval_end => '0 2'], [ATTRIBUTE => eval_begin => '5 9 9'],
            [ATTRIBUTE => trace_context => '6 0'], [ATTRIBUTE => clock => '20 1 0 6']),
        'two-processes'          => profile_bytes(@begin, [PID_START => 8, 7, 1.6], [SUB_RETURN => 1, 2, 2, 'main::f'],
            [PID_END => 8, 1.7], [SUB_RETURN => 1, 2, 2, 'main::f'], [PID_END => 7, 2]),
    );
}

# Numbers that no time has wherever a profile has numbers of its own. Its end chooses filters: the bits of
# fuzz_filters() in test/fuzz/fuzz.c.
sub _extreme {
    my ($filters, @of) = @_;
    my @numbers = (1e300, -1e300, 9**9**9, -9**9**9, -sin 9**9**9, 4e15, -4e15, 2**53);
    return profile_bytes($begin[0], [ATTRIBUTE => ticks_per_sec => 10_000_000], [ATTRIBUTE => @of], @begin[1, 2], (map { my $n = $_;
        ([TIME_LINE => 10, 1, 1], [SUB_RETURN => 2, $n, $n, 'main::CORE:sleep'], [TIME_LINE => 10, 1, 4],
            (map { [ATTRIBUTE => clock => $_] } "$n 0 0 1", "400 $n 0 1", "400 0 $n 1", "400 0 0 $n", "400 0 0 1 $n"),
            [ATTRIBUTE => memory_at => "$n $n $n"], [ATTRIBUTE => request => '3'], [SUB_RETURN => 1, $n, $n, 'NYTProf::span GET /'],
            ['DISCOUNT'], [TIME_LINE => 20, 1, 2], [ATTRIBUTE => request => "3 $n $n"], [ATTRIBUTE => eval_begin => '0 1 3'],
            [SUB_RETURN => 1, $n, -$n, 'Shop::row'], [ATTRIBUTE => eval_end => "0 $n"], [ATTRIBUTE => eval_begin => "$n $n $n"],
            [ATTRIBUTE => wait_for_cpu => $n], [ATTRIBUTE => coroutine => $n], [ATTRIBUTE => left => $n], [SUB_RETURN => 1, 9, 9, 'Shop::deep'],
            [ATTRIBUTE => coroutine => 0], [ATTRIBUTE => parts => $n], [SUB_RETURN => 1, 9, 9, 'Shop::deep'],
            [ATTRIBUTE => parts => 0], [ATTRIBUTE => state => "$n $n $n"], [ATTRIBUTE => cumulative_overhead_ticks => $n],
            [SUB_CALLERS => 1, 4, 'Shop::row', 1, $n, $n, $n, 0, 'Shop::deep']) } @numbers), @subs, [PID_END => 7, 2.5],
        [COMMENT => chr($filters) . '..']);
}

# Bytes that are not chunks, and chunks with values that no collector writes.
sub _strange {
    my $whole = _complete(@every);
    my @deep  = map { [SUB_RETURN => $_, 1, 1, 'Shop::deep'] } $most, 0, 2, $most - 1, 1;
    return (
        'a-file-its-own-parent'  => _complete([NEW_FID => 2, 2, 1, 0x102, 0, 0, '(eval 1)[(eval 1)[x:1]:1]'], @subs),
        'parents-in-a-circle'    =>
        _complete((map { [NEW_FID => $_, 2 + ($_ + 1) % 3, 1, 0x102, 0, 0, "(eval $_)[x:1]"] } 2 .. 4),
            map { [SRC_LINE => $_, 1, 'same'] } 2 .. 4),
        'a-fid-twice'            => _complete([NEW_FID => 1, 0, 0, 0, 0, 0, 'other'],
            [NEW_FID => 0, 0, 0, 0, 0, 0, '']),
        'unknown-fids'           => _complete([TIME_LINE => 3, $most, $most], [SUB_INFO => 99, 'a::b', 5, 2],
            [SUB_CALLERS => 98, $most, 'c::d', $most, 1e300, -1e300, 9**9**9, $most, 'a::b']),
        'calls-in-a-circle'      => _complete(@subs,
            map { [SUB_CALLERS => 1, $_->[0], $_->[1], 2, 5e-7, 2e-7, 1e-7, 1, $_->[2]] }
            [4, qw(Shop::row Shop::deep)], [12, qw(Shop::deep Shop::row)], [13, qw(Shop::deep Shop::deep)]),
        'no-such-depths'         => _complete(@deep),
        'infinite-ticks'         => _complete(map { [SUB_RETURN => 1, $_, $_, 'main::f'] } 9**9**9, -9**9**9,
            -sin 9**9**9),
        (map { ("extreme-numbers-$_" => _extreme($_, clock_id => 1)) } 0, 1, 2, 4, 8, 16, 31),
        (map { ("extreme-samples-$_" => _extreme($_, sampled_hz => 100)) } 0, 1, 2, 8),
        (map { ("extreme-memory-$_" => _extreme($_, unit => 'bytes')) } 0, 8, 128),
        'tiny-ticks-per-sec'     => _complete([ATTRIBUTE => 'ticks_per_sec', '1e-300'], @every[6 .. 15]),
        'huge-ticks-per-sec'     => _complete([ATTRIBUTE => 'ticks_per_sec', '1e300'], @every[6 .. 15]),
        'long-numbers'           => profile_bytes(@begin) . "+\xFF\0\0\0\1\xFE\0\0\1\xC0\0\5",
        'unknown-tag'            => profile_bytes(@begin) . "?",
        'no-string'              => profile_bytes(@begin) . "s\1x\4\5",
        'a-claim-of-4-gib'       => profile_bytes(@begin) . "s\1'\xFF\xFF\xFF\xFF\xFF",
        'no-newline'             => profile_bytes([VERSION => 5, 0]) . ":no end",
        'senseless-lines'        => profile_bytes([VERSION => 5, 0]) . ":no\n!sense\n:=\n:ticks_per_sec=nan\n",
        (map { ("nv-size-$_" => profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'nv_size', $_], @begin[1, 2], @every,
            [PID_END => 7, 2.5])) } 12, 16),
        'nv-size-unreadable'     => profile_bytes([VERSION => 5, 0]) . ":nv_size=16\nP\7\1" . "\xA5" x 16,
        'format-6'               => "NYTProf 6 0\n",
        'empty'                  => '',
        'cut'                    => substr($whole, 0, length($whole) - 40),
    );
}

sub _compressed {
    my $head = "NYTProf 5 0\nz";
    my $good = Compress::Zlib::compress('-' x 100);
    return (
        'z-within-z'       => $head . Compress::Zlib::compress('-z-'),
        'zlib-header'      => $head . "\x78\x00" . substr($good, 2),
        'zlib-checksum'    => $head . substr($good, 0, -1) . "\0",
        'zlib-dictionary'  => $head . "\x78\xBB\0\0\0\1" . substr($good, 2),
        'zlib-block-type'  => $head . "\x78\x9C\xFF",
        'zlib-cut'         => $head . substr($good, 0, -5),
        'zlib-bomb'        => $head . Compress::Zlib::compress('-' x 300_000),
        'zlib-and-more'    => $head . $good . "#\n# Compressed 100 bytes to 12\n",
    );
}

sub _tmon {
    my ($marks, $head) = @_;
    return "#fOrTyTwO\n" . ($head // "\$hz=100;\n\$over_utime=3; \$over_stime=1; \$over_rtime=-2;\n\$over_tests=10;\n"
        . "\$rrun_utime=60; \$rrun_stime=7; \$rrun_rtime=70;\n\$total_marks=4    \n") . "\nPART2\n$marks";
}

# The three dialects of Devel::DProf.
sub _tmons {
    my $goto = "& 2 main a\n+ 2\n\@ 10 0 10\n& 3 Foo b\n+ 3\n& 4 Foo __ANON__\n* 4\n\@ 5 1 6\n- 3\n/ 2\n";
    return (
        'tmon'               => _tmon("$goto+ & Devel::DProf::write\n\@ 1 1 1\n- & Devel::DProf::write\n"),
        'tmon-names'         => _tmon("+ & main::a\n\@ 20 0 20\n+ & main::b\n/ & main::b\n- & main::a\n"),
        'tmon-absolute'      => _tmon("+ 26 28 566822884 main::a\n+ 27 28 566822886 Foo::b\n- 28 29 566822887 Foo::b\n"
            . "- 28 29 566822890 main::a\n", "\$hz=100;\n\$rrun_rtime=18\n"),
        'tmon-recursive'     => _tmon("& 2 m r\n" . "+ 2\n\@ 1 0 0\n" x 20 . "- 2\n" x 20),
        'tmon-missing-exits' => _tmon("& 2 m a\n& 3 m b\n+ 2\n+ 3\n+ 3\n- 2\n+ 3\n"),
        'tmon-extra-exit'    => _tmon("$goto- 2\n"),
        'tmon-two-parts'     => _tmon("${goto}PART3\n+ 2\n"),
        'tmon-far-ids'       => _tmon("& fffffff0 m a\n& 10000 m b\n& ffff m c\n+ fffffff0\n+ 10000\n+ ffff\n- ffff\n"),
        'tmon-freed-names'   => _tmon("& 2 main \n+ 2\n- 2\n& 3  x\n& 4 A b\nc\n\n+ 4\n- 4\n"),
        'tmon-large-times'   => _tmon("& 2 m a\n" . "+ 2\n\@ 999999999999999 -999999999999999 5\n- 2\n" x 3),
        'tmon-code'          => _tmon($goto,
            "\$hz=100; system('false');\n\$x=`id`\n\$over_tests=1e-300;\n\$over_utime=1e300;\n"),
        'tmon-no-rate'       => _tmon($goto, "\$hz=0;\n"),
        'tmon-cr-lf'         => _tmon($goto) =~ s/\n/\r\n/gr,
        'tmon-cut'           => substr(_tmon($goto), 0, -7),
    );
}

sub _marks {
    my ($pid) = @_;
    return profile_bytes($begin[0], [ATTRIBUTE => ticks_per_sec => 10_000_000], [OPTION => calls => 1], [PID_START => $pid, 1, 1.5],
        $begin[2], [TIME_LINE => 10, 1, 1], [SUB_RETURN => 2, 300, 300, 'main::CORE:sleep'], [TIME_LINE => 310, 1, 4],
        [ATTRIBUTE => clock => '400 80 0 1'], [ATTRIBUTE => memory_at => '400 4000000 900'],
        [ATTRIBUTE => request => '1'], [SUB_RETURN => 1, 350, 50, 'NYTProf::span GET /'], ['DISCOUNT'],
        [TIME_LINE => 20, 1, 2], [ATTRIBUTE => coroutine => '1'], [ATTRIBUTE => parts => '1'],
        [SUB_RETURN => 1, 9, 9, 'Shop::row'], [TIME_LINE => 12, 1, 5], [ATTRIBUTE => coroutine => '0'],
        [ATTRIBUTE => request => '1'], [SUB_RETURN => 1, 30, 30, 'NYTProf::span GET /'], [TIME_LINE => 30, 1, 7],
        [ATTRIBUTE => request => '1 20 700'], [ATTRIBUTE => wait_for_cpu => '7'], [PID_END => $pid, 2.5]);
}

# A profile of time with samples of memory: what is freed, moments, and a record that makes no sense at the end.
sub _records {
    my $number = sub { my ($n) = @_; my $text = ''; for (; $n >= 32; $n >>= 5) { $text .= chr(80 + ($n & 31)) } return $text . chr(48 + $n) };
    my $record = sub { my ($kind, $first, @rest) = @_; return join '', map { $number->($_) } $first << 4 | $kind, @rest };
    my $name   = sub { my ($text) = @_; return $record->(6, 2 * length $text) . $text };
    my @first  = ($record->(8, 64), $record->(2, 0, 80, 2, 18, 2, 80, 18), $name->('Shop::row'), $name->('strings'), $record->(4, 0, 1, 1, 2), $record->(5, 1, 2, 1, 3),
        $record->(0, 1, 5000, 32, 9000), $record->(9, 0), $record->(10, 0, 1), $record->(10, 1, 2), $record->(11, 0, 2), $record->(3, 4), $record->(2, 0, 79, 1, 17, 1, 0, 0));
    my @then = ($record->(1, 0, 3), $record->(12, 3), $record->(0, 1, 70_000, 0, 140_000), $record->(7, 75_040, 5), $record->(3, 90), $record->(0, 1, 9, 0, 8));
    return profile_bytes($begin[0], [ATTRIBUTE => ticks_per_sec => 10_000_000], [ATTRIBUTE => heap => 4096], [PID_START => 7, 1, 1.5],
        $begin[2], [ATTRIBUTE => heap_file => '1 1'], [ATTRIBUTE => heap_records => join '', '2 ', @first], [ATTRIBUTE => live_values_arrays => 30],
        [ATTRIBUTE => heap_mark => '9000 A'], [TIME_LINE => 310, 1, 4], [ATTRIBUTE => heap_records => join '', '20000 ', @then],
        [ATTRIBUTE => heap_mark => '30000 B'], [ATTRIBUTE => heap_mark => '40000 end'], [ATTRIBUTE => heap_records => '50000 ~'], @subs, [PID_END => 7, 2.5]);
}

# A profile of each kind, of at most 2 KB: of memory, with samples of memory, of samples of time, with marks of time, merged.
sub small_of_each_kind {
    my $dir    = scratch_dir();
    my $sample = sub { my ($line, $state) = @_; return [ATTRIBUTE => state => $state], [TIME_LINE => 10_000, 1, $line] };
    my %small  = (
        memory  => slurp(made_memory("$dir/live.shop.out", source => 1)),
        samples => profile_bytes($begin[0], [ATTRIBUTE => application => '/srv/shop.pl'],
            [ATTRIBUTE => ticks_per_sec => 1_000_000], [ATTRIBUTE => sampled_hz => 100], [ATTRIBUTE => sampled_clock => 'wall'],
            [ATTRIBUTE => sampled_source => 'perf'], [OPTION => calls => 2], @begin[1, 2],
            $sample->(1, '10000000 0 0'), [SUB_ENTRY => 1, 2], $sample->(3, '4000000 1000000 5000000'),
            [ATTRIBUTE => memory_at => '20000 4000000 900'], [SUB_ENTRY => 1, 4], $sample->(4, '0 0 10000000'),
            [SUB_RETURN => 2, 10_000, 10_000, 'main::CORE:sleep'], ['DISCOUNT'], $sample->(5, '10000000 0 0'),
            [SUB_RETURN => 1, 30_000, 20_000, 'Shop::row'], $sample->(2, '10000000 0 0'), @subs,
            [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 0.03, 0.02, 0, 0, 'Shop::row'],
            [SUB_CALLERS => 1, 4, 'Shop::row', 1, 0.01, 0.01, 0, 0, 'main::CORE:sleep'],
            [ATTRIBUTE => sampled_lost_s => '0.01'], [ATTRIBUTE => process_cpu_s => '0.03'], [PID_END => 7, 2.5]),
        marks   => _marks(7),
        records => _records(),
    );
    my @parts = map { spew("$dir/part.$_", _marks($_)) } 8, 9;
    my $merged = run([build_dir() . '/bin/nytprofmerge', '--compress=0', '-o', '-', @parts]);
    die $merged->{err} if $merged->{status} != 0;
    return (%small, merged => $merged->{out});
}

sub seeds {
    my @tiny = ('test/scripts/tiny.pl');
    return (
        'real'            => slurp(scalar record('tiny', \@tiny, calls => 2)),
        'real-plain'      => slurp(scalar record('tiny-plain', \@tiny, calls => 2, compress => 0, savesrc => 0)),
        'real-statements' =>
        slurp(scalar record('tiny-statements', \@tiny, subs => 0, compress => 0, blocks => 1, savesrc => 0)),
        small_of_each_kind(), _well_formed(), _strange(), _compressed(), _tmons(),
    );
}

1;
