# Prints everything that Devel::NYTProf::Data loads, a value on each line, and where the module was found.
#
#   perl dump-data.pl PROFILE

use strict;
use warnings;

use Devel::NYTProf::Data;

# Characters and their UTF-8 bytes are printed the same.
sub text_of {
    my ($value) = @_;
    return 'undef' if !defined $value;
    return sprintf '%.9g', $value if $value =~ /^-?[0-9]*\.?[0-9]+(?:e[-+]?[0-9]+)?\z/;
    utf8::encode($value) if utf8::is_utf8($value);
    return $value =~ s/([^ -~]|%)/sprintf '%%%02X', ord $1/ger;
}

sub put {
    my ($where, $value) = @_;
    my $type = ref $value;
    if ($type eq 'HASH') {
        print "$where {}\n" if !%$value;
        put("$where " . text_of($_), $value->{$_}) for sort { text_of($a) cmp text_of($b) } keys %$value;
    }
    elsif ($type eq 'ARRAY') {
        put("$where $_", $value->[$_]) for grep { defined $value->[$_] } 0 .. $#$value;
    }
    elsif ($type eq 'Devel::NYTProf::FileInfo' || $type eq 'Devel::NYTProf::SubInfo') {
        print "$where: $type $value->[0] $value->[6]\n";
    }
    else {
        print "$where: ", text_of($value), "\n";
    }
    return;
}

# An item, column by column. Other items are referred to, not printed.
sub put_item {
    my ($where, $item) = @_;
    print "$where: ", ref $item, ' ', scalar @$item, "\n";
    for my $i (0 .. $#$item) {
        ref $item->[$i] eq 'Devel::NYTProf::Data' ? print "$where $i: the profile\n" : put("$where $i", $item->[$i]);
    }
    return;
}

print STDERR $INC{'Devel/NYTProf/Data.pm'}, "\n";
my $profile = Devel::NYTProf::Data->new({ filename => $ARGV[0], quiet => 1, skip_collapse_evals => 1 });
my ($files, $subs) = delete @$profile{qw(fid_fileinfo sub_subinfo)};
put_item("fid_fileinfo $_", $files->[$_]) for grep { $files->[$_] } 0 .. $#$files;
put_item('sub_subinfo ' . text_of($_), $subs->{$_}) for sort { text_of($a) cmp text_of($b) } keys %$subs;
put($_, $profile->{$_}) for sort keys %$profile;
