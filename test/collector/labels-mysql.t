# labels=sql on a MariaDB of our own, by each driver: "..." is a string there, and # begins a comment. Needs
# EXHAUSTIVE=1.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(exhaustive need_collector plain profiled same_behaviour);
use POSIX qw(WNOHANG);
use NYTPTest qw(run scratch_dir slurp);
use SubTable qw(calls_of);
use Test::More;
use Time::HiRes qw(sleep time);

need_collector();
plan skip_all => 'EXHAUSTIVE=1 starts a MariaDB' if !exhaustive();
my ($server, $install) = map { my $name = $_;
    (grep { -x } map { "$_/$name" } split(/:/, $ENV{PATH}), '/usr/sbin')[0] } qw(mariadbd mariadb-install-db);
plan skip_all => 'MariaDB is missing (Debian: mariadb-server-core)' if !$server || !$install;
my @drivers = grep { eval "require DBD::$_; 1" } qw(MariaDB mysql);
plan skip_all => 'no driver is there (Debian: libdbd-mariadb-perl, libdbd-mysql-perl)' if !@drivers;

my $dir    = scratch_dir();
my $socket = "$dir/socket";
my $user   = getpwuid $>;
mkdir "$dir/data" or die "$dir/data: $!\n";
my $got    = run([$install, '--no-defaults', "--datadir=$dir/data", "--user=$user"]);
is($got->{status}, 0, 'a database') or diag($got->{out}, $got->{err});
my $pid = fork // die "fork: $!\n";
if ($pid == 0) {
    open STDERR, '>', "$dir/log" or die;
    exec $server, '--no-defaults', "--datadir=$dir/data", "--socket=$socket", '--skip-networking',
        "--user=$user" or die "$server: $!\n";
}
END { kill TERM => $pid and waitpid $pid, 0 if $pid }
my $until = time + 300;
sleep 0.1 while !-S $socket && time < $until && !waitpid $pid, WNOHANG;
ok(-S $socket, 'it runs') or BAIL_OUT(slurp("$dir/log"));

my $program = <<'PERL';
use strict; use warnings; use DBI;
my ($driver, $socket, $user) = @ARGV;
my $dbh = DBI->connect("dbi:$driver:database=test;\L${driver}\E_socket=$socket;password=secret0", $user, 'secret8', { RaiseError => 1, PrintError => 0 });
$dbh->do('CREATE TEMPORARY TABLE t (id INT, name TEXT)');
$dbh->do('INSERT INTO t VALUES (1, "secret1"), (2, \'it\'\'s secret\') # secret3');
$dbh->do('INSERT INTO t VALUES (3, "a\"secret")');
$dbh->do('INSERT INTO t VALUES (?, ?)', undef, 4, 'secret4');
for my $prepare (0, 1) {
    my $sth = $dbh->prepare('SELECT `name` FROM t WHERE id = ?', { "\L${driver}\E_server_prepare" => $prepare });
    for my $id (1, 2) { $sth->execute($id); while (my $row = $sth->fetchrow_arrayref) { print "@$row\n" } }
}
print scalar @{ $dbh->selectall_arrayref('SELECT * FROM t WHERE name LIKE "secret%" AND id IN (1, 2)', { Slice => {} }) }, "\n";
print join(',', $dbh->selectrow_array('SELECT /* secret5 */ 0x2a, "secret6", name FROM t WHERE id = 1')), "\n";
eval { $dbh->do('SELECT "secret7" FROM nowhere') }; print $dbh->state, "\n";
$dbh->disconnect;
PERL

for my $driver (@drivers) {
    my @program = ('-e', $program, $driver, $socket, $user);
    my $plain   = plain(\@program);
    my ($with, $without) = map { profiled('ours', \@program, options => $_) } { labels => 'sql', compress => 0,
        savesrc => 0 }, {};
    is("$plain->{status} $plain->{err}", '0 ', "$driver: the program runs");
    same_behaviour($plain, $with, $driver);
    is_deeply(calls_of($with->{files}, '--no-labels'), calls_of($without->{files}),
        "$driver: --no-labels counts as without labels");
    unlike(slurp($with->{files}[0]), qr/secret/, "$driver: no literal and no password is in the profile");
    my $calls  = calls_of($with->{files});
    my %labels = map { /^DBI::(connect|db::\w+|st::execute) (.+)/s ? ("$1 $2" => $calls->{$_}) : () } keys %$calls;
    my %expected = (
        "connect dbi:$driver:database=test" => 1, 'db::do CREATE TEMPORARY TABLE t (id INT, name TEXT)' => 1,
        'db::do INSERT INTO t VALUES (?+)' => 2, 'db::do INSERT INTO t VALUES (?+...' => 1,
        'st::execute SELECT `name` FROM t WHERE id = ?' => 4, 'db::prepare SELECT `name` FROM t WHERE id = ?' => 2,
        'db::selectall_arrayref SELECT * FROM t WHERE name LIKE ? AND id IN (?+)' => 1,
        'db::selectrow_array SELECT ?+, name FROM t WHERE id = ?' => 1, 'db::do SELECT ? FROM nowhere' => 1,
    );
    is_deeply({ map { $_ => $labels{$_} } keys %expected }, \%expected, "$driver: each statement is a sub")
        or diag(explain(\%labels));
}

done_testing();
