# A shop that sells records. Its pages come from SQLite by DBIx::Class, and each has a span. /albums asks for the artist of each album
# by a query of its own. test/tools/pictures shows its queries.
use strict;
use warnings;

package Shop::Artist {
    use parent 'DBIx::Class::Core';
    __PACKAGE__->table('artist');
    __PACKAGE__->add_columns(qw(id name country));
    __PACKAGE__->set_primary_key('id');
}

package Shop::Album {
    use parent 'DBIx::Class::Core';
    __PACKAGE__->table('album');
    __PACKAGE__->add_columns(qw(id artist title year price));
    __PACKAGE__->set_primary_key('id');
    __PACKAGE__->belongs_to(by => 'Shop::Artist', 'artist');
}

package Shop::Sale {
    use parent 'DBIx::Class::Core';
    __PACKAGE__->table('sale');
    __PACKAGE__->add_columns(qw(id album day pieces));
    __PACKAGE__->set_primary_key('id');
    __PACKAGE__->belongs_to(of => 'Shop::Album', 'album');
}

package Shop {
    use parent 'DBIx::Class::Schema';
    __PACKAGE__->register_class($_ => "Shop::$_") for qw(Artist Album Sale);
}

package main;

use NYTProf::Span;

my $shop = Shop->connect('dbi:SQLite:dbname=:memory:', '', '', { AutoCommit => 1 });

sub fill {
    my ($dbh) = @_;
    $dbh->do("CREATE TABLE $_") for 'artist (id INTEGER PRIMARY KEY, name, country)', 'album (id INTEGER PRIMARY KEY, artist, title, year, price)',
        'sale (id INTEGER PRIMARY KEY, album, day, pieces)';
    $dbh->begin_work;
    my %insert = map { $_->[0] => $dbh->prepare("INSERT INTO $_->[0] VALUES (@{[ join ',', ('?') x $_->[1] ]})") } [artist => 3], [album => 5], [sale => 4];
    $insert{artist}->execute($_, "Artist $_", $_ % 7 ? 'IS' : 'NO') for 1 .. 60;
    $insert{album}->execute($_, 1 + $_ % 60, "Album $_", 1970 + $_ % 50, 10 + $_ % 9) for 1 .. 120;
    $insert{sale}->execute($_, 1 + $_ % 120, $_ % 365, 1 + $_ % 3) for 1 .. 20_000;
    $dbh->commit;
    return;
}

sub albums {
    my @rows = $shop->resultset('Album')->search({}, { order_by => 'title' })->all;
    return join "\n", map { $_->title . ' by ' . $_->by->name } @rows;
}

sub best_sellers {
    my ($country) = @_;
    my @rows = $shop->resultset('Sale')->search({ 'by.country' => $country, 'me.day' => { '>' => 180 } },
        { join => { of => 'by' }, select => ['of.title', { sum => 'me.pieces', -as => 'sold' }], as => [qw(title sold)],
            group_by => 'of.title', order_by => { -desc => 'sold' }, rows => 10 })->all;
    return join "\n", map { $_->get_column('title') . ': ' . $_->get_column('sold') } @rows;
}

sub album {
    my ($id) = @_;
    my $album = $shop->resultset('Album')->find($id, { prefetch => 'by' });
    return $album->title . ' by ' . $album->by->name . ', ' . $shop->resultset('Sale')->search({ album => $id })->get_column('pieces')->sum . ' sold';
}

sub page {
    my ($path) = @_;
    return albums() if $path eq '/albums';
    return best_sellers($1) if $path =~ m{^/best/(\w+)};
    return album($1) if $path =~ m{^/albums/(\d+)};
    return 'not found';
}

sub load {
    my ($path) = @_;
    my $span = span('GET ' . $path =~ s{/\d+\z}{/*}r);
    my $text = page($path);
    $text =~ s/&/&amp;/g;
    $text =~ s{^(.*)$}{<p>$1</p>}gm;
    return $text;
}

fill($shop->storage->dbh);
my $bytes = 0;
for my $round (1 .. shift // 8) {
    $bytes += length load($_) for '/albums', '/best/IS', '/best/NO', map { '/albums/' . (1 + ($round * 7 + $_) % 120) } 1 .. 5;
}
print "$bytes bytes\n";
