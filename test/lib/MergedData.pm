package MergedData;

# Everything in a profile, as Debian's Devel::NYTProf reads it. Two merged profiles must agree in it, whichever
# program merged them.
#
#   use MergedData qw(data_of model_of differing);
#   my @lines = differing(data_of($one), data_of($other));   # empty when they say the same
#   my $data  = data_of($path, \my %carried);
#   my $model = model_of($path, \%carried);

use strict;
use warnings;

use StockModules;

use Devel::NYTProf::Data;
use Exporter 'import';
use List::Util qw(sum0);

our @EXPORT_OK = qw(data_of model_of differing);

# Doubles are summed in another order: they agree to this share, or to this much near 0.
my ($SHARE, $NEAR) = (1e-9, 1e-9);

# Of each program, stock counts the profiles, as runs; ours counts processes.
sub _in_processes { my ($applications) = @_; return $applications =~ s/ \(\d+ \Kruns\)/processes)/gr }

sub _add { my ($sums, @values) = @_; $sums->[$_] += $values[$_] for 0 .. $#values; return }

# Adds up the chunks of a profile, in any order. If a process ended with a DISCOUNT, stock's nytprofmerge takes the
# first statement of the next one for a part of an earlier one. It is counted here; $carried says how often, by "FID
# LINE".
sub _takers {
    my ($d, $carried) = @_;
    my ($discount, $is_carried) = (0, 0);
    my $time = sub {
        my ($tag, $ticks, @place) = @_;
        $carried->{"@place[0, 1]"}++ if $is_carried;
        $is_carried = 0;
        _add($d->{"$tag @place"} //= [0, 0, 0], !$discount, $discount, $ticks);
        $discount = 0;
    };
    return {
        VERSION       => sub { $d->{version} = [@_[1, 2]] },
        ATTRIBUTE     => sub { $d->{"attribute $_[1]"} = [_in_processes($_[2])] },
        OPTION        => sub { $d->{"option $_[1]"}    = [$_[2]] },
        COMMENT       => sub { },
        START_DEFLATE => sub { },
        PID_START     => sub { ($is_carried, $discount) = ($discount, 0);
            $d->{ 'process ' . $d->{processes}[0]++ } = [@_[1, 2, 3]] },
        PID_END       => sub { $d->{ 'end of process ' . $d->{ends}[0]++ } = [@_[1, 2]] },
        TIME_LINE     => $time,
        TIME_BLOCK    => $time,
        DISCOUNT      => sub { $discount = 1 },
        NEW_FID       => sub { $d->{"fid $_[1]"} = [@_[2 .. 7]] },
        SUB_ENTRY     => sub { $d->{"entry $_[1]:$_[2]"}[0]++ },
        SUB_RETURN    => sub {
            my ($tag, $depth, $incl, $excl, $name) = @_;
            _add($d->{"return $depth $name"} //= [0, 0, 0], 1, $incl, $excl);
        },
        SUB_INFO    => sub { $d->{"sub $_[4] $_[1]:$_[2]-$_[3]"} = [1] },
        SUB_CALLERS => sub {
            my ($tag, $fid, $line, $count, $incl, $excl, $reci, $depth, $called, $caller) = @_;
            my $arc = $d->{"arc $fid:$line $caller -> $called"} //= [0, 0, 0, 0, 0];
            _add($arc, $count, $incl, $excl, $reci);
            $arc->[4] = $depth if $depth > $arc->[4];
        },
        SRC_LINE => sub { $d->{"source $_[1]:$_[2]"} = [$_[3]] },
        ''       => sub { die "unexpected chunk $_[0]\n" },
    };
}

# Reads without the reader's warnings of subs that have one name in different programs. Dies of errors.
sub _profile {
    my (%how) = @_;
    open my $stderr, '>&', \*STDERR or die $!;
    open STDERR, '>', '/dev/null' or die $!;
    my $profile;
    my $whole = eval { $profile = Devel::NYTProf::Data->new({ quiet => 1, %how }); 1 };
    my $error = $@;
    open STDERR, '>&', $stderr or die $!;
    die $error if !$whole;
    return $profile;
}

# { what and where => [values] }. $carried, which model_of() needs, gets what _takers() counts there.
sub data_of {
    my ($path, $carried) = @_;
    my %data;
    _profile(filename => $path, callback => _takers(\%data, $carried));
    delete @data{qw(processes ends)};
    return \%data;
}

# The lines of stock's own dump of its data model, as a set.
sub model_of {
    my ($path, $carried) = @_;
    my $profile = _profile(filename => $path, skip_collapse_evals => 1); # which it dies of, of its own profiles too
    my $text    = '';
    open my $out, '>', \$text or die $!;
    $profile->dump_profile_data({ filehandle => $out, separator => "\t" });
    my %data;
    for my $line (split /\n/, _in_processes($text)) {
        my @words = split /[\t ]+/, $line;
        my @numbers;
        s/\A(-?\d+(?:\.\d+(?:e[-+]\d+)?|e[-+]\d+))(,?)\z/push @numbers, $1; "#$2"/e for @words;
        my $key = "@words";
        $key =~ s{^fid_line_time (\d+ \d+) \[ # \K\d+}{$& + ($carried->{$1} // 0)}e;
        $key =~ s{^attribute total_stmts_discounted \K\d+}{$& - sum0(values %$carried)}e;
        push @{ $data{$key} }, @numbers;
    }
    return \%data;
}

sub _equal {
    my ($x, $y) = @_;
    return 1 if $x eq $y;
    return 0 if grep { !/\A-?\d+(?:\.\d+)?(?:e[-+]?\d+)?\z/i } $x, $y;
    my $large = abs $x > abs $y ? abs $x : abs $y;
    return abs($x - $y) <= $SHARE * $large + $NEAR;
}

sub _equal_lists {
    my ($x, $y) = @_;
    return @$x == @$y && !grep { !_equal($x->[$_] // '', $y->[$_] // '') } 0 .. $#$x;
}

# The differences between the two, a line for each, up to ten.
sub differing {
    my ($one, $other) = @_;
    my @found;
    for my $key (sort keys %{ { %$one, %$other } }) {
        my ($x, $y) = map { $_->{$key} } $one, $other;
        next if $x && $y && _equal_lists($x, $y);
        push @found, "$key: " . join ' | ', map { $_ ? "@$_" : 'nothing' } $x, $y;
        last if @found == 10;
    }
    return @found;
}

1;
