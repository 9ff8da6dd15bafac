# Source files that nytprofhtml and nytprofcsv --stock read because a profile names them. A profile may come from
# anyone, and a report is given away: only what perl could have compiled is read.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir run scratch_dir slurp spew);
use POSIX ();
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;

my $dir    = scratch_dir();
my $secret = 'a secret that no report may have';
my $code   = "sub f { 1 } # the text of a program\n";

# A profile without source. Its program is whatever is named first.
sub profile_of {
    my (@names) = @_;
    my %program = $names[0] =~ m{\A[ -~]+\z} ? (application => $names[0]) : ();
    return spew("$dir/profile.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1e7],
        (map { [ATTRIBUTE => $_, $program{$_}] } keys %program), [ATTRIBUTE => 'basetime', time + 1000],
        [PID_START => 7, 1, 1.5],
        (map { [NEW_FID => $_ + 1, 0, 0, 0x12, 0, 0, $names[$_]], [TIME_LINE => 100, $_ + 1, 1] } 0 .. $#names),
        [PID_END => 7, 2.5]));
}

# What both programs write of the named files: the text of the files, and what --verbose says, without the last line.
sub report {
    my ($options, @names) = @_;
    my $got = run(['timeout', 60, build_dir() . '/bin/nytprofhtml', '-o', '-', @$options, profile_of(@names)],
        dir => $dir, stdin => $code);
    is($got->{status}, 0, 'nytprofhtml') or diag($got->{err});
    my $page = ReportPage->new($got->{out});
    return (join('', map { $page->source_of($_) // '' } @{ $page->{core}{files}{name} }),
        $got->{err} =~ s/^.* stacks in -\n//mr, $page);
}

sub sheets {
    my ($options, @names) = @_;
    run(['rm', '-rf', "$dir/csv"]);
    my $got = run(['timeout', 60, build_dir() . '/bin/nytprofcsv', '--stock', '-o', "$dir/csv", @$options,
        profile_of(@names)], dir => $dir, stdin => $code);
    is($got->{status}, 0, 'nytprofcsv --stock') or diag($got->{err});
    return (join('', map { slurp($_) } glob "$dir/csv/*.csv"), $got->{err} =~ s/^.* statements? in .*\n//mr);
}

spew("$dir/secret", "$secret\n");
spew("$dir/secret.key", "#!/bin/sh\n$secret\n");
mkdir "$dir/$_" for 'd.pl', 'dir.pl.d';
POSIX::mkfifo("$dir/f.pl", 0600) or die "mkfifo: $!\n";
symlink "$dir/secret", "$dir/link.pl";
symlink "/proc/self/environ", "$dir/environ.pl";
spew("$dir/pl", "$secret\n");
spew("$dir/dir.pl.d/x", "$secret\n");
local $ENV{NYTPROF_TEST_SECRET} = $secret;

my %refused = (
    'of the system' => [qw(/proc/self/environ /proc/1/environ /proc/kmsg /sys/kernel/notes /dev/zero),
        "$dir/environ.pl"],
    'not regular'   => ["$dir/d.pl", "$dir/f.pl"],
    'not Perl'      => ["$dir/secret", "$dir/secret.key", "$dir/link.pl", "$dir/pl", "$dir/dir.pl.d/x",
        "$dir/d.pl/../secret", 'secret', '/etc/passwd'],
);
my %reason = ('of the system' => 'it is below /proc, /sys or /dev', 'not regular' => 'it is not a regular file',
    'not Perl' => q{neither its name nor its first line is Perl's});
for my $kind (sort keys %refused) {
    for my $name (grep { -e } map { m{^/} ? $_ : "$dir/$_" } @{ $refused{$kind} }) {
        $name =~ s{^\Q$dir\E/(?=secret\z)}{} if $name eq "$dir/secret" && $kind eq 'not Perl';
        for my $way (\&report, \&sheets) {
            my ($text, $said) = $way->(['--verbose'], $name);
            unlike($text, qr/\Q$secret\E|text of a program|root:/, "$name is not read");
            like($said, qr/\A\S+: no source from \S+: \Q$reason{$kind}\E\n\z/, '... and --verbose says why');
            is(($way->([], $name))[1], '', '... and nothing is said without it');
        }
    }
}

my ($text, $said) = report(['--verbose'], "$dir/missing.pl", "nul.pl\0", "$dir/secret/x.pl", '-e', '/dev/fd/99',
    'x' x 5000);
is($text, '', 'what is not there');
like($said, qr/\A\S+: no source from x+: File name too long\n\z/, '... is not listed, unless it cannot be');

my %read = map { $_ => 1 } (map { "$dir/x.$_" } qw(pl pm t al PL pmc ph psgi cgi fcgi)), "$dir/script",
    "$dir/new\nline.pl";
spew($_, /script/ ? "#!/usr/bin/env -S perl -w\n$code" : $code) for keys %read;
symlink "$dir/script", "$dir/link-to-script";
for my $name ((sort keys %read), 'x.pm', "$dir/link-to-script") {
    for my $way (\&report, \&sheets) {
        my ($text, $said) = $way->(['--verbose'], $name);
        like($text, qr/text of a program/, "$name is read");
        like($said, qr/\A\S+: source from \Q$dir\E\S+\n\z/, '... and listed');
        ($text, $said) = $way->(['--verbose', '--no-source-files'], $name);
        unlike($text, qr/text of a program/, '... unless --no-source-files is given');
        is($said, '', '... without a word');
    }
}

# A file that has been changed.
utime time + 2000, time + 2000, "$dir/x.pm";
my ($newer, $listed, $page) = report(['--verbose'], "$dir/x.pm", "$dir/x.pl");
like($listed, qr/x\.pm, which has changed since$/m, 'a file that is newer than the profile is called that');
like($page->static,
    qr/class="banner"[^>]*>1 source file changed after the program began, so that lines may not match\./,
    '... and in the report');

truncate(spew("$dir/large.pl", $code), 33 << 20) or die "truncate: $!\n";
for my $way (\&report, \&sheets) {
    my ($text, $said) = $way->([], "$dir/large.pl");
    unlike($text, qr/text of a program/, 'a file of 33 MiB is not read');
    like($said, qr{\A\S+: no source from \Q$dir\E/large\.pl: it is larger than 32 MiB\n\z}, '... which is always said');
}

# --lib adds a place, and no rule less.
run(['mkdir', '-p', "$dir/lib/srv"]);
spew("$dir/lib/srv/$_", "$_ $secret") for 'a.pm', 'a.key';
is((report(["--lib=$dir/lib"], '/srv/a.pm'))[0], "a.pm $secret\n", '--lib: source is looked for there');
is((report(["--lib=$dir/lib"], '/srv/a.key', '/../secret'))[0], '', '... but not any file');

done_testing();
