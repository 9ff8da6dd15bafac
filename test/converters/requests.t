# Requests in nytp-trace: asynchronous slices from begin to end, which overlap each other and the calls.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Exports qw(perfetto_calls trace_calls);
use NYTPTest qw(build_dir run scratch_dir spew);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $dir  = scratch_dir();
my $tool = build_dir() . '/bin/nytp-trace';
my $PER_S = 1_000_000;

sub part {
    my ($id, $ticks, $name, @parts) = @_;
    return ([TIME_LINE => $ticks, 1, 3], @parts, [ATTRIBUTE => request => $id], [SUB_RETURN => 1, $ticks, $ticks, "NYTProf::span $name"]);
}
my @part = ([ATTRIBUTE => parts => 1]);

# Two requests of each process, in turns; the last one of the second process never ends.
sub processes {
    my ($marks) = @_;
    return (
        [PID_START => 7, 1, 100], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'a.pl'],
        part(1, 100, 'GET /a'), [TIME_LINE => 1000, 1, 1], part(2, 200, 'GET /b'), part(1, 300, 'GET /a', @part),
        [ATTRIBUTE => request => '1 0 1600'], [TIME_LINE => 400, 1, 1], [SUB_RETURN => 1, 50, 50, 'main::f'], part(2, 500, 'GET /b', @part),
        [ATTRIBUTE => request => '2 1100 2500'], [PID_END => 7, 101],
        [PID_START => 8, 7, 101], part(1, 100, 'GET /a'), [ATTRIBUTE => request => '1 0 150'], [TIME_LINE => 1000, 1, 1], part(2, 100, 'GET /c'),
        [TIME_LINE => 800, 1, 1], [PID_END => 8, 102],
    );
}
my @all  = ([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $PER_S], processes());
my $path = spew("$dir/requests.out", profile_bytes(@all));

sub result {
    my (@options) = @_;
    my $got = run([$tool, @options, $path]);
    is("$got->{status} $got->{err}", '0 ', "nytp-trace @options");
    return $got->{out};
}

# [name, pid, begin, end], the times in ns.
my @expected = (['GET /a', 7, 0, 1_600_000], ['GET /b', 7, 1_100_000, 2_500_000], ['GET /a', 8, 1e9, 1e9 + 150_000], ['GET /c', 8, 1e9 + 1_100_000, 1e9 + 2_000_000]);
my $sorted = sub { return [sort map { "@$_" } @_] };
my ($json, $perfetto) = (trace_calls(result('--json')), perfetto_calls(result()));
is_deeply($sorted->(values %{ $json->{requests} }), $sorted->(@expected), 'JSON: from begin to end');
is_deeply($sorted->(values %{ $perfetto->{requests} }), $sorted->(@expected), 'Perfetto: from begin to end');
is($_->{calls}, 7, '... and the parts are calls') for $json, $perfetto;

my $long = trace_calls(result('--json', '--min=1ms'));
is_deeply($sorted->(values %{ $long->{requests} }), $sorted->(@expected[0, 1]), '--min leaves out short ones');
is($long->{calls}, 0, '... and short parts of the others');

# With marks and without, calls are the same.
spew($path, profile_bytes(grep { $_->[0] ne 'ATTRIBUTE' || $_->[1] ne 'request' } @all));
my $plain = trace_calls(result('--json'));
is($plain->{requests}, undef, 'without marks there are none');
is_deeply($plain->{stacks}, $json->{stacks}, '... and the same calls');

SKIP: {
    skip 'no protoc (protobuf-compiler)', 1 if system('protoc --version >/dev/null 2>&1') != 0;
    spew($path, profile_bytes(@all));
    my $text = run(['protoc', "-I$FindBin::Bin/../proto", '--decode=Trace', 'trace.proto'], stdin => result())->{out};
    my @named = $text =~ /track_uuid: (\d+)\s+name: "(GET [^"]*)"/g;
    is(join(' ', sort { $a cmp $b } map { $named[2 * $_ + 1] } 0 .. $#named / 2), 'GET /a GET /a GET /b GET /c', "Google's parser reads them");
}

done_testing();
