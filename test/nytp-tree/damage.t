# What nytp-tree makes of profiles that are cut short, corrupt or long: what is there, nothing, and all of it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir fewer run valgrind scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes simple_profile);
use Test::More;

my $ours    = build_dir() . '/bin/nytp-tree';
my $scratch = scratch_dir();
my @forms   = (['-S'], ['-T'], ['-t'], ['--table'], ['--json']);

my @names   = qw(main::f main::g Shop::Store::row Shop::Log::debug);
my @returns = map { [(3, 2, 3, 2, 1)[$_ % 5], 1 + $_ % 7, $names[$_ % 4]] } 1 .. 25;
my %bytes   = (
    'nytprof.out' => simple_profile(\@returns),
    compressed    => simple_profile(\@returns, compress => 1),
    'tmon.out'    => join("\n", '#fOrTyTwO', '$hz=100;', '$over_utime=0; $over_stime=0; $over_rtime=0;',
        '$over_tests=10000;',
        '$rrun_utime=9; $rrun_stime=0; $rrun_rtime=9;', '$total_marks=8', '', 'PART2', '& 2 main f', '& 3 Foo bar',
        ('+ 2', '@ 1 0 1', '+ 3', '@ 1 0 1', '- 3', '- 2') x 2, ''),
);

sub beside { return join ' ', map { s{.*/}{}r } glob "$scratch/.n* $scratch/kept*" }

# Between two lines of a tmon.out, where no sub is running, it cannot be seen that there was more.
sub looks_whole {
    my ($bytes, $length) = @_;
    my $part = substr $bytes, 0, $length;
    return $part =~ /^PART2$/m && substr($bytes, $length - 1, 2) =~ /\n/
        && (() = $part =~ /^\+/mg) == (() = $part =~ /^-/mg);
}

for my $name (sort keys %bytes) {
    subtest "$name, cut all over" => sub {
        my $bytes = $bytes{$name};
        my @wrong;
        my $first_line = index($bytes, "\n") + 1; # less than that is not a profile: test/all-programs/tools.t
        for my $length (fewer(16, grep { $ENV{EXHAUSTIVE} || $_ % 7 == 1 } $first_line .. length($bytes) - 1)) {
            next if looks_whole($bytes, $length);
            my $path = spew("$scratch/cut", substr $bytes, 0, $length);
            my @form = @{ $forms[$length % @forms] };
            my $got  = run([$ours, @form, '-F', $path]);
            push @wrong, "$length @form: exit $got->{status}, $got->{err}"
                if $got->{status} != 0
                || $got->{err} !~ /\Anytp-tree: warning: \Q$path\E: .*\n(?:nytp-tree: warning: --force has no effect on a nytprof\.out\n)?\z/;
            $got = run([$ours, @form, '--strict', '-o', "$scratch/kept", $path]);
            push @wrong, "$length @form --strict: exit $got->{status}, " . beside()
                if $got->{status} != 1 || $got->{out} ne '' || beside() ne '';
        }
        is_deeply(\@wrong, [], 'a warning and what is there; with --strict an error, and no output');
    };
}

subtest 'the time that a cut profile took is not known' => sub {
    my $got = run([$ours, '--table', spew("$scratch/cut", substr $bytes{'nytprof.out'}, 0, -12)]);
    like($got->{out}, qr/\A +Time in Subs = +\S+ Seconds\n.* work\b.*\nExclusive Times; %Time of those in subs\n/, 'so the table does not show it');
    unlike($got->{out}, qr/ -(?: |$)/m, 'nor a dash');
};

subtest 'corrupt' => sub {
    my $path = spew("$scratch/corrupt", substr($bytes{'nytprof.out'}, 0, 300) . "\x00\xFF" x 50);
    my $kept = spew("$scratch/kept", 'old');
    for my $form (@forms) {
        my $got = run([$ours, @$form, '-o', $kept, $path]);
        is("$got->{status}$got->{out}", '1', "@$form: an error");
        like($got->{err}, qr/\Anytp-tree: \Q$path\E: offset \d+: .*\n\z/, '... that says where');
        is(slurp($kept) . beside(), 'oldkept', '... and the old output stays');
        $got = run([$ours, @$form, '--salvage', $path]);
        is($got->{status}, 0, '--salvage: done');
        like($got->{err}, qr/\Anytp-tree: warning: .*what precedes it is used/, '... with a warning');
        like($got->{out}, qr/main::f/, '... and what came before');
    }
    my $got = run([$ours, spew("$scratch/text", "no profile\n")]);
    is("$got->{status}$got->{out}", '1', 'no profile at all');
};

subtest 'callers that never returned' => sub {
    my $path = spew("$scratch/orphans",
        simple_profile([[3, 1, 'main::inner'], [2, 2, 'main::outer'], [4, 4, 'main::lost'],
        [4_000_000_000, 1, 'main::deepest'], [2, 8, 'main::last']]));
    is(run([$ours, '-T', $path])->{out}, <<'END', 'what they called takes their place');
main::outer
   main::inner
main::last
   main::lost
   main::deepest
END
    is(run([$ours, '--depth=1', '-S', '-l', '-d', $path])->{status}, 0, 'depths that are no array sizes');
};

# More than are kept in memory, in and out of the temporary file.
subtest 'many calls' => sub {
    my $leaves = 70_000;
    my $path   = spew("$scratch/many",
        simple_profile([map { ([2, 1, 'main::leaf']) x ($leaves / 2), [1, 1, "main::top$_"] } 1 .. 4]));
    my $text   = run([$ours, '-T', $path])->{out};
    is($text, join('', map { "main::top$_\n" . "   main::leaf\n" x ($leaves / 2) } 1 .. 4), 'every call, in order');
    is(run([$ours, '-t', $path])->{out}, join('', map { "main::top$_\n   main::leaf (${\($leaves / 2)}x)\n" } 1 .. 4),
        'folded');
    my $got = run([$ours, '-T', $path], env => { TMPDIR => "$scratch/nowhere" });
    is("$got->{status} $got->{out} $got->{err}",
        "1  nytp-tree: temporary file: No such file or directory (TMPDIR says where it is)\n", 'nowhere to keep them');
};

subtest 'deep recursion' => sub {
    my $depth = 20_000;
    my $path  = spew("$scratch/deep", simple_profile([map { [$_, 1, 'main::deeper'] } reverse 1 .. $depth]));
    for my $form (['-S'], ['-T']) {
        my @lines = split /\n/, run([$ours, @$form, $path])->{out};
        is(scalar @lines, $depth, "@$form: a line each");
        like($lines[-1], qr/^ +\[19999 deep\] main::deeper/, '... that shows its depth where indentation ends');
    }
    like(run([$ours, '--table', $path])->{out}, qr/^ 100\.   0\.002  0\.002  20000 .* main::deeper$/m,
        'time counts once in a table');
    is(run([$ours, '--json', $path])->{out} =~ tr/\{\[//, 2 * $depth + 2, 'JSON');
};

done_testing();
