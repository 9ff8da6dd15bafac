package Written;

# What the programs of this build write of profiles.
#
#   my $text = written('nytp-tree', '--table', $path);            # it must end well, and say nothing
#   my @rows = rows_of('spans', $path);                           # of a table of nytprofcsv, by the names of its columns
#   my $ns   = stacks_of('--unit=ns', $path);                     # of nytprofcalls, those other than 0

use strict;
use warnings;

use Exporter 'import';
use NYTPTest qw(build_dir run);
use Test::More ();

our @EXPORT_OK = qw(rows_of stacks_of written);

sub written {
    my ($program, @arguments) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $got = run([build_dir() . "/bin/$program", @arguments]);
    Test::More::is("$got->{status} $got->{err}", '0 ', "$program @arguments");
    return $got->{out};
}

# No cell may have a comma.
sub rows_of {
    my ($table, @arguments) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my ($head, @rows) = map { [split /,/, $_, -1] } split /\r\n/, written('nytprofcsv', "--table=$table", '-o', '-', @arguments);
    return map { my %row; @row{@$head} = @$_; \%row } @rows;
}

sub stacks_of { return { map { /^(.*) (\S+)$/ && $2 != 0 ? ($1 => $2) : () } split /\n/, written('nytprofcalls', @_) } }

1;
