package MadeRuns;

# Profiles of one program with the times and numbers of calls that a test chooses, for comparing runs.
#
#   use MadeRuns qw(made_run);
#   my $path = made_run("$scratch/new1", calls => { 'main::f' => [3, 0.25] });

use strict;
use warnings;

use Exporter 'import';
use NYTPTest qw(spew);
use ProfileBytes qw(profile_bytes);

our @EXPORT_OK = qw(made_run);

my $per_s = 10_000_000;

# Writes a profile in which main::RUNTIME calls each sub so many times, with so many seconds of exclusive time. Options:
#   calls    { sub => [calls, seconds] }
#   file     the name of the file that all subs are in (/srv/shop.pl)
#   inc      directories of @INC
#   outside  seconds outside of subs (0.1)
#   queued   seconds in which it waited for a processor
#   program  the application (shop.pl)
#   stacks   whether there are stacks, as with calls=1
#   waited   { sub => [seconds asleep, seconds queued] }, measured, of all subs; needs stacks
#   samples  how many samples the profile is made of; 0: none
sub made_run {
    my ($path, %o) = @_;
    my $file  = $o{file} // '/srv/shop.pl';
    my $total = $o{outside} // 0.1;
    $total += $_->[1] for values %{ $o{calls} };
    my $line = 1;
    my (@chunks, @times);
    # TIME_LINE has 32 bits of ticks.
    my $time = sub { return [TIME_LINE => int($_[0] * $per_s + 0.5), 1, $line] };
    push @times, $time->($o{outside} // 0.1);
    for my $sub (sort keys %{ $o{calls} }) {
        my ($calls, $s) = @{ $o{calls}{$sub} };
        push @chunks, [SUB_INFO => 1, $sub, ++$line, $line];
        push @chunks, [ATTRIBUTE => 'waited', join ' ', 1, map { $_ * $per_s } @{ $o{waited}{$sub} }] if $o{waited};
        push @chunks, [SUB_RETURN => 1, ($s * $per_s) x 2, $sub] if $o{stacks};
        push @{ $o{waited} ? \@chunks : \@times }, $time->($s);
        push @chunks, [SUB_CALLERS => 1, 1, 'main::RUNTIME', $calls, $s, $s, 0, 0, $sub];
    }
    push @times, map { [TIME_LINE => 0, 1, 1] } @times + 1 .. $o{samples} // 0;
    return spew($path, profile_bytes(
        [VERSION   => 5, 0],
        [ATTRIBUTE => 'ticks_per_sec', $per_s],
        [ATTRIBUTE => 'application', $o{program} // 'shop.pl'],
        ($o{inc} ? [ATTRIBUTE => 'inc', join ':', @{ $o{inc} }] : ()),
        ($o{samples} ? [ATTRIBUTE => 'sampled_hz', 100] : ()),
        [PID_START => 4711, 1, 1.5],
        ($o{waited} ? [ATTRIBUTE => 'waits', 1] : ()),
        [NEW_FID   => 1, 0, 0, 0x12, 0, 0, $file],
        @times,
        [SUB_INFO => 1, 'main::RUNTIME', 1, 1],
        @chunks,
        ($o{queued} ? [ATTRIBUTE => 'wait_for_cpu', $o{queued}] : ()),
        [PID_END => 4711, 2.5],
    ));
}

1;
