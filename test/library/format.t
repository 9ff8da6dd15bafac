# What doc/format.md says is true: its table, and its reader.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use StockModules;

use Devel::NYTProf::ReadStream qw(for_chunks);
use NYTPTest qw(record run scratch_dir slurp spew top_dir);
use Test::More;

my $page = slurp(top_dir() . '/doc/format.md');
my ($code) = $page =~ /^```perl\n(.*?)^```$/ms;
my $reader = spew(scratch_dir() . '/reader.pl', $code);

# The table says the same as the library and as the reader.
my (%name_of, %in_table);
for ($page =~ /^(\| `.` \| [A-Z_]+ \| .*)$/mg) {
    my ($tag, $name, $fields) = /^\| `(.)` \| (\w+) \| (.*) \|$/ or next;
    $name_of{$tag}  = $name;
    $in_table{$tag} = join '', $fields =~ /`([uins])(?:32|v|tr)`/g if $tag !~ /[#:!z]/;
}
my ($enum) = slurp(top_dir() . '/lib/nytprof.h') =~ /typedef enum nytp_tag \{(.*?)\}/s;
my %in_header = reverse $enum =~ /NYTP_(\w+) = '(.)'/g;
delete $in_header{N};    # the header line
is_deeply(\%name_of, \%in_header, 'the table has all tags');
my ($hash) = $code =~ /^my %fields = \((.*?)^\);/ms;
is_deeply({ $hash =~ /'(.)' => '(\w*)'/g }, \%in_table, 'and their fields, as the reader has them');

# A chunk as the reader prints it, from what the stock module says.
sub line {
    my ($name, @values) = @_;
    my %tag_of = reverse %name_of;
    @values = @values[0, 3, 1, 2] if $name eq 'SUB_INFO';
    @values = @values[0, 1, 8, 2 .. 7] if $name eq 'SUB_CALLERS';
    @values = (join '=', @values) if $name =~ /ATTRIBUTE|OPTION/;
    chomp $values[0] if $name eq 'COMMENT';
    return join("\t", $tag_of{$name}, @values) . "\n";
}

for my $compress (0, 6) {
    my $profile  = record("format-$compress", ['test/scripts/evals.pl'], calls => 2, compress => $compress,
        blocks => 1);
    my $expected = '';
    for_chunks { $expected .= line(@_) if $_[0] !~ /VERSION|START_DEFLATE/ } filename => $profile, quiet => 1;
    my $got = run([$^X, $reader], stdin => slurp($profile));
    is($got->{err}, '', "compress=$compress: the reader reads it");
    utf8::encode($expected);
    ok($got->{out} eq $expected, "compress=$compress: and prints what stock reads");
    cmp_ok($expected =~ tr/\n//, '>', 100, "compress=$compress: there is enough of it");
    $got = run([$^X, $reader], stdin => substr slurp($profile), 0, -200);
    ok($got->{err} eq "cut short\n" || $got->{err} eq '', "compress=$compress: the reader accepts a cut profile")
        or diag($got->{err});
    is(index($expected, $got->{out}), 0, "compress=$compress: and prints what is there");
}

done_testing();
