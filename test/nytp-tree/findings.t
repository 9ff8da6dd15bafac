# nytp-tree --findings: for each rule a program that triggers it, and one that does not.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env clock_library preload);
use File::Path qw(make_path);
use JSON::PP qw(decode_json);
use MadeMemory qw(made_memory);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $ours    = build_dir() . '/bin/nytp-tree';
my $scratch = scratch_dir();

# Modules that take long to load. Only the second is used.
mkdir "$scratch/lib" or die $!;
spew("$scratch/lib/Heavy.pm",
    "package Heavy;\nuse strict;\nBEGIN { my \$x = 0; \$x += \$_ for 1 .. 50_000 }\nsub work { 1 }\n1;\n");
spew("$scratch/lib/Light.pm", "package Light;\nuse strict;\nuse Heavy;\nsub work { Heavy::work() }\n1;\n");

# A finding needs a share of the time, so time passes only when the collector asks for it or the program sleeps: however busy
# the machine is, a program has the findings that it has on an idle one. What is slow within one op takes processor time.
my $TOLD_CLOCK     = clock_library('told-clock');
my $PROCESSOR_TIME = ':clock=3'; # CLOCK_THREAD_CPUTIME_ID

sub record {
    my ($program, $options, $dir) = @_;
    $dir //= $scratch;
    spew("$dir/p.pl", $program);
    my @perl = ($^X, '-I' . build_dir() . '/perl5', "-I$scratch/lib", '-d:NYTProf', 'p.pl');
    my %env  = (clean_env(), NYTPROF => "file=$scratch/out:clock=0:waits=0" . ($options // ''), LD_PRELOAD => preload($TOLD_CLOCK));
    my $got  = run(\@perl, dir => $dir, env => \%env);
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
        [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], (map { [TIME_LINE => 1000, 1, $_] } 1 .. 10),
        [PID_END => 1, 2]));
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

# A mapper between the program and DBI: what it does for each row takes longer than the query. A template that is rendered once
# asks it for each artist; connected() is called by many, and leads to no query.
make_path("$scratch/local/lib/perl5");
spew("$scratch/local/lib/perl5/Mapper.pm", <<'PERL');
package Mapper; use strict; use DBI;
my ($db, %cache); my $sql = 'SELECT name FROM artist WHERE id = ?';
sub connected { $db //= DBI->connect('dbi:SQLite:dbname=:memory:', '', '', { RaiseError => 1 }) }
sub setup { connected()->do('CREATE TABLE artist (id INTEGER PRIMARY KEY, name)');
    $db->do('INSERT INTO artist VALUES ' . join ',', map { "($_, 'a$_')" } 1 .. 60) }
sub fetch { my $q = connected()->prepare_cached($sql); $q->execute($_[0]); my $row = $q->fetchall_arrayref; $row->[0][0] }
sub inflate { my $x = 0; for my $i (1 .. 300) { $x += $i } $_[0] }
sub name { my ($id) = @_; connected(); inflate(fetch($id)) }
sub kept { my ($id) = @_; for my $i (1 .. 100) { 1 } $cache{$id} //= fetch($id) }
sub render { for my $i (1 .. 500) { 1 } join ',', map { name($_) } 1 .. 60 }
1;
PERL
my $mapper = "use strict; use lib '$scratch/local/lib/perl5'; use Mapper; use NYTProf::Span; Mapper::setup(); "
    . "sub page { my (\$path, \$work) = \@_; my \$span = span(\"GET \$path\"); \$work->() }\n";

# By rule: a program, the sentence without its time, a program that is not found, and the options of both.
my @cases = (
    ['unused-module', "use Heavy;\n1;\n",
    qr/^\S*p\.pl:1: loads \S*Heavy\.pm, not called later: /m,
        "use Heavy;\nHeavy::work();\n"],
    ['short-calls', "sub f { join ',', 1 .. 30 }\nf() for 1 .. 100_000;\n",
    qr/^\S*p\.pl:1: main::f is called 100,000 times, most by code outside of subs, and itself works [\d.]+ [nu]s each time: /m,
        "sub f { join ',', 1 .. 30 }\nf() for 1 .. 9_000;\n", $PROCESSOR_TIME],
    ['hot-line', "my \$x = 0;\n\$x += \$_ for 1 .. 3_000_000;\n",
    qr/^\S*p\.pl:2: is a hot line, which ran \S+ times?: /m,
        \&even],
    ['regcomp', "my \$x = 'a';\nfor (1 .. 2000) { 'b' =~ /x\$x\$_/ }\n",
        qr/^\S*p\.pl:2: compiles regular expressions, 2,000 times, [\d.]+ [nu]s each: /m, "'b' =~ /x/ for 1 .. 2000;\n"],
    ['slow-pattern', "my \$x = 'ab' x 20_000;\n\$x =~ /^(?:a|b)*\$/ for 1 .. 3;\n", qr{^\S*p\.pl:2: matches /\^\(\?:a\|b\)\*\$/ 3 times, [\d.]+ [um]?s each: }m,
        "my \$x = 'ab' x 20_000;\n\$x =~ /^ab/;\n\$x .= \$_ for 1 .. 90_000;\n", ":labels=regex$PROCESSOR_TIME"],
    ['file-calls', "for (1 .. 3000) { -e '/no/such/file' }\n", qr/^\S*p\.pl:1: calls main::CORE:ftis 3,000 times: /m,
        "for (1 .. 900) { -e '/no/such/file' }\n"],
    ['file-calls', "for (1 .. 3000) { -e '/no/' . \$_ % 3 }\n", qr/^\S*p\.pl:1: calls main::CORE:ftis 3,000 times: /m,
        "for (1 .. 3000) { -e '/no/such/file' }\n", ':labels=file'],
    ['same-file', "for (1 .. 3000) { -e '/no/such/file' }\n",
    qr{^\S*/p\.pl:1: calls main::CORE:ftis for "/no/such/file" 3,000 times: }m,
        "for (1 .. 3000) { -e '/no/' . \$_ % 150 }\n", ':labels=file'],
    ['regcomp', "my \$x = 'a';\nfor (1 .. 2000) { 'b' =~ /x\$x\$_/ }\n",
    qr/^\S*p\.pl:2: compiles regular expressions, 2,000 times, /m,
        "'b' =~ /x/ for 1 .. 2000;\n", ':labels=regex'],
    ['regcomp', "my \$x = 'a';\nfor (1 .. 2000) { 'b' =~ /x\$x\$_/ }\n",
    qr/^\S*p\.pl:2: compiles regular expressions, 2,000 times, /m,
        "'b' =~ /x/ for 1 .. 2000;\n", ':slowops=1'],
    ['file-calls', "for (1 .. 3000) { stat '/no/such/file' }\n", qr/^\S*p\.pl:1: calls CORE::stat 3,000 times: /m,
        "for (1 .. 900) { stat '/no/such/file' }\n", ':slowops=1'],
    ['same-file', "for (1 .. 3000) { -e '/no/such/file' }\n",
    qr{^\S*/p\.pl:1: calls CORE::ftis for "/no/such/file" 3,000 times: }m,
        "for (1 .. 3000) { -e '/no/' . \$_ % 150 }\n", ':slowops=1:labels=file'],
    ['waiting', "sleep 1;\n", qr/^\S*p\.pl:1: waits in main::CORE:sleep 1: /m, "my \$x = 1;\n", ':labels=all'],
    ($has_sqlite ? (
        ['repeated-query', "${music}page('/' . \$_ % 2, \\&one_by_one) for 1 .. 200;\n",
            qr{^\S+p\.pl:5: main::one_by_one runs "SELECT name FROM artist WHERE id = \?" 6,000 times, 60 for each GET /0: }m,
            "${music}page('/', \\&at_once) for 1 .. 200;\n", ':labels=sql'],
        ['repeated-query', "${music}one_by_one() for 1 .. 100;\n",
            qr{^\S+p\.pl:5: main::one_by_one runs "SELECT name FROM artist WHERE id = \?" 6,000 times: }m,
            "${music}at_once() for 1 .. 90;\n", ':labels=sql'],
        ['repeated-query', "${mapper}sub names { Mapper::name(\$_) for 1 .. 60 }\npage('/', \\&names) for 1 .. 5;\n",
            qr{^\S+p\.pl:2: main::names runs "SELECT name FROM artist WHERE id = \?" 300 times, 60 for each GET /, in calls of Mapper::name: }m,
            "${mapper}sub names { Mapper::kept(\$_) for 1 .. 60 }\npage('/', \\&names) for 1 .. 90;\n", ':labels=sql'],
        ['repeated-query', "${mapper}sub names { Mapper::render() }\npage('/', \\&names) for 1 .. 5;\n",
            qr{^\S+p\.pl:2: main::names runs "SELECT name FROM artist WHERE id = \?" 300 times, 60 for each GET /, in calls of Mapper::name: }m,
            "${mapper}page('/', sub { Mapper::name(3) }) for 1 .. 60;\n", ':labels=sql'],
        ['repeated-query', "${mapper}Mapper::name(\$_ % 60) for 1 .. 100;\n",
            qr{^The program runs "SELECT name FROM artist WHERE id = \?" 100 times, in calls of Mapper::name: }m,
            "${mapper}Mapper::name(\$_ % 60) for 1 .. 99;\n", ':labels=sql']) : ()),
    ['exceptions', "use Carp;\nsub f { croak('no') }\nfor (1 .. 500) { eval { f() } }\n",
        qr/^\S+Carp\.pm:\d+: Carp::croak and what it calls, 500 calls: /m,
        "sub f { die 'no' }\nfor (1 .. 500) { eval { f() } }\n"],
    ['waiting', "select undef, undef, undef, 0.1;\n", qr/^\S*p\.pl:1: waits in main::CORE:sselect: /m, "my \$x = 1;\n"],
    ['recursion', "no warnings;\nsub f { my \$n = shift; \$n > 0 ? 1 + f(\$n - 1) : 0 }\nf(3000);\n",
        qr/^\S+p\.pl:2: main::f calls itself, up to (?:2,999|3,000) deep: /m,
        "no warnings;\nsub f { my \$n = shift; \$n > 0 ? 1 + f(\$n - 1) : 0 }\nf(900) for 1 .. 3;\n"],
    ['evals', "for (1 .. 300) { eval \"\$_ + 1\" }\n",
    qr/^\S*p\.pl:1: makes 300 string evals; that line and their code: /m,
        "for (1 .. 90) { eval \"\$_ + 1\" }\n"],
    ['magic', "package T;\nsub TIESCALAR { bless [] }\nsub FETCH { my \$x = 0; \$x += \$_ for 1 .. 100; \$x "
    . "}\npackage main;\n"
            . "tie my \$t, 'T';\nfor (1 .. 1000) { my \$x = \$t }\n",
        qr/^\S+p\.pl:3: perl calls T::FETCH by itself, 1,000 times: /m,
        "sub fetch { my \$x = 0; \$x += \$_ for 1 .. 100 }\nfetch() for 1 .. 1000;\n"],
);

for my $case (@cases) {
    my ($rule, $program, $sentence, $other, $options) = @$case;
    subtest $rule => sub {
        my $found = findings(record($program, $options));
        like($found, $sentence, 'found');
        like($found, qr/: [\d.]+ [mnu]?s, \d+ % of (?:the work|all time) \(\Q$rule\E\)$/m,
            'with its time, share and rule');
        unlike(findings(ref $other ? $other->() : record($other, $options)), qr/\(\Q$rule\E\)/,
            'and not in the other program');
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
    like($made->(900_000), qr/hot-line\)\nthe profiler took .*: 90\.0 ms, 90 % of the work \(profiler\)\n/, 'found, after what the program does');
    unlike($made->(90_000), qr/profiler/, 'and not if it took little');
};

subtest 'a module that another one uses' => sub {
    unlike(findings(record("use Light;\nLight::work();\n")), qr/unused-module/, 'is used');
    like(findings(record("use Light;\n1;\n")), qr/^\S*p\.pl:1: loads \S*Light\.pm,/m,
        'if that one is not used, the whole is one finding');
    unlike(findings("$scratch/out"), qr/loads \S*Heavy\.pm/, 'and only one');
    my ($percent) = findings(record("use Light;\nHeavy::work();\n")) =~ /loads \S*Light\.pm.* (\d+) % of the work/;
    cmp_ok($percent // 0, '<', 50, 'what it loads may be needed all the same, and is not its cost');
};

# main calls run, which calls left, with 55 % of the work, and right; a BEGIN block has 10 %.
subtest 'where the work forks' => sub {
    my $made = sub {
        my (@spans) = @_;
        return findings(spew("$scratch/made", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000],
            [ATTRIBUTE => 'application', 'p.pl'], [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], [NEW_FID => 2, 0, 0, 0x12, 0, 0, 'M.pm'], (map { [TIME_LINE => 20, 1, $_] } 1 .. 50), [SUB_RETURN => 1, 100, 100, 'main::BEGIN@1'], @spans,
            (map { [SUB_RETURN => 4, 135, 135, "main::deep$_"] } 1 .. 4), [SUB_RETURN => 3, 550, 10, 'main::left'], (map { [SUB_RETURN => 3, 70, 70, "main::r$_"] } 1 .. 5),
            [SUB_RETURN => 2, 900, 0, 'main::run'], [SUB_INFO => 1, 'main::run', 1, 9], [SUB_INFO => 1, 'main::left', 10, 19], [SUB_INFO => 1, 'main::BEGIN@1', 1, 1],
            (map { [SUB_INFO => 1, $_, 20, 20] } map({ "main::deep$_" } 1 .. 4), map { "main::r$_" } 1 .. 5), [PID_END => 1, 2])));
    };
    my $found = $made->();
    like($found, qr/\Amain::left runs once: 550 ms, 55 % of the work \(heavy-sub\)$/m, 'the larger part is the answer');
    like($found, qr/^Loading modules, 1 file: 100 ms, 10 % of the work \(loading\)$/m, 'and so is loading');
    is(() = $found =~ /heavy-sub/g, 1, '... and no more');
    unlike($made->([SUB_RETURN => 1, 300, 300, 'NYTProf::span GET /']), qr/heavy-sub|loading/, 'of spans, routes are the parts');
};

subtest 'few samples' => sub {
    my $said = sub {
        my ($hot, @others) = @_;
        return findings(spew("$scratch/made", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => 'sampled_hz', 100],
            [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], (map { [TIME_LINE => 10, 1, 3] } 1 .. $hot),
            (map { [TIME_LINE => 10, 1, $_] } @others), [PID_END => 1, 2])));
    };
    like($said->(8, 11 .. 16), qr/: 8 samples, 57 % \(33 to 79\) of the work \(hot-line\)$/m, 'have the error of their share');
    like($said->(160, map { ($_) x 20 } 11 .. 16), qr/: 160 samples, 57 % of the work \(hot-line\)$/m, '... and many need none');
};

