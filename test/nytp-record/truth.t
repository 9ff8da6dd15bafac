# How true samples are on a real machine: shares of time against what programs measure themselves, and against samples of
# the same program while it is stopped. With EXHAUSTIVE=1, since other work on the machine disturbs it: the best of some
# attempts counts. steps.t says whether stacks are true, and test/bench/record measures more of this.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use List::Util qw(sum);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use Sampled qw(folded_of may_sample recorder recording sampled_perl start);
use Test::More;

plan skip_all => 'depends on what else the machine does: set EXHAUSTIVE=1' if !$ENV{EXHAUSTIVE};
my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my ($build, $scratch) = (build_dir(), scratch_dir());
my ($ours, $out)      = (recorder(), "$scratch/nytprof.out");
my $ATTEMPTS          = 5;
my $busy = '$| = 1; print "busy\n"; sub a { b($_[0]) + 1 } sub b { my $s = 0; $s += $_ for 1 .. $_[0]; c($s) } sub '
    . 'c { $_[0] * 2 } ';

sub recorded { my (@arguments) = @_; return run([$ours, '-o', $out, @arguments], dir => $scratch) }
sub folded { return folded_of($out) }
sub samples { my ($got) = @_; return $got->{err} =~ /^nytp-record: (\d+) samples?/m ? $1 : 0 }

# The rows of a table of nytprofcsv, by the names of the columns. No name here has a comma.
sub table {
    my ($name) = @_;
    my ($head, @rows) = map { [split /,/] } split /\r?\n/,
        run(["$build/bin/nytprofcsv", "--table=$name", '-o', '-', $out])->{out};
    return map { my %row; @row{@$head} = @$_; \%row } @rows;
}

# An attempt returns what was wrong. Passes if one of them returns nothing.
sub best_of {
    my ($name, $attempt) = @_;
    my @wrong;
    for my $n (1 .. $ATTEMPTS) {
        @wrong = $attempt->();
        last if !@wrong;
        note("$name, attempt $n: @wrong");
    }
    return ok(!@wrong, $name) || diag(join "\n", @wrong);
}

best_of('100 samples a second', sub {
    my $program = start(sampled_perl(), '-e', '$| = 1; print "ready\n"; sysread STDIN, my $x, 1');
    my $count   = samples(recorded('-p', $program->{pid}, '-d', 2));
    $program->{end}->();
    return $count > 180 && $count < 210 ? () : "$count in two seconds";
});

