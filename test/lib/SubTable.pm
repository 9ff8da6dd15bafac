package SubTable;

# Calls by sub, as nytp-tree counts them.
#
#   my $calls = calls_of([$path, ...], '--no-labels');    # { 'main::f' => 3 }

use strict;
use warnings;

use CollectorRun qw(tool);
use Exporter 'import';
use NYTPTest qw(run);
use Test::More ();

our @EXPORT_OK = qw(calls_of);

sub calls_of {
    my ($paths, @options) = @_;
    my $got = run([tool('nytp-tree'), '--table', '-q', '-O', -1, @options, @$paths]);
    $got->{err} =~ s/^nytp-tree: warning: the profile has no calls .*\n//;
    Test::More::is("$got->{status} $got->{err}", '0 ', 'nytp-tree reads it');
    return { map { my @cell = split ' ', $_, 7; ($cell[6] => $cell[3]) } split /\n/, $got->{out} };
}

1;