subtest 'a busy machine' => sub {
    my $made = sub {
        my (@wait_ms) = @_;
        return findings(spew("$scratch/made",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
                [ATTRIBUTE => 'sampled_hz', 100],
            [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'],
            (map { ([ATTRIBUTE => 'state', join ' ', 0, $_ * 1_000_000, (100 - $_) * 1_000_000],
                [TIME_LINE => 1_000_000, 1, 1]) } @wait_ms), [PID_END => 1, 2])));
    };
    like($made->(0, 90, 34),
        qr/^the machine was busy: the program waited for a processor: 1 sample, 41 % of all time \(busy-machine\)$/m,
        'waiting for a processor is a finding');
    unlike($made->(0, 5, 0), qr/busy/, '... unless it is below 2 %');

    my $path    = "$scratch/made";
    my $counted = sub {
        my ($wait_s, @more) = @_;
        return findings(spew($path,
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], @more,
                [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'],
                [TIME_LINE => 10_000_000, 1, 1], [ATTRIBUTE => wait_for_cpu => $wait_s], [PID_END => 1, 2])));
    };
    like($counted->(0.12),
        qr/^the machine was busy: the program waited for a processor: 120 ms, 12 % of all time \(busy-machine\)$/m,
        'the collector counts it, too');
    unlike(findings('--no-wait', $path), qr/busy/, '... but does not say how much of it is not in subs that wait');
    unlike($counted->(0.01), qr/busy/, '... below 2 %');
    unlike($counted->(0.12, [ATTRIBUTE => clock_id => 2]), qr/busy/, '... and processor time has no such waiting');
};

