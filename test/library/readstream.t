# The reader delivers what stock's ReadStream delivers: every chunk, every value.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use StockModules;

use Devel::NYTProf::ReadStream qw(for_chunks);
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir record run scratch_dir spew);
use Test::More;

my $dump    = build_dir() . '/test/dump-chunks';
my $scratch = scratch_dir();
die "$dump is not there; `make prove` builds it first\n" if !-x $dump;

# The arguments of each chunk: u number, n float, s string.
my %arguments = (
    VERSION     => 'uu',
    COMMENT     => 's',
    ATTRIBUTE   => 'ss',
    OPTION      => 'ss',
    PID_START   => 'uun',
    PID_END     => 'un',
    NEW_FID     => 'uuuuuus',
    TIME_LINE   => 'uuu',
    TIME_BLOCK  => 'uuuuu',
    SUB_ENTRY   => 'uu',
    SUB_RETURN  => 'unns',
    SUB_INFO    => 'uuus',
    SUB_CALLERS => 'uuunnnuss',
    SRC_LINE    => 'uus',
);

my %as_text = (
    u => sub { return sprintf '%d',    $_[0] },
    n => sub { return sprintf '%.17g', $_[0] },
    s => sub {
        my ($s) = @_;
        my $tag = utf8::is_utf8($s) ? '"' : "'";
        utf8::encode($s) if $tag eq '"';
        $s =~ s/([^!-\$&-~])/sprintf '%%%02X', ord $1/ge;
        return $tag . $s;
    },
);

# A chunk as dump-chunks prints it.
sub line_of {
    my ($tag, @values) = @_;
    chomp $values[0] if $tag eq 'COMMENT';
    my @types = split //, $arguments{$tag} // '';
    return join "\t", $tag, map { $as_text{ $types[$_] // 's' }->($values[$_]) } 0 .. $#values;
}

# The number of chunks that stock delivers, and the first difference. With
# $more_is_fine stock may give up, and ours go on.
sub compare {
    my ($path, $dumped, $more_is_fine) = @_;
    my ($chunks, $difference) = (0, undef);
    open my $ours, '<:raw', $dumped or die "$dumped: $!\n";
    my $check = sub {
        my $stock = line_of(@_);
        my $line  = readline($ours) // "nothing\n";
        chomp $line;
        $chunks++;
        $difference //= "chunk $chunks:\n  stock $stock\n  ours  $line" if $stock ne $line;
    };
    my $whole = eval { for_chunks(\&$check, filename => $path, quiet => 1); 1 };
    return ($chunks, $difference) if $more_is_fine && !$whole;
    die $@ if !$whole;
    my $more = readline $ours;
    $difference //= "one more than stock: $more" if defined $more;
    return ($chunks, $difference);
}

my @recordings = recordings();
cmp_ok(scalar @recordings, '>=', 6, 'there are recordings to compare');
my %seen;
for my $recording (@recordings) {
    my $got = run([$dump, $recording->{path}]);
    is($got->{status}, 0,  "$recording->{name}: read to the end");
    is($got->{err},    '', "$recording->{name}: nothing to complain of");
    my ($chunks, $difference) = compare($recording->{path}, spew("$scratch/dump", $got->{out}));
    ok($chunks > 50 && !$difference, "$recording->{name}: $chunks chunks are the same")
        or diag($difference);
    $seen{$_}++ for $got->{out} =~ /^(\w+)/mg;
}
is_deeply([sort keys %seen], [sort 'DISCOUNT', 'START_DEFLATE', keys %arguments], 'every kind of chunk was seen');

# A process that was killed: stock dies when it finds out.
my $cut = record('killed', ['-e', "require './test/scripts/calls.pl'; fib(23); kill KILL => \$\$"], calls => 2);
my $got = run([$dump, $cut]);
is($got->{status}, 1, 'killed: not the end');
like($got->{err}, qr/\Q$cut\E: cut short at offset \d+ of the inflated data.*; no end of process \d+$/,
    'killed: said so');
my ($chunks, $difference) = compare($cut, spew("$scratch/dump", $got->{out}), 'more is fine');
ok($chunks > 50 && !$difference, "killed: $chunks chunks are the same") or diag($difference);

done_testing();
