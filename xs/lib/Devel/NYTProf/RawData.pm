package Devel::NYTProf::Data;

# Devel/NYTProf/Data.pm loads this, unless it loads the module of the stock distribution.

use strict;
use warnings;
no warnings 'redefine'; # the stock collector defines load_profile_data_from_file() in C

require Devel::NYTProf::ReadStream;

# Errors name the line of the program that loads the file.
{ no warnings 'once'; $Carp::Internal{ +__PACKAGE__ }++ } # Carp is loaded only for an error

sub new {
    my ($class, $option) = @_;
    $option //= {};
    return Devel::NYTProf::ReadStream::_read($option->{callback}, $option) if $option->{callback};
    return _load(bless({}, $class), Devel::NYTProf::ReadStream::_filename($option));
}

sub _load {
    my ($profile, $filename) = @_;
    Devel::NYTProf::ReadStream::_complain(Devel::NYTProf::ReadStream::load($profile, $filename));
    return $profile;
}

sub load_profile_data_from_file {
    my ($filename, $callback) = @_;
    my %option = (filename => $filename, quiet => 1);
    return Devel::NYTProf::ReadStream::_read($callback, \%option) if $callback;
    return _load({}, Devel::NYTProf::ReadStream::_filename(\%option));
}

sub attributes          { return $_[0]{attribute} }
sub options             { return $_[0]{option} }
sub subname_subinfo_map { return { %{ $_[0]{sub_subinfo} } } }
sub get_profile_levels  { return $_[0]{profile_modes} }
sub get_fid_line_data   { return $_[0]{ 'fid_' . ($_[1] || 'line') . '_time' } }
sub inc                 { return @INC }
sub all_fileinfos       { return grep { defined } @{ $_[0]{fid_fileinfo} } }
sub eval_fileinfos      { return grep { $_->is_eval } $_[0]->all_fileinfos }
sub noneval_fileinfos   { return grep { !$_->is_eval } $_[0]->all_fileinfos }

sub resolve_fid {
    my ($self, $file) = @_;
    if (!defined $file) { require Carp; Carp::croak('No file specified') }
    my $fid_of = $self->{_fid_of} //= { map { $_->filename => $_->fid } $self->all_fileinfos };
    return $fid_of->{$file} // ($file =~ /^[0-9]+\z/ ? $file : _fid_by_end($fid_of, $file));
}

# A file whose name ends with this one, after a slash; undef if there are several.
sub _fid_by_end {
    my ($fid_of, $file) = @_;
    my @matching = grep { m{/\Q$file\E\z} } keys %$fid_of;
    return @matching == 1 ? $fid_of->{ $matching[0] } : undef;
}

sub fileinfo_of {
    my ($self, $file) = @_;
    return $file if ref $file || !defined $file;
    my $fid = $self->resolve_fid($file);
    return defined $fid ? $self->{fid_fileinfo}[$fid] : undef;
}

sub subs_defined_in_file {
    my ($self, $file) = @_;
    my $fileinfo = $self->fileinfo_of($file) or return;
    return { %{ $fileinfo->subs } };
}