subtest 'the same time once' => sub {
    my $line = sub { [TIME_LINE => 1_000_000, 1, $_[0]] };
    my $made = sub {
        my ($wait_s, @more) = @_;
        return findings(spew("$scratch/made",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
            [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], (map { $line->($_) } 1 .. 4), @more,
            (map { [SUB_CALLERS => 1, $_, 'main::RUNTIME', 1, $wait_s, $wait_s, 0, 0, 'main::CORE:sleep'] } 3, 4),
            [PID_END => 1, 2])));
    };
    my $waits = $made->(0.099);
    like($waits, qr/^p\.pl:$_: waits in main::CORE:sleep: 99\.0 ms, 25 % of all time \(waiting\)$/m, "line $_ waits")
        for 3, 4;
    unlike($waits, qr/^p\.pl:[34]: is a hot line/m, '... which is all that is said of it');
    like($waits, qr/^p\.pl:1: is a hot line, which ran 1 time: 100 ms, 50 % of the work /m,
        'another line has half of the work');
    like($made->(0.02),
        qr/^p\.pl:3: is a hot line, .*: 80\.0 ms, 22 % of the work .*\n(?:.*\n)*p\.pl:3: waits in main::CORE:sleep: 20\.0 ms, 5 % of all time/m, 'a line that works and waits does both');
    unlike($made->(0.099, [ATTRIBUTE => 'sampled_hz', 100]), qr/^p\.pl:[34]: is a hot line/m, 'samples, too');
};

