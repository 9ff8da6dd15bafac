# nytp-record on real servers that run already: the workers of a Starman, and Apache's with mod_perl, where perl is in
# a library of a program that has changed its user.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env);
use NYTPTest qw(build_dir run scratch_dir spew until_true);
use POSIX ();
use Sampled qw(may_sample recorder);
use Test::More;
use WebServer;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my $dir = scratch_dir();
chmod 0755, $dir;

# Has three clients keep the workers busy while the server is sampled, until there are such stacks, and until nytp-top
# shows that sub. Returns both.
sub sampled {
    my ($server, $path, $wanted, $sub) = @_;
    my $test    = $$;
    my @clients = map {
        my $pid = fork // die;
        if ($pid == 0) {
            $SIG{TERM} = sub { POSIX::_exit(0) };
            $server->get($path) while getppid == $test;
            POSIX::_exit(0);
        }
        $pid
    } 1 .. 3;
    my ($got, $stacks, $top);
    until_true(sub {
        unlink glob "$dir/out*";
        $got    = run([recorder(), '--children', '-p', $server->{job}{pid}, '-d', 1, '-o', "$dir/out"]);
        $stacks = join '', map { run([build_dir() . '/bin/nytprofcalls', $_])->{out} } glob "$dir/out*";
        return $got->{status} != 0 || $stacks =~ $wanted;
    }, $server->{job}{pid});
    until_true(sub {
        $top = run([build_dir() . '/bin/nytp-top', '--children', '-p', $server->{job}{pid}, '--batch=1'])->{out};
        return $top =~ /\Q$sub\E$/m;
    }, $server->{job}{pid});
    kill TERM => @clients;
    waitpid $_, 0 for @clients;
    return ($got, $stacks, $top);
}

my $work = 'sub work { my ($n) = @_; my $sum = 0; $sum += step($_) for 1 .. $n; return $sum } sub step { return 2 * '
    . '$_[0] }';

SKIP: {
    my ($starman) = grep { -e } map { "$_/starman" } split /:/, $ENV{PATH};
    skip 'no starman (Debian: starman)', 4 if !$starman;
    spew("$dir/app.psgi",
        "package Site; sub app { return [200, [], [\$_[0]{PATH_INFO} eq '/site' ? work(20000) : 'ready']] } $work "
        . "\\&app;");
    my $port   = WebServer::free_port();
    my $server = WebServer->start([$starman, '--workers', 2, '--host', '127.0.0.1', '--port', $port,
        '--disable-keepalive', "$dir/app.psgi"],
        port => $port, dir => $dir, env => { clean_env() });
    ok($server, 'Starman starts') or skip $@, 3;
    my $wanted = qr/Starman::Server::\S*;Site::app;Site::work;Site::step \d/;
    my ($got, $stacks, $top) = sampled($server, '/site', $wanted, 'Site::step');
    is($got->{status}, 0, 'it is sampled') or diag($got->{err});
    like($stacks, $wanted, 'its workers, down to the application');
    like($top, qr/Site::step$/m, 'nytp-top has them, too');
    $server->stop('TERM');
}

SKIP: {
    my ($apache, $modules) = ('/usr/sbin/apache2', '/usr/lib/apache2/modules');
    skip 'no Apache with mod_perl (Debian: apache2-bin libapache2-mod-perl2)', 4 if grep { !-e } $apache,
        "$modules/mod_perl.so";
    skip 'workers of another user can be read by root only', 4 if $> != 0;
    mkdir "$dir/lib" or die;
    spew("$dir/lib/Site.pm",
        "package Site; use Apache2::RequestIO (); use Apache2::RequestRec (); sub handler { my \$r = shift; "
        . "\$r->content_type('text/plain'); \$r->print(work(20000)); return 0 } $work 1;");
    my $port = WebServer::free_port();
    my ($user, $group) = (scalar getpwuid(65534) // 'nobody', scalar getgrgid(65534) // 'nogroup');
    spew("$dir/httpd.conf", join '', map { "$_\n" } "ServerRoot $dir", "DefaultRuntimeDir $dir",
        "PidFile $dir/httpd.pid",
        "ErrorLog $dir/error.log", 'ServerName localhost', "Listen 127.0.0.1:$port", "User $user", "Group $group",
        (map { "LoadModule ${_}_module $modules/mod_$_.so" } qw(mpm_prefork authz_core perl)), 'StartServers 2',
        'MinSpareServers 2',
        'MaxSpareServers 2', 'MaxRequestWorkers 2', "PerlSwitches -I$dir/lib", 'PerlModule Site', '<Location />',
        'SetHandler modperl',
        'PerlResponseHandler Site', '</Location>');
    my $server = WebServer->start([$apache, '-f', "$dir/httpd.conf", '-DFOREGROUND'], port => $port, dir => $dir,
        env => { clean_env() });
    ok($server, 'Apache starts') or skip $@, 3;
    my $wanted = qr/^Site::handler;Site::work;Site::step \d/m;
    my ($got, $stacks, $top) = sampled($server, '/', $wanted, 'Site::step');
    is($got->{status}, 0, 'it is sampled') or diag($got->{err});
    like($stacks, $wanted, 'its workers, whose perl is in a library');
    like($top, qr/Site::step$/m, 'nytp-top has them, too');
    $server->stop('TERM');
}

done_testing();
