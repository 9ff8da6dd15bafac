# Prints everything that Devel::NYTProf::Data loads, a value on each line, what the methods of the profile, its files
# and its subs return.
#
#   perl dump-data.pl PROFILE

use strict;
use warnings;

use Devel::NYTProf::Data;

# The tests run the stock collector with a directory in place of that of this build, which `use lib` does not move to
# the front. Methods look through @INC, so the number of directories has to be the same.
@INC = grep { index($_, '/no-collector') < 0 } @INC;

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
{
    my %rest = %$profile;
    my ($files, $subs) = delete @rest{qw(fid_fileinfo sub_subinfo)};
    put_item("fid_fileinfo $_", $files->[$_]) for grep { $files->[$_] } 0 .. $#$files;
    put_item('sub_subinfo ' . text_of($_), $subs->{$_}) for sort { text_of($a) cmp text_of($b) } keys %$subs;
    put($_, $rest{$_}) for sort keys %rest;
}

# ---- methods ----

# Those whose results stock orders like the keys of a hash.
my %unordered = map { $_ => 1 } qw(caller_fids package_subinfo_map subs_defined subs_defined_in_file_by_line);

# A value on one line.
sub shown {
    my ($value, $sorted) = @_;
    my $type = ref $value;
    return "$type " . $value->fid if $type eq 'Devel::NYTProf::FileInfo';
    return "$type " . text_of($value->subname) if $type eq 'Devel::NYTProf::SubInfo';
    return $type if $type eq 'Devel::NYTProf::Data';
    return '{' . join(', ', sort map { text_of($_) . ': ' . shown($value->{$_}, $sorted) } keys %$value) . '}'
        if $type eq 'HASH';
    return text_of($value) if $type ne 'ARRAY';
    my @items = map { shown($_, $sorted) } @$value;
    return '[' . join(', ', $sorted ? sort @items : @items) . ']';
}

# Calls a method in list and in scalar context. Warnings are not compared.
my %called;
sub call {
    my ($where, $object, $method, @arguments) = @_;
    $called{ ref($object) =~ s/.*:://r }{$method} = 1;
    local $SIG{__WARN__} = sub { };
    my @list   = $object->$method(@arguments);
    # sort has no result in scalar context
    my $scalar = $method eq 'subs_defined_sorted' ? '' : $object->$method(@arguments);
    print "$where $method(", join(', ', map { shown($_) } @arguments), '): ',
        shown(\@list, $unordered{$method}), ' ', shown($scalar, $unordered{$method}), "\n";
    return;
}

sub call_of_file {
    my ($file) = @_;
    my $where = 'file ' . $file->fid;
    call($where, $file, $_)
        for qw(abs_filename eval_fi eval_fid eval_line evals_by_line excl_time fid filename filename_without_inc
        flags has_evals has_savesrc is_eval is_fake is_file is_pmc meta mtime outer profile sibling_evals size src_digest
        srclines_array sub_call_lines subs_defined subs_defined_sorted sum_of_stmts_count sum_of_stmts_time summary);
    call($where, $file, $_, 1)
        for qw(has_evals outer subs_defined subs_defined_sorted sum_of_stmts_count sum_of_stmts_time);
    return;
}

sub call_of_sub {
    my ($sub) = @_;
    call('sub ' . text_of($sub->subname), $sub, $_)
        for qw(cache called_by_subnames caller_count caller_fid_line_places caller_fids caller_places
        calls clone excl_time fid fileinfo first_line incl_time is_anon is_opcode is_xsub kind last_line meta package profile recur_incl_time
        recur_max_depth subname subname_without_package);
    return;
}

# The sums of a sub that others were added to. Where it was called from is not compared: stock loses some places.
sub sums {
    my ($sub) = @_;
    return join ' ', map { defined $_ ? sprintf '%.7f', $_ : 'undef' }
        map { $sub->$_ } qw(calls incl_time excl_time recur_incl_time recur_max_depth first_line last_line);
}

my @names = sort { text_of($a) cmp text_of($b) } keys %{ $profile->subname_subinfo_map };
my @files = $profile->all_fileinfos;
call('profile', $profile, $_)
    for qw(all_fileinfos attributes eval_fileinfos get_fid_line_data get_profile_levels noneval_fileinfos options
    package_subinfo_map subname_subinfo_map);
call('profile', $profile, 'get_fid_line_data', $_) for qw(line block sub none);
call('profile', $profile, 'package_subinfo_map', 0, 1);
for my $method (qw(fileinfo_of resolve_fid subs_defined_in_file subs_defined_in_file_by_line)) {
    call('profile', $profile, $method, $_) for 'none',
        map { ($_->fid, $_->filename, $_->filename =~ s{.*/}{}r) } @files;
}
for my $method (qw(subinfo_of file_line_range_of_sub)) {
    call('profile', $profile, $method, $_) for 'none', @names;
}
# Stock changes these, when it adds up the statements.
for my $file (@files) {
    call('file ' . $file->fid, $file, $_) for qw(cache line_time_data);
    call('file ' . $file->fid, $file, 'line_time_data', $_) for ['block'], ['sub', 'block', 'line'], ['none', 'line'],
        [];
}
call_of_file($_) for @files;
call_of_sub($profile->subinfo_of($_)) for @names;
$called{Data}{$_} = 1 for qw(new inc load_profile_data_from_file);
$called{SubInfo}{merge_in} = 1;
print 'loaded: ', join(' ', sort keys %{ Devel::NYTProf::Data::load_profile_data_from_file($ARGV[0]) }), "\n";
my ($sum, @more) = map { $profile->subinfo_of($_) } @names;
if (@more) {
    $sum = $sum->clone;
    $sum->merge_in($_, src_keep => 1) for @more;
    print 'all subs: ', sums($sum), ' ', shown($sum->meta), "\n";
}
my $sums = Devel::NYTProf::Data->new({ filename => $ARGV[0], quiet => 1,
    skip_collapse_evals => 1 })->package_subinfo_map(1);
print 'package ', text_of($_), ': ', join('; ', map { sums($_) } @{ $sums->{$_} }), "\n" for sort keys %$sums;
print "called $_: ", join(' ', sort keys %{ $called{$_} }), "\n" for sort keys %called;
