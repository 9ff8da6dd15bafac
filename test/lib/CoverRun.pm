package CoverRun;

# Programs under Devel::NYTProf::Cover, and what nytp-cover says of them.
#
#   my $run = covered($dir, ['prog.pl'], perl => [...], env => {...});    # as NYTPTest::run() gives it
#   my $lines = lines_of($dir, recordings($dir));                         # { 'prog.pl' => { LINE => ran } }

use strict;
use warnings;

use Exporter 'import';
use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir run);

our @EXPORT_OK = qw(branches_in_json covered lcov lines_of branches_of recordings);

sub nytp_cover { return build_dir() . '/bin/nytp-cover' }

# Runs perl in the directory; options: perl, more options of perl's; env; nytprof, options of NYTPROF.
sub covered {
    my ($dir, $arguments, %option) = @_;
    my @load = ('-I' . build_dir() . '/perl5', @{ $option{before} // [] }, '-MDevel::NYTProf::Cover');
    return run([$^X, @load, @{ $option{perl} // [] }, @$arguments],
        dir => $dir, env => { PERL5OPT => undef, NYTPROF => $option{nytprof} // '', %{ $option{env} // {} } });
}

sub recordings { my ($dir) = @_; return sort glob "$dir/nytcover.out*" }

# The tracefile that nytp-cover makes of recordings.
sub lcov {
    my (@files) = @_;
    my $got = run([nytp_cover(), '--lcov=-', @files]);
    die "nytp-cover: status $got->{status}: $got->{err}\n" if $got->{status} != 0 || $got->{err} ne '';
    return $got->{out};
}

sub _each_file {
    my ($lcov, $take) = @_;
    my %of;
    $of{$1} = $take->("$2") while $lcov =~ /^SF:([^\n]*)\n(.*?)^end_of_record$/msg;
    return \%of;
}

sub lines_of { return _each_file(lcov(@_), sub { return { $_[0] =~ /^DA:(\d+),(\d)$/mg } }) }

# For each line, its branches: [taken, not taken].
sub branches_of {
    return _each_file(lcov(@_), sub {
        my %at;
        $at{$1}[$2][$3] = $4 eq '1' ? 1 : 0 while $_[0] =~ /^BRDA:(\d+),(\d+),(\d),(.)$/mg;
        return \%at;
    });
}

# The same from JSON, with the values of right operands where they are seen: [ran, skipped, true, false].
sub branches_in_json {
    my ($dir, @files) = @_;
    my $json = decode_json(run([nytp_cover(), '--json=-', @files], dir => $dir)->{out});
    my %of;
    for my $file (@{ $json->{files} }) {
        push @{ $of{ $file->{name} }{ $_->[0] } }, [@$_[1 .. $#$_]] for @{ $file->{branch_list} };
    }
    return \%of;
}

1;