# Three seconds of work by a server that idles for 97: what it does is judged by the three.
subtest 'idling' => sub {
    my $made = sub {
        my ($caller, $callee, $file, @more) = @_;
        return findings(spew("$scratch/made",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000],
                [ATTRIBUTE => 'sitelib', '/usr/share/perl5'],
            [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/app.psgi'],
            [NEW_FID => 2, 0, 0, 0x12, 0, 0, '/usr/share/perl5/Net/Server.pm'],
            [TIME_LINE => 97_000, $file, 7], [TIME_LINE => 2000, 1, 2], [TIME_LINE => 1000, 1, 3], @more,
            [SUB_RETURN => 3, 750, 750, 'main::CORE:match'], [SUB_RETURN => 2, 3000, 2250, 'main::app'],
            [SUB_RETURN => 3, 97_000, 97_000, $callee], [SUB_RETURN => 2, 97_000, 0, $caller],
            [SUB_RETURN => 1, 100_000, 0, 'Net::Server::run'],
            [SUB_INFO => 1, 'main::app', 1, 4], [SUB_INFO => 2, 'Net::Server::loop', 5, 9],
            [SUB_INFO => 2, 'Net::Server::run', 1, 4], [SUB_INFO => 1, 'main::loop', 5, 9],
            [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 100, 0, 0, 0, 'Net::Server::run'],
            [SUB_CALLERS => 2, 2, 'Net::Server::run', 1, 97, 0, 0, 0, $caller],
            [SUB_CALLERS => $file, 7, $caller, 1, 97, 97, 0, 0, $callee],
            [SUB_CALLERS => 2, 2, 'Net::Server::run', 1, 3, 2.25, 0, 0, 'main::app'],
            [SUB_CALLERS => 1, 2, 'main::app', 5, 0.75, 0.75, 0, 0, 'main::CORE:match'], [PID_END => 1, 101])));
    };
    my $idles = $made->('Net::Server::loop', 'main::CORE:sselect', 2);
    like($idles, qr{^/srv/app\.psgi:2: matches patterns 5 times, 150 ms each: 750 ms, 25 % of the work \(slow-pattern\)$}m, 'the pattern has a quarter of the work');
    like($idles, qr{\A/srv/app\.psgi:1: main::app is called once, most by Net::Server::run, and itself works 2\.25 s each time: 2\.25 s, 75 % of the work \(hot-sub\)$}m,
        'and its sub the rest');
    unlike($idles, qr/hot-line/, '... so that its lines are not said again');
    unlike($idles, qr/waits/, 'select() by the server is no finding');
    like($made->('main::loop', 'main::CORE:sselect', 1),
        qr{^/srv/app\.psgi:7: waits in main::CORE:sselect: 97\.0 s, 97 % of all time \(waiting\)$}m,
        'one by the program is');
    unlike($made->('main::loop', 'main::CORE:accept', 1), qr/waits/, 'accept() is none');
    unlike($made->('main::loop', 'EV::run', 1), qr/waits/, 'nor is an event loop');
};

