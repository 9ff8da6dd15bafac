# A real Starman: each worker has a complete profile, with every request that it answered and without the time between
# them, and a span of each.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env collector command need_collector need_system_perl nytprof_value);
use List::Util qw(sum);
use NYTPTest qw(scratch_dir spew valgrind);
use ServerProfiles qw(ask_workers check_merged check_worker made_by);
use SubTable qw(calls_of);
use Test::More;
use Time::HiRes qw(sleep);
use WebServer;

need_collector();
need_system_perl('starman');

my ($starman) = grep { -e } map { "$_/starman" } split /:/, $ENV{PATH};
plan skip_all => 'no starman (Debian: starman)' if !$starman;

my ($REQUESTS, $WORKERS, $PAUSE_S) = (valgrind() ? 60 : 900, 3, 1.5);

my $dir = scratch_dir();
mkdir "$dir/profiles" or die "$dir/profiles: $!\n";
spew("$dir/app.psgi", <<"END");
package Site;
use strict;
use warnings;
sub app {
    my (\$env) = \@_;
    return [200, [], ["ready\\n"]] if \$env->{PATH_INFO} ne '/site';
    return [200, ['Content-Type' => 'text/plain'], [handler(\$env->{QUERY_STRING} =~ /n=(\\d+)/)]];
}
sub handler { my (\$n) = \@_; return "\$\$ " . work(\$n) . "\\n" }
sub work { my (\$n) = \@_; my \$sum = 0; \$sum += step(\$_) for 1 .. \$n; return \$sum }
sub step { return 2 * \$_[0] }
my \$part = 0;
\$SIG{USR2} = sub { DB::enable_profile('$dir/profiles/part' . ++\$part) };
require NYTProf::Span::Plack;
NYTProf::Span::Plack->wrap(\\&app);
END

my $port   = WebServer::free_port();
my $server = WebServer->start(
    [$starman, '--workers', $WORKERS, '--host', '127.0.0.1', '--port', $port, '--disable-keepalive', "$dir/app.psgi"],
    port => $port,
    dir  => $dir,
    env  => {
        clean_env(),
        NYTPROF  => nytprof_value(file => "$dir/profiles/out"),
        PERL5OPT => join ' ', (command(collector()))[1], '-d:NYTProf',    # the last of several -I would come first
    },
);
if (!$server) {
    fail('Starman starts');
    diag $@;
    done_testing();
    exit;
}

my %first = ask_workers($server, '/site?n=3', $REQUESTS, 12);
cmp_ok scalar keys %first, '>', 1, 'several workers answer';
sleep $PAUSE_S;
$server->signal('HUP');
WebServer::until_true(sub { !grep { -e "/proc/$_" } keys %first });
my %second = ask_workers($server, '/site?n=3', $REQUESTS, 12);
is scalar(grep { $second{$_} } keys %first), 0, 'after a restart others answer';

# ---- a worker's profile while it goes on --------------------------------------------

my ($signalled) = sort keys %second;
kill USR2 => $signalled;
my %more;
WebServer::until_true(sub {
    my %of = ask_workers($server, '/site?n=3', 40, 12);
    $more{$_} += $of{$_} for keys %of;
    return -e "$dir/profiles/part1.$signalled";
});
ok made_by("$dir/profiles/out.$signalled")->{complete}, 'a signal completes the file of a worker that goes on';

# ---- all of them -----------------------------------------------------------------------

$server->rest;
my $got = $server->stop('QUIT');
is $got->{status}, 0, 'Starman ends' or diag explain $got;
# Starman does not wait for the end of its workers
WebServer::until_true(sub { !grep { !made_by($_)->{complete} } glob "$dir/profiles/*" });

my %site = %first;
for my $of (\%second, \%more) { $site{$_} += $of->{$_} for keys %$of }
for my $pid (sort keys %site) {
    check_worker($first{$pid} ? 'first worker' : 'later worker',
        [grep { -e } map { "$dir/profiles/$_.$pid" } 'out', 'part1'],
        handler => 'Site::handler', handled => $site{$pid}, step => 'Site::step', steps => 3,
        under_way => $pid == $signalled ? 1 : 0,
        waited_s  => $first{$pid} ? $PAUSE_S : 0);
}
ok made_by("$dir/profiles/out")->{complete}, 'the first process has a complete one, too';
check_merged([glob "$dir/profiles/*"], 'Site::step' => 3 * sum(values %site));

# Also a request that was under way when another file began.
my $spans = calls_of([glob "$dir/profiles/*"], '--labels=span');
is $spans->{'GET /site'}, sum(values %site), 'each request is a span' or diag explain $spans;

done_testing();
