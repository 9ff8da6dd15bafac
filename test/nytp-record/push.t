# nytp-record --push: what a stand-in for Pyroscope gets, which checks it as that server does; and what happens while
# the server is away, or refuses.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library preload);
use List::Util qw(sum0);
use NpmPackage qw(npm_package);
use NYTPTest qw(run scratch_dir slurp until_true);
use POSIX ();
use ProfileServer;
use Sampled qw(may_sample recorder sampled_perl start);
use Test::More;
use WebServer;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;
my $no_curl = run([recorder(), '--push=http://127.0.0.1:1', '-d', 0.1, $^X, '-e', '1'])->{err};
plan skip_all => $no_curl if $no_curl =~ /needs libcurl/;

my $dir = scratch_dir();
mkdir "$dir/tmp" or die;

# A program with a child, which both wait.
my $program = start(sampled_perl(), '-e',
    '$| = 1; sub work { sysread STDIN, my $x, 1 } if (!fork) { select undef, undef, undef, 0.01 while getppid > 1; exit } '
    . 'print "ready\n"; work()');

# What doc/programs.md says.
my ($documented) = slurp("$FindBin::Bin/../../doc/programs.md") =~
    m{^\$ nytp-record --push=http://localhost:4040 (.*) -p 4711$}m;
my @documented = split / /, $documented // die "doc/programs.md has no such command\n";

# Starts a recording that pushes to a server. until: waits for a message. end: sends a signal, and returns the exit
# status.
sub pushing {
    my ($url, @options) = @_;
    unlink "$dir/err";    # what an earlier one has said
    my $pid = fork // die;
    if ($pid == 0) {
        $ENV{TMPDIR} = "$dir/tmp";
        open STDERR, '>', "$dir/err" or die;
        exec recorder(), "--push=$url", '--push-every=1', @documented, '-p', $program->{pid}, @options
            or POSIX::_exit(127);
    }
    my $said = sub { return -e "$dir/err" ? slurp("$dir/err") : '' };
    return {
        pid   => $pid,
        said  => $said,
        until => sub { my ($wanted) = @_; return until_true(sub { $said->() =~ $wanted }, $pid) },
        end   => sub { my ($signal) = @_; kill $signal => $pid; waitpid $pid, 0; return $? >> 8 },
    };
}

# The number of samples that a recording has, as it says in the end.
sub recorded { my ($job) = @_; return $job->{said}->() =~ /^\S+ (\d+) samples? of 2 processes in /m ? $1 : undef }

sub left { return [glob "$dir/tmp/*"] }

# ---- what is sent ----
my $port = WebServer::free_port();
my @all;
{
    my $server = ProfileServer->start(dir => $dir, port => $port);
    my $job    = pushing($server->url . '/', '--label=env=prod', '--label', 'zone=a b', '-r', 150);
    my $before = time;
    ok(until_true(sub { push @all, $server->accepted; @all >= 2 }, $job->{pid}), 'a profile comes after each interval');
    kill USR1 => $job->{pid};
    ok($job->{until}->(qr/^\S+ \d+ profiles? sent to http:\S+, \d+ waiting, 0 dropped; \d+\.\d s without samples; \d+\.\d\d s of processor time$/m),
        'SIGUSR1 says what was sent and what it cost') or diag($job->{said}->());
    is($job->{end}->('INT'), 0, 'Ctrl-C ends it') or diag($job->{said}->());
    push @all, $server->accepted;
    is(sum0(map { $_->{count} } @all), recorded($job), 'what was sent has all samples of the recording')
        or diag($job->{said}->());
    like($job->{said}->(), qr/^\S+ @{[scalar @all]} profiles sent to \S+, 0 not sent, 0 dropped; [^\n]*\n\z/m,
        'how many were sent is said last');
    is_deeply(left(), [], 'nothing is left in TMPDIR');
    my ($first) = @all;
    is("$first->{service} $first->{labels}{env} $first->{labels}{zone}", 'shop prod a b', 'service and labels');
    my %query = %{ $first->{query} };
    is_deeply([@query{qw(format sampleRate spyName)}], ['pprof', 150, 'nytp-record'], 'what else the query has');
    is_deeply([grep { $_->{query}{from} > $_->{time_s} || $_->{query}{until} < $_->{time_s} + 0.5
        || $_->{query}{from} < $before - 2 } @all[0 .. $#all - 1]], [], 'from and until are around the profile');
    is_deeply([grep { my $stacks = $_->{stacks}; grep { !$stacks->{"main::RUNTIME;$_"} } 'main::CORE:sselect',
        'main::work;main::CORE:sysread' } @all[0 .. $#all - 1]], [], 'each has the stacks of both processes');
}

# ---- the time of day is set back while a profile is recorded ----
{
    my $server = ProfileServer->start(dir => $dir, port => $port);
    local @ENV{qw(LD_PRELOAD LEAP_S)} = (preload(clock_library('fast-clock')), -600);
    my $before = time;
    my $job    = pushing($server->url);
    my @taken;
    until_true(sub { push @taken, $server->accepted; @taken });
    $job->{end}->('INT');
    push @taken, $server->accepted;
    my %first = %{ $taken[0]{query} };
    cmp_ok($first{until}, '<', $before, 'it was set back');
    cmp_ok($first{from}, '<', $first{until}, '... and the profile begins before it ends');
}

# ---- the reader of Pyroscope's client for Node.js ----
SKIP: {
    skip 'npm\'s pprof-format reads what is sent with EXHAUSTIVE=1 (make check-all)', 1 if !$ENV{EXHAUSTIVE};
    my ($package, $missing) = npm_package('pprof-format');
    skip $missing, 1 if $missing;
    my $got = run(['node', '-e', <<'JS', $package, "$dir/body"]);
const [folder, body] = process.argv.slice(1);
const profile = require(folder).Profile.decode(require('zlib').gunzipSync(require('fs').readFileSync(body)));
const text = n => profile.stringTable.strings[n];
const sum = profile.sample.reduce((sum, sample) => sum + BigInt(sample.value[1]), 0n);
console.log(`${profile.sampleType.map(type => text(type.type)).join(' ')} ${sum} ${profile.period}`);
JS
    is($got->{out}, "wall samples $all[-1]{count} 6666667\n", 'reads the last profile, its samples and its period')
        or diag($got->{err});
}

# ---- the process that sends is killed ----
{
    my $job = pushing("http://127.0.0.1:$port");
    $job->{until}->(qr/cannot be reached/);
    kill KILL => split ' ', slurp("/proc/$job->{pid}/task/$job->{pid}/children");
    waitpid $job->{pid}, 0;
    is($? >> 8, 1, 'without the process that sends, the recording ends');
    like($job->{said}->(), qr/^\S+ the process that sends profiles has ended$/m, '... which is said');
    is_deeply(left(), [], '... and nothing is left in TMPDIR');
}

# ---- a server that is away, and comes back busy ----
{
    my $job = pushing("http://127.0.0.1:$port");
    ok($job->{until}->(qr/^\S+ http:\S+ cannot be reached: [^\n]+; profiles wait for at most an hour$/m),
        'a server that is not there is said at once');
    ok(until_true(sub {
        kill USR1 => $job->{pid};
        return $job->{said}->() =~ /^\S+ 0 profiles sent to \S+ [12] waiting/m;
    }, $job->{pid}), 'profiles wait');
    my $server = ProfileServer->start(dir => $dir, port => $port, refuses => [429, 2]);
    my @refused;
    ok(until_true(sub { push @refused, $server->refused; @refused }, $job->{pid}), 'it is asked again');
    $server->refuse(503);
    ok(until_true(sub { push @refused, $server->refused; $refused[-1][0] == 503 }, $job->{pid}), '... also after 429');
    cmp_ok($refused[-1][1] - $refused[0][1], '>=', 1.9, 'but not before Retry-After has passed');
    my %queries = map { $_->[2] => 1 } @refused;
    is(scalar keys %queries, 1, 'with the oldest profile');
    $server->refuse;
    ok($job->{until}->(qr/^\S+ http:\S+ takes profiles again$/m), 'that it takes them again is said');
    is($job->{end}->('TERM'), 0, 'SIGTERM ends it') or diag($job->{said}->());
    is(sum0(map { $_->{count} } $server->accepted), recorded($job), 'no sample is lost');
    is(scalar(() = $job->{said}->() =~ /an hour$/mg), 1, 'the outage was said once');

    # ---- a server that refuses for good ----
    $server->refuse(400);
    $job = pushing($server->url);
    ok($job->{until}->(qr/^\S+ http:\S+ a profile was refused, and is dropped: 400 not now$/m), 'another status is said');
    @refused = ();
    ok(until_true(sub { push @refused, $server->refused; @refused >= 2 }, $job->{pid}), 'the next profile is sent');
    is(scalar(() = $job->{said}->() =~ /refused/g), 1, '... and its like not said again');
    is($job->{end}->('INT'), 1, 'the exit status is 1');
    my ($dropped) = $job->{said}->() =~ /^\S+ 0 profiles sent to \S+ 0 not sent, \d+ dropped with (\d+) samples;/m;
    is($dropped, recorded($job), 'what was dropped is counted') or diag($job->{said}->());
}

# ---- the end while the server is away ----
{
    my $job = pushing("http://me:secret\@127.0.0.1:$port");
    $job->{until}->(qr/cannot be reached/);
    kill INT => $job->{pid};
    my $ended = 0;
    until_true(sub { select undef, undef, undef, 0.3; kill INT => $job->{pid};
        $ended = waitpid($job->{pid}, POSIX::WNOHANG()) == $job->{pid} });
    is($ended ? $? >> 8 : 'goes on', 1, 'a second Ctrl-C ends it without waiting');
    like($job->{said}->(), qr/the recording has ended; its profiles are sent if that is possible within 10 s/,
        'that it waits is said');
    unlike($job->{said}->(), qr/secret/, 'a password is not printed');
    like($job->{said}->(), qr/^\S+ 0 profiles sent to \S+, [12] not sent, 0 dropped; /m, 'what is not sent is said');
    is_deeply(left(), [], 'nothing is left in TMPDIR');
}

# ---- wrong usage ----
for my $case (
    [['--push=localhost:4040', $^X], qr/push.*expected the address/],
    [['--push=http://', $^X], qr/push.*expected the address/],
    [['--label=my-env=1', $^X], qr/label.*letters, digits and _/],
    [['--label=1st=1', $^X], qr/label.*no digit first/],
    [['--label=env', $^X], qr/label.*NAME=VALUE/],
    [['--label=env=a,b', $^X], qr/label.*without , \{ \}/],
    [['--label=__name__=x', $^X], qr/label.*Pyroscope sets that one/],
    [['--label=env=1', '--label=env=2', $^X], qr/label.*there is a label of that one/],
    [['--service=my shop', $^X], qr/service.*letters, digits/],
    [['--label=env=prod', $^X], qr/label has no effect without --push/],
    [['--push=http://localhost:4040', '-o', 'x', $^X], qr/output has no effect with --push, which writes no file/],
) {
    my ($arguments, $says) = @$case;
    my $got = run([recorder(), @$arguments]);
    is($got->{status}, 2, "@$arguments[0 .. $#$arguments - 1] is wrong usage");
    like($got->{err}, $says, '... and why');
}
my $no_room = run([recorder(), '--push=http://localhost:4040', $^X, '-e', 1], env => { TMPDIR => "$dir/none" });
is($no_room->{status}, 1, 'without a temporary directory nothing is recorded');
like($no_room->{err}, qr/TMPDIR/, '... which is said');
my $no_program = run([recorder(), '--push=http://127.0.0.1:9', '-p', $$ + 10_000_000], env => { TMPDIR => $dir });
is($no_program->{status}, 1, 'nothing to record, and no server');
unlike($no_program->{err}, qr/its profiles/, '... is not said to wait for profiles');

$program->{end}->();
done_testing();
