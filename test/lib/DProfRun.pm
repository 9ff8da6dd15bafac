package DProfRun;

# Programs under the real Devel::DProf, the output of dprofpp, and the calls that our reader sees.
#
#   use DProfRun qw(record_dprof dprofpp calls_of tree_of);
#   my $tmon = record_dprof('sub f { g() } sub g { } f()');
#   is tree_of(calls_of($tmon)), dprofpp('-T', $tmon);

use strict;
use warnings;

use Exporter 'import';
use NYTPTest qw(build_dir run scratch_dir);

our @EXPORT_OK = qw(record_dprof dprofpp calls_of tree_of);

# Profiles `perl -e PROGRAM` in a directory of its own, with the system's perl, which has Devel::DProf. Returns the
# path, however the program ended.
sub record_dprof {
    my ($program) = @_;
    my $dir = scratch_dir();
    run(['/usr/bin/perl', '-d:DProf', '-e', $program], dir => $dir, env => { PERL5LIB => undef, PERL5OPT => undef });
    die "no tmon.out of $program\n" if !-s "$dir/tmon.out";
    return "$dir/tmon.out";
}

# What it prints on standard output, or its complaint.
sub dprofpp {
    my (@arguments) = @_;
    my $got = run(['dprofpp', @arguments], env => { DPROFPP_OPTS => undef });
    return $got->{err} eq '' && $got->{status} == 0 ? $got->{out} : "complains: $got->{err}";
}

sub _text {
    my ($string) = @_;
    return substr($string, 1) =~ s/%([0-9A-F]{2})/chr hex $1/gre;
}

# The chunks of calls: ['>', name, depth] if the stream has names of entries, ['<', name, depth, excl ticks].
sub calls_of {
    my ($profile) = @_;
    my $got = run([build_dir() . '/test/dump-chunks', $profile]);
    my ($depth, @calls) = (0);
    for (split /\n/, $got->{out}) {
        my ($tag, @value) = split /\t/;
        if ($tag eq 'SUB_ENTRY' && @value > 2) {
            push @calls, ['>', _text($value[2]), ++$depth];
        }
        elsif ($tag eq 'SUB_RETURN') {
            $depth = $value[0] - 1;
            push @calls, ['<', _text($value[3]), $value[0], $value[2]];
        }
    }
    return @calls;
}

# A line for each call when it begins, with three blanks per level, as dprofpp -T prints it.
sub tree_of {
    return join '', map { '   ' x ($_->[2] - 1) . "$_->[1]\n" } grep { $_->[0] eq '>' } @_;
}

1;