best_of('--cpu has no time for what sleeps, but for its beginning', sub {
    my $program = start(sampled_perl(), '-e',
        "$busy while (1) { my \$until = time + 1; a(100) while time < \$until; sleep 1 }");
    recorded('--cpu', '-p', $program->{pid}, '-d', 3);
    my %time = folded() =~ /^(\S+) (\d+)$/mg;
    recorded('--wall', '-p', $program->{pid}, '-d', 4);
    my %wall = folded() =~ /^(\S+) (\d+)$/mg;
    $program->{end}->();
    my ($cpu_s, $wall_s) = map { ($_->{'main::CORE:sleep'} // 0) / 1e7 } \%time, \%wall;
    return $cpu_s < 0.1 && $wall_s > 0.8 && $wall_s < 3.2 ? () : "$cpu_s s with --cpu, $wall_s s with --wall";
});

# The system counts it in hundredths.
sub cpu_s {
    my ($pid) = @_;
    my @fields = split ' ', slurp("/proc/$pid/stat") =~ s/.*\) //r;
    return ($fields[11] + $fields[12]) / 100;
}

best_of('--cpu of what runs is the processor time that it took', sub {
    my $program = start(sampled_perl(), '-e', "$busy a(100) while 1");
    my $before  = cpu_s($program->{pid});
    recorded('--cpu', '-p', $program->{pid}, '-d', 3);
    my $ran_s   = cpu_s($program->{pid}) - $before;
    my $shown_s = sum(folded() =~ / (\d+)$/mg) / 1e7;
    $program->{end}->();
    return abs($shown_s - $ran_s) <= 0.15 * $ran_s ? () : "$shown_s s, but it ran for $ran_s s";
});

# Shares, since a sampler that came late has less time in all.
best_of('a program that knows how long it slept where', sub {
    my $program = start(sampled_perl(), '-MTime::HiRes=sleep,time', '-e', <<'PERL');
$| = 1;
print "ready\n";
sysread STDIN, my $go, 1;
my %slept;
sub long { sleep 0.06 }
sub short { sleep 0.02 }
sub busy { my $until = time + 0.02; 1 while time < $until }
for (1 .. 20) { my $begun = time; main->$_, $slept{$_} += time - $begun, $begun = time for qw(long short busy) }
print "$_ $slept{$_}\n" for keys %slept;
PERL
    my $recording = recording($out, ['-p', $program->{pid}, '-r', 200]);
    $program->{go}->();
    my %slept = map { split } readline $program->{from};
    return 'the recording failed' if $recording->{end}->() != 0;
    my (%sum, $all);
    my $folded = folded();
    $sum{$1} += $2, $all += $2 while $folded =~ /^main::(long|short|busy)(?:;\S+)? (\d+)$/mg;
    my $slept = sum(values %slept);
    return map { sprintf '%s %.2f of %.2f', $_, $sum{$_} / $all, $slept{$_} / $slept }
        grep { abs(($sum{$_} // 0) / ($all || 1) - $slept{$_} / $slept) >= 0.1 } sort keys %slept;
});

# Work that is shorter than the time between samples, on a processor that is shared with the sampler, and beside others
# that want it: the program prints its own shares, of time and of processor time.
{
    my $script = spew("$scratch/rests.pl", <<'PERL');
use Time::HiRes qw(CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID clock_gettime);
sub now { clock_gettime(CLOCK_MONOTONIC) }
sub cpu { clock_gettime(CLOCK_PROCESS_CPUTIME_ID) }
sub work { my $n = 0; $n += $_ for 1 .. 20_000; $n }
sub rest { select undef, undef, undef, 0.001 }
my (%time, %cpu);
for (my $end = now() + 4; now() < $end;) {
    for (qw(work rest)) { my ($begun, $used) = (now(), cpu()); main->$_; $time{$_} += now() - $begun; $cpu{$_} += cpu() - $used }
}
printf "%.3f %.3f\n", map { 100 * $_->{work} / ($_->{work} + $_->{rest}) } \(%time, %cpu);
PERL
    for my $others (0, 2) {
        for my $clock ('--wall', '--cpu') {
            best_of("$clock of short work, beside $others others", sub {
                my @others = map { my $pid = fork // die;
                    if (!$pid) { exec 'taskset', '-c', 0, $^X, '-e', '1 while 1' or die } $pid } 1 .. $others;
                my @said = split ' ',
                    run(['taskset', '-c', 0, $ours, $clock, '-o', $out, '-r', 500, sampled_perl(), $script])->{out};
                kill KILL => @others;
                waitpid $_, 0 for @others;
                my %sum = (work => 0, rest => 0);
                /^main::(work|rest)\S* (\d+)$/ and $sum{$1} += $2 for split /\n/, folded();
                my ($shown, $true) = (100 * $sum{work} / ($sum{work} + $sum{rest} || 1), $said[$clock eq '--cpu']);
                return abs($shown - $true) <= 4 ? () : sprintf '%.1f %% of the samples, %.1f %% of the time', $shown,
                    $true;
            });
        }
    }
}

best_of('few samples are torn, where depths vary', sub {
    my $script = 'no warnings; use Time::HiRes "time"; $| = 1; print "busy\n"; sub spin { my $until = time + 0.03; '
        . '1 while time < $until }'
        . 'sub deep { my ($n) = @_; if ($n) { for my $once (1) { deep($n - 1) } } else { spin() } } while (1) { '
        . 'deep(9000); spin(); deep(500) }';
    my $program = start(sampled_perl(), '-e', $script);
    my @wrong;
    for my $depth (100, 20_000) {
        my $got = recorded('-r', 200, "--depth=$depth", '-p', $program->{pid}, '-d', 1);
        my ($torn) = $got->{err} =~ /(\d+) torn/;
        push @wrong, "--depth=$depth: $torn of " . samples($got) if $torn > samples($got) / 20;
    }
    $program->{end}->();
    return @wrong;
});

# Against what the program measures itself.
{
    my $script = spew("$scratch/short.pl", <<'PERL');
use Time::HiRes qw(time);
sub short { my $obj = shift; my $name = ref $obj; $name =~ s/^.*:://; return $name }
sub calls { my ($o) = @_; my $n = 0; for (1 .. 100) { short($o); $n += $_ * 2 for 1 .. 10 } return $n }
sub does_not { my ($o) = @_; my $n = 0; for (1 .. 100) { $n += $_ * 2 for 1 .. 10 } return $n }
my ($object, @least) = (bless({}, 'Some::Class'), 9, 9);
sub least { my ($n, $code) = @_; my $begun = time; $code->($object) for 1 .. 20; my $took = time - $begun; $least[$n] = $took if $took < $least[$n] }
for (1 .. 200) { least(0, \&calls); least(1, \&does_not) }
open my $out, '>', $ARGV[0] or die; print $out 100 * (1 - $least[1] / $least[0]); close $out;
$| = 1; print "busy\n";
calls($object) while 1;
PERL
    best_of('a sub that lasts for less time than its stack is read in', sub {
        my $program = start(sampled_perl(), $script, "$scratch/share");
        recorded('-r', 1000, '-p', $program->{pid}, '-d', 2);
        $program->{end}->();
        my %time;
        for (split /\n/, folded()) {
            my ($stack, $time) = /^(.*) (\d+)$/ or next;
            $time{all} += $time;
            $time{short} += $time if $stack =~ /;main::short/;
        }
        my ($shown, $share) = (100 * ($time{short} // 0) / ($time{all} // 1), slurp("$scratch/share"));
        return abs($shown - $share) < 10 ? () : sprintf '%.0f %% of the samples, and %.0f %% of the time', $shown,
            $share;
    });
}

# ---- against samples of the program that is stopped for each ----

# Shares of time in a program that goes on, and in the same one stopped for each sample: percents by key. times: returns
# the times of a recording by key.
sub running_and_stopped {
    my ($script, $seconds, $times) = @_;
    my $program = start(sampled_perl(), $script);
    my @shares;
    for my $option ('--wall', '--stop') {
        recorded($option, '-r', 1000, '-p', $program->{pid}, '-d', $seconds);
        my %time = $times->();
        my $all  = sum(values %time);
        push @shares, { map { $_ => 100 * $time{$_} / $all } keys %time };
    }
    $program->{end}->();
    return @shares;
}

{
    my $script = spew("$scratch/stacks.pl", <<'PERL');
package Number { use overload '+' => sub { my ($n, $more) = @_; my $sum = ($n->[0] + $more) % 1000; $sum *= 2; return $sum } }
package Scalar { sub TIESCALAR { bless [1] } sub FETCH { my ($s) = @_; my $sum = ($s->[0] + 1) % 1000; $sum *= 2; return $sum } }
package Object { sub DESTROY { my ($o) = @_; my $sum = ($o->[0] + 1) % 1000; $sum *= 2; $main::last = $sum } }
package main;
sub spin { my ($sum) = @_; $sum += $_ for 1 .. 10; return $sum }
my $number = bless [1], 'Number';
tie my $scalar, 'Scalar';
$| = 1; print "busy\n";
while (1) { spin($number + $_), spin($scalar), spin(bless [$_], 'Object') for 1 .. 100 }
PERL
    best_of('subs that perl calls on stacks of their own, which come and go', sub {
        my ($running, $stopped) = running_and_stopped(
            $script, 2,
            sub {
                my %time;
                for (split /\n/, folded()) {
                    my ($class, $time) = /(?:(Number|Scalar|Object)::\S+)? (\d+)$/ or next;
                    $time{ $class // 'main' } += $time;
                }
                return %time;
            }
        );
        my (%all, @wrong);
        for my $class (qw(Number Scalar Object)) {
            my ($samples, $true) = map { $_->{$class} // 0 } $running, $stopped;
            push @wrong, sprintf '%s: %.0f %%, and %.0f %% of the stopped program', $class, $samples, $true
                if $samples <= $true / 2;
            $all{running} += $samples;
            $all{stopped} += $true;
        }
        push @wrong, sprintf 'together %.0f %%, and %.0f %%', @all{qw(running stopped)}
            if abs($all{running} - $all{stopped}) >= 0.25 * $all{stopped};
        return @wrong;
    });
}

{
    my $script = spew("$scratch/lines.pl", <<'PERL');
sub short {
    my $text = shift;
    $text =~ s/^.*:://;
    return $text;
}
sub other { my ($n) = @_; return $n + 1 }
$| = 1; print "busy\n";
while (1) { short("Some::Class"), other($_) for 1 .. 100 }
PERL
    best_of('lines of a short sub, which ends while its sample is read', sub {
        my ($running, $stopped) = running_and_stopped(
            $script, 3,
            sub { return map { $_->{line} => $_->{time_s} } grep { $_->{file} =~ /lines\.pl$/ } table('lines') }
        );
        return 'no lines' if keys %$running < 5 || keys %$stopped < 5;
        return map { sprintf 'line %d: %.0f %%, and %.0f %% of the stopped program', $_, $running->{$_} // 0,
            $stopped->{$_} // 0 }
            grep { abs(($running->{$_} // 0) - ($stopped->{$_} // 0)) >= 6 } 2 .. 4, 6, 8;
    });
}

done_testing();
