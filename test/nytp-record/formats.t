# nytp-record --format: what our other programs make of samples in one go, checked as the readers of those formats
# check it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CallgrindCheck qw(callgrind_complaints);
use Exports qw(pprof_calls speedscope_profiles);
use NYTPTest qw(run scratch_dir slurp);
use Sampled qw(may_sample recorder sampled_perl start without_losses);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my $scratch = scratch_dir();
my $program = start(sampled_perl(), '-e',
    '$| = 1; sub outer { inner($_[0]) } sub inner { print "ready\n"; sysread STDIN, my $x, 1 } outer(1)');
my $stack   = 'main::outer;main::inner;main::CORE:sysread';

# What the format holds, and how many samples were taken.
sub recorded {
    my ($format, $output) = @_;
    my $got = run([recorder(), "--format=$format", '-p', $program->{pid}, '-d', 0.5, $output ? ('-o', $output) : ()],
        dir => $scratch);
    is($got->{status}, 0, $format) or diag($got->{err});
    my ($samples,
        $name) = without_losses($got->{err}) =~
        /\A\S+ (\d+) samples? in [^:]*, \d+ torn[^:]*: (\S+)\n\S+ next: .* \2(?: >flame\.svg)?\n\z/
        or diag($got->{err});
    return (slurp($name =~ m{^/} ? $name : "$scratch/$name"), $samples, $name);
}

{
    my ($bytes, $samples, $name) = recorded('folded');
    is($name, 'nytprof.folded', '... has its own default');
    my %ticks = $bytes =~ /^(\S+) (\d+)$/mg;
    is_deeply([grep { $ticks{$_} } keys %ticks], ["main::RUNTIME;$stack"], '... has the one stack');
    cmp_ok($ticks{"main::RUNTIME;$stack"}, '>', 0, '... with its time');
}

{
    my ($bytes, $samples, $name) = recorded('speedscope');
    is($name, 'nytprof.speedscope.json', '... has its own default');
    my @times = grep { $_->{name} =~ /, time \(merged\)\z/ } @{ speedscope_profiles($bytes)->{profiles} };
    is_deeply([map { keys %{ $_->{stacks} } } @times], ["main::RUNTIME;$stack"], '... has the one stack');
    cmp_ok($times[0]{total}, '>', 0, '... with its time');
}

{
    my ($bytes, $samples, $name) = recorded('pprof');
    is($name, 'nytprof.pb.gz', '... has its own default');
    my $calls = pprof_calls($bytes);
    is_deeply($calls, { "main::RUNTIME;$stack" => $samples },
        '... has the one stack, with all samples in the place of calls');
}

{
    my ($bytes, $samples, $name) = recorded('callgrind');
    is($name, 'nytprof.callgrind', '... has its own default');
    is_deeply([callgrind_complaints($bytes)], [], '... is a good file');
    like($bytes, qr/^fn=.*main::inner/m, '... has the sub');
}

{
    my ($bytes) = recorded('folded', "$scratch/named");
    like($bytes, qr/^main::RUNTIME;\Q$stack\E \d+$/m, '-o names the file of another format');
    like(run([recorder(), '--format=pprof', '-p', $program->{pid}, '-d', 0.2, '-o', '/dev/full'])->{err},
        qr/No space left/, 'a full disk is said');
    is(run([recorder(), '--format=svg', '-p', $program->{pid}])->{status}, 2,
        'a format that there is not is wrong usage');
}

$program->{end}->();
done_testing();
