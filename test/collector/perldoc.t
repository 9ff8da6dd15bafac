# The examples of `perldoc Devel::NYTProf` under HOW TO work as they stand there.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(as_users finish need_collector start);
use NYTPTest qw(run scratch_dir slurp spew top_dir);
use ProfileCompare qw(count_of read_profile);
use Test::More;
use WebServer;

need_collector();

my ($how_to) = slurp(top_dir() . '/xs/lib/Devel/NYTProf.pm') =~ /^=head1 HOW TO\n(.*?)^=head1/ms;
my $dir = scratch_dir();
my %env = as_users();

# The indented text that matches, with a directory of our own in place of /tmp.
sub said {
    my ($what) = @_;
    my @found = grep { /$what/ } $how_to =~ /^((?:    .*\n)(?:(?: {4}.*)?\n(?=\n* {4}|\n))*)/gm;
    is scalar @found, 1, "shown once: $what" or return '';
    (my $text = $found[0]) =~ s{/tmp/}{$dir/}g;
    return $text;
}

sub shell {
    my ($commands) = @_;
    my $got = run(['sh', '-euc', $commands], dir => $dir, env => \%env);
    is $got->{status}, 0, (split /\n/, $commands)[0] or diag $got->{err};
    return;
}

sub profile { my ($name) = @_; return -e "$dir/$name" ? read_profile("$dir/$name") : { arcs => {} } }

# ---- a script, and a part of it -----------------------------------------------------

my $part = said(qr/^    work\(\)/m);
spew("$dir/program.pl", "sub work { step() for 1 .. 3 }\nsub step { 1 }\nstep();\n${part}step();\n");
my ($whole_run, $some) = (said(qr/^ *perl -d:NYTProf program/m), said(qr/start=no perl -d:NYTProf program/));
shell($whole_run);
is count_of(profile('nytprof.out'), 'main::step'), 4, '... profiles the script, until it is finished';
ok -s "$dir/nytprof.callgrind", '... and makes a file for KCachegrind';
shell($some);
is count_of(profile('nytprof.out'), 'main::step'), 3, '... profiles the part';

# ---- a test-suite -------------------------------------------------------------------------

mkdir "$dir/t";
spew("$dir/t/$_.t", "use Test::More tests => 1;\nsub tested { 1 }\nok tested() for 1 .. 1;\n") for 1 .. 3;
shell(said(qr/prove t/));
is count_of(profile('all.out'), 'main::tested'), 3, '... adds up what the tests call';

# ---- a request ---------------------------------------------------------------------------------

spew("$dir/requests.pl",
    said(qr/sub profiled_request/)
    . "sub serve { step(); return shift }\nsub step { 1 }\nprint profiled_request(\\&serve, \$_) for 1 .. 2;\n");
for my $load ([], ['-d:NYTProf']) {
    my $got = run([$^X, @$load, "$dir/requests.pl"], dir => $dir, env => { %env, NYTPROF => 'start=no' });
    is "$got->{out}$got->{err}", '12', "requests are answered @$load";
}
is count_of(profile("request$_"), 'main::step'), 1, "request $_ has a profile" for 1 .. 2;

# ---- a daemon ------------------------------------------------------------------------------------

my $signals = said(qr/SIG\{USR1\}/);
spew("$dir/daemon.pl",
    "$signals\$| = 1;\nsub step { print q(.); select undef, undef, undef, 0.01 }\nprint qq(ready\\n);\nstep() while "
    . "1;\n");
(my $command = said(qr/sigexit=TERM/)) =~ s/^ */exec env /;

sub daemon {
    my ($said) = @_;
    my $job = start(['sh', '-c', $said], dir => $dir, env => \%env);
    WebServer::until_true(sub { -s "$job->{out}" }, $job->{pid});
    return $job;
}

my $job = daemon($command);
kill TERM => $job->{pid};
is finish($job)->{status}, 1, 'a daemon that a signal ends';
ok profile('daemon.out')->{complete}, '... leaves a whole profile';

$job = daemon('NYTPROF=start=no exec perl -d:NYTProf daemon.pl');
for my $step (['USR1', 'daemon1'], ['USR1', 'daemon2'], ['USR2', undef]) {
    my ($signal, $begins) = @$step;
    kill $signal => $job->{pid};
    WebServer::until_true(sub { defined $begins ? -s "$dir/$begins" : profile('daemon2')->{complete} }, $job->{pid});
    my $steps = -s "$job->{out}";
    WebServer::until_true(sub { -s "$job->{out}" > $steps + 3 }, $job->{pid});
}
for my $name (qw(daemon1 daemon2)) {
    ok profile($name)->{complete}, "a daemon that goes on: $name is whole";
    cmp_ok count_of(profile($name), 'main::step'), '>', 1, '... and has calls';
}
kill KILL => $job->{pid};
finish($job);

done_testing();
