package CoverRun;

# Programs under Devel::NYTProf::Cover, and what nytp-cover says of them.
#
#   my $run = covered($dir, ['prog.pl'], perl => [...], env => {...});    # as NYTPTest::run() gives it
#   my $lines = lines_of($dir, recordings($dir));                         # { 'prog.pl' => { LINE => ran } }
#   my $theirs = devel_cover($dir, 'prog.pl');                            # what Devel::Cover says; nothing if it is not installed

use strict;
use warnings;

use Exporter 'import';
use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir run);

our @EXPORT_OK = qw(branches_in_json covered devel_cover lcov lines_of branches_of recordings);

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

# { statement => { LINE => [[1]] }, branch => { LINE => [[1, 0]] }, condition => { LINE => [[1, 0, 1]] } }: for each one of the line,
# what was seen of it. Values of a condition: the right operand was evaluated, was not, was true, was false.
sub devel_cover {
    my ($dir, $program) = @_;
    return if run([$^X, '-MDevel::Cover::DB', '-e', 1])->{status};
    run([$^X, "-MDevel::Cover=-silent,1,-db,$dir/cover_db", $program], dir => $dir);
    my $told = run([$^X, '-MDevel::Cover::DB', '-e', <<'END', $program], dir => $dir);
my $file = Devel::Cover::DB->new(db => 'cover_db')->merge_runs->cover->file($ARGV[0]);
for my $criterion (qw(statement branch condition)) {
    my $all = $file->$criterion or next;
    for my $line ($all->items) {
        for my $one (@{ $all->location($line) }) {
            my @seen = map { $_ ? 1 : 0 } $criterion eq 'statement' ? $one->covered : $one->values;
            if ($criterion eq 'condition') {
                next if @seen != 3;
                my ($true, $false) = $one->type =~ /^and/ ? @seen[2, 1] : @seen[1, 2];
                @seen = ($true || $false || 0, $seen[0], $true, $false);
            }
            print "$criterion $line @seen\n";
        }
    }
}
END
    die "Devel::Cover: $told->{err}" if $told->{status};
    my %says;
    push @{ $says{$1}{$2} }, [split ' ', $3] while $told->{out} =~ /^(\w+) (\d+) (.*)$/mg;
    return \%says;
}

1;
