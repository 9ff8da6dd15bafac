# nytp-tree --findings: for each rule a program that triggers it, and one that does not.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env clock_library preload);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $ours    = build_dir() . '/bin/nytp-tree';
my $scratch = scratch_dir();

# Modules that take long to load. Only the second is used.
mkdir "$scratch/lib" or die $!;
spew("$scratch/lib/Heavy.pm", "package Heavy;\nuse strict;\nBEGIN { my \$x = 0; \$x += \$_ for 1 .. 50_000 }\nsub work { 1 }\n1;\n");
spew("$scratch/lib/Light.pm", "package Light;\nuse strict;\nuse Heavy;\nsub work { Heavy::work() }\n1;\n");

sub record {
    my ($program, $options, %env) = @_;
    spew("$scratch/p.pl", $program);
    my @perl = ($^X, '-I' . build_dir() . '/perl5', "-I$scratch/lib", '-d:NYTProf', 'p.pl');
    my $got  = run(\@perl, dir => $scratch, env => { clean_env(), NYTPROF => "file=$scratch/out" . ($options // ''), %env });
    is($got->{status}, 0, 'recorded') or diag($got->{err});
    return "$scratch/out";
}

sub findings {
    my @files = @_;
    my $got   = run([$ours, '--findings', @files]);
    is($got->{status}, 0, 'exit status') or diag($got->{err});
    return $got->{out};
}

# A profile in which ten lines take a tenth of the time each.
sub even {
    return spew("$scratch/even", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
        [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], (map { [TIME_LINE => 1000, 1, $_] } 1 .. 10), [PID_END => 1, 2]));
}

# A database of 60 artists, and a page that asks for them one by one, or for all at once.
my $music = <<'PERL';
use strict; use DBI; use NYTProf::Span;
my $db = DBI->connect('dbi:SQLite:dbname=:memory:', '', '', { RaiseError => 1 });
$db->do('CREATE TABLE artist (id INTEGER PRIMARY KEY, name)');
$db->do('INSERT INTO artist VALUES ' . join ',', map { "($_, 'a$_')" } 1 .. 60);
sub one_by_one { my $q = $db->prepare('SELECT name FROM artist WHERE id = ?'); for (1 .. 60) { $q->execute($_); $q->fetchall_arrayref } }
sub at_once { $db->selectall_arrayref('SELECT name FROM artist ORDER BY name') }
sub page { my ($path, $work) = @_; my $span = span("GET $path"); $work->() }
PERL
my $has_sqlite = eval { require DBD::SQLite; 1 };

# By rule: a program, the sentence without its time, a program that is not found, and the options of both.
my @cases = (
    ['unused-module', "use Heavy;\n1;\n", qr/^\S*p\.pl:1 loads \S*Heavy\.pm, and none of its subs is called afterwards: /m,
        "use Heavy;\nHeavy::work();\n"],
    ['short-calls', "sub f { 1 }\nf() for 1 .. 100_000;\n", qr/^\S*p\.pl:2 calls main::f 100,000 times, [\d.]+ [nu]s each: /m,
        "sub f { 1 }\nf() for 1 .. 9_000;\n"],
    ['hot-line', "my \$x = 0;\n\$x += \$_ for 1 .. 3_000_000;\n", qr/^one line, \S*p\.pl:2, which ran \S+ times?: /m,
        \&even],
    ['regcomp', "my \$x = 'a';\nfor (1 .. 2000) { 'b' =~ /x\$x\$_/ }\n",
        qr/^\S*p\.pl:2 compiles regular expressions, 2,000 times, [\d.]+ [nu]s each: /m, "'b' =~ /x/ for 1 .. 2000;\n"],
    ['file-calls', "for (1 .. 3000) { -e '/no/such/file' }\n", qr/^\S*p\.pl:1 calls main::CORE:ftis 3,000 times: /m,
        "for (1 .. 900) { -e '/no/such/file' }\n"],
    ['file-calls', "for (1 .. 3000) { -e '/no/' . \$_ % 3 }\n", qr/^\S*p\.pl:1 calls main::CORE:ftis 3,000 times: /m,
        "for (1 .. 3000) { -e '/no/such/file' }\n", ':labels=file'],
    ['same-file', "for (1 .. 3000) { -e '/no/such/file' }\n", qr{^\S*p\.pl:1 calls main::CORE:ftis for "/no/such/file" 3,000 times: }m,
        "for (1 .. 3000) { -e '/no/' . \$_ % 150 }\n", ':labels=file'],
    ['regcomp', "my \$x = 'a';\nfor (1 .. 2000) { 'b' =~ /x\$x\$_/ }\n", qr/^\S*p\.pl:2 compiles regular expressions, 2,000 times, /m,
        "'b' =~ /x/ for 1 .. 2000;\n", ':labels=regex'],
    ['regcomp', "my \$x = 'a';\nfor (1 .. 2000) { 'b' =~ /x\$x\$_/ }\n", qr/^\S*p\.pl:2 compiles regular expressions, 2,000 times, /m,
        "'b' =~ /x/ for 1 .. 2000;\n", ':slowops=1'],
    ['file-calls', "for (1 .. 3000) { stat '/no/such/file' }\n", qr/^\S*p\.pl:1 calls CORE::stat 3,000 times: /m,
        "for (1 .. 900) { stat '/no/such/file' }\n", ':slowops=1'],
    ['same-file', "for (1 .. 3000) { -e '/no/such/file' }\n", qr{^\S*p\.pl:1 calls CORE::ftis for "/no/such/file" 3,000 times: }m,
        "for (1 .. 3000) { -e '/no/' . \$_ % 150 }\n", ':slowops=1:labels=file'],
    ['waiting', "sleep 1;\n", qr/^\S*p\.pl:1 waits in main::CORE:sleep 1: /m, "my \$x = 1;\n", ':labels=all'],
    ($has_sqlite ? (
        ['repeated-query', "${music}page('/' . \$_ % 2, \\&one_by_one) for 1 .. 200;\n",
            qr{^main::one_by_one runs "SELECT name FROM artist WHERE id = \?" 6,000 times, 60 for each GET /0: }m,
            "${music}page('/', \\&at_once) for 1 .. 200;\n", ':labels=sql'],
        ['repeated-query', "${music}one_by_one() for 1 .. 100;\n",
            qr{^main::one_by_one runs "SELECT name FROM artist WHERE id = \?" 6,000 times: }m, "${music}at_once() for 1 .. 90;\n", ':labels=sql']) : ()),
    ['exceptions', "use Carp;\nsub f { croak('no') }\nfor (1 .. 500) { eval { f() } }\n",
        qr/^Carp::croak and what it calls, 500 calls: /m, "sub f { die 'no' }\nfor (1 .. 500) { eval { f() } }\n"],
    ['waiting', "select undef, undef, undef, 0.1;\n", qr/^\S*p\.pl:1 waits in main::CORE:sselect: /m, "my \$x = 1;\n"],
    ['recursion', "no warnings;\nsub f { my \$n = shift; \$n > 0 ? 1 + f(\$n - 1) : 0 }\nf(3000);\n",
        qr/^main::f calls itself, up to 2,999 deep: |^main::f calls itself, up to 3,000 deep: /m,
        "no warnings;\nsub f { my \$n = shift; \$n > 0 ? 1 + f(\$n - 1) : 0 }\nf(900) for 1 .. 3;\n"],
    ['evals', "for (1 .. 300) { eval \"\$_ + 1\" }\n", qr/^\S*p\.pl:1 makes 300 string evals; that line and their code: /m,
        "for (1 .. 90) { eval \"\$_ + 1\" }\n"],
    ['magic', "package T;\nsub TIESCALAR { bless [] }\nsub FETCH { my \$x = 0; \$x += \$_ for 1 .. 100; \$x }\npackage main;\n"
            . "tie my \$t, 'T';\nfor (1 .. 1000) { my \$x = \$t }\n",
        qr/^T::FETCH, which perl calls by itself, 1,000 times: /m, "sub fetch { my \$x = 0; \$x += \$_ for 1 .. 100 }\nfetch() for 1 .. 1000;\n"],
);

for my $case (@cases) {
    my ($rule, $program, $sentence, $other, $options) = @$case;
    subtest $rule => sub {
        my $found = findings(record($program, $options));
        like($found, $sentence, 'found');
        like($found, qr/: [\d.]+ [mnu]?s, \d+ % of the time \(\Q$rule\E\)$/m, 'with its time, share and rule');
        unlike(findings(ref $other ? $other->() : record($other, $options)), qr/\(\Q$rule\E\)/, 'and not in the other program');
    };
}

subtest 'profiler' => sub {
    my $made = sub {
        my ($overhead) = @_;
        return findings(spew("$scratch/made", profile_bytes(
            [VERSION   => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
            [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'],
            [TIME_LINE => 1_000_000, 1, 1], [ATTRIBUTE => 'cumulative_overhead_ticks', $overhead], [PID_END => 1, 2])));
    };
    like($made->(900_000), qr/\Athe profiler took .*: 90\.0 ms, 90 % of the time \(profiler\)\n/, 'found, and first');
    unlike($made->(90_000), qr/profiler/, 'and not if it took little');
};

subtest 'a module that another one uses' => sub {
    unlike(findings(record("use Light;\nLight::work();\n")), qr/unused-module/, 'is used');
    like(findings(record("use Light;\n1;\n")), qr/^\S*p\.pl:1 loads \S*Light\.pm,/m, 'if that one is not used, the whole is one finding');
    unlike(findings("$scratch/out"), qr/loads \S*Heavy\.pm/, 'and only one');
    # With a clock that passes only when it is asked, Heavy's statements take most of the time however busy the machine is.
    my $path = record("use Light;\nHeavy::work();\n", ':clock=0', LD_PRELOAD => preload(clock_library('told-clock')));
    my ($percent) = findings($path) =~ /loads \S*Light\.pm.* (\d+) % of the time/;
    cmp_ok($percent // 0, '<', 50, 'what it loads may be needed all the same, and is not its cost');
};

subtest 'the same time once' => sub {
    my $line = sub { [TIME_LINE => 1_000_000, 1, $_[0]] };
    my $made = sub {
        my ($wait_s, @more) = @_;
        return findings(spew("$scratch/made", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
            [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], (map { $line->($_) } 1 .. 4), @more,
            (map { [SUB_CALLERS => 1, $_, 'main::RUNTIME', 1, $wait_s, $wait_s, 0, 0, 'main::CORE:sleep'] } 3, 4), [PID_END => 1, 2])));
    };
    my $waits = $made->(0.099);
    like($waits, qr/^p\.pl:$_ waits in main::CORE:sleep: 99\.0 ms, 25 % of the time \(waiting\)$/m, "line $_ waits") for 3, 4;
    unlike($waits, qr/^one line, p\.pl:[34]/m, '... which is all that is said of it');
    like($waits, qr/^one line, p\.pl:1, /m, 'another line dominates');
    like($made->(0.05), qr/^one line, p\.pl:3, .*\n(?:.*\n)*p\.pl:3 waits/m, 'a line that waits for half of its time does both');
    unlike($made->(0.099, [ATTRIBUTE => 'sampled_hz', 100]), qr/^one line, p\.pl:[34]/m, 'samples, too');
};

subtest 'a module in samples' => sub {
    my @begin = ([SUB_ENTRY => 1, 1], [SUB_ENTRY => 2, 1], [SUB_RETURN => 2, 1_000_000, 1_000_000, 'Heavy::BEGIN@1'], [SUB_RETURN => 1, 2_000_000, 1_000_000, 'main::BEGIN@1']);
    my $made  = sub {
        return findings(spew("$scratch/made", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], @_, [PID_START => 1, 0, 1],
            [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], [NEW_FID => 2, 0, 0, 0x12, 0, 0, 'Heavy.pm'], [TIME_LINE => 1_000_000, 1, 1], [TIME_LINE => 1_000_000, 2, 1], @begin,
            [SUB_INFO => 1, 'main::BEGIN@1', 1, 1], [SUB_INFO => 2, 'Heavy::BEGIN@1', 1, 1], [SUB_INFO => 2, 'Heavy::work', 2, 2],
            [SUB_CALLERS => 1, 1, 'main::NULL', 1, 0.2, 0.1, 0, 0, 'main::BEGIN@1'], [SUB_CALLERS => 2, 1, 'main::BEGIN@1', 1, 0.1, 0.1, 0, 0, 'Heavy::BEGIN@1'], [PID_END => 1, 2])));
    };
    like($made->(), qr/\(unused-module\)/, 'calls say that it is not used');
    unlike($made->([ATTRIBUTE => 'sampled_hz', 100]), qr/\(unused-module\)/, 'samples do not');
};

subtest 'the list' => sub {
    is(findings(even()), "Nothing stands out.\n", 'nothing to say');
    my $many = spew("$scratch/many", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
        [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], (map { [TIME_LINE => 1_000_000, 1, $_] } 1 .. 10),
        (map { [SUB_CALLERS => 1, $_, 'main::RUNTIME', 1, $_ / 100, $_ / 100, 0, 0, "A$_\::CORE:sleep"] } 1 .. 12), [PID_END => 1, 2]));
    my @lines = split /\n/, findings($many);
    is(scalar @lines, 7, 'at most seven');
    my @shares = map { /, (\d+) % of the time/ } @lines;
    is_deeply(\@shares, [sort { $b <=> $a } @shares], 'those with the most time first');
    is(findings($many, $many) =~ tr/\n//, 7, 'of several profiles');
    is(run([$ours, '--findings', '-o', "$scratch/text", $many])->{status}, 0, '-o');
    is(slurp("$scratch/text"), findings($many), 'writes the same');
};

done_testing();
