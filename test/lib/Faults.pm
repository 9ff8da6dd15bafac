package Faults;

# Makes the calls from one of our objects fail, one after the other.
#
#   use Faults qw(each_fault);
#   each_fault('nytprofcg', \@command, { stdin => ..., dir => ... }, sub { my ($fault, $got) = @_; ... });
#
# Runs the command with the 1st, 2nd, ... call of each function failing, until there is no such call; for
# write(), also with all later ones failing. With { first, step } it is every so-many-th call from that one on, and under
# memcheck one in fifteen of these. $fault says which one failed:
# "write 3+"; $got is what run() gives, and { at }, where it was called: lines of "FUNCTION OFFSET".

use strict;
use warnings;

use Exporter 'import';
use NYTPTest qw(build_dir run sanitized scratch_dir slurp valgrind);

our @EXPORT_OK = qw(each_fault can_fault @FUNCTIONS);

our @FUNCTIONS = qw(read write close rename mmap malloc pthread_create);

my $told = scratch_dir() . '/told';

# Sanitizers have a malloc() of their own, and must be loaded first.
sub can_fault { return !sanitized() }

sub _run_with {
    my ($fault, $object, $command, $options) = @_;
    unlink $told;
    my %env = (%{ $options->{env} // {} }, FAULT => "$fault $object", FAULT_TOLD => $told,
        LD_PRELOAD => build_dir() . '/test/fail-nth.so');
    my $got = eval { run($command, %$options, env => \%env, limit_s => 60) } // die "$fault: $@";
    $got->{at} = -e $told ? slurp($told) : '';
    return $got;
}

# Returns the number of faults.
sub each_fault {
    my ($object, $command, $options, $check) = @_;
    my ($count, $step) = (0, ($options->{step} // 1) * (valgrind() ? 15 : 1));
    for my $function (@FUNCTIONS) {
        for my $plus ($function eq 'write' ? ('', '+') : '') {
            for (my $nth = $options->{first} // 1; ; $nth += $step) {
                $options->{before}->() if $options->{before};
                my $fault = "$function $nth$plus";
                my $got   = _run_with($fault, $object, $command, $options);
                last if $got->{at} eq '';
                $count++;
                $check->($fault, $got);
            }
        }
    }
    return $count;
}

1;
