# --no-wait: the time of subs that wait is missing from sums and from the times of callers, and from nothing else.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Exports qw(pprof_calls);
use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir record run scratch_dir slurp spew top_dir);
use ProfileBytes qw(profile_bytes);
use Test::More;
use Written qw(written);

my $bin = build_dir() . '/bin';
my $dir = scratch_dir();

sub folded { return { map { /^(.*) (-?\d+)$/ ? ($1 => $2) : die $_ } split /\n/, written('nytprofcalls', @_) } }

# The nodes of nytp-tree --json: stack => [inclusive, exclusive, calls].
sub nodes {
    my %nodes;
    my @todo = map { [$_->{name}, $_] } @{ decode_json(written('nytp-tree', '--json', @_))->{tree} };
    while (my $next = shift @todo) {
        my ($path, $node) = @$next;
        $nodes{$path} = [@$node{qw(inclusive_ticks exclusive_ticks)}, $node->{calls} // $node->{samples}];
        push @todo, map { ["$path;$_->{name}", $_] } @{ $node->{children} };
    }
    return \%nodes;
}

# The labels of boxes and arrows in nytp-dot, without those of the whole graph.
sub boxes {
    my %boxes = map { /label="(?:main|EV)\\n(\S+?)\\n(.*?)"/ ? ($1 => $2) : () } split /\n/,
        written('nytp-dot', '--url={sub}', '--min=0', @_);
    return \%boxes;
}

# ---- a profile with known sums: 665 ticks in subs, 600 of them waiting ----

sub arc {
    my ($line, $caller, $callee, $incl, $excl) = @_;
    return [SUB_CALLERS => 1, $line, $caller, 1, $incl / 1000, $excl / 1000, 0, 0, $callee];
}

# Calls that return, each with the statements that end after it.
my @events = ([TIME_LINE => 40, 1, 20], [4, 60, 60, 'main::CORE:sleep'], [TIME_LINE => 60, 1, 21],
    [3, 100, 40, 'main::on_request'], [2, 600, 500, 'EV::run'],
    [TIME_LINE => 505, 1, 10], [3, 10, 10, 'main::CORE:flock'], [TIME_LINE => 30, 1, 30], [2, 30, 20, 'main::work'],
    [1, 635, 5, 'main::serve'],
    [1, 30, 30, 'main::CORE:sselect'], [TIME_LINE => 65, 1, 40]);
my @returns = grep { $_->[0] ne 'TIME_LINE' } @events;
my $known = "$dir/known.out";
sub known {
    my ($calls) = @_;
    return profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 4711, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
        (map { $_->[0] eq 'TIME_LINE' ? $_ : $calls ? [SUB_RETURN => @$_] : () } @events),
        (map { [SUB_INFO => 1, $_->[3], 1, 99] } grep { $_->[3] =~ /^main::[a-z]/ } @returns),
        arc(40, 'main::RUNTIME', 'main::serve', 635, 5), arc(10, 'main::serve', 'EV::run', 600, 500),
        arc(20, 'EV::run', 'main::on_request', 100, 40), arc(21, 'main::on_request', 'main::CORE:sleep', 60, 60),
        arc(10, 'main::serve', 'main::work', 30, 20), arc(30, 'main::work', 'main::CORE:flock', 10, 10),
        arc(40, 'main::RUNTIME', 'main::CORE:sselect', 30, 30), [PID_END => 4711, 2.5]);
}
spew($known, known(1));
my $without = { 'main::serve' => 5, 'main::serve;EV::run' => 0, 'main::serve;EV::run;main::on_request' => 40,
    'main::serve;EV::run;main::on_request;main::CORE:sleep' => 0, 'main::serve;main::work' => 20,
    'main::serve;main::work;main::CORE:flock' => 0, 'main::CORE:sselect' => 0 };
is_deeply(folded('--no-wait', $known), $without, 'nytprofcalls: stacks');
is_deeply(folded('--no-wait', '--root', $known),
    { 'main::RUNTIME' => 35, map { ("main::RUNTIME;$_" => $without->{$_}) } keys %$without },
    'nytprofcalls: the root has the code outside of subs');
is_deeply(folded('--no-wait', '--calls', $known), { map { ($_ => 1) } keys %$without }, 'nytprofcalls: calls');
is_deeply(nodes('--no-wait', $known),
    { 'main::serve' => [65, 5, 1], 'main::serve;EV::run' => [40, 0, 1], 'main::serve;EV::run;main::on_request' => [40, 40, 1],
    'main::serve;main::work' => [20, 20, 1],
    map { ($_ => [0, 0, 1]) } grep { /CORE:/ } keys %$without },
    'nytp-tree: the time of callers');
like(written('nytp-tree', '--no-wait', '--table', $known),
    qr/Time in Subs = +0\.065 .*^ 61\.5   0\.040  0\.040 .* main::on_request\n/ms, 'nytp-tree --table');
is(written('nytp-tree', '--no-wait', '-T', $known), written('nytp-tree', '-T', $known),
    'nytp-tree -T: calls');
