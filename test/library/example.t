# The library as its users have it: found by pkg-config, linked shared and static.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use StockModules;

use Devel::NYTProf::ReadStream qw(for_chunks);
use NYTPTest qw(build_dir compiler record run scratch_dir slurp spew top_dir);
use Test::More;

my ($build, $top, $scratch) = (build_dir(), top_dir(), scratch_dir());
my @cc         = compiler();
my $pkg_config = $ENV{PKG_CONFIG} // 'pkg-config';
my $profile    = record('calls-twice', ['test/scripts/calls.pl'], calls => 2);

# What pkg-config says about the library where it was built instead of where it will be installed.
sub flags {
    my (@what) = @_;
    my $got = run(
        [$pkg_config, "--define-variable=libdir=$build/lib", "--define-variable=includedir=$top/lib", @what, 'nytprof'],
        env => { PKG_CONFIG_PATH => "$build/lib" });
    is($got->{status}, 0, "pkg-config @what") or diag($got->{err});
    return split ' ', $got->{out};
}

# The same from stock.
sub expected {
    my ($path) = @_;
    my $lines = '';
    for_chunks {
        my ($tag, undef, undef, $count, $incl, undef, undef, undef, $called, $caller) = @_;
        $lines .= sprintf "%d %.6f %s -> %s\n", $count, $incl, $caller, $called if $tag eq 'SUB_CALLERS' && $count;
    } filename => $path, quiet => 1;
    return $lines;
}

my $expected = expected($profile);
cmp_ok($expected =~ tr/\n//, '>', 10, 'the profile has calls');

my @warnings = qw(-std=c11 -Wall -Wextra -Wpedantic -Werror);
for my $kind (qw(shared static)) {
    my $program = "$scratch/$kind";
    my @linked  = $kind eq 'static'
        ? ("$build/lib/libnytprof.a", grep { $_ ne '-lnytprof' } flags('--libs', '--static'))
                                    : flags('--libs');
    my $got = run([@cc, @warnings, flags('--cflags'), '-o', $program, "$top/test/programs/example.c", @linked]);
    is($got->{status}, 0, "$kind: compiled without warnings") or diag($got->{err});
    $got = run([$program, $profile], env => { LD_LIBRARY_PATH => "$build/lib" });
    is($got->{status}, 0,         "$kind: done");
    is($got->{err},    '',        "$kind: no messages");
    is($got->{out},    $expected, "$kind: the same calls as stock");
    $got = run([$program, "$scratch/missing"], env => { LD_LIBRARY_PATH => "$build/lib" });
    is($got->{status}, 1, "$kind: failed without a profile");
    like($got->{err}, qr/^\Q$scratch\E\/missing: cannot open: No such file or directory$/, "$kind: said so");
}

# The program that doc/library.md links to sums a profile up. It sees the public headers alone.
{
    my ($path) = slurp("$top/doc/library.md") =~ m{\]\(\.\./(test/programs/\S+\.c)\)};
    ok($path && -e "$top/$path", 'library.md links to a program') or BAIL_OUT('no program');
    my $program = "$scratch/nytp-files";
    mkdir "$scratch/include" or die $!;
    spew("$scratch/include/$_", slurp("$top/lib/$_")) for qw(nytprof.h nytprof-model.h);
    my $got = run([@cc, @warnings, "-I$scratch/include", '-o', $program, "$top/$path", flags('--libs')]);
    is($got->{status}, 0, 'it is compiled without warnings') or diag($got->{err});

    my (%count, %ticks, %name, $ticks_per_sec, @order);
    my $counted = 1;
    for_chunks {
        my ($tag, @values) = @_;
        $ticks_per_sec = $values[1] if $tag eq 'ATTRIBUTE' && $values[0] eq 'ticks_per_sec';
        $name{ $values[0] } = $values[6], push @order, $values[0] if $tag eq 'NEW_FID';
        $count{ $values[1] } += $counted, $ticks{ $values[1] } += $values[0], $counted = 1 if $tag eq 'TIME_LINE';
        $counted = 0 if $tag eq 'DISCOUNT';
    } filename => $profile, quiet => 1;
    my %shared = (env => { LD_LIBRARY_PATH => "$build/lib" });
    $got = run([$program, $profile], %shared);
    is("$got->{status}$got->{err}", '0', 'it runs');
    my @got = map { [split ' ', $_, 3] } split /\n/, $got->{out};
    my @stock = map { [$count{$_} // 0, sprintf('%.6f', ($ticks{$_} // 0) / $ticks_per_sec), $name{$_}] } @order;
    is_deeply(\@got, \@stock, 'and says the same about each file as stock');
    $got = run([$program, "$scratch/missing"], %shared);
    is("$got->{status} $got->{err}", "1 nytp-files: $scratch/missing: cannot open: No such file or directory\n",
        'or says why it fails');
    is($got->{out}, '', 'with no output');
    is(run([$program, 'a', 'b'], %shared)->{status}, 2, 'wrong usage is refused');
}

my $needed = run(['ldd', "$scratch/static"])->{out};
unlike($needed, qr/libnytprof/, 'static: the shared library is not needed');

SKIP: {
    my $header = spew("$scratch/header.cc",
        "#include <nytprof-model.h>\nint main() { return nytp_profile_tags() == nytp_tag_bit(NYTP_OPTION); }\n");
    skip 'no C++ compiler', 1 if run(['c++', '--version'])->{status} != 0;
    my $got = run(['c++', '-Wall', '-Wextra', '-Werror', '-fsyntax-only', "-I$top/lib", $header]);
    is($got->{status}, 0, 'C++ accepts the headers') or diag($got->{err});
}

done_testing();
