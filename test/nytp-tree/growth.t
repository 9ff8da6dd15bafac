# Findings about memory: which spans leave values each time. Profiles of which that is known by hand, and programs of which one
# route leaks.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(profiled);
use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir run scratch_dir spew);
use ProfileBytes qw(profile_bytes);
use Test::More;

my ($bin, $made) = (build_dir() . '/bin', 0);

# The texts of the findings about growth.
sub grown {
    my ($path, @options) = @_;
    my $got = run(["$bin/nytp-tree", '--findings', '--json', @options, $path]);
    is("$got->{status} $got->{err}", '0 ', 'nytp-tree --findings');
    return [map { $_->{text} } grep { $_->{rule} eq 'growth' } @{ decode_json($got->{out})->{findings} }];
}

sub span { my ($depth, $name, $left) = @_; return ([ATTRIBUTE => left => $left], [SUB_RETURN => $depth, 10_000, 10_000, "NYTProf::span $name"]) }

# A process of as many requests: route($i) says which one comes, and left($i, ROUTE) how many values it leaves; inner($i): how many
# of those a span within each leaves. most: how many values the process has in the end.
sub process {
    my ($pid, $requests, %of) = @_;
    my @chunks;
    for my $i (1 .. $requests) {
        my $route = $of{route}->($i);
        push @chunks, span(3, 'render', $of{inner}->($i)), [SUB_RETURN => 2, 20_000, 10_000, 'App::run'] if $of{inner};
        push @chunks, span(1, $route, $of{left}->($i, $route)), [TIME_LINE => 10_000, 1, 2];
    }
    return ([PID_START => $pid, 1, 100], @chunks, [ATTRIBUTE => memory_at => "0 1000000 " . ($of{most} // 10_000)], [PID_END => $pid, 100 + $requests / 1000]);
}

sub made {
    return spew(scratch_dir() . '/made' . $made++ . '.out',
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [NEW_FID => 1, 0, 0, 2, 0, 0, '/app.pl'],
            @_, (map { [SUB_INFO => 1, "NYTProf::span $_", 1, 2] } qw(leak ok render)), [SUB_INFO => 1, 'App::run', 1, 2]));
}

sub in_turn { my ($i) = @_; return $i % 2 ? 'leak' : 'ok' }
sub leaks_4 { my ($i, $route) = @_; return $route eq 'leak' ? 4 : 0 }
my %leak = (route => \&in_turn, left => \&leaks_4);

is_deeply(grown(made(process(7, 1000, %leak))), ['leak leaves 4 values each time: 2,000 in 500 times, 20 % of the values of process 7'],
    'the route that leaks, of two that come in turn');
is_deeply(grown(made(process(7, 1000, %leak, left => sub { my ($i, $route) = @_; return $route eq 'leak' ? 4 : $i % 4 ? 0 : 3 }))),
    ['leak leaves 4 values each time: 2,000 in 500 times, 20 % of the values of process 7',
     'ok leaves 1.5 values each time: 750 in 500 times, 8 % of the values of process 7'], 'two that leak');
is_deeply(grown(made(process(7, 1000, %leak, inner => sub { $_[0] % 2 ? 4 : 0 }))),
    ['render leaves 2 values each time: 2,000 in 1,000 times, 20 % of the values of process 7'], 'a span within others leaves what is its own');
is_deeply(grown(made(process(7, 1000, %leak, inner => sub { 0 }))),
    ['leak leaves 4 values each time: 2,000 in 500 times, 20 % of the values of process 7'], '... and they theirs');

my %none = (
    'nothing leaks'         => [process(7, 1000, %leak, left => sub { 0 })],
    'few spans'             => [process(7, 38, %leak, left => sub { 40 })],
    'a cache that fills'    => [process(7, 1000, %leak, left => sub { $_[0] < 300 ? 10 : 0 })],
    'what the first leaves' => [process(7, 1000, %leak, left => sub { $_[0] < 3 ? 2000 : 0 })],
    'now more, now less'    => [process(7, 1000, %leak, left => sub { $_[0] % 4 < 2 ? 10 : -10 })],
    'little, of much'       => [process(7, 1000, %leak, most => 500_000)],
    'an older profile'      => [grep { $_->[1] ne 'left' } process(7, 1000, %leak)],
);
is_deeply(grown(made(@{ $none{$_} })), [], $_) for sort keys %none;

my $workers = made(process(7, 1000, %leak), process(8, 500, %leak));
like(join('|', @{ grown($workers) }), qr/^leak leaves [^|]* of process 7$/, 'of several processes the one where most is left');
like(join('|', @{ grown($workers, '--process=8') }), qr/^leak leaves [^|]* of process 8$/, '... of those that are read');
is_deeply(grown($workers, '--process=7', '--range=10%..90%'), [], 'of a range it is not known');

my $html = run(["$bin/nytprofhtml", '--no-source', '-o', '-', $workers])->{out};
like($html, qr/<li data-rule="growth"><span class="share"><\/span> <span data-label-of="\d+"[^>]*>leak leaves [^<]*, 20 % of the values of process 7</,
    'the report says it, too, and leads to the requests');

SKIP: {
    skip 'the collector is not built', 2 if !-e build_dir() . '/perl5/Devel/NYTProf.pm';
    my $code = <<'END';
my (%cache, $ended);
sub leak { my $i = shift; $cache{"k$i"} = { id => $i, body => 'b' x 2000 }; return }
sub ok   { my %temporary = map { $_ => "v$_" } 1 .. 20; return }
for my $i (1 .. 600) {
    my $span = DB::begin_span($i % 3 ? 'GET /leak' : 'GET /ok');
    $i % 3 ? leak($i) : ok();
}
END
    my $got = profiled('ours', ['-e', $code]);
    is("$got->{status} $got->{err}", '0 ', 'a program');
    like(join('|', @{ grown($got->{files}[0]) }), qr/^GET \/leak leaves 4 values each time: 1,600 in 400 times, [^|]*$/,
        'its leak is found, and nothing else');
}

done_testing();
