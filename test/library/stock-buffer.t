# Stock's reader loses an attribute whose line lies in two of its buffers, of 163,840 inflated bytes each, so no writer
# of ours puts one there: nytprofmerge and the collector, with attributes at 40 places around two boundaries.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(profiled tool);
use NYTPTest qw(run scratch_dir spew);
use ProfileBytes qw(profile_bytes);
use StockModules;
use Test::More;

my $BUFFER = 163_840;
my $dir    = scratch_dir();

# The attributes with names like that, in order, as stock's reader has them: { path => [value, ...] }.
sub read_by_stock {
    my ($key, @paths) = @_;
    my $program = 'use Devel::NYTProf::ReadStream qw(for_chunks); my $key = shift;
        for my $path (@ARGV) { for_chunks { print "$path $_[2]\n" if $_[0] eq "ATTRIBUTE" && $_[1] =~ /^$key/ } filename => $path }';
    my $got = run([StockModules::command(), '-e', $program, $key, @paths]);
    is("$got->{status} $got->{err}", '0 ', 'stock reads them without a warning');
    my %read;
    m{^(/\S+) (.*)} and push @{ $read{$1} }, $2 for split /\n/, $got->{out};
    return \%read;
}

# A run of attributes around each of two boundaries, which nytprofmerge leaves where they are. What comes before has
# another length each time, and nytprofmerge changes it by some hundred bytes.
my %written;
for my $shift (0 .. 39) {
    my @chunks = ([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], ['START_DEFLATE'],
        [PID_START => 7, 1, 0],
        [NEW_FID => 1, 0, 0, 0x10, 0, 0, 'a.pl'], [SUB_RETURN => 1, 1, 1, 'main::' . 'n' x $shift]);
    my $path = "$dir/merged$shift";
    for my $boundary (1, 2) {
        my @filled = map { [SUB_RETURN => 1, 1, 1, 'main::' . 'x' x 1600] } 1 .. 100;
        my @values = map { "$boundary$_ " . 'v' x ($_ % 9) } 100 .. 249;
        push @chunks, @filled, map { [ATTRIBUTE => 'clock', $_] } @values;
        push @{ $written{$path} }, @values;
    }
    my $source = spew("$dir/source", profile_bytes(@chunks, [PID_END => 7, 1]));
    my $got    = run([tool('nytprofmerge'), '-o', $path, $source]);
    is("$got->{status} $got->{err}", '0 ', 'nytprofmerge') if $got->{status} || $got->{err} ne '';
}
is_deeply(read_by_stock('clock', keys %written), \%written, 'all attributes of what nytprofmerge has written');

SKIP: {
    skip 'there is no collector', 1 if !tool('../perl5/auto/Devel/NYTProf/NYTProf.so');
    my $spans = 1500;
    my $got   = profiled('ours', ['-e', "for (1 .. $spans) { my \$span = DB::begin_span(\$_ . 'x' x 300) }"],
        options => { labelmax => 10_000 });
    is("$got->{status} $got->{err}", '0 ', 'the collector');
    my $read = read_by_stock('label_', $got->{files}[0]);
    is(scalar @{ $read->{ $got->{files}[0] } }, $spans, 'all labels of what the collector has written');
}

done_testing();
