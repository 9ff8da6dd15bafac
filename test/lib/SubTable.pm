package SubTable;

# Calls by sub, as nytp-tree counts them, and as the chunks of a profile have them.
#
#   my $calls = calls_of([$path, ...], '--no-labels');          # { 'main::f' => 3 }
#   my ($calls, $attributes) = calls_and_attributes($path);    # attributes by name, too

use strict;
use warnings;

use CollectorRun qw(tool);
use Exporter 'import';
use NYTPTest qw(build_dir run);
use Test::More ();

our @EXPORT_OK = qw(calls_and_attributes calls_of);

sub calls_of {
    my ($paths, @options) = @_;
    my $got = run([tool('nytp-tree'), '--table', '-q', '-O', -1, @options, @$paths]);
    $got->{err} =~ s/^nytp-tree: warning: the profile has no calls .*\n//;
    Test::More::is("$got->{status} $got->{err}", '0 ', 'nytp-tree reads it');
    return { map { my @cell = split ' ', $_, 7; ($cell[6] => $cell[3]) } split /\n/, $got->{out} };
}

sub calls_and_attributes {
    my ($path) = @_;
    my $got = run([build_dir() . '/test/dump-chunks', $path]);
    Test::More::is("$got->{status} $got->{err}", '0 ', 'a whole profile');
    my (%calls, %attribute);
    for (map { [map { s/\A['"]//r =~ s/%([0-9a-f]{2})/chr hex $1/gier } split /\t/] }
        $got->{out} =~ /^((?:ATTRIBUTE|SUB_CALLERS)\t.*)/mg) {
        $attribute{ $_->[1] } = $_->[2] if $_->[0] eq 'ATTRIBUTE';
        my ($count, $called) = @$_[3, 8];
        $calls{$called} += $count if $_->[0] eq 'SUB_CALLERS' && $count;
    }
    return (\%calls, \%attribute);
}

1;