sub subs_defined_in_file_by_line {
    my $subs = subs_defined_in_file(@_) or return {};
    my %by_line;
    push @{ $by_line{ $subs->{$_}->first_line // 0 } }, $subs->{$_} for sort keys %$subs;
    return \%by_line;
}

sub subinfo_of {
    my ($self, $name) = @_;
    return defined $name ? $self->{sub_subinfo}{$name} : undef;
}

sub file_line_range_of_sub {
    my ($self, $name) = @_;
    my $sub = $self->subinfo_of($name) or return;
    my $fileinfo = $sub->fileinfo or return;
    return ($fileinfo->filename, $fileinfo->fid, $sub->first_line, $sub->last_line, $fileinfo);
}

sub package_subinfo_map {
    my ($self, $merge, $nested) = @_;
    my %of;
    for my $name (sort keys %{ $self->{sub_subinfo} }) {
        push @{ $of{ $name =~ s/::\K(?!.*::).*//sr } }, $self->{sub_subinfo}{$name};
    }
    $_ = [_merged(@$_)] for $merge ? values %of : ();
    return \%of if !$nested;
    my %tree;
    for my $package (keys %of) {
        my $node = \%tree;
        $node = $node->{$_} //= {} for $package eq '::' ? '' : split /::/, $package;
        $node->{''} = $of{$package};
    }
    return \%tree;
}

# The sum of subs.
sub _merged {
    my ($first, @more) = @_;
    return $first if !@more;
    my $sum = $first->clone;
    $sum->merge_in($_) for @more;
    return $sum;
}

# Methods by the columns of their values.
sub _accessors {
    my ($class, %column) = @_;
    for my $name (keys %column) {
        my $at = $column{$name};
        no strict 'refs';
        *{"Devel::NYTProf::${class}::$name"} = sub { return $_[0][$at] };
    }
    return;
}

# Methods that return a hash, for the program's own use. It exists from the first call.
sub _notes {
    my ($class, %column) = @_;
    for my $name (keys %column) {
        my $at = $column{$name};
        no strict 'refs';
        *{"Devel::NYTProf::${class}::$name"} = sub { return $_[0][$at] //= {} };
    }
    return;
}

_accessors(FileInfo => (
    name => 0, filename => 0, eval_fid => 1, eval_line => 2, fid => 3, flags => 4, size => 5, mtime => 6, profile => 7,
    eval_fi => 8, evals => 9, subs => 10, sub_call_lines => 11,
));
_notes(FileInfo => (meta => 13, cache => 14));
_accessors(SubInfo => (
    fid => 0, first_line => 1, last_line => 2, calls => 3, incl_time => 4, excl_time => 5, name => 6, subname => 6,
    profile => 7, recur_max_depth => 8, recur_incl_time => 9,
));
_notes(SubInfo => (meta => 12, cache => 13));

package Devel::NYTProf::FileInfo;

use constant { PMC => 0x01, FAKE => 0x80, EVAL => 0x100 }; # bits of the flags

sub is_pmc  { return $_[0]->flags & PMC }
sub is_fake { return $_[0]->flags & FAKE }
sub is_eval { return $_[0]->eval_fid ? 1 : 0 }
sub is_file { return !($_[0]->is_eval || $_[0]->flags & (FAKE | EVAL)) }

sub has_evals {
    my ($self, $nested) = @_;
    my $evals = $self->evals or return;
    my @all = my @last = @$evals;
    push @all, @last while $nested && (@last = map { $_->has_evals } @last);
    return @all;
}

sub evals_by_line {
    my ($self) = @_;
    my %by_line;
    $by_line{ $_->eval_line }{ $_->fid } = $_ for $self->has_evals;
    return \%by_line;
}

sub sibling_evals {
    my ($self) = @_;
    my $outer = $self->eval_fi or return;
    my @siblings = grep { $_->eval_line == $self->eval_line } $outer->has_evals;
    return @siblings;
}

# The file that has the eval, and the line. With $outermost, the file at the end of the chain.
sub outer {
    my ($self, $outermost) = @_;
    my $outer = $self->eval_fi or return;
    return $outer->outer(1) if $outermost && $outer->eval_fi;
    return wantarray ? ($outer, $self->eval_line) : $outer;
}

sub filename_without_inc {
    my ($self) = @_;
    my $filename = $self->filename;
    my @inc = sort { length $b <=> length $a } map { s{/\z}{}r } grep { m{^/.} } $self->profile->inc;
    my $any = join '|', map { quotemeta } @inc;
    $filename =~ s{(^|\[)(?:$any)/}{$1} if @inc;
    return $filename;
}

sub abs_filename { return $_[0]->filename . ($_[0]->is_pmc ? 'c' : '') }
sub summary      { return 'fid' . $_[0]->fid . ': ' . $_[0]->filename_without_inc }

sub subs_defined {
    my ($self, $with_evals) = @_;
    my @subs = map { values %{ $_->subs } } $self, $with_evals ? $self->has_evals(1) : ();
    return @subs;
}

sub subs_defined_sorted {
    my @sorted = sort { $a->subname cmp $b->subname } subs_defined(@_);
    return @sorted;
}

# The times of the first of the levels that this file has.
sub line_time_data {
    my ($self, $levels) = @_;
    for my $level (@{ $levels // ['line'] }) {
        my $times = $self->profile->get_fid_line_data($level) or next;
        return $times->[$self->fid] if $times->[$self->fid];
    }
    return undef;
}

# Seconds and executions of a file, by the times of the first of the levels.
sub _statements {
    my ($self, @levels) = @_;
    my $times = $self->line_time_data(\@levels) or return;
    my ($seconds, $count) = (0, 0);
    for (grep { $_ && @$_ } @$times) {
        $seconds += $_->[0];
        $count += $_->[1];
    }
    return ($seconds, $count);
}

sub _sum_of_statements {
    my ($self, $with_evals, $column) = @_;
    my $sum = 0;
    $sum += (_statements($_, 'line'))[$column] // 0 for $self, $with_evals ? $self->has_evals(1) : ();
    return $sum;
}

sub sum_of_stmts_time  { return _sum_of_statements(@_[0, 1], 0) }
sub sum_of_stmts_count { return _sum_of_statements(@_[0, 1], 1) }
sub excl_time          { return scalar((_statements($_[0], qw(sub block line)))[0]) }

sub has_savesrc { return $_[0]->profile->{fid_srclines}[$_[0]->fid] }

# The source that was saved, or that of the file as it is now.
sub srclines_array {
    my ($self) = @_;
    if (my $saved = $self->has_savesrc) {
        return [@$saved[1 .. $#$saved]];
    }
    return undef if !$self->is_file;
    open my $source, '<', $self->abs_filename or return undef;
    return [<$source>];
}

sub src_digest {
    my ($self) = @_;
    my $lines = $self->srclines_array or return '';
    my $text = join "\n", map { $_ // '' } @$lines;
    return join ',', scalar @$lines, length $text, unpack '%32C*', $text;
}

package Devel::NYTProf::SubInfo;

sub fileinfo { return $_[0]->profile && defined $_[0]->fid ? $_[0]->profile->{fid_fileinfo}[$_[0]->fid] : undef }
sub is_anon  { return $_[0]->subname =~ /::__ANON__\b/ }
sub kind     { return $_[0]->is_opcode ? 'opcode' : $_[0]->is_xsub ? 'xsub' : 'perl' }
sub package                 { return $_[0]->subname =~ s/::(?!.*::).*//sr }
sub subname_without_package { return $_[0]->subname =~ s/.*:://sr }

# Xsubs and built-ins have no lines. Of a sub without a definition, undef.
sub is_xsub {
    my ($self) = @_;
    return undef if !defined $self->first_line;
    return !$self->first_line && !$self->last_line ? 1 : 0;
}

sub is_opcode { return $_[0]->is_xsub && $_[0]->subname =~ /^CORE::\w+\z|(?:^|::)CORE:\w+\z/ ? 1 : 0 }

sub caller_fid_line_places {
    my ($self) = @_;
    my %places = %{ $self->[10] // {} };
    delete $places{0}; # marks an xsub or built-in
    return \%places;
}

sub caller_fids {
    my @fids = sort { $a <=> $b } keys %{ $_[0]->caller_fid_line_places };
    return @fids;
}

sub caller_places {
    my ($self) = @_;
    my $places = $self->caller_fid_line_places;
    my @list;
    for my $fid ($self->caller_fids) {
        push @list, map { [$fid, $_, $places->{$fid}{$_}] } sort { $a <=> $b } keys %{ $places->{$fid} };
    }
    return @list;
}

sub caller_count { return scalar(my @places = $_[0]->caller_places) }

sub called_by_subnames {
    my %callers = map { %{ $_->[2][7] } } $_[0]->caller_places;
    return \%callers;
}

# A copy that can be changed without changing the profile.
sub clone {
    my ($self) = @_;
    my $copy = bless [@$self], ref $self;
    $#$copy = 10;
    $copy->[10] = {};
    _add_places($copy->[10], $self->[10] // {});
    return $copy;
}

# Adds another sub, which is not changed.
sub merge_in {
    my ($self, $other) = @_;
    my ($first) = sort { $a <=> $b } grep { defined } $self->first_line, $other->first_line;
    my ($last)  = sort { $b <=> $a } grep { defined } $self->last_line,  $other->last_line;
    @$self[1, 2] = ($first, $last);
    $self->[$_] += $other->[$_] for 3, 4, 5, 9;
    $self->[8] = $other->[8] if $self->[8] < $other->[8];
    _add_places($self->[10] //= {}, $other->[10] // {});
    push @{ $self->meta->{merged_sub_names} }, $other->subname;
    return;
}

sub _add_places {
    my ($to, $from) = @_;
    for my $fid (keys %$from) {
        my $lines = $to->{$fid} //= {};
        _add_call($lines->{$_} //= [0, 0, 0, 0, 0, 0, 0, {}], $from->{$fid}{$_}) for keys %{ $from->{$fid} };
    }
    return;
}

sub _add_call {
    my ($to, $from) = @_;
    $to->[$_] += $from->[$_] for 0 .. 5;
    $to->[6] = $from->[6] if $to->[6] < $from->[6];
    $to->[7]{$_} = undef for keys %{ $from->[7] };
    return;
}

1;
__END__

=head1 NAME

Devel::NYTProf::RawData - the methods of Devel::NYTProf::Data

=head1 DESCRIPTION

L<Devel::NYTProf::Data> loads this module. Programs load Devel::NYTProf::Data.

=cut
