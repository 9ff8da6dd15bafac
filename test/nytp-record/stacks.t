# nytp-record reads exactly the stacks that perl's own caller() tells, of programs that wait at known places.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir run scratch_dir top_dir);
use Sampled qw(dump_of frames_of may_sample recorder sampled_perl start);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my $scratch = scratch_dir();
chdir top_dir() . '/test/scripts/record' or die;
my @stacks = split /\n/, run([sampled_perl(), 'stacks.pl', 'list'])->{out};
cmp_ok(scalar @stacks, '>', 25, 'there are stacks to wait in');

# Perl has frames for what is no call, and leaves out others.
my %keeps = (sort_block => 'main::CORE:sort', sort_sub => 'main::CORE:sort');

for my $name (@stacks) {
    my $program = start(sampled_perl(), 'stacks.pl', $name);
    my @frames  = frames_of($program->{pid}, 0, '--depth=20000');
    is_deeply(\@frames, $program->{said}, "$name: each frame and line") or diag(dump_of($program->{pid})->{out});
    if (my $builtin = $keeps{$name}) {
        is((grep { /^\Q$builtin\E\t/ } frames_of($program->{pid}, 1)), 1, "$name: $builtin is among them");
    }

    # The same in a profile, where evals are no calls.
    my $file = "$scratch/$name.out";
    my $got  = run([recorder(), '-p', $program->{pid}, '-d', 0.2, '-r', 100, '-o', $file, '--depth=20000']);
    is($got->{status}, 0, "$name: recorded") or diag($got->{err});
    like($got->{err}, qr/^nytp-record: \d+ samples? in [\d.]+ s, 0 torn/m, "$name: none torn");
    my @folded = grep { !/ 0$/ } split /\n/, run([build_dir() . '/bin/nytprofcalls', '--no-merge-evals', $file])->{out};
    is(scalar @folded, 1, "$name: one stack took all the time");
    my @subs = reverse grep { !/^\(/ } map { (split /\t/)[0] } @{ $program->{said} };
    my @kept = grep { !/CORE:sort$/ } map { s/(::__ANON__)\[.*\]/$1/r } split /;/,
        $folded[0] =~ s/ \d+$//r =~ s/\[[^][;]*(\[[^][]*\][^][;]*)*\]//gr;
    utf8::decode($_) for @kept;
    is_deeply(\@kept, [@subs, 'main::CORE:sysread'], "$name: the right one") or diag($folded[0]);
    $program->{go}->();
    is($program->{wait}->(), 0, "$name: the program goes on");
}

# ---- arguments ----

{
    my $program = start(sampled_perl(), 'stacks.pl', 'arguments');
    my $got     = dump_of($program->{pid}, '--args', '--json');
    my ($frame) = grep { ($_->{name} // '') eq 'main::many_arguments' } @{ decode_json($got->{out})->{frames} };
    my @values  = @{ $frame->{args} };
    s/0x[0-9a-f]+/0x1/ for @values;
    is_deeply(\@values,
        ['text', 42, -1.5, 'undef', 'ARRAY(0x1)', 'HASH(0x1)', 'Some::Class=ARRAY(0x1)', 'x' x 80 . '...', "\x{263a}"],
        '--args: what @_ holds, cut at 80 characters');
    unlike(dump_of($program->{pid})->{out}, qr/text/, 'but not without it');
    $program->{end}->();

    $program = start(sampled_perl(), 'stacks.pl', 'computed');
    like(dump_of($program->{pid}, '--args')->{out},
        qr/^  main::many_arguments\((?:\?, ){6}\*main::STDOUT, (?:\?|"\(\?\^:x\)"), undef, undef\) at /m,
        '... ? for what perl computes when it is read, and the name of a glob');
    $program->{end}->();
}

done_testing();