# Each query takes 1 ms, what leads to it 10 ms more, and preparing without running it 3 ms.
subtest 'the time of a query is that of the call which leads to it each time' => sub {
    my $made = sub {
        my ($calls, $queries) = @_;
        my $sql   = 'DBI::st::execute SELECT 1';
        my @calls = map { ((map { [SUB_RETURN => 4, 1, 1, $sql] } 1 .. $queries),
            [SUB_RETURN => 3, $queries, 0, 'DBIx::run'], [SUB_RETURN => 2, 10 + $queries, 10, 'DBIx::rows']) } 1 .. $calls;
        my $ms = $calls * (10 + $queries);
        return findings(spew("$scratch/made",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000],
                [ATTRIBUTE => 'labels', 'sql=DBI::st::execute,sql=DBI::db::prepare'], [ATTRIBUTE => 'sitelib', '/usr/share/perl5'],
                [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/app.pl'],
                [NEW_FID => 2, 0, 0, 0x12, 0, 0, '/usr/share/perl5/DBIx.pm'],
                [TIME_LINE => 10_000, 1, 2], @calls, [SUB_RETURN => 2, 3, 3, 'DBI::db::prepare SELECT 1'],
                [SUB_RETURN => 1, $ms + 3, 0, 'main::app'],
                [SUB_INFO => 1, 'main::app', 1, 4], [SUB_INFO => 2, 'DBIx::run', 5, 9], [SUB_INFO => 2, 'DBIx::rows', 1, 4],
                [PID_END => 1, 101])));
    };
    my $runs = 'main::app runs "SELECT 1"';
    like($made->(100, 1), qr{^/srv/app\.pl:1: $runs 100 times, in calls of DBIx::rows: 1\.10 s, 11 % of the work}m, 'once each time');
    like($made->(60, 2), qr/$runs 120 times, in calls of DBIx::rows: 723 ms, 7 % /, 'or twice');
    like($made->(20, 30), qr/$runs 600 times: 603 ms, 6 % /, 'a call that runs it for all rows has work of its own');
};

