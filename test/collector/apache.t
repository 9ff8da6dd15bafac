# A real Apache with mod_perl: each worker has a complete profile, with every request that it answered and without the
# time between them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env collector command need_collector need_system_perl nytprof_value);
use List::Util qw(sum);
use NYTPTest qw(build_dir scratch_dir spew valgrind);
use ServerProfiles qw(ask_workers check_merged check_worker made_by);
use Test::More;
use Time::HiRes qw(sleep);
use WebServer;

need_collector();
need_system_perl('mod_perl');

my ($APACHE, $MODULES) = ('/usr/sbin/apache2', '/usr/lib/apache2/modules');
for my $needed ($APACHE, "$MODULES/mod_perl.so", "$MODULES/mod_mpm_prefork.so") {
    plan skip_all => "no $needed (Debian: apache2-bin libapache2-mod-perl2)" if !-e $needed;
}

my ($REQUESTS, $WORKERS, $PAUSE_S) = (valgrind() ? 120 : 1200, 3, 1.5);

my $dir = scratch_dir();
mkdir "$dir/$_" or die "$dir/$_: $!\n" for qw(profiles lib lib/Site);
chmod 0755, $dir;                # if root starts Apache, its workers run as another user
chmod 01777, "$dir/profiles";
my $port = WebServer::free_port();

