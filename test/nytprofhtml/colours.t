# The colours of areas: what is written on them can be read, and who cannot tell red from green, or blue from yellow, can
# tell the most important ones apart. Which sub has which colour depends on the whole profile alone.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use List::Util qw(max min sum);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;

# ---- distances ----

my ($light, $dark) = slurp("$FindBin::Bin/../../converters/nytprofhtml/page/base.css") =~ /^:root \{(.*?)\}.*?^\@media \(prefers-color-scheme: dark\) \{(.*?)\}/ms;
my %WHAT_EYES_SEE = (    # of linear red, green and blue: Machado, Oliveira, Fernandes (2009), severity 1
    protanopia   => [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    deuteranopia => [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    tritanopia   => [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    all          => [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
);

sub product { my ($matrix, $of) = @_; return [map { my $row = $_; sum(map { $row->[$_] * $of->[$_] } 0 .. 2) } @$matrix] }

sub linear { return [map { my $part = hex($_) / 255; $part <= 0.04045 ? $part / 12.92 : (($part + 0.055) / 1.055)**2.4 } $_[0] =~ /^#(..)(..)(..)/] }

# A colour in OKLab: distances there are those that people see.
sub seen {
    my ($eyes, $color) = @_;
    my $lms = product([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005]], [map { min(1, max(0, $_)) } @{ product($WHAT_EYES_SEE{$eyes}, linear($color)) }]);
    return product([[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660]], [map { $_**(1 / 3) } @$lms]);
}

sub distance { my ($x, $y) = @_; return 100 * sqrt sum(map { ($x->[$_] - $y->[$_])**2 } 0 .. 2) }

sub luminance { return sum(map { [0.2126, 0.7152, 0.0722]->[$_] * linear($_[0])->[$_] } 0 .. 2) }

sub contrast { my ($more, $less) = sort { $b <=> $a } map { luminance($_) } @_; return ($more + 0.05) / ($less + 0.05) }

for (['light', $light, 7], ['dark', $dark, 4]) {
    my ($scheme, $rules, $least) = @$_;
    my %color = $rules =~ /--([\w-]+): (#[0-9a-f]{6})/g;
    my @areas = grep { defined } map { $color{"area-$_"} } 0 .. 14;
    is(scalar @areas, 15, "$scheme: colours");
    is_deeply([grep { contrast($color{'flame-ink'}, $_) < 4.5 } @areas], [], '... on which text can be read');
    cmp_ok(contrast(@color{qw(ink here)}), '>=', 4.5, '... also on the bar behind a number');
    cmp_ok(distance(map { seen(all => $color{$_}) } qw(back here)), '>', $scheme eq 'dark' ? 9 : 2, '... which is seen');
    my @near = @areas[0, 1, 3 .. 7];
    for my $eyes (sort keys %WHAT_EYES_SEE) {
        my @seen = map { seen($eyes, $_) } @near;
        my $closest = min(map { my $x = $_; map { distance($seen[$x], $seen[$_]) } 0 .. $x - 1 } 1 .. $#seen);
        cmp_ok($closest, '>=', $least, "... which $eyes can tell apart: own code, built-ins, the five largest namespaces");
    }
}

# ---- one rule ----

# Sub number n has its time in second n.
sub profile {
    my ($name, %ticks) = @_;
    my @subs = sort keys %ticks;
    my $path = scratch_dir() . "/$name.out";
    spew($path, profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => 'privlib', '/perl'],
        [ATTRIBUTE => 'inc', '/perl'], [PID_START => 7, 1, 1], [NEW_FID => 1, 0, 0, 2, 0, 0, '/srv/o.pl'],
        [NEW_FID => 2, 0, 0, 2, 0, 0, '/perl/M.pm'],
        (map { ([TIME_LINE => $ticks{$_}, 1, 1], [SUB_RETURN => 1, $ticks{$_}, $ticks{$_}, $_]) } @subs),
        (map { [SUB_INFO => /^(?:main|Mine)::/ ? 1 : 2, $_, 1, 1] } grep { !/XS|CORE/ } @subs),
        (map { [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, $ticks{$_} / 1000, $ticks{$_} / 1000, 0, 0, $_] } @subs),
        (map { [SUB_CALLERS => 0, 0, '', 0, 0, 0, 0, 0, $_] } grep { /XS|CORE/ } @subs),
        [PID_END => 7, 1 + sum(values %ticks) / 1000]));
    return $path;
}

# The area of each sub, by name: that of a named one as its name and number.
sub areas {
    my (@command) = @_;
    my $core = ReportPage->new(run([build_dir() . '/bin/nytprofhtml', '-o', '-', @command])->{out})->{core};
    my @names = ('own', 'built-ins', 'others', map { "$core->{namespaces}[$_] " . ($_ + 3) } 0 .. 9);
    my %area;
    my $subs = $core->{subs};
    $area{ $subs->{name}[$_] } = $names[$subs->{area}[$_]] for 0 .. $#{ $subs->{name} };
    return \%area;
}

my %ticks = ('main::f' => 900, 'Mine::XS' => 10, 'Mine::own' => 20, 'main::CORE:print' => 800, 'utf8::XS' => 5, 'Mojo::Base::new' => 500,
    'Mojolicious::go' => 400, 'Text::Wrap::wrap' => 300, 'Text::CSV::parse' => 250, 'DBI::XS' => 200, map({ ("N$_\::f" => 100 - $_) } 1 .. 9));
my $path = profile('one', %ticks);
my $got  = areas($path);
is_deeply([@$got{qw(main::f Mine::own Mine::XS main::CORE:print utf8::XS)}], [('own') x 3, ('built-ins') x 2], 'what is no namespace');
is($got->{'Mojo::Base::new'}, $got->{'Mojolicious::go'}, 'Mojolicious is Mojo');
isnt($got->{'Text::Wrap::wrap'}, $got->{'Text::CSV::parse'}, 'a general first part says nothing');
my %number = map { $_ => $got->{$_} =~ /(\d+)$/ } grep { $got->{$_} =~ /\d$/ } keys %$got;
is_deeply([grep { $number{$_} > 7 } 'Mojo::Base::new', 'Text::Wrap::wrap', 'Text::CSV::parse', 'DBI::XS', 'N1::f'], [], 'the five largest');
is_deeply([grep { $number{$_} < 8 } map { "N$_\::f" } 2 .. 6], [], '... the next five');
is_deeply([grep { $got->{"N$_\::f"} ne 'others' } 7 .. 9], [], '... and the rest');

my %slower = (%ticks, 'N9::f' => 700);
my $new    = profile('new', %slower);
my $both   = areas('--diff', $path, $new);
like($both->{'N9::f'}, qr/^N9 [3-7]$/, 'in a comparison, by the time of both sides');
is_deeply(areas('--diff', $new, $path), $both, '... whichever is the old one');

done_testing();
