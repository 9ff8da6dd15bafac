# labels=sql on a PostgreSQL of our own: which statements, and nothing of what is in them. Needs EXHAUSTIVE=1.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(exhaustive need_collector optional_module plain profiled same_behaviour);
use NYTPTest qw(run slurp);
use SubTable qw(calls_of);
use Test::More;

need_collector();
plan skip_all => 'EXHAUSTIVE=1 starts a PostgreSQL' if !exhaustive();
plan skip_all => 'DBD::Pg is missing (Debian: libdbd-pg-perl)' if !optional_module('DBD::Pg', 'libdbd-pg-perl');
if (!$ENV{IN_PG_VIRTUALENV}) {
    my ($command) = grep { -x } map { "$_/pg_virtualenv" } split /:/, $ENV{PATH};
    plan skip_all => 'pg_virtualenv is missing (Debian: postgresql)' if !$command;
    $ENV{IN_PG_VIRTUALENV} = 1;
    exec $command, $^X, $0 or die "$command: $!\n";
}

my @program = ('-e', <<'END');
use strict; use warnings; use DBI;
my $dbh = DBI->connect("dbi:Pg:dbname=postgres;host=$ENV{PGHOST};port=$ENV{PGPORT};password=$ENV{PGPASSWORD};options=-csecret.x=1",
    $ENV{PGUSER}, $ENV{PGPASSWORD}, { RaiseError => 1, PrintError => 0 });
$dbh->do('CREATE TEMP TABLE t (id int, name text)');
$dbh->do("INSERT INTO t VALUES (1, 'secret1'), (2, 'it''s secret')");
$dbh->do("INSERT INTO t VALUES (3, E'a\\'secret')");
$dbh->do('INSERT INTO t VALUES (?, ?)', undef, 4, 'secret4');
$dbh->do('COPY t FROM STDIN'); $dbh->pg_putcopydata("5\tsecret5\n"); $dbh->pg_putcopyend;
$dbh->do('COPY (SELECT id FROM t) TO STDOUT'); my $line; 1 while $dbh->pg_getcopydata($line) >= 0;
for my $prepare (0, 1) {
    my $sth = $dbh->prepare('SELECT name FROM t WHERE id = $1', { pg_server_prepare => $prepare });
    for my $id (1, 2) { $sth->execute($id); while (my $row = $sth->fetchrow_arrayref) { print "@$row\n" } }
}
my $named = $dbh->prepare('SELECT id FROM t WHERE name = :name'); $named->bind_param(':name', 'secret4'); $named->execute;
print scalar @{ $named->fetchall_arrayref }, "\n";
$dbh->do(q{DO $x$ BEGIN PERFORM 'secret'; END $x$});
$dbh->do("CREATE ROLE a_role PASSWORD 'secret'"); $dbh->do('DROP ROLE a_role');
eval { $dbh->do("SELECT 'secret' FROM nowhere") }; print $DBI::state, "\n";
eval { $dbh->selectrow_array('SELECT name FROM t WHERE id = $1', undef, 'secret') }; print $DBI::state, "\n";
print join(',', $dbh->selectrow_array(q{SELECT 'secret'::text, "name" FROM t WHERE id = 1})), "\n";
$dbh->begin_work; $dbh->do('UPDATE t SET name = upper(name) WHERE id IN (1, 2)'); $dbh->rollback;
print scalar @{ $dbh->selectall_arrayref("SELECT * FROM t WHERE name LIKE 'secret%'", { Slice => {} }) }, "\n";
END

my $plain = plain(\@program);
my ($with, $without) = map { profiled('ours', \@program, options => $_) } { labels => 'sql', compress => 0,
    savesrc => 0 }, {};
same_behaviour($plain, $with, 'PostgreSQL');
is_deeply(calls_of($with->{files}, '--no-labels'), calls_of($without->{files}), '--no-labels counts as without labels');
unlike(slurp($with->{files}[0]), qr/secret|\Q$ENV{PGPASSWORD}\E/i, 'no literal and no password is in the profile');

my $calls = calls_of($with->{files});
my %labels = map { /^DBI::(connect|db::\w+|st::execute) (.+)/s ? ("$1 $2" => $calls->{$_}) : () } keys %$calls;
my %expected = (
    "connect dbi:Pg:dbname=postgres,host=$ENV{PGHOST},port=$ENV{PGPORT}" => 1,
    'db::do CREATE TEMP TABLE t (id int, name text)' => 1, 'db::do INSERT INTO t VALUES (?+)' => 2,
    'db::do INSERT INTO t VALUES (?+...' => 1,
    'db::do COPY t FROM STDIN' => 1, 'db::do COPY (SELECT id FROM t) TO STDOUT' => 1, 'db::do DO ?' => 1,
    'db::do CREATE ROLE a_role PASSWORD ?' => 1, 'db::do DROP ROLE a_role' => 1, 'db::do SELECT ? FROM nowhere' => 1,
    'db::do UPDATE t SET name = upper(name) WHERE id IN (?+)' => 1,
    'st::execute SELECT name FROM t WHERE id = $1' => 4, 'db::prepare SELECT name FROM t WHERE id = $1' => 3,
    'st::execute SELECT id FROM t WHERE name = :name' => 1,
    'db::selectrow_array SELECT name FROM t WHERE id = $1' => 1,
    'db::selectrow_array SELECT ?:text, "name" FROM t WHERE id = ?' => 1,
    'db::selectall_arrayref SELECT * FROM t WHERE name LIKE ?' => 1,
);
is_deeply({ map { $_ => $labels{$_} } keys %expected }, \%expected, 'each statement is a sub')
    or diag(explain(\%labels));

done_testing();
