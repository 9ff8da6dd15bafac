# nytprofcsv --stock writes what stock's nytprofcsv writes. EXHAUSTIVE=1 compares all recordings that other tests have
# left, too, and more random profiles.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Collapsed qw(stock_program);
use File::Path qw(remove_tree);
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use RandomProfile qw(random_profile);
use Test::More;

my $ours  = build_dir() . '/bin/nytprofcsv';
my $stock = eval { stock_program('nytprofcsv') } // plan skip_all => 'there is no stock nytprofcsv';
my $dir   = scratch_dir();

# Stock adds up seconds as doubles, one statement after the other, so that the last digits may differ.
sub split_times {
    my ($text) = @_;
    my @times;
    $text =~ s/^(-?[\d.]+),([^,\n]*),(-?[\d.]+),/push @times, $1, $3; ",$2,,"/gem;
    return ($text, @times);
}

sub same_text {
    my ($got, $expected) = @_;
    my ($text,  @times)  = split_times($got);
    my ($other, @others) = split_times($expected);
    return $text eq $other && !grep { abs($times[$_] - $others[$_]) > 1.5e-6 } 0 .. $#others;
}

sub first_difference {
    my @lines = map { [split /^/, (split_times($_))[0]] } @_;
    my ($at) = grep { ($lines[0][$_] // '') ne ($lines[1][$_] // '') } 0 .. $#{ $lines[1] };
    return defined $at ? "line $at is '" . ($lines[0][$at] // '') . "', not '$lines[1][$at]'"
        : 'times, or lines at the end';
}

# Ours names the version that it follows, stock's the one that is installed.
sub without_version { my ($text) = @_; return $text =~ s/^# Version: v\K[\d.]+$/6.x/mr }

# What both write, by file name; nothing if stock cannot read the profile.
sub both {
    my ($path) = @_;
    remove_tree("$dir/stock", "$dir/ours");
    my $theirs = run([$stock, '-f', $path, '-o', "$dir/stock"], env => { PERL5LIB => undef });
    return if ($theirs->{status} // 1) != 0;
    my $got = run([$ours, '--stock', '-o', "$dir/ours", $path], env => { PERL5LIB => undef });
    is($got->{status}, 0, "$path: ours") or diag($got->{err});
    return map { my $d = $_; +{ map { (s{.*/}{}r => without_version(slurp($_))) } glob "'$d'/*" } } "$dir/ours",
        "$dir/stock";
}

# Returns undef if stock cannot read the profile.
sub differences {
    my ($path) = @_;
    my ($got, $expected) = both($path) or return;
    return [
        (map { "ours alone writes $_" } grep { !exists $expected->{$_} } sort keys %$got),
        (map { "stock alone writes $_" } grep { !exists $got->{$_} } sort keys %$expected),
        map { "$_: " . first_difference($got->{$_}, $expected->{$_}) }
            grep { exists $got->{$_} && !same_text($got->{$_}, $expected->{$_}) } sort keys %$expected,
    ];
}

sub same {
    my ($name, $path) = @_;
    my $found = differences($path);
    return fail("$name: stock reads it") if !$found;
    return is(join("\n", @$found), '', "$name: as stock");
}

my @programs = (
    ['csv-evals',       ['test/scripts/equal-evals.pl'], calls => 2],
    ['csv-evals-plain', ['test/scripts/equal-evals.pl'], savesrc => 0],
    ['shapes-default',  ['test/scripts/shapes.pl']],
    ['report',          ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1, slowops => 2],
    ['report-evals',    ['-e', 'for my $i (1 .. 300) { eval q{sub { 1 }->(); } . ($i % 2) }'], calls => 2],
    ['tiny',            ['test/scripts/tiny.pl'], calls => 2],
    ['tiny-plain',      ['test/scripts/tiny.pl'], calls => 2, compress => 0, savesrc => 0],
);
my $exhaustive = $ENV{EXHAUSTIVE};
for my $program (@programs) {
    my ($name, @how) = @$program;
    same($name, scalar record($name, @how));
}
same('merged',
    scalar(run([build_dir() . '/bin/nytprofmerge', '-o', "$dir/merged.out",
        map { scalar record(@$_) } @programs[0, 2]]), "$dir/merged.out"));
my @recordings = recordings();
same($_->{name}, $_->{path})
    for grep { $exhaustive || $_->{name} =~ /^(?:json|evals.*|calls|late|stmts-only|forks.*)$/ } @recordings;

if ($exhaustive) {
    for my $path (sort glob build_dir() . '/test/profiles/*/nytprof.out*') {
        my $found = differences($path);
        note("stock cannot read $path"), next if !$found;
        is(join("\n", @$found), '', "$path: as stock");
    }
}

# Files without source, and what stock says of each; text that is not ASCII; lines that are out of the question.
my @text  = ("a\n", "\t\x0B\xA0 b\n", "\xE4\n", "\x{E4}\x{85}\n", "\x{A0}\x{2003} \x{263A}\n", ("\n") x 5, " \n", "\n",
    "\x{A0}\n", "\n", "c");
my @wide  = map { my $text = $_; utf8::upgrade($text); $text } @text;
my $newer = spew("$dir/newer.pl", "one\ntwo\n\n\n\n\n\nthree");
my @files = (
    [0x12, 'text.pl'], [0x12, 'wide.pl'], [0x12, $newer], [0x02, 'strict.pm'], [0x80, '/unknown-eval-invoker'],
    [0x100, '(eval 7)[gone.pl:3]'], [0x02, '/loader/0x55aa/Some.pm'], [0x02, '/loader/0x55-aa/Some.pm'],
    [0x02, '/x/accessor name defined at /y/z.pm'], [0x02, '/x/generated method (unknown origin)'], [0x02, 'a' x 60],
    [0x02, '/' . join '/', ('long') x 12], [0x02, "gr\x{f6}\x{df}e.pl"], [0x02, "\x{263A}.pl"], [0x12, 'text.pl'],
    [0x02, "$INC{'strict.pm'} (autosplit into /x/y.al)"],
);
my @eval  = map { [NEW_FID => @files + $_, 1, 2, 0x102, 0, 0, "(eval $_)[text.pl:2]"] } 1 .. 3;
my @odd   = (
    [VERSION => 5, 0], [ATTRIBUTE => 'basetime', 1000], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
    [ATTRIBUTE => 'sawampersand_fid', @files + 2], [PID_START => 7, 1, 1],
    (map { [NEW_FID => $_ + 1, 0, 0, $files[$_][0], 0, 0, $files[$_][1]] } 0 .. $#files), @eval,
    (map { ([TIME_LINE => 10 * $_, $_, 1], [DISCOUNT => ], [TIME_LINE => 0, $_, 7],
        [TIME_LINE => 3, $_, 3]) } 1 .. @files + 3),
    [TIME_LINE => 5, 1, 70_000], [TIME_LINE => 5, 2, 0], [TIME_LINE => 5, 5, 0], [PID_END => 7, 2],
    [SUB_INFO => 1, 'main::f', 9, 9], [SUB_INFO => 2, 'main::far', 90_000, 90_001], [SUB_INFO => 15, 'main::g', 4, 4],
    [SUB_INFO => @files + 3, 'main::h', 14, 14],
    (map { [SUB_CALLERS => $_, 12, 'main::RUNTIME', 1, 1e-6, 1e-6, 0, 0, 'main::f'] } 1 .. 4),
    [SUB_CALLERS => 0, 0, '', 0, 0, 0, 0, 0, 'main::CORE:print'],
    [SUB_CALLERS => 2, 3, 'main::f', 2, 1e-6, 1e-6, 0, 0, 'main::CORE:print'],
    (map { my $line = $_;
        ([SRC_LINE => 1, $line, $text[$line - 1]], [SRC_LINE => 2, $line, $wide[$line - 1]]) } 1 .. @text),
    (map { [SRC_LINE => @files + $_, 1, "same\n"] } 1 .. 3), [ATTRIBUTE => 'cumulative_overhead_ticks', 0],
);
same('odd names, texts and lines', spew("$dir/odd.out", profile_bytes(@odd)));

my (@wrong, $read);
for my $seed (1 .. ($exhaustive ? 500 : 6)) {
    my $path = spew("$dir/random.out", random_profile($seed, redefined => $seed % 2));
    my $found = differences($path) // next;
    $read++;
    push @wrong, "seed $seed:", @$found if @$found;
}
cmp_ok($read, '>', 0, 'stock reads random profiles');
is(join("\n", @wrong), '', '... and ours is the same');

done_testing();
