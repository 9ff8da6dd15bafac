# Spends most of its time in xsubs, of DBI, Digest::SHA and List::Util: as many rounds as the argument says.

use strict;
use warnings;

use DBI;
use Digest::SHA;
use List::Util qw(max sum uniq);

my $dbh = DBI->connect('dbi:SQLite:dbname=:memory:', '', '', { RaiseError => 1 });
$dbh->do('create table items (id integer primary key, name text, value integer)');

sub fill {
    my $insert = $dbh->prepare('insert into items (name, value) values (?, ?)');
    $dbh->begin_work;
    $insert->execute("name $_", $_ * 7919 % 1009) for 1 .. 2000;
    $dbh->commit;
    return;
}

sub all_rows {
    my $query = $dbh->prepare_cached('select name, value from items where value > ? order by value');
    $query->execute(300);
    return $query->fetchall_arrayref;
}

sub each_row {
    my $query = $dbh->prepare_cached('select id, name, value from items where value < ?');
    my $sum   = 0;
    $query->execute(300);
    while (my $row = $query->fetchrow_arrayref) { $sum += $row->[2] }
    return $sum;
}

sub slow_query {
    my $query = $dbh->prepare_cached('select count(*) from items a, items b where a.value = b.value + 1 and a.id < 40');
    $query->execute;
    return $query->fetchall_arrayref;
}

sub digest {
    my ($rows) = @_;
    my $sha = Digest::SHA->new(256);
    $sha->add($_->[0] x 20) for @$rows;
    return $sha->hexdigest;
}

sub sums {
    my ($rows) = @_;
    my @values = map { $_->[1] } @$rows;
    return sum(@values) + max(@values) + uniq(@values);
}

fill();
for (1 .. $ARGV[0]) {
    my $rows = all_rows();
    digest($rows);
    sums($rows) for 1 .. 5;
    each_row();
    slow_query();
}
