# heap=: profiles of memory. Programs of which is known what they allocate; each way to call malloc(); and that the program does
# what it does without. With a seed, samples are the same in each run of a program.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library collector command need_collector optional_module plain preload profiled same_behaviour);
use Config;
use ExtUtils::Embed ();
use File::Basename qw(basename dirname);
use List::Util qw(max sum0);
use MemoryProfile qw(blocks_of bytes_in bytes_of bytes_of_kind heap_files memory_view read_memory);
use NYTPTest qw(build_dir compiler run sanitized scratch_dir slurp spew top_dir until_true valgrind);
use Test::More;

need_collector();
plan skip_all => 'sanitizers and memcheck have a malloc() of their own' if sanitized() || valgrind();

# Runs a program; options: test ("RATE,SEED"), options, and those of profiled(). It must end well. Returns the parts of its memory
# and what profiled() does. Unless test says otherwise, a block of some hundred bytes is nearly always a sample, so that sums of
# samples are near the truth with any seed.
sub memory_of {
    my ($name, $code, %run) = @_;
    my @how  = (prepare => sub { spew("$_[0]/program.pl", $code); $run{files}->($_[0]) if $run{files} });
    my $got  = profiled(collector(), ['program.pl'], %run, @how, options => { heap => 4096, %{ $run{options} // {} } },
        env => { NYTPROF_TEST_HEAP => $run{test} // '64,1', %{ $run{env} // {} } });
    is $got->{status}, 0, "$name: ends well" or diag "signal $got->{signal}: $got->{err}";
    is $got->{err}, '', "$name: silent" if !$run{talks};
    my $parts = heap_files("$got->{profiles}/nytprof.out");
    ok !(grep { !$_->{complete} } values %$parts), "$name: its files are whole";
    return ($parts, $got);
}

sub near { my ($got, $want, $part, $name) = @_; return ok(abs($got - $want) <= $part * $want, sprintf '%s: %.0f, and %.0f is true', $name, $got, $want) }

# Within 4 standard deviations of a sum of samples, which few of 10,000 seeds miss. At rate 512, these are 5 % of 3 MB.
sub is_estimate {
    my ($got, $want, $rate, $name) = @_;
    my $deviations = abs($got - $want) / sqrt($rate * max($want, 1));
    return ok($deviations < 4, sprintf '%s: %.0f of %.0f, %.1f deviations', $name, $got, $want, $deviations);
}

# Before 5.36 perl does not export the functions that take arenas: what they take has the kind of what it is for.
my $NAMES_ARENAS = $] >= 5.035;

# Calls within musl, such as that of strdup(), are not followed (doc/perls.md).
my $GLIBC = $Config{gnulibc_version};

# ---- known truth -----------------------------------------------------------------------------------

my $TRUTH = <<'END';
use strict;
use warnings;
no warnings;
our (@kept, %cache, $text, @tree, @closures);
sub leak     { my ($n) = @_; push @kept, 'l' x (200 + $n % 7); work() if $n % 10 == 0; return }
sub work     { my @temporary = map { "t$_" } 1 .. 100; return scalar @temporary }
sub big      { my ($n) = @_; my $string = 'b' x $n; undef $string; return }
sub cached   { my ($n) = @_; $cache{"key $n"} = { n => $n, list => [1 .. 5] }; return }
sub grow     { $text .= 'grow' x 25; return }
sub joined   { my $joined = join ',', map { $_ * 3 } 1 .. 50_000; return length $joined }
sub plant    { my ($depth) = @_; return $depth ? [plant($depth - 1), plant($depth - 1)] : 'leaf' x 20 }
sub fell     { @tree = (); return }
sub closure  { my ($n) = @_; my @of = (1 .. 20); push @closures, sub { return $of[$n] }; return }
sub sorted   { my @sorted = sort { $a <=> $b } map { ($_ * 7919) % 100_003 } 1 .. 30_000; return $sorted[0] }
sub compiled { my ($n) = @_; eval 'sub s' . $n . ' { ' . 'my $x = shift; $x += 1; return $x; ' x 20 . '}'; die $@ if $@; return }
sub deep     { my ($n) = @_; my $own = "$n" x 100; deep($n - 1) if $n; die "end\n" if !$n; return }
leak($_) for 1 .. 40_000;
big(60_000_000);
cached($_) for 1 .. 20_000;
grow() for 1 .. 50_000;
joined();
@tree = plant(13);
fell();
closure($_ % 20) for 1 .. 5_000;
sorted();
compiled($_) for 1 .. 200;
eval { deep(500) };
END
{
    my @subs = qw(leak big cached grow joined plant closure sorted compiled deep);
    my ($truth) = memory_of('rate 1', $TRUTH, test => '1,1');
    for my $rate (512, 65536) {
        my ($sampled) = memory_of("rate $rate", $TRUTH, test => "$rate,3");
        for my $part (qw(peak live alloc)) {
            is_estimate(bytes_of($sampled->{$part}, "main::$_"), bytes_of($truth->{$part}, "main::$_"), $rate, "rate $rate, $part: $_") for @subs;
            is_estimate($sampled->{$part}{bytes}, $truth->{$part}{bytes}, $rate, "rate $rate, $part: all");
        }
        near(blocks_of($sampled->{live}, 'main::leak'), blocks_of($truth->{live}, 'main::leak'), 4 * sqrt($rate / 8e6), "rate $rate: blocks");
    }
    # By hand: perl takes the bytes, a NUL, and up to 24 for itself.
    my $live = $truth->{live};
    my $leaked = sum0(map { $_->{bytes} } grep { $_->{kind} eq 'strings' && ($_->{stack}[-1] // '') eq 'main::leak' } @{ $live->{sites} });
    cmp_ok $leaked, '>=', 40_000 * 203, 'rate 1: leaked strings are there';
    cmp_ok $leaked, '<=', 40_000 * 230, '... and little else';
    cmp_ok blocks_of($live, 'main::leak'), '>=', 40_000, '... each of them';
    cmp_ok bytes_of($live, 'main::big'), '<', 100_000, 'what was freed is not live';
    cmp_ok bytes_of($truth->{alloc}, 'main::big'), '>=', 60_000_000, '... but was allocated';
    cmp_ok bytes_of($truth->{peak}, 'main::big'), '>=', 60_000_000, '... and held at the peak';
    cmp_ok bytes_of($live, 'main::fell'), '<', 20_000, 'what another sub frees is not live';
    is $live->{attributes}{peak_bytes} >= $live->{bytes}, 1, 'the peak is not less than what is live';
    near($truth->{peak}{attributes}{peak_bytes}, $truth->{peak}{bytes}, 1e-3, 'the peak is what its file has, up to what the program had before');
    for my $sub (qw(leak cached)) {
        near($live->{arcs}{"main::RUNTIME -> main::$sub"}, bytes_of($live, "main::$sub"), 1e-6, "sums of calls: $sub");
    }
    is $live->{returned}{'main::leak'}, sum0(map { $_->{bytes} } grep { ($_->{stack}[-1] // '') eq 'main::leak' } @{ $live->{sites} }),
        'returns have the bytes of their statements';
    my ($line) = sort { $b->{bytes} <=> $a->{bytes} } grep { ($_->{stack}[-1] // '') eq 'main::leak' && $_->{kind} eq 'strings' } @{ $live->{sites} };
    is basename($line->{file}) . ":$line->{line}", 'program.pl:5', 'the line is that of the statement';
}

# ---- kinds -----------------------------------------------------------------------------------------

{
    my $write_module = sub { my ($dir) = @_; mkdir "$dir/lib"; spew("$dir/lib/Large.pm", join '', "package Large;\n", map({ "sub s$_ { my \$x = shift; return \$x + $_ }\n" } 1 .. 2000), "1;\n") };
    my ($parts) = memory_of('kinds', <<'END', files => $write_module, test => '1,1');
use lib 'lib';
use Large;
our $folded = "y" x 5_000_000;
our @array = (undef) x 300_000;
our %hash; keys %hash = 100_000;
our @patterns = map { my $n = $_; qr/(?:abc|d$n)+[^x]*$n/ } 1 .. 500;
sub recurse { my ($n) = @_; return $n ? recurse($n - 1) : 0 }
{ no warnings; recurse(20_000); }
open my $in, '<', $0 or die;
my $line = <$in>;
END
    my $live = $parts->{live};
    cmp_ok bytes_in($live, qr/Large\.pm$/, 'code'), '>', 1_000_000, 'kinds: code belongs to the file that is compiled';
    cmp_ok bytes_in($live, qr/Large\.pm$/, 'code'), '>', 0.6 * bytes_in($live, qr/Large\.pm$/), '... and is most of it';
    my ($begin) = grep { /BEGIN\@2\z/ } map { @{ $_->{stack} } } grep { $_->{file} =~ /Large\.pm$/ } @{ $live->{sites} };
    is $begin, 'main::BEGIN@2', '... below the block that loads it';
    my %folded = map { $_->{kind} => 1 } grep { $_->{bytes} > 4_000_000 && $_->{line} == 3 } @{ $live->{sites} };
    is_deeply \%folded, { strings => 1 }, 'kinds: a constant is a string';
    cmp_ok bytes_of_kind($live, 'arrays'), '>', 8 * 300_000, 'kinds: arrays';
    cmp_ok bytes_of_kind($live, 'hashes'), '>', 8 * 100_000, 'kinds: hashes' if $NAMES_ARENAS;
    cmp_ok bytes_of_kind($live, 'patterns'), '>', 500 * 100, 'kinds: patterns';
    cmp_ok bytes_of_kind($live, "perl's stacks"), '>', 20_000 * 50, "kinds: perl's stacks";
    cmp_ok bytes_of_kind($parts->{peak}, 'value heads'), '>', 300_000, 'kinds: value heads' if $NAMES_ARENAS;
    cmp_ok bytes_of_kind($live, 'net values'), '>', 300_000, 'kinds: values' if $NAMES_ARENAS;
    cmp_ok bytes_of_kind($live, 'files'), '>', 1000, 'kinds: files';
    cmp_ok bytes_of_kind($live, 'other'), '<', 0.04 * $live->{bytes}, 'kinds: little is other';
}

# An arena belongs to who needed the next one. At moments that have names, who keeps the values in it has it: of each call seven, a
# hash and an array, and two entries.
if ($NAMES_ARENAS) {
    my (undef, $run) = memory_of('leak after a burst', <<'END', test => '1,1');
our @kept;
sub leak { push @kept, { id => $_[0], n => [1, 2] }; return }
sub burst { my @t = map { [$_, $_] } 1 .. $_[0]; @t = (); undef @t; return }
burst(60_000); DB::heap_snapshot("then"); leak($_) for 1 .. 20_000; DB::heap_snapshot("last");
END
    my $view = sub { return memory_view("$run->{profiles}/nytprof.out", $_[0]) };
    my $in   = sub { my ($memory, $sub, @kinds) = @_; return sum0(map { $_->{bytes} } grep { my $s = $_; grep { $_ eq $s->{kind} } @kinds and ($s->{stack}[-1] // '') eq $sub } @{ $memory->{sites} }) };
    my $truth = 20_000 * (7 * 3 + 4 + 5 + 2 * 3) * $Config{ptrsize};
    my ($at_peak, $at_end) = map { $view->($_) } 'peak', 'live';
    my %needed = map { $_ => $in->($at_peak, "main::$_", 'value heads', 'value bodies') } qw(burst leak);
    cmp_ok $needed{burst}, '>', 2 * $needed{leak}, 'arenas, peak: who needs the next one has it';
    for my $name (qw(live at=last)) {
        my $memory = $view->($name);
        near($in->($memory, 'main::leak', 'net values'), $truth, 0.05, "arenas, $name: who keeps the values has them");
        is $in->($memory, 'main::burst', 'net values', 'value heads', 'value bodies'), 0, '... and no other';
    }
    for my $name (qw(grown=then..last grown=then..)) {
        my $memory = $view->($name);
        my $grown  = $in->($memory, 'main::leak', 'net values');
        ok $grown > 1e6 && $grown < 0.5 * $truth, "arenas, $name: what more there are";
        near($grown, sum0(map { bytes_of_kind($memory, $_) } 'net values', 'room for values'), 0.05, '... is of who keeps the values');
    }
    near($in->($at_end, 'main::(free in arenas)', 'room for values'), $needed{burst} + $needed{leak} - $truth, 0.05, '... and room is what is left');

    # Values that a caller frees again are not known by the sub that made them: the error says so.
    my (undef, $freed) = memory_of('values that others free', <<'END', test => '1,1');
our @kept;
sub tree { return [map { [$_] } 1 .. 50] }
sub job { my $tree = tree(); keep(); return }
sub keep { push @kept, [1]; return }
job() for 1 .. 4000;
END
    my ($tree) = grep { $_->{kind} eq 'net values' && $_->{stack}[-1] eq 'main::tree' } @{ memory_view("$freed->{profiles}/nytprof.out", 'live')->{sites} };
    ok $tree->{bytes} < 1.1 * $tree->{error}, 'arenas: values that others may have freed have an error' or diag explain $tree;

    # A sub that frees more than it makes keeps some, too. What is shown is within its error: two numbers in arrays, and a hash.
    (undef, $freed) = memory_of('values of who frees others', <<'END', test => '1,1');
our @kept;
sub tree { return [map { [$_] } 1 .. 50] }
sub job { my $tree = tree(); push @kept, [1 .. 3], @$tree[0, 1]; return }
sub plain { push @kept, { n => 1 }; return }
job(), plain() for 1 .. 4000;
END
    my $csv = run([build_dir() . '/bin/nytprofcsv', '--table=kinds', '--memory=live', '-o', '-', "$freed->{profiles}/nytprof.out"])->{out};
    for ([tree => 4], [plain => 3]) {
        my ($sub, $each) = @$_;
        my ($values, $bytes, undef, $error) = $csv =~ /^main::$sub,net values,(\d+),(\d+),(\d*),(\d*)\r$/m;
        cmp_ok abs($values - 4000 * $each), '<', 1.01 * $error / ($bytes / $values), "... within it is what is true of $sub()" or diag $csv;
    }
}

# ---- counted -----------------------------------------------------------------------------------------

# What is live, and the moment of the peak, are counted: also where one sample in 64 KiB leaves an error of 17 % to each
# place. The truth is that of the program without the profiler, less what perl has from malloc() before it starts.
{
    my $counter = clock_library('count-malloc');
    my $counted = sub {
        my ($code) = @_;
        my $dir = scratch_dir();
        spew("$dir/program.pl", $code);
        # The counter comes before another malloc().
        my $got = run([$^X, "$dir/program.pl"], env => { LD_PRELOAD => join(' ', $counter, $ENV{PRELOAD} // ()), COUNTED => "$dir/counted" });
        is "$got->{status} $got->{err}", '0 ', 'counted: ends well';
        return split ' ', slurp("$dir/counted");
    };
    my ($start) = $counted->('1');
    my %queues = ('a queue' => 'my @q; sub turn { push @q, "x" x 500; shift @q if @q > 4000 } turn() for 1 .. 40_000;',
        'a peak in the middle' => 'my @q; sub fill { push @q, "x" x $_[0] for 1 .. $_[1] } fill(900, 20_000); @q = (); fill(90, 3000);');
    for my $name (sort keys %queues) {
        my ($peak, $all) = $counted->($queues{$name});
        for my $test (map { ("65536,$_", "4096,$_") } 1 .. 3) {
            my ($parts) = memory_of("$name, $test", $queues{$name}, test => $test);
            my $bytes = $parts->{peak}{bytes};
            my ($rate) = split /,/, $test;    # the peak is that of a sample: in 2 of 1,000 cases none comes for so long
            ok abs($bytes - ($peak - $start)) < 6 * $rate + 0.01 * $peak, "$name, $test: the peak is exact" or diag "$bytes, not $peak less $start";
            near($parts->{alloc}{bytes}, $all - $start, 0.02, "$name, $test: so is what was allocated");
        }
    }
}

# How much later than its begin a piece of records ends, in units of 100 us.
sub passed_in {
    my ($records) = @_;
    my @more   = (3, 1, 6, 0, 3, 3, 0, 1, 0, 0, 1, 1, 0);    # numbers by kind, after the first
    my $passed = 0;
    my $number = sub {
        my ($value, $bits) = (0, 0);
        while ($records =~ /\G(.)/gcs) {
            my $digit = ord($1) - ord '0';
            $value += ($digit & 31) << $bits;
            $bits += 5;
            return $value if $digit < 32;
        }
        return undef; ## no critic (ExplicitReturnUndef)
    };
    while (defined(my $first = $number->())) {
        my ($kind, $value) = ($first & 15, $first >> 4);
        $passed += $value                             if $kind == 3;
        pos($records) = pos($records) + ($value >> 1) if $kind == 6;
        $number->() for 1 .. $more[$kind];
    }
    return $passed;
}

# Time counts once where a piece begins. A clock that is calibrated between two of them may move one by a unit.
{
    my $got = profiled(collector(), ['-e', 'sub f { my @t = map { "m" x 1000 } 1 .. 20_000; @t = () } f() for 1 .. 6'], options => { heap => 4096 });
    my ($ends, $pieces, @late) = (0, 0);
    for (split /\n/, run([build_dir() . '/test/dump-chunks', $got->{files}[0]])->{out}) {
        my ($at, $records) = /^ATTRIBUTE\t'heap_records\t'(\d+)%20(.*)/ or next;
        push @late, "$ends, then $at ticks" if $ends > $at / 1000;
        $ends = int($at / 1000) + passed_in($records =~ s/%([[:xdigit:]]{2})/chr hex $1/ger);
        $pieces++;
    }
    cmp_ok $pieces, '>', 100, 'many pieces';
    cmp_ok scalar @late, '<=', 1, '... each of which begins when the one before has ended' or diag "@late";
}

# What samples write is bounded, however fast a program allocates, and what they say is true: samples become sparser meanwhile.
# The stream's own clock counts.
{
    # What is joined is a string of its own; perl 5.42 has elements share a constant.
    my $code = 'my (@q, @r); my ($s, $l) = (1999, 7999); '
        . 'sub small { push @q, join "", "x" x $s, "x"; shift @q if @q > 300 } sub large { push @r, join "", "x" x $l, "x"; shift @r if @r > 300 } '
        . 'for (1 .. 100_000) { small(); large() }';
    my $got = profiled(collector(), ['-e', $code], options => { heap => 1 });
    my ($profile) = @{ $got->{files} };
    my ($bytes, $ticks) = (0, 0);
    for (split /\n/, run([build_dir() . '/test/dump-chunks', $profile])->{out}) {
        my ($at, $records) = /^ATTRIBUTE\t'heap_records\t'(\d+)%20(.*)/ or next;
        $bytes += length 'heap_records' . $at . $records;
        $ticks = $at;
    }
    cmp_ok $bytes, '<', 12e3 + 120e3 * $ticks / 1e7, 'a program that only allocates: at most 120 KB a second, after the first';
    my $all = memory_view($profile, 'alloc');
    my ($small, $large) = map { my $sub = "main::$_"; [map { $_->{bytes}, $_->{error} } grep { ($_->{stack}[-1] // '') eq $sub && $_->{bytes} > 1e6 } @{ $all->{sites} }] } qw(small large);
    ok @$small == 2 && @$large == 2, '... one place of each';
    near($all->{bytes}, 100_000 * (2016 + 8016), 0.01, '... all that was allocated');
    cmp_ok abs($small->[0] - 100_000 * 2016), '<', 5 * $small->[1], '... what each sub allocated';
    cmp_ok abs($large->[0] - 100_000 * 8016), '<', 5 * $large->[1], '... and its error';
}

# ---- the ways to call malloc -----------------------------------------------------------------------

my $WAYS_C = <<'END';
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <malloc.h>
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"
#undef malloc
#undef calloc
#undef realloc
#undef free
static void *(*pointer)(size_t) = malloc;
static void *(*const fixed[])(size_t) = {malloc};
static char text[3001];
static void keep(void *p) { static void *volatile last; if (p == NULL) abort(); last = p; }
#define WAY(name, ...) void name(pTHX_ CV *cv) { dXSARGS; PERL_UNUSED_VAR(cv); PERL_UNUSED_VAR(items); \
    for (int i = 0; i < 1000; i++) { __VA_ARGS__ } XSRETURN_EMPTY; }
WAY(way_malloc, keep(malloc(3000));)
WAY(way_calloc, keep(calloc(30, 100));)
WAY(way_realloc, keep(realloc(NULL, 3000));)
WAY(way_half, keep(realloc(malloc(6000), 3000));)
WAY(way_array, keep(reallocarray(NULL, 30, 100));)
WAY(way_pointer, keep(pointer(3000));)
WAY(way_fixed, keep(fixed[i & 0](3000));)
WAY(way_strdup, memset(text, 'x', 2999); keep(strdup(text));)
WAY(way_memalign, void *p; if (posix_memalign(&p, 64, 3000) == 0) keep(p);)
WAY(way_aligned, keep(aligned_alloc(64, 3008));)
WAY(way_freed, free(malloc(3000));)
END
my %FLAVOURS = (lazy => ['-Wl,-z,lazy'], full => ['-Wl,-z,relro,-z,now', '-fcf-protection=full'], noplt => ['-fno-plt', '-Wl,-z,now']);
my @WAYS     = (qw(malloc calloc realloc half array pointer fixed memalign aligned), $GLIBC ? 'strdup' : ());
{
    my $dir   = scratch_dir();
    my @flags = split ' ', ExtUtils::Embed::ccopts(1);
    spew("$dir/ways.c", $WAYS_C);
    my $protects = run([compiler(), '-fcf-protection=full', '-E', '-o', "$dir/ways.i", "$dir/ways.c"])->{status} == 0;
    my %library;
    for my $flavour (sort keys %FLAVOURS) {
        my @of = grep { $protects || !/cf-protection/ } @{ $FLAVOURS{$flavour} };
        my $got = run([compiler(), '-O1', '-fno-builtin', '-w', '-shared', '-fPIC', @flags, @of, '-o', "$dir/$flavour.so", "$dir/ways.c"]);
        is $got->{status}, 0, "ways: $flavour is compiled" or diag $got->{err};
        $library{$flavour} = "$dir/$flavour.so";
    }
    my $code = "require DynaLoader;\n";
    for my $flavour (sort keys %library) {
        $code .= "{ my \$lib = DynaLoader::dl_load_file('$library{$flavour}', 0) or die DynaLoader::dl_error();\n";
        $code .= "DynaLoader::dl_install_xsub('xs_${flavour}_$_', DynaLoader::dl_find_symbol(\$lib, 'way_$_')); sub ${flavour}_$_ { xs_${flavour}_$_(); return } ${flavour}_$_();\n" for @WAYS, 'freed';
        $code .= "}\n";
    }
    my ($parts) = memory_of('ways', $code, test => '1,1');
    my ($few)   = memory_of('ways, sampled', $code, test => '65536,5');
    for my $flavour (sort keys %library) {
        for my $way (@WAYS) {
            my $bytes = bytes_of($parts->{live}, "main::${flavour}_$way");
            ok $bytes >= 2_999_000 && $bytes < 3_100_000, "ways: $flavour $way: $bytes";
            my $blocks = blocks_of($parts->{live}, "main::${flavour}_$way");
            ok $blocks >= 1000 && $blocks < 1050, "ways: $flavour $way: $blocks blocks";
            is_estimate(bytes_of($few->{live}, "main::${flavour}_$way"), 3_000_000, 65536, "ways, sampled: $flavour $way");
        }
        my ($live, $all) = map { bytes_of($parts->{$_}, "main::${flavour}_freed") } qw(live alloc);
        ok $live < 50_000 && $all >= 3_000_000, "ways: $flavour: what is freed is not live";
    }
    my %kinds = map { $_->{kind} => 1 } grep { $_->{bytes} > 2e6 } @{ $parts->{live}{sites} };
    is_deeply \%kinds, { full => 1, lazy => 1, noplt => 1 }, 'ways: the kind is the name of the object';

    # Objects that come and go at one address.
    my $again = "require DynaLoader; sub once { my \$lib = DynaLoader::dl_load_file('$library{full}', 0); DynaLoader::dl_install_xsub('xs_way', DynaLoader::dl_find_symbol(\$lib, 'way_malloc')); xs_way(); DynaLoader::dl_unload_file(\$lib) or die } once() for 1 .. 50;";
    my ($loaded) = memory_of('loaded 50 times', $again, test => '1,1', talks => 1);
    near(bytes_of($loaded->{live}, 'main::once'), 50 * 3_000_000, 0.02, 'loaded 50 times');

    # Handlers in C that interrupt anything, and allocate. What they allocate is always there, as the program has no other
    # blocks of that size: otherwise glibc's own malloc() would wait for the lock that it holds, as it would for what the
    # collector writes down of a sample. musl's waits as soon as a process has had a second thread; without one, the handler
    # changes what the program may be changing, so it takes a size of which few other blocks are (doc/limits.md).
    my $bytes = $GLIBC ? 1000 : 3000;
    spew("$dir/signals.c", <<"END");
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static int left = 1500;
static void handler(int n) { (void)n; void *volatile p = malloc($bytes); free(p); if (--left == 0) { struct itimerval off = {{0, 0}, {0, 0}}; setitimer(ITIMER_PROF, &off, NULL); } }
static __attribute__((constructor)) void start(void)
{ static void *volatile p[64]; for (int i = 0; i < 64; i++) p[i] = malloc($bytes); for (int i = 0; i < 64; i += 2) free(p[i]);
  struct sigaction a = {0}; a.sa_handler = handler; a.sa_flags = SA_RESTART; sigaction(SIGPROF, &a, NULL);
  struct itimerval t = {{0, 300}, {0, 300}}; setitimer(ITIMER_PROF, &t, NULL); }
END
    is run([compiler(), '-O1', '-w', '-shared', '-fPIC', '-Wl,--eh-frame-hdr', '-o', "$dir/signals.so", "$dir/signals.c"])->{status}, 0, 'signals: compiled';
    my ($signals) = memory_of('signals', <<'END', test => '1000,1', options => { thread => $GLIBC ? 1 : 0 }, env => { LD_PRELOAD => preload("$dir/signals.so") });
our @kept; my $end = times + 0.6;
while (times() < $end) { for my $n (1 .. 1000) { my $s = 'x' x ($n % 100 * 7); push @kept, $s if @kept < 4000 } }
END
    cmp_ok $signals->{alloc}{bytes}, '>', 1_000_000, 'signals: the program is followed';
    is bytes_of_kind($signals->{alloc}, 'signals'), 0, '... and its handlers are not';

    # A thread of C allocates while perl runs: for no sub, also with a perl that has one interpreter for all threads.
    spew("$dir/thread.c", <<'END');
#include <pthread.h>
#include <stdlib.h>
static void *work(void *unused) { for (;;) { void *volatile p = malloc(100000); free(p); } return unused; }
static __attribute__((constructor)) void start(void) { pthread_t thread; pthread_create(&thread, NULL, work, NULL); }
END
    is run([compiler(), '-O1', '-w', '-shared', '-fPIC', '-pthread', '-o', "$dir/thread.so", "$dir/thread.c"])->{status}, 0,
        'a thread of C: compiled';
    my $recurs = 'sub f { my ($n) = @_; my @k = map { "x" x $_ } 1 .. 10; return $n ? f($n - 1) : scalar @k } f(6) for 1 .. 1000;';
    my ($alone)  = memory_of('no thread of C', $recurs);
    my ($beside) = memory_of('a thread of C', $recurs, env => { LD_PRELOAD => preload("$dir/thread.so") });
    near(bytes_of($beside->{alloc}, 'main::f'), bytes_of($alone->{alloc}, 'main::f'), 0.05, 'a thread of C');
}

# ---- processes and threads -------------------------------------------------------------------------

{
    my (undef, $got) = memory_of('fork', <<'END');
our @kept;
sub parent { push @kept, 'p' x 3000 for 1 .. 2000; return }
sub child  { my ($n) = @_; push @kept, 'c' x 3000 for 1 .. $n; @kept = splice @kept, 1000; return }
parent();
for my $n (2000, 3000) { my $pid = fork; if (!$pid) { child($n); exit 0 } waitpid $pid, 0 }
parent();
END
    my %of = map { m{/nytprof\.out(.*)} ? ($1 => heap_files($_)) : () } @{ $got->{files} };
    is scalar keys %of, 3, 'fork: three processes';
    near(bytes_of($of{''}{live}, 'main::parent'), 12e6, 0.05, "fork: the parent's");
    is bytes_of($of{''}{alloc}, 'main::child'), 0, "fork: not the child's";
    my @children = map { $of{$_} } grep { length } sort keys %of;
    my ($small, $large) = sort { $a <=> $b } map { bytes_of($_->{alloc}, 'main::child') } @children;
    near($small, 6e6, 0.1, 'fork: a child');
    near($large, 9e6, 0.1, 'fork: another child');
    is sum0(map { bytes_of($_->{alloc}, 'main::parent') } @children), 0, "fork: not what the parent had";
    cmp_ok max(map { bytes_of($_->{live}, 'main::child') } @children), '<=', 9.5e6, 'fork: what the parent allocated and the child freed changes nothing';
}

SKIP: {
    skip 'a perl without threads', 1 if !$Config{useithreads};
    my ($of, $got) = memory_of('threads', <<'END');
use threads;
our @kept;
sub one   { push @kept, 'x' x 2000 for 1 .. 1000; return scalar @kept }
sub two   { push @kept, 'y' x 2000 for 1 .. 2000; return scalar @kept }
sub three { push @kept, 'z' x 2000 for 1 .. 3000; return scalar @kept }
$_->join for map { threads->create($_) } 'one', 'two', 'three';
END
    my %want = (one => 2e6, two => 4e6, three => 6e6);
    near(bytes_of($of->{alloc}, "main::$_"), $want{$_}, 0.08, "threads: $_") for sort keys %want;
    is scalar(grep { %{ heap_files($_) } } @{ $got->{files} }), 1, 'threads: one file has the memory of the process';

    # What perl copies for a thread.
    my ($copied) = memory_of('a copy for a thread', 'use threads; my @numbers = (1) x 100_000; our %hash = map { ("key of a hash $_" => undef) } 1 .. 20_000; '
        . 'threads->create(sub { scalar @numbers })->join');
    my %of_kind;
    $of_kind{ $_->{kind} } += $_->{bytes} for grep { ($_->{stack}[-1] // '') eq '(no perl)' } @{ $copied->{alloc}{sites} };
    cmp_ok $of_kind{arrays}, '>', 7e5, 'a copy for a thread: an array';
    cmp_ok $of_kind{hashes}, '>', 4e5, '... a hash';
    cmp_ok $of_kind{strings} // 0, '<', 3e5, '... which are no strings';

    # Threads that have the same storage one after another must not draw the same gaps.
    my ($twenty) = memory_of('20 threads', 'use threads; sub job { my @x = map { "x" x 1000 } 1 .. 1000; return } for (1 .. 20) { threads->create("job")->join }',
        test => '65536,1');
    is_estimate(bytes_of($twenty->{alloc}, 'main::job'), 20 * 1.01e6, 65536, '20 threads');
}

SKIP: {
    skip 'needs Coro', 1 if !optional_module('Coro', 'libcoro-perl');
    my ($parts) = memory_of('Coro', <<'END');
use Coro;
our @kept;
sub first  { for (1 .. 1000) { push @kept, 'f' x 4000; cede() } return }
sub second { for (1 .. 500) { push @kept, 's' x 4000; cede() } return }
$_->join for async { first() }, async { second() };
END
    near(bytes_of($parts->{live}, 'main::first'), 4e6, 0.05, 'Coro: one');
    near(bytes_of($parts->{live}, 'main::second'), 2e6, 0.05, 'Coro: another');

    # A signal is blocked while its handler runs, and the collector asks whether that is one in C.
    memory_of('Coro and signals', <<'END');
use Coro;
our @kept; $SIG{ALRM} = sub { push @kept, map { 'y' x $_ } 1 .. 200 };
$_->join for map { async { for my $round (1 .. 50) { kill ALRM => $$ if $round % 5 == 0; cede } } } 1 .. 3;
END
}

# Variables of the file and of subs that run are live at the end, however it comes.
for my $end ('', 'exit 0', 'END { my @late = (1) x 100_000 }', 'sub leaves { my @own = map { substr "o" x 3000, 0 } 1 .. 1000; exit 0 } leaves()',
    'END { $? = 0 } sub leaves { my @own = map { substr "o" x 3000, 0 } 1 .. 1000; close STDERR; die } leaves()') {
    my ($parts) = memory_of("ends by '$end'", "my \@mine; sub fill { push \@{ \$_[0] }, substr('m' x 3000, 0) for 1 .. 1000; return } fill(\\\@mine); $end;");
    near(bytes_of($parts->{live}, 'main::fill'), 3.07e6, 0.08, "ends by '$end': a variable of the file");
    near(bytes_of($parts->{live}, 'main::leaves'), 3.07e6, 0.08, "ends by '$end': a variable of a sub") if $end =~ /leaves/;
    cmp_ok $parts->{live}{bytes}, '<=', $parts->{peak}{bytes}, "ends by '$end': the peak is not less";
}

# ---- when ------------------------------------------------------------------------------------------

{
    my $pieces = "our \@kept; sub before { push \@kept, substr('b' x 3000, 0) for 1 .. 500; return } sub after { push \@kept, substr('a' x 3000, 0) for 1 .. 1000; return }\n";
    my ($later) = memory_of('start=no', $pieces . 'before(); DB::enable_profile(); after(); DB::disable_profile(); before();', options => { start => 'no' });
    is bytes_of($later->{alloc}, 'main::before'), 0, 'start=no: nothing before';
    near(bytes_of($later->{live}, 'main::after'), 3e6, 0.08, 'start=no: what comes after');
    my @bytes = map {
        my ($off, $at) = memory_of("$_ times while recording is off", $pieces . 'sub churn { my @x = map { "y" x 1000 } 1 .. 100; return } before(); '
            . "DB::disable_profile(); churn() for 1 .. $_; DB::enable_profile(); after()");
        near(bytes_of($off->{live}, 'main::after'), 3e6, 0.08, "$_ times while recording is off: what comes after");
        is bytes_of($off->{alloc}, 'main::churn'), 0, '... and nothing of it';
        -s "$at->{profiles}/nytprof.out"
    } 1, 500;
    near(@bytes, 0.2, 'what is allocated while recording is off takes no room');
    my ($again, $got) = memory_of('finish_profile', $pieces . 'before(); DB::finish_profile(); DB::enable_profile($ENV{AGAIN}); after(); @kept = ();', env => { AGAIN => 'again.out' });
    near(bytes_of($again->{live}, 'main::before'), 1.5e6, 0.08, 'finish_profile: the first file');
    my $second = heap_files("$got->{dir}/again.out");
    is bytes_of($second->{alloc}, 'main::before'), 0, 'finish_profile: the second one begins at 0';
    near(bytes_of($second->{peak}, 'main::after'), 3e6, 0.08, 'finish_profile: it has a peak of its own');
    my ($whole, $at) = memory_of('heap_snapshot', $pieces . 'before(); print DB::heap_snapshot("first"); after(); '
        . '$! = 13; print DB::heap_snapshot("a second"), $! + 0; @kept = (); before(); END { print DB::heap_snapshot("third") }');
    is $at->{out}, '11131', 'heap_snapshot: returns 1, and leaves $! alone';
    my ($first, $then, $last) = map { memory_view("$at->{profiles}/nytprof.out", "at=$_") } 'first', 'a second', 'third';
    near(bytes_of($first, 'main::before'), 1.5e6, 0.08, 'heap_snapshot: what was live at the first one');
    is bytes_of($first, 'main::after'), 0, 'heap_snapshot: nothing of what came later';
    near(bytes_of($then, 'main::after'), 3e6, 0.08, 'heap_snapshot: what was live at the second one');
    cmp_ok bytes_of($last, 'main::after'), '<', 1e5, 'heap_snapshot: not what was freed';
    near(bytes_of($last, 'main::before'), 1.5e6, 0.08, 'heap_snapshot: in an END block');
    near(bytes_of($whole->{alloc}, 'main::before'), 3e6, 0.08, 'heap_snapshot: the profile goes on');
    my $grown = memory_view("$at->{profiles}/nytprof.out", 'grown=first..a second');
    near(bytes_of($grown, 'main::after'), 3e6, 0.08, 'between two moments: what came and stayed');
    is bytes_of($grown, 'main::before'), 0, '... and nothing of what was there';
    my $never = run([build_dir() . '/bin/nytprofmerge', '--memory=at=never', '-o', "$at->{dir}/none", "$at->{profiles}/nytprof.out"]);
    is_deeply [$never->{status}, -e "$at->{dir}/none", $never->{err} =~ /(has no such moment)/], [1, undef, 'has no such moment'], 'a moment that never was is an error';
    my ($values, $in) = memory_of('values', 'our (@all, $v); sub made { push @all, map({ [] } 1 .. 300), map({ {} } 1 .. 200), map({ "s$_" } '
        . '1 .. 1000), map({ $_ * 2 } 1 .. 2000), (undef) x 400, map({ my $n = $_; sub { $n } } 1 .. 100), map({ qr/x$_/ } 1 .. 50); '
        . 'push @all, do { no strict; \*{"glob$_"} } for 1 .. 60 } DB::heap_snapshot("less"); made(); DB::heap_snapshot("more"); { my @room = map { \\my $x } 1 .. 5000 } DB::heap_snapshot("room")');
    my ($less, $more) = map { memory_view("$in->{profiles}/nytprof.out", "at=$_")->{attributes} } 'less', 'more';
    my %made = (hashes => 200, strings => 1000, numbers => 2100, undefined => 400, subs => 100, globs => 60, references => 710);
    for my $type (sort keys %made) {
        my $got = $more->{"live_values_$type"} - $less->{"live_values_$type"};
        ok abs($got - $made{$type}) < 60, "values: $made{$type} $type" or diag $got;
    }
    cmp_ok $more->{live_values_arrays} - $less->{live_values_arrays}, '>=', 300, 'values: arrays, with pads of closures';
    cmp_ok memory_view("$in->{profiles}/nytprof.out", 'at=room')->{attributes}{live_values_free}, '>=', 10_000, 'values: room for those that are gone';
    cmp_ok $more->{live_values_patterns} - $less->{live_values_patterns}, '>=', 50, 'values: patterns';
    is_deeply [grep { /^live_values/ } map { keys %{ $values->{$_}{attributes} } } qw(peak alloc)], [], 'values: only of what is live';
    cmp_ok $values->{live}{attributes}{live_values_strings}, '>=', 1000, 'values: of the end, before perl clears variables';
    my ($none, $not) = memory_of('heap_snapshot that fails', 'print map { DB::heap_snapshot($_) } "", undef; DB::finish_profile(); print DB::heap_snapshot("x")');
    is $not->{out}, '000', 'heap_snapshot without a name, or a profile: returns 0';
    my $off = profiled(collector(), ['-e', 'print DB::heap_snapshot("x")']);
    is "$off->{out}$off->{err}", '0', 'heap_snapshot without heap=: 0';
    my ($exec) = memory_of('exec that fails', $pieces . 'before(); { no warnings; exec "/nonexistent/program" } after();');
    near(bytes_of($exec->{live}, 'main::after'), 3e6, 0.08, 'exec that fails: what comes after is there');
    my ($done) = memory_of('exec', $pieces . 'before(); exec "/bin/true";');
    near(bytes_of($done->{live}, 'main::before'), 1.5e6, 0.08, 'exec: what came before is there');
}
{
    my $ready = scratch_dir() . '/ready';
    my $got   = profiled(collector(), ['-e', 'our @k; sub f { push @k, substr "x" x 5000, 0 } f() for 1 .. 2000; open my $f, ">", shift; close $f; sleep 100', $ready],
        options => { heap => 4096 }, meanwhile => sub { my ($pid) = @_; until_true(sub { -e $ready }, $pid); sleep 1; kill KILL => $pid });
    my $killed = memory_view("$got->{profiles}/nytprof.out", 'live');
    near(bytes_of($killed, 'main::f'), 10e6, 0.08, 'a process that is killed while it waits has all its memory');
    ok $killed->{attributes}{process_cut}, '... and its profile says that it is cut';
    # Without a thread that writes, so that it is the same however busy the machine is.
    $got = profiled(collector(), ['-e', 'our @k; sub f { push @k, "x" x 50_000 } for (1 .. 500) { f(); select undef, undef, undef, 0.002 } kill KILL => $$'],
        options => { heap => 1, thread => 0 });
    near(bytes_of(memory_view("$got->{profiles}/nytprof.out", 'live'), 'main::f'), 25e6, 0.05, 'of one that grows, less than a twentieth is lost');
    my $device = profiled(collector(), ['-e', '1'], options => { heap => 4096, file => '/dev/null' });
    is_deeply $device->{files}, [], 'a device as FILE: none beside it';
    is $device->{err}, '', '... and no message';
}

# The reason to look: memory is exhausted.
for my $kib (100_000, 300_000) {
    my $got = profiled(collector(), ['-e', 'our @k; sub grow { push @k, "x" x 20_000 for 1 .. 20 } grow() while 1'], options => { heap => 1 },
        under => ['sh', '-c', "ulimit -v $kib; exec \"\$@\"", 'sh']);
    like $got->{err}, qr/\AOut of memory/, "$kib KiB: perl ends the program";
    my ($live, $peak) = map { memory_view("$got->{profiles}/nytprof.out", $_) } 'live', 'peak';
    ok $live->{complete}, "$kib KiB: the profile is whole";
    cmp_ok bytes_of($live, 'main::grow'), '>', 0.8 * $live->{bytes}, "$kib KiB: it says who has the memory";
    near($peak->{bytes}, $peak->{attributes}{peak_bytes}, 1e-3, "$kib KiB: and all of it");
}

# ---- options ---------------------------------------------------------------------------------------

sub of_options {
    my (%options) = @_;
    my $got = profiled(collector(), ['-e', 'our @k; push @k, "x" x 5000 for 1 .. 2000; DB::set_option("heap", "0") if @ARGV', @{ delete $options{arguments} // [] }],
        options => \%options);
    return ($got, heap_files("$got->{profiles}/nytprof.out"));
}
for my $case ([1, 65536], [2, 4096], [4095, 4096], [5000, 5000]) {
    my (undef, $parts) = of_options(heap => $case->[0]);
    is $parts->{alloc}{attributes}{sampled_bytes}, $case->[1], "heap=$case->[0]: one in $case->[1] bytes";
}
{
    my ($off, $none) = of_options(heap => 0);
    is_deeply $none, {}, 'heap=0: no samples';
    is $off->{err}, '', '... and nothing said';
    my ($got, $parts) = of_options(heap => 'much');
    like $got->{err}, qr/heap=much: not a number, so 0 is used/, 'garbage is refused';
    is_deeply $parts, {}, '... and has no samples';
    ($got) = of_options(heap => -5);
    like $got->{err}, qr/heap=-5: values are 0 to \d+, so 0 is used/, 'so is a negative number';
    ($got, $parts) = of_options(heap => 4096, arguments => ['change']);
    like $got->{err}, qr/heap=0: only NYTPROF can set that, before the program starts; it is 4096/, 'it does not change at run time';
    ok $parts->{live}, '... and there are samples';
    my $header = slurp("$got->{profiles}/nytprof.out");
    like $header, qr/^:heap=4096$/m, 'FILE says how many bytes are between two samples';
    like $parts->{live}{attributes}{unit}, qr/\Abytes\z/, 'views say what their unit is';
    is $parts->{$_}{attributes}{memory_of}, $_, "$_: says what it is of" for qw(peak live alloc);
}

# ---- the program does the same ---------------------------------------------------------------------

for my $script (glob dirname(__FILE__) . '/../scripts/*.pl') {
    next if slurp($script) =~ /^use Devel::NYTProf/m;
    my ($plain, $got) = (plain([$script]), profiled(collector(), [$script], options => { heap => 4096 }));
    same_behaviour($plain, $got, 'heap=4096: ' . basename($script));
}
{
    my @how = (['-e', 'print "$!\n"; print map { "$_=$ENV{$_}\n" } grep { !/NYTPROF|^PERL|^PWD$|^_$/ } sort keys %ENV; $! = 5; my @x = map { "x" x 5000 } 1 .. 3000; print $! + 0, "\n"; exit 7']);
    same_behaviour(plain(@how), profiled(collector(), @how, options => { heap => 4096 }), 'heap=4096: errno, status and environment');
}

# ---- other mallocs ---------------------------------------------------------------------------------

my %PACKAGE = ('libjemalloc.so.2' => 'libjemalloc2', 'libtcmalloc_minimal.so.4' => 'libtcmalloc-minimal4');
for my $name (sort keys %PACKAGE) {
  SKIP: {
        my ($library) = grep { -e } map { "$_/$name" } split ' ', $Config{libpth};
        if (!$library) { diag "not tested: $name is missing (Debian: $PACKAGE{$name})"; skip "needs $name", 1 }
        my ($parts) = memory_of($name, 'our @k; sub leak { push @k, "x" x 3000 for 1 .. 3000; return } leak();', env => { LD_PRELOAD => $library });
        near(bytes_of($parts->{live}, 'main::leak'), 9e6, 0.05, "$name preloaded");
    }
}

# A perl whose malloc() is linked into it.
SKIP: {
    my ($perl) = grep { -e } "$Config{archlibexp}/CORE/libperl.a", map { "$_/libperl.a" } split ' ', $Config{libpth};
    skip 'no libperl.a', 1 if !$perl;
    my $dir = scratch_dir();
    my $got = run([compiler(), '-O1', '-w', '-fno-builtin', '-rdynamic', (split ' ', ExtUtils::Embed::ccopts(1)), '-o', "$dir/own",
        top_dir() . '/test/embed/own-malloc.c', $perl, qw(-ldl -lm -lpthread -lcrypt)]);
    skip "perl cannot be embedded: $got->{err}", 1 if $got->{status} != 0;
    $got = run(["$dir/own", '-I' . build_dir() . '/perl5', '-d:NYTProf', '-e', 'my @x = map { "x" x 5000 } 1 .. 1000; print "done\n"'],
        env => { NYTPROF => "heap=1:file=$dir/nytprof.out" });
    is $got->{out}, "done\n", 'a malloc of its own: the program runs';
    is $got->{err}, "Devel::NYTProf: heap: perl's own malloc cannot be followed; no profile of memory\n", '... and says that it is not followed';
    is_deeply [map { basename($_) } glob "$dir/*.out"], ['nytprof.out'], '... and time is profiled';
}

# ---- the collector itself ----

# The thread that writes gets its tables when there is enough to compress.
{
    my ($parts) = memory_of('a long profile', 'my $x = 0; $x += $_ for 1 .. 300_000;');
    cmp_ok $parts->{alloc}{bytes}, '<', 200_000, 'a long profile: what the program allocates, and not the collector';
}

# ---- heaptrack ---------------------------------------------------------------------------------------

# It follows every allocation, from the start of the process and without the profiler: that has 2 MB less to begin with.
SKIP: {
    skip 'needs heaptrack, for glibc', 1 if !$GLIBC || run(['heaptrack', '--version'])->{status} != 0;
    my $dir = scratch_dir();
    spew("$dir/program.pl", <<'END');
our (@kept, %kept);
sub leak { my ($n) = @_; push @kept, 'l' x 300 . $n; return }
sub temporary { my $text = join ',', 1 .. 200_000; undef $text; return }
sub cache { my ($n) = @_; $kept{$n} = { n => $n, list => [1 .. 10] }; return }
leak($_) for 1 .. 60_000;
temporary() for 1 .. 3;
cache($_) for 1 .. 20_000;
delete @kept{ 1 .. 12_000 };
END
    my $got = run(['heaptrack', '-o', "$dir/track", $^X, "$dir/program.pl"]);
    my ($track) = glob "$dir/track.*";
    my $text = run(['heaptrack_print', $track])->{out};
    my %truth = map { my ($what) = $_; $text =~ /^\Q$what\E: ([\d.]+)M/m ? ($what => $1 * 1e6) : () } 'peak heap memory consumption', 'total memory leaked';
    my ($parts) = memory_of('heaptrack', slurp("$dir/program.pl"));
    # It counts what was asked for, of which malloc() makes blocks: here, many small ones.
    near($parts->{peak}{bytes}, 1.08 * $truth{'peak heap memory consumption'}, 0.05, 'heaptrack: peak');
    near($parts->{live}{bytes}, 1.08 * $truth{'total memory leaked'}, 0.05, 'heaptrack: leaked');
}

# ---- Devel::Size -------------------------------------------------------------------------------------

# It counts what perl asked for, in one structure, and no keys, which all hashes share.
SKIP: {
    skip 'needs Devel::Size (Debian: libdevel-size-perl)', 1 if !eval { require Devel::Size };
    my $code = 'our %kept; sub keep { my ($n) = @_; $kept{"key $n"} = { text => "t" x (300 + $n % 50), list => [map { "item $_ " x 25 } 1 .. 10] } } keep($_) for 1 .. 3000;';
    my ($parts) = memory_of('Devel::Size', $code);
    my $size = run([$^X, '-MDevel::Size=total_size', '-e', "$code print total_size(\\%kept)"])->{out};
    near(bytes_of($parts->{live}, 'main::keep'), $size, 0.1, 'Devel::Size: a structure that a sub has made');

    # Its values are in arenas that another sub needed.
    $code = 'our @kept; sub leak { push @kept, { id => $_[0], text => "t" x 50, n => [1 .. 4] }; return } '
        . 'sub burst { my @t = map { [$_, $_] } 1 .. 60_000; @t = (); undef @t; return } burst(); leak($_) for 1 .. 20_000;';
    ($parts) = memory_of('Devel::Size, arenas', $code, test => '1,1');
    $size = run([$^X, '-MDevel::Size=total_size', '-e', "$code print total_size(\\\@kept)"])->{out};
    near(bytes_of($parts->{live}, 'main::leak'), $size, 0.1, 'Devel::Size: what is in arenas of others') if $NAMES_ARENAS;
}
done_testing();