subtest 'Try::Tiny and AUTOLOAD do not have the time of what they call' => sub {
    my $made = sub {
        my ($sub, $own_s) = @_;
        return findings(spew("$scratch/made",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
            [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], [TIME_LINE => 10_000_000, 1, 1],
            [SUB_CALLERS => 1, 1, 'main::RUNTIME', 100, 0.9, $own_s, 0, 0, $sub],
            [SUB_CALLERS => 1, 1, $sub, 100, 0.9 - $own_s, 0.9 - $own_s, 0, 0, 'main::work'], [PID_END => 1, 2])));
    };
    unlike($made->('Try::Tiny::try', 0.01), qr/exceptions/, 'blocks are not its work');
    like($made->('Try::Tiny::try', 0.03),
        qr/Try::Tiny::try without its blocks, 100 calls: 30\.0 ms, 3 % of the work \(exceptions\)/, 'closures are');
    unlike($made->('X::AUTOLOAD', 0.01), qr/magic/, 'nor is what AUTOLOAD calls');
    like($made->('X::AUTOLOAD', 0.03), qr/perl calls X::AUTOLOAD by itself, 100 times: 30\.0 ms, 3 % /, 'its own is');
    like($made->('X::throw', 0.01), qr/X::throw and what it calls, 100 calls: 900 ms, 90 % /,
        'throw() makes an exception with all that it calls');
    unlike($made->('X::FETCH', 0.9) . $made->('X::BAR', 0.019), qr/: 19\.0 ms/, 'what has less than 2 % is none');
};

subtest 'a module in samples' => sub {
    my @begin = ([SUB_ENTRY => 1, 1], [SUB_ENTRY => 2, 1], [SUB_RETURN => 2, 1_000_000, 1_000_000, 'Heavy::BEGIN@1'],
        [SUB_RETURN => 1, 2_000_000, 1_000_000, 'main::BEGIN@1']);
    my $made  = sub {
        return findings(spew("$scratch/made",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], @_, [PID_START => 1, 0, 1],
            [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], [NEW_FID => 2, 0, 0, 0x12, 0, 0, 'Heavy.pm'],
            [TIME_LINE => 1_000_000, 1, 1], [TIME_LINE => 1_000_000, 2, 1], @begin,
            [SUB_INFO => 1, 'main::BEGIN@1', 1, 1], [SUB_INFO => 2, 'Heavy::BEGIN@1', 1, 1],
            [SUB_INFO => 2, 'Heavy::work', 2, 2],
            [SUB_CALLERS => 1, 1, 'main::NULL', 1, 0.2, 0.1, 0, 0, 'main::BEGIN@1'],
            [SUB_CALLERS => 2, 1, 'main::BEGIN@1', 1, 0.1, 0.1, 0, 0, 'Heavy::BEGIN@1'], [PID_END => 1, 2])));
    };
    like($made->(), qr/\(unused-module\)/, 'calls say that it is not used');
    unlike($made->([ATTRIBUTE => 'sampled_hz', 100]), qr/\(unused-module\)/, 'samples do not');
};

