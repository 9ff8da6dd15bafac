# The commands in doc/programs.md that send profiles to Grafana Pyroscope and Parca, against a stand-in that checks
# requests as these servers do; and that it does reject what they reject.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use List::Util qw(sum0);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use ProfileServer;
use Test::More;

plan skip_all => 'no curl' if !grep { -x "$_/curl" } split /:/, $ENV{PATH};

my $dir    = scratch_dir();
my $bin    = build_dir() . '/bin';
my $server = ProfileServer->start(dir => $dir);
my $path   = record('calls', ['test/scripts/calls.pl'], calls => 2, slowops => 2, blocks => 1);
spew("$dir/nytprof.out", slurp($path));

# What the shell makes of commands, in the directory with nytprof.out. Bash has pipefail.
sub sent {
    my ($commands) = @_;
    return run(['bash', '-o', 'pipefail', '-ec', $commands =~ s{http://localhost:\d+}{$server->url}ger], dir => $dir,
        env => { PATH => "$bin:$ENV{PATH}" });
}

my %ns;
for (split /\n/, run(["$bin/nytprofcalls", '--unit=ns', $path])->{out}) {
    my ($stack, $value) = /^(.*) (\S+)$/ or die "line $_\n";
    $ns{$stack} = $value if $value != 0;
}

# The commands of a block, without prompts.
my ($pyroscope,
    $parca) = map { s/^[\$>] ?//gmr } grep { /curl/ } slurp("$FindBin::Bin/../../doc/programs.md") =~
    /^```console\n(.*?)^```/gms;
for my $case (['Pyroscope', $pyroscope], ['Parca', $parca]) {
    my ($name, $commands) = @$case;
    my $got = sent($commands);
    is("$got->{status} $got->{out}", '0 ', "$name: the commands of the page succeed") or diag($got->{err});
    my ($taken) = $server->accepted;
    is($taken->{service}, 'shop', 'under the name given');
    is_deeply($taken->{types}, ['wall nanoseconds', 'calls count'], 'time is the first type');
    is_deeply($taken->{stacks}, \%ns, 'with the stacks and times of nytprofcalls');
}

my $old = spew("$dir/old.out",
    profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.7e9], [SUB_RETURN => 1, 5, 5, 'main::f'],
        [SUB_RETURN => 1, 5, 5, 'main::g x'], [PID_END => 7, 1.7e9 + 1]));
my $send = sub {
    my ($arguments, $url) = @_;
    "curl --silent --show-error --fail-with-body $arguments '" . $server->url . "$url'";
};
for my $case (
    [0, 'a form', $send->('-F profile=@p.pb.gz', '/ingest?name=shop')],
    [22, 'a form that says to be pprof', $send->('-F profile=@p.pb.gz', '/ingest?name=shop&format=pprof'),
    qr/^type of field/],
    [22, 'neither', $send->('--data-binary @p.pb.gz', '/ingest?name=shop'), qr/not a form/],
    [22, 'a name with a blank', $send->('--data-binary @p.pb.gz', '/ingest?name=my%20shop&format=pprof'),
    qr/'my shop' has characters/],
    [22, 'a label with a dash', $send->('--data-binary @p.pb.gz', '/ingest?name=shop%7Bmy-env=1%7D&format=pprof'),
    qr/'my-env' is not the name/],
    [0, 'a label', $send->('--data-binary @p.pb.gz', '/ingest?name=shop%7Benv=prod%7D&format=pprof')],
    [22, 'an old profile',
    'nytp-pprof old.out > o.pb.gz; ' . $send->('--data-binary @o.pb.gz', '/ingest?name=shop&format=pprof'),
    qr/it is \d+ s old/],
    [0, 'with --time=now',
    'nytp-pprof --time=now old.out > o.pb.gz; ' . $send->('--data-binary @o.pb.gz', '/ingest?name=shop&format=pprof')],
    [22, 'lines of an old profile',
    'nytp-pprof --lines old.out > o.pb.gz; ' . $send->('--data-binary @o.pb.gz', '/ingest?name=shop&format=pprof'),
    qr/it is \d+ s old/],
    [0, 'lines with --time=now',
    'nytp-pprof --lines --time=now old.out > o.pb.gz; '
    . $send->('--data-binary @o.pb.gz', '/ingest?name=shop&format=pprof')],
) {
    my ($status, $what, $command, $says) = @$case;
    my $got = sent($command);
    is($got->{status}, $status, $what) or diag($got->{out}, $got->{err});
    like($got->{out}, $says, 'is refused, and why') if $says;
}

# A profile of more stacks than Pyroscope accepts, and one of more bytes. Stack N takes N ns in each of its levels.
sub large {
    my ($stacks, $levels, $name) = @_;
    my @calls = map { my $stack = $_;
        map { [SUB_RETURN => $_, ($levels + 1 - $_) * $stack, $stack, sprintf('main::%s%d_%d', $name, $stack, $_)] }
            reverse 1 .. $levels
    } 1 .. $stacks;
    return profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1e9], [PID_START => 7, 1, time], @calls,
        [PID_END => 7, time + 1]);
}
for my $case (['samples', 16_500, 1, 'f', qr/too many samples/],
    ['bytes', 150, 1, 'x' x 30_000, qr/the profile has \d+ bytes/]) {
    my ($what, $stacks, $levels, $name, $says) = @$case;
    spew("$dir/large.out", large($stacks, $levels, $name));
    my $plain = sent('nytp-pprof large.out > l.pb.gz; '
        . $send->('--data-binary @l.pb.gz', '/ingest?name=shop&format=pprof'));
    like($plain->{out}, $says, "too many $what are refused");
    $server->accepted;
    my $fits = sent('nytp-pprof --pyroscope large.out > l.pb.gz; '
        . $send->('--data-binary @l.pb.gz', '/ingest?name=shop&format=pprof'));
    is("$fits->{status} $fits->{out}$fits->{err}", '0 ', 'and accepted with --pyroscope') or next;
    my ($taken) = $server->accepted;
    is(sum0(values %{ $taken->{stacks} }), $levels * $stacks * ($stacks + 1) / 2, '... with all of the time');
    cmp_ok(scalar keys %{ $taken->{stacks} }, '>', 100, '... and many of the stacks');
}

done_testing();
