# Findings about memory: which spans leave some each time. Profiles whose growth is known by hand, and a program of which one
# route leaks.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(profiled);
use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir run sanitized scratch_dir spew valgrind);
use ProfileBytes qw(profile_bytes);
use Test::More;

my ($bin, $made) = (build_dir() . '/bin', 0);
my ($KIB, $MIB)  = (1 << 10, 1 << 20);

# The texts of the findings about growth.
sub grown {
    my ($path, @options) = @_;
    my $got = run(["$bin/nytp-tree", '--findings', '--json', @options, $path]);
    is("$got->{status} $got->{err}", '0 ', 'nytp-tree --findings');
    return [map { $_->{text} } grep { $_->{rule} eq 'growth' } @{ decode_json($got->{out})->{findings} }];
}

# What a text says that each leaves, in KiB; -1 if it says nothing of that span.
sub each_of { my ($name, $text) = @_; return ($text // '') =~ /^\Q$name\E leaves ([\d.]+) KiB each time: / ? $1 : -1 }

# A process of as many requests: route($i) says which one comes, leaves{ROUTE} how much it leaves. After every tenth there is
# a mark of memory, with noise of up to 200 KiB. inner: a span within each request; first_mib: what it begins with;
# frees_mib: what perl frees at the end; steps: what the process grows by at a request, whichever it is.
sub process {
    my ($pid, $requests, %of) = @_;
    my ($bytes, @chunks) = (($of{first_mib} // 20) * $MIB);
    my $mark = sub { my ($ms, $more) = @_; return [ATTRIBUTE => memory_at => sprintf '%d %d 1000', 1e4 * $ms, $bytes + $more] };
    for my $i (1 .. $requests) {
        my $route = $of{route}->($i);
        $bytes += ($of{leaves}{$route} // 0) + ($of{steps}{$i} // 0) * $MIB;
        push @chunks, [SUB_RETURN => 2, 10_000, 10_000, "NYTProf::span $of{inner}"] if $of{inner};
        push @chunks, [SUB_RETURN => 1, 10_000, $of{inner} ? 0 : 10_000, "NYTProf::span $route"], [TIME_LINE => 10_000, 1, 2];
        push @chunks, $mark->($i, ($i * 7919 % 200) * ($of{noise_kib} // 1) * $KIB) if $i % 10 == 0;
    }
    push @chunks, map { $mark->($requests + $_, -$of{frees_mib} * $MIB) } 1, 2 if $of{frees_mib};
    return ([PID_START => $pid, 1, 100], $mark->(0, 0), @chunks, [PID_END => $pid, 100 + $requests / 1000]);
}

sub made {
    return spew(scratch_dir() . '/made' . $made++ . '.out',
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [NEW_FID => 1, 0, 0, 2, 0, 0, '/app.pl'],
            @_, (map { [SUB_INFO => 1, "NYTProf::span $_", 1, 2] } qw(leak ok render))));
}

# Now these, now those come more often.
sub mixed { my ($i) = @_; return $i * 7 % 10 < (int($i / 60) % 2 ? 8 : 2) ? 'leak' : 'ok' }

my $leaks = 0;
mixed($_) eq 'leak' && $leaks++ for 1 .. 1000;
my ($text) = @{ grown(made(process(7, 1000, route => \&mixed, leaves => { leak => 50 * $KIB }))) };
like($text // '', qr/^leak leaves [\d.]+ KiB each time: [\d.]+ MiB in $leaks times, \d\d % of the RSS of process 7$/, 'the route that leaks');
my ($each, $all, $share) = ($text // '') =~ /leaves ([\d.]+) KiB each time: ([\d.]+) MiB in .*, (\d+) %/;
cmp_ok(abs($each - 50), '<', 3, '... by what it leaves') or diag($text);
cmp_ok(abs($all - $leaks * $each / 1024), '<', 0.1, '... in all');
cmp_ok(abs($share - 100 * $all / (20 + $leaks * 50 / 1024)), '<', 2, '... and its share of RSS');

my $freed = grown(made(process(7, 1005, route => \&mixed, leaves => { leak => 50 * $KIB }, frees_mib => 20)));
cmp_ok(abs(each_of('leak', $freed->[0]) - 50), '<', 3, '... also if perl has freed memory at the end') or diag("@$freed");

my $both = grown(made(process(7, 1000, route => \&mixed, leaves => { leak => 50 * $KIB, ok => 30 * $KIB })));
is(scalar @$both, 2, 'two that leak');
cmp_ok(abs(each_of('leak', $both->[0]) - 50), '<', 4, '... that with most memory first');
cmp_ok(abs(each_of('ok', $both->[1]) - 30),   '<', 4, '... and the other');

my %none = (
    'nothing leaks'                                   => [process(7, 1000, route => \&mixed, leaves => {})],
    'few points'                                      => [process(7, 180, route => \&mixed, leaves => { leak => 200 * $KIB })],
    'less than a MiB'                                 => [process(7, 1000, route => \&mixed, leaves => { leak => $KIB }, noise_kib => 0)],
    'two steps'                                       => [process(7, 1000, route => sub { 'leak' }, steps => { 350 => 8, 700 => 8 })],
    'memory that is something else'                   => [process(7, 1000, route => \&mixed, leaves => { leak => 50 * $KIB }, noise_kib => 2000)],
    'two that always come one after the other'        => [process(7, 1000, route => sub { $_[0] % 2 ? 'leak' : 'ok' }, leaves => { leak => 50 * $KIB })],
    'little, of much'                                 => [process(7, 1000, route => \&mixed, leaves => { leak => 20 * $KIB }, first_mib => 5000, noise_kib => 0)],
);
is_deeply(grown(made(@{ $none{$_} })), [], $_) for sort keys %none;
is(scalar @{ grown(made(process(7, 1000, route => sub { 'leak' }, steps => { map { ($_ * 150 => 8) } 1 .. 6 }))) }, 1,
    'steps that go on');

my $nested = grown(made(process(7, 1000, route => \&mixed, leaves => { leak => 50 * $KIB }, inner => 'render')));
is(scalar @$nested, 1, 'a span within others is a part of them');
like($nested->[0] // '', qr/^leak leaves /, '... which leak') or diag("@$nested");

my $workers = made((process(7, 1000, route => \&mixed, leaves => { leak => 50 * $KIB }), process(8, 500, route => \&mixed, leaves => { leak => 50 * $KIB })));
like(join('|', @{ grown($workers) }), qr/^leak leaves [^|]* of process 7$/, 'of several processes the one where most is left');
like(join('|', @{ grown($workers, '--process=8') }), qr/^leak leaves [^|]* of process 8$/, '... of those that are read');

my $html = run(["$bin/nytprofhtml", '--no-source', '-o', '-', $workers])->{out};
like($html, qr/<li data-rule="growth"><span class="share" title="\d+ % of the RSS of process 7">\d+ %<\/span> <span data-label-of="\d+"[^>]*>leak leaves/,
    'the report says it, too, and leads to the requests');

SKIP: {
    skip 'the collector is not built, or the system does not say what memory there is', 3 if !-e build_dir() . '/perl5/Devel/NYTProf.pm' || !-r '/proc/self/statm';
    my $code = <<'END';
my @keep;
for my $i (1 .. 1500) {
    my $route = rand() < (int($i / 100) % 2 ? 0.8 : 0.2) ? 'leak' : 'ok';
    my $span = DB::begin_span($route);
    my $temporary = 'y' x 20_000;
    push @keep, 'x' x 40_000 if $route eq 'leak';
    select undef, undef, undef, 0.001;
}
END
    my $got = profiled('ours', ['-e', "srand 1; $code"]);
    is("$got->{status} $got->{err}", '0 ', 'a program');
    my $found = grown($got->{files}[0]);
    like(join('|', @$found), qr/^leak leaves [^|]+$/, 'its leak is found, and nothing else');
    # They need memory for each page themselves.
    cmp_ok(abs(each_of('leak', $found->[0]) - 39.1), '<', valgrind() || sanitized() ? 20 : 4, '... by what it leaves') or diag("@$found");
}

done_testing();