# Each of 40 subs has a share of the work, and the last one has more of it.
subtest 'even work' => sub {
    my $made = sub {
        my ($most) = @_;
        my @own = ((25) x 39, $most);
        return findings(spew("$scratch/even-work", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000],
            [ATTRIBUTE => 'application', 'p.pl'], [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], [NEW_FID => 2, 0, 0, 0x12, 0, 0, 'M.pm'], (map { [TIME_LINE => $own[$_], 1, $_ + 1] } 0 .. 39),
            (map { [SUB_INFO => 1, "main::f$_", $_ + 1, $_ + 1] } 0 .. 39),
            (map { [SUB_CALLERS => 1, 50, 'main::RUNTIME', 1, ($own[$_] / 1000) x 2, 0, 0, "main::f$_"] } 0 .. 39), [PID_END => 1, 2])));
    };
    like($made->(40), qr/\ANo sub takes much of the work, and main::f39 most of all: 40\.0 ms, 4 % of the work \(even-work\)$/m, 'is the answer');
    unlike($made->(70), qr/even-work/, 'but not if a sub has 5 %');
};

subtest 'the list' => sub {
    is(findings(even()), "Nothing stands out.\n", 'nothing to say');
    my $many = spew("$scratch/many", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
        [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'],
        (map { [TIME_LINE => 1_000_000, 1, $_] } 1 .. 10),
        (map { [SUB_CALLERS => 1, $_, 'main::RUNTIME', 1, $_ / 100, $_ / 100, 0, 0, "A$_\::CORE:sleep"] } 1 .. 12),
        [PID_END => 1, 2]));
    my @lines = split /\n/, findings($many);
    is(scalar @lines, 7, 'at most seven');
    my @times = map { /: (\d+) ms, / } @lines;
    is_deeply(\@times, [sort { $b <=> $a } @times], 'those with the most time first');
    is(findings($many, $many) =~ tr/\n//, 7, 'of several profiles');
    unlike(run([$ours, '--findings', '--no-wait', $many])->{out}, qr/waiting/, '--no-wait leaves out waiting');
    my $json = decode_json(run([$ours, '--findings', '--json', $many])->{out})->{findings};
    is_deeply([map { "$_->{file}:$_->{line}: $_->{text} ($_->{rule})" } @$json], \@lines, '--json has the same');
    is_deeply([sort keys %{ (grep { $_->{sub} } @$json)[0] }], [qw(file line of rule seconds share sub text)], '... in parts');
    is(decode_json(run([$ours, '--findings', '--json', even()])->{out})->{findings}[0], undef, '... and may be empty');
    is(run([$ours, '--findings', '-o', "$scratch/text", $many])->{status}, 0, '-o');
    is(slurp("$scratch/text"), findings($many), 'writes the same');
};

subtest 'the list of an editor' => sub {
    plan skip_all => 'no vim with quickfix lists (EXHAUSTIVE=1 needs Debian: vim)'
        if run(['vim', '--version'])->{out} !~ /\+quickfix/;
    my $dir = "$scratch/a dir";
    mkdir $dir or die $!;
    spew("$dir/Heavy.pm", slurp("$scratch/lib/Heavy.pm"));
    my $profile = record("use lib '.';\nuse Heavy;\nmy \$x = 0;\n\$x += \$_ for 1 .. 500_000;\n", undef, $dir);
    my @found = map { /\A(.*?):(\d+): (.*)/ ? "$1|$2|$3" : "/|0|$_" } split /\n/, findings($profile);
    cmp_ok(scalar(grep { m{\A\Q$dir\E/p\.pl\|[24]\|} } @found), '>=', 2, 'findings have whole paths');
    spew("$scratch/errors", findings($profile));
    my $list = 'map(getqflist(), {i, e -> fnamemodify(bufname(e.bufnr), ":p") . "|" . e.lnum . "|" . trim(e.text)})';
    is(run(['vim', '-N', '-u', 'NONE', '-i', 'NONE', '-es', '-q', "$scratch/errors", '-c',
        "call writefile($list, '$scratch/list')", '-c', 'qa!'], dir => '/')->{status}, 0, 'vim -q');
    is_deeply([split /\n/, slurp("$scratch/list")], \@found, '... goes to these places');
};

# ---- memory ----------------------------------------------------------------------------------------

# The made profile has 40 % compiled code in Big.pm, 30 % in Shop::keep, 20 % in Shop::again, and 10 % value heads.
for my $part (['live', 'live memory'], ['peak', 'memory at the peak'], ['alloc', 'allocated memory']) {
    my ($of, $words) = @$part;
    is(findings(made_memory("$scratch/$of.memory.out", of => $of)), <<"END", "$of: compiled code, and a sub that has much");
compiled code of 1 file: /srv/lib/Big.pm (4.00 MiB): 4.00 MiB, 40 % of $words (compiled-code)
/srv/shop.pl:2: Shop::keep has 40 blocks, the largest part strings: 3.00 MiB, 30 % of $words (memory-holder)
END
}
{
    my $path  = made_memory("$scratch/live.memory.out");
    my $found = decode_json(run([$ours, '--findings', '--json', $path])->{out})->{findings};
    is_deeply($found->[1], { rule => 'memory-holder', sub => 'Shop::keep', file => '/srv/shop.pl', line => 2, share => 0.3, of => 'live memory',
        bytes => 3 * 2**20, text => 'Shop::keep has 40 blocks, the largest part strings: 3.00 MiB, 30 % of live memory' },
        'JSON has bytes');
    my $two = findings($path, made_memory("$scratch/live.memory.2", pid => 8));
    like($two, qr/Shop::keep has 80 blocks, the largest part strings: 6\.00 MiB, 30 %/, 'two profiles are added up');
}
{
    my @site = ([3, 'code'], [1, 'value heads'], [2, 'value bodies'], [4, 'arrays']);
    my $memory = sub {
        my (@values) = @_;
        return spew("$scratch/even.memory.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => unit => 'bytes'],
            [ATTRIBUTE => memory_of => 'live'], [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/p.pl'],
            (map { my $n = $_; [SUB_ENTRY => 1, $n],
                (map { ([ATTRIBUTE => memory => "1 $_->[1]"], [TIME_LINE => 1000 * $_->[0], 1, $n]) } @site),
                [SUB_RETURN => 1, 10_000, 10_000, "main::f$n"] } 1 .. 10),
            (map { [SUB_INFO => 1, "main::f$_", $_, $_] } 1 .. 10), @values, [PID_END => 1, 2]));
    };
    is(findings($memory->()), "Nothing stands out.\n", '30 % of code, 30 % of heads and bodies, 10 % each sub: nothing stands out');
    @site = ([1, 'code'], [2, 'value heads'], [3, 'value bodies'], [4, 'arrays']);
    is(findings($memory->()), "value heads and bodies are in arenas, each of the sub that needed the next one, not of the sub "
        . "that holds the values: 48.8 KiB, 50 % of live memory (arenas)\n", 'heads and bodies');
    like(findings($memory->(map { [ATTRIBUTE => "live_values_$_->[0]" => $_->[1]] } [arrays => 30], [strings => 20], [free => 150])),
        qr/; of 50 values, 30 are arrays and 20 strings; 75 % of their heads are free: 48\.8 KiB/, '... what they are of, and how much room there is');
    @site = ([6, 'room for values'], [3, 'net values'], [1, 'strings']);
    is(findings($memory->([ATTRIBUTE => 'live_values_arrays' => 30], [ATTRIBUTE => 'live_values_free' => 30], [ATTRIBUTE => 'live_values_bytes' => 2000])),
        'room for values is in arenas, which perl keeps for more of them; of 30 values, 30 are arrays and 0 undefined; 50 % of their heads are '
        . "free: 58.6 KiB, 60 % of live memory (arenas)\n", 'room, if it is known who keeps the values');
    my $one = spew("$scratch/one.memory.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => unit => 'bytes'], [ATTRIBUTE => memory_of => 'live'],
        [PID_START => 1, 0, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/p.pl'], [SUB_ENTRY => 1, 1], [ATTRIBUTE => memory => '5 value heads'],
        [TIME_LINE => 8000, 1, 1], [ATTRIBUTE => memory => '1 strings'], [TIME_LINE => 1000, 1, 1], [SUB_RETURN => 1, 9000, 9000, 'main::f'],
        [SUB_INFO => 1, 'main::f', 1, 1], [PID_END => 1, 2]));
    unlike(findings($one), qr/main::f/, 'no sub is named for what is in arenas');
}

done_testing();