spew("$dir/lib/Site.pm", <<'END');
package Site;
use strict;
use warnings;
use Apache2::RequestIO ();
use Apache2::RequestRec ();
use Apache2::Const -compile => qw(OK);
sub handler {
    my ($r) = @_;
    my ($n) = ($r->args // '') =~ /n=(\d+)/;
    $r->content_type('text/plain');
    $r->print($$, ' ', work($n // 0), "\n");
    return Apache2::Const::OK;
}
sub work { my ($n) = @_; my $sum = 0; $sum += step($_) for 1 .. $n; return $sum }
sub step { return 2 * $_[0] }
1;
END
spew("$dir/lib/Site/Dies.pm",
    "package Site::Dies;\nsub handler {\n    fails();\n}\nsub fails {\n    die qq(no\\n);\n}\n1;\n");
spew("$dir/lib/Site/Part.pm", <<"END");
package Site::Part;
sub handler { my (\$r) = \@_; DB::enable_profile('$dir/profiles/part'); \$r->print(\$\$); return 0 }
1;
END
spew("$dir/script.pl", <<'END');
my $r = shift;
sub count { return 1 }
$r->content_type('text/plain');
print "$$ ", count() + count(), "\n";
END
spew("$dir/startup.pl",
    "my \$part = 0;\n\$SIG{USR2} = sub { DB::enable_profile('$dir/profiles/signal' . ++\$part) };\n1;\n");

my ($user, $group) = (scalar getpwuid(65534) // 'nobody', scalar getgrgid(65534) // 'nogroup');
# A copy of the collector, because that user may not be allowed to read the directory of this build.
my @libraries = (command(collector()))[1 .. 3];
if (collector() eq 'ours') {
    system('cp', '-r', build_dir() . '/perl5', "$dir/perl5") == 0 or die "cp failed\n";
    $libraries[0] = "-I$dir/perl5";
}
spew("$dir/httpd.conf", <<"END");
ServerRoot $dir
DefaultRuntimeDir $dir
PidFile $dir/httpd.pid
ErrorLog $dir/error.log
ServerName localhost
Listen 127.0.0.1:$port
User $user
Group $group
LoadModule mpm_prefork_module $MODULES/mod_mpm_prefork.so
LoadModule authz_core_module $MODULES/mod_authz_core.so
LoadModule alias_module $MODULES/mod_alias.so
LoadModule perl_module $MODULES/mod_perl.so
StartServers $WORKERS
MinSpareServers $WORKERS
MaxSpareServers $WORKERS
MaxRequestWorkers $WORKERS
PerlSwitches @libraries -I$dir/lib
PerlPassEnv NYTPROF
PerlModule Devel::NYTProf::Apache
PerlRequire $dir/startup.pl
PerlModule Site
<Location /site>
    SetHandler modperl
    PerlResponseHandler Site
</Location>
<Location /dies>
    SetHandler modperl
    PerlResponseHandler Site::Dies
</Location>
<Location /part>
    SetHandler modperl
    PerlResponseHandler Site::Part
</Location>
Alias /script $dir/script.pl
<Location /script>
    SetHandler perl-script
    PerlResponseHandler ModPerl::Registry
    Options +ExecCGI
</Location>
END

sub error_log { return -e "$dir/error.log" ? NYTPTest::slurp("$dir/error.log") : '' }

my $server = WebServer->start(
    [$APACHE, '-f', "$dir/httpd.conf", '-DFOREGROUND'],
    port => $port,
    dir  => $dir,
    ours => 1,
    env  => { clean_env(), NYTPROF => nytprof_value(file => "$dir/profiles/out") },
);
if (!$server) {
    fail('Apache starts');
    diag $@, error_log();
    done_testing();
    exit;
}
# ---- two generations of workers ---------------------------------------------------

my %first = ask_workers($server, '/site?n=3', $REQUESTS, 12);
cmp_ok scalar keys %first, '>', 1, 'several workers answer';
is $server->get('/dies'), "status 500\n", 'a handler that dies';
sleep $PAUSE_S;
my %scripts = ask_workers($server, '/script', $REQUESTS / 4, 2);
$server->signal('USR1');
my %second = ask_workers($server, '/site?n=3', $REQUESTS, 12);    # some of them still by the first generation
WebServer::until_true(sub { !grep { -e "/proc/$_" } keys %first });
is scalar(grep { -e "/proc/$_" } keys %first), 0, 'a graceful restart ends the workers';
my %third = ask_workers($server, '/site?n=3', $REQUESTS / 4, 12);
is scalar(grep { $third{$_} } keys %first), 0, '... and others answer';

# ---- a worker's profile while it goes on --------------------------------------------

my $asked = $server->get('/part');
my $part  = $asked // 'none';
ok -e "$dir/profiles/part.$part", 'a request begins a new file';
my $complete = made_by("$dir/profiles/out.$part");
ok $complete->{complete}, '... and completes the old one while the worker goes on';

my %more;
sub ask_more { my %of = ask_workers($server, '/site?n=3', 40, 12); $more{$_} += $of{$_} for keys %of; return }
my $signalled;
WebServer::until_true(sub { ask_more(); ($signalled) = grep { $_ ne $part } sort keys %more });
kill USR2 => $signalled // die "only one worker answers\n";
WebServer::until_true(sub { ask_more(); -e "$dir/profiles/signal1.$signalled" });
ok made_by("$dir/profiles/out.$signalled")->{complete}, 'a signal does so with the next request';

# ---- all of them -----------------------------------------------------------------------

$server->rest;
my $got = $server->stop('TERM');
is $got->{status}, 0, 'Apache ends' or diag explain($got), error_log();
unlike error_log(), qr/segfault|exit signal|NYTProf/i, '... without a complaint';

my %site;
for my $of (\%first, \%second, \%third, \%more) { $site{$_} += $of->{$_} for keys %$of }
$site{$_} //= 0 for keys %scripts;
for my $pid (sort keys %site) {
    my $name = $first{$pid} ? 'first worker' : 'later worker';
    my @parts = map { "$dir/profiles/$_.$pid" } 'out', 'part', 'signal1';
    check_worker($name, [grep { -e } @parts],
        handler => 'Site::handler', handled => $site{$pid}, step => 'Site::step', steps => 3,
        under_way => -e $parts[2] ? 1 : 0,         # the request that the signal interrupted is in both files
        waited_s => $first{$pid} ? $PAUSE_S : 0);
}
check_merged([glob "$dir/profiles/*"], 'Site::step' => 3 * sum(values %site));

my $counts = 0;
for my $file (glob "$dir/profiles/*") {
    my $profile = made_by($file);
    ok $profile->{complete}, "whole: $file" or diag $profile->{error} // 'no end of process';
    $counts += $_->{count} for grep { $_->{called} =~ /^ModPerl::ROOT::.*::count$/ } values %{ $profile->{arcs} };
}
is $counts, 2 * $REQUESTS / 4, 'the subs of a Registry script are in them, too';

done_testing();