is_deeply(pprof_calls(written('nytp-pprof', '--no-wait', $known), 'time'),
    { map { $without->{$_} ? ($_ => 1e6 * $without->{$_}) : () } keys %$without }, 'nytp-pprof: stacks');
my $lines = pprof_calls(written('nytp-pprof', '--no-wait', '--lines', $known), 'time');
is(eval { my $sum = 0; $sum += $_ for values %$lines; $sum }, 1e6 * (5 + 40 + 20 + 35), 'nytp-pprof: lines');
is_deeply(boxes('--no-wait', $known),
    { map({ ("CORE:$_" => '0.0 % (0.0 %)  1×') } qw(sleep flock sselect)), RUNTIME => '100.0 % (35.0 %)', serve => '65.0 % (5.0 %)  1×', run => '40.0 % (0.0 %)  1×',
    on_request => '40.0 % (40.0 %)  1×', work => '20.0 % (20.0 %)  1×' }, 'nytp-dot: subs');
my %packages = map { /label="(main|EV)\\n(.*?)"/ ? ($1 => $2) : () } split /\n/,
    written('nytp-dot', '--no-wait', '--collapse=package', '--min=0', $known);
is_deeply(\%packages, { main => '100.0 % (100.0 %)  1×', EV => '40.0 % (0.0 %)  1×' }, 'nytp-dot: packages');
spew("$dir/arcs.out", known(0));
like(run(["$bin/nytp-dot", '--no-wait', "$dir/arcs.out"])->{err},
    qr/has only sums of its calls: filters need .* calls=1 or 2/, 'nytp-dot: a profile without the course of calls');

# ---- a tmon.out, whose header has the time of all ----

spew("$dir/tmon.out", written('nytp-dprof', '-o', '-', $known));
my ($all, $less) = map { written('nytp-tree', '-r', '-O-1', @$_, "$dir/tmon.out") =~ /Real Time = +([\d.]+)/ ? $1
    : undef } [], ['--no-wait'];
is(sprintf('%.3f', $all - $less), '0.600', 'the total of a tmon.out');
is_deeply([written('nytp-tree', '-r', '-O-1', '--no-wait', "$dir/tmon.out") =~ /^ .{4}   .{5} +([\d.]+) .* (\S+)$/mg],
    [qw(0.040 main::on_request 0.020 main::work 0.065 main::serve 0.040 EV::run),
    map { ('0.000', "main::CORE:$_") } qw(sleep flock sselect)], 'its subs');

# ---- samples: those that waited are not counted ----

