# A profile of a header alone, as a program leaves it that was killed at once: a warning, and an empty result that
# is valid.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CallgrindCheck qw(callgrind_complaints);
use DotGraph qw(drawn);
use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use Test::More;

my $scratch = scratch_dir();
my $bin     = build_dir() . '/bin';

my %header = (
    'the first line' => "NYTProf 5 0\n",
    'with settings'  => "NYTProf 5 0\n:basetime=1700000000\n:application=a.pl\n:ticks_per_sec=10000000\n!calls=1\n",
    'compressed'     => "NYTProf 5 0\n:ticks_per_sec=10000000\nz",
);

# For each program its options, and what is wrong with its result.
my %program = (
    nytprofcalls => [[], sub { $_[0] }],
    'nytp-tree'  => [['--json'], sub { join ',', @{ decode_json($_[0])->{tree} } }],
    nytprofcg    => [[], sub { callgrind_complaints($_[0]) }],
    'nytp-dot'   => [[], sub { drawn($_[0])->{complaint} }],
    'nytp-dprof' => [[], sub { my $got = run(['dprofpp', '-T', spew("$scratch/tmon.out", $_[0])]); $got->{out} }],
    nytprofmerge => [['--compress=0'],
        sub { my $got = run(["$bin/nytprofcalls", spew("$scratch/merged", $_[0])]);
        $got->{status} . $got->{out} eq '0' ? '' : $got->{err} }],
);

for my $name (sort keys %header) {
    subtest $name => sub {
        my $file = spew("$scratch/header.out", $header{$name});
        for my $program (sort keys %program) {
            my ($options, $complaint) = @{ $program{$program} };
            my $out = "$scratch/out";
            my $got = run(["$bin/$program", @$options, '-o', $out, $file]);
            is($got->{status}, 0, "$program succeeds");
            like($got->{err}, qr/\A$program: warning: \Q$file\E(?:: it was cut|: \d process killed or still running); what is there is used\n\z/,
                '... with one warning');
            is(join("\n", $complaint->(slurp($out))), '', '... and an empty result');
            unlink $out;
        }
    };
}

my $both = run(["$bin/nytprofmerge", '-o', "$scratch/both", spew("$scratch/one.out", $header{'with settings'}),
    spew("$scratch/other.out", $header{compressed})]);
is($both->{status}, 0, 'nytprofmerge: several such headers');

done_testing();