my $sampled = "$dir/sampled.out";
my ($ran, $slept) = map { [ATTRIBUTE => state => $_] } '1000 0 0', '0 0 1000';
my $samples = sub { # says what each of them did, if it is to
    my ($says) = @_;
    return profile_bytes(grep { $says || $_ != $ran && $_ != $slept }
        [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => 'sampled_hz', 100],
        [PID_START => 4711, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
    $ran, [TIME_LINE => 10, 1, 50], [SUB_ENTRY => 1, 50], [SUB_ENTRY => 1, 10], ($slept, [TIME_LINE => 10, 1, 10]) x 3,
    [SUB_RETURN => 2, 30, 30, 'main::CORE:sleep'], [SUB_ENTRY => 1, 11], ($ran, [TIME_LINE => 10, 1, 20]) x 2,
    [SUB_RETURN => 2, 20, 20, 'main::work'], [SUB_RETURN => 1, 50, 0, 'main::serve'],
    [SUB_ENTRY => 1, 51], [SUB_ENTRY => 1, 30], $slept, [TIME_LINE => 10, 1, 30],
    [SUB_RETURN => 2, 10, 10, 'main::CORE:sselect'], [SUB_RETURN => 1, 10, 0, 'main::idle'],
    arc(51, 'main::RUNTIME', 'main::idle', 10, 0), arc(30, 'main::idle', 'main::CORE:sselect', 10, 10),
    arc(50, 'main::RUNTIME', 'main::serve', 50, 0), arc(10, 'main::serve', 'main::CORE:sleep', 30, 30),
    arc(11, 'main::serve', 'main::work', 20, 20), [PID_END => 4711, 2.5]);
};
spew($sampled, $samples->(1));
is_deeply(folded('--no-wait', '--root', '--calls', $sampled),
    { 'main::RUNTIME' => 1, 'main::RUNTIME;main::serve;main::work' => 2, map { ("main::RUNTIME;$_" => 0) }
        'main::serve', 'main::serve;main::CORE:sleep', 'main::idle', 'main::idle;main::CORE:sselect' },
    'nytprofcalls: samples');
is_deeply(nodes('--no-wait', $sampled), { 'main::serve' => [20, 0, 2], 'main::serve;main::work' => [20, 20, 2],
    map { ($_ => [0, 0, 0]) } 'main::serve;main::CORE:sleep', 'main::idle', 'main::idle;main::CORE:sselect' },
    'nytp-tree: samples');
is_deeply(pprof_calls(written('nytp-pprof', '--no-wait', $sampled)),
    { 'main::RUNTIME' => 1, 'main::RUNTIME;main::serve;main::work' => 2 }, 'nytp-pprof: samples');
is(eval { my $sum = 0; $sum += $_ for values %{ pprof_calls(written('nytp-pprof', '--no-wait', '--lines', $sampled)) };
    $sum }, 3, 'nytp-pprof: samples of lines');
like(written('nytp-dot', '--no-wait', $sampled), qr/label="(?:shop.pl\\n)?30 ms, sampled, 3 samples"/, 'nytp-dot: samples');
spew("$dir/silent.out", $samples->(0));
like(run(["$bin/nytp-tree", '--no-wait', "$dir/silent.out"])->{err},
    qr/silent.out has samples that do not say whether the program waited/, 'samples that do not say what they did');

# ---- any profile: what does not wait stays as it is, and what is missing is what waited ----

srand 1;
my @names = qw(main::a main::b X::c EV::run Time::HiRes::sleep main::CORE:sselect main::CORE:print);
my $waits = qr/(?:^|;)(?:EV::run|Time::HiRes::sleep|main::CORE:sselect)\z/;
my ($depth, @some) = 3;
for (1 .. 400) {
    $depth = ($depth > 1 ? $depth - 1 : 1) + int rand 3; # a call returns before its caller
    $depth = 8 if $depth > 8;
    push @some, [$depth, int rand 50, 0, $names[rand @names]];
}
push @some, [1, 1, 0, 'main::a'];
spew("$dir/random.out",
    profile_bytes([VERSION => 5, 0], [PID_START => 4711, 1, 1.5], (map { [SUB_RETURN => @$_[0, 2, 1, 3]] } @some),
        [PID_END => 4711, 2.5]));
my ($with, $no) = (folded("$dir/random.out"), folded('--no-wait', "$dir/random.out"));
is_deeply({ map { ($_ => $no->{$_}) } grep { !/$waits/ } keys %$no },
    { map { ($_ => $with->{$_}) } grep { !/$waits/ } keys %$with }, 'stacks that do not wait have the same time');
is(scalar(grep { /$waits/ && $no->{$_} } keys %$no), 0, '... those that wait have none');
is_deeply([sort keys %$no], [sort keys %$with], '... and all are there');
my $nodes = nodes('--no-wait', "$dir/random.out");
is_deeply({ map { ($_ => $nodes->{$_}[1]) } keys %$nodes }, $no, 'nytp-tree has the same stacks');
my ($wrong, %inclusive) = (0);
for my $stack (keys %$no) { my $at = $stack; do { $inclusive{$at} += $no->{$stack} } while $at =~ s/;[^;]+\z// }
$wrong += $inclusive{$_} != $nodes->{$_}[0] for keys %$nodes;
is($wrong, 0, '... whose inclusive time is the sum of what is below them');

# ---- nothing but waiting ----

spew("$dir/only.out",
    profile_bytes([VERSION => 5, 0], [PID_START => 4711, 1, 1.5], [SUB_RETURN => 1, 5, 5, 'main::CORE:sleep'],
        [PID_END => 4711, 2.5]));
is(written('nytprofcalls', $_, "$dir/only.out"), "main::CORE:sleep 0\n", "nytprofcalls $_: nothing but waiting") for '--no-wait', '--work';

# ---- the manual's list, and a real loop ----

my ($list) = slurp(top_dir() . '/doc/servers.md') =~ /^These subs wait:|These subs wait:\n(.*?)^Reading/ms;
my @listed = map { s/^CORE:/main::CORE:/r } $list =~ /`((?:\w+::|CORE:)[\w:]+)`/g;
my @source = map { split } slurp(top_dir() . '/lib/model/waits.c') =~ /^    "([\w: ]+ )";?$/mg;
is_deeply([sort map { s/^main::CORE://r } @listed], [sort @source],
    'doc/servers.md lists what the library knows');
spew("$dir/all.out",
    profile_bytes([VERSION => 5, 0], [PID_START => 4711, 1, 1.5], (map { [SUB_RETURN => 1, 5, 5, $_] } @listed),
        [PID_END => 4711, 2.5]));
is_deeply([grep { !/ 0\z/ } split /\n/, written('nytprofcalls', '--no-wait', "$dir/all.out")], [], '... and each of it waits');

spew("$dir/loop.pl",
    'sub work { my $x = 0; $x += $_ for 1 .. 1000; $x } sub idle { select undef, undef, undef, 0.01 } sub serve { '
    . 'work(); idle() } serve() for 1 .. 5;');
my $loop = record('waiting loop', ["$dir/loop.pl"], calls => 2);
my ($full, $work) = (folded($loop), folded('--no-wait', $loop));
ok($full->{'main::serve;main::idle;main::CORE:sselect'}, 'a loop waits in select');
$full->{'main::serve;main::idle;main::CORE:sselect'} = 0;
is_deeply($work, $full, '... and nothing else is missing without it');

done_testing();
