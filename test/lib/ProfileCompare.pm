package ProfileCompare;

# What is in a profile, except times, and where two profiles differ. Reads with stock's modules, or with
# ours if this perl has none of stock's.
#
#   use ProfileCompare qw(read_profile differences);
#   my $profile = read_profile($path);     # { error, files, time, returns, arcs, ... }
#   my @lines = differences($one, $other); # empty when they say the same

use strict;
use warnings;

use StockModules '-or_ours';

use Devel::NYTProf::Data;
use Digest::MD5 ();
use Exporter 'import';
use StockProfile qw(arcs_said called with_called_subs with_depth_by_name with_evals_alike with_main_placed with_open_calls with_rests
    without_uncalled_files);

our @EXPORT_OK = qw(calls_of compare_runs count_of differences read_profile);

# Attributes that differ in each run, or between the collectors: what they look like.
my %OF_THE_RUN = (
    basetime                  => qr/\d{10}/,
    cumulative_overhead_ticks => qr/\d+(?:\.\d+e\+\d+)?/,
    xs_version                => qr/\d+\.\d+/,
);

# Attributes that only our collector writes.
my @OURS = qw(archlib clock collector inc privlib sitearch sitelib vendorarch vendorlib wait_for_cpu process_cpu_s
    processors memory_at eval_begin eval_end waits waited kept left);

# The order of this many events is kept; later ones are summed up.
my $EVENTS_KEPT = 300_000;

# Handlers of chunks. There are hundreds of thousands of statements and calls.
sub _takers {
    my ($p, $plain) = @_;
    my ($discount, $line_ticks, $file) = (0, @$p{qw(line_ticks name_of)});
    my $statement = sub {
        my ($tag, $ticks, $fid, @lines) = @_;
        $p->{negative}++ if $ticks < 0;
        $p->{ticks} += $ticks;
        $line_ticks->{"$file->{$fid}:$lines[0]"} += $ticks;
        my ($table, $place) = ($discount ? 'discounted' : 'executed', join ':', $file->{$fid}, @lines);
        $p->{$table}{$place}++;
        $p->{goes_on} = [$table, $place] if $discount && !%{ $p->{with_statements} };
        $p->{last}    = [$table, $place];
        $p->{with_statements}{$fid} = 1;
        $discount = 0;
    };
    return {
        VERSION       => sub { $p->{version} = "$_[1].$_[2]" },
        ATTRIBUTE     => sub { $p->{attributes}{ $_[1] } = $plain->($_[2]) },
        OPTION        => sub { $p->{options}{ $_[1] } = $_[2] },
        COMMENT       => sub { },
        START_DEFLATE => sub { $p->{deflated} = 1 },
        PID_START     => sub { push @{ $p->{starts} }, { pid => $_[1], ppid => $_[2], time => $_[3] } },
        PID_END       => sub { push @{ $p->{ends} }, $_[1]; $p->{end_s} = $_[2] },
        TIME_LINE     => $statement,
        TIME_BLOCK    => $statement,
        DISCOUNT      => sub { $discount = 1; $p->{last} = undef },
        NEW_FID       => sub {
            my ($tag, $fid, $eval_fid, $eval_line, $flags, $size, $mtime, $name) = @_;
            push @{ $p->{twice} }, "fid $fid" if $p->{files}{$fid};
            $file->{$fid} = $plain->($name);
            $file->{$fid} .= '#' . $p->{named}{ $file->{$fid} } if $p->{named}{ $file->{$fid} }++;
            $p->{files}{$fid} = { parent => $eval_fid, said => sprintf 'eval_line=%d flags=0x%x size=%d mtime=%d',
                $eval_line,
                $flags, $size, $mtime };
        },
        SUB_ENTRY => sub {
            my ($tag, $fid, $line) = @_;
            $p->{entries}{"$file->{$fid}:$line"}++;
            _event($p, "enter from $file->{$fid}:$line");
        },
        SUB_RETURN => sub {
            my ($tag, $depth, $incl_ticks, $excl_ticks, $called) = @_;
            my $name = $plain->($called);
            $p->{returns}{"depth $depth $name"}++;
            $p->{negative}++ if $incl_ticks < 0 || $excl_ticks < 0;
            $p->{incl_ticks}{$name} += $incl_ticks;
            $p->{excl_ticks}{$name} += $excl_ticks;
            _event($p, "return depth $depth $name");
        },
        SUB_INFO => sub {
            my ($tag, $fid, $first, $last, $called) = @_;
            my $name = $plain->($called);
            return if $name =~ /^Devel::NYTProf::/;
            # Subs without a line are xsubs, except those that -M on the command line calls, in line 0.
            if   ($name eq 'main::RUNTIME') { $p->{xsubs}{$name} = $file->{$fid} }
            elsif ($first || $last || $name =~ /::BEGIN\@0$/) { $p->{subs}{"$name $file->{$fid}:$first-$last"} = $name;
                _in_package($p, $name, $file->{$fid}) }
            else                    { $p->{xsubs}{$name} = $file->{$fid} }
        },
        SUB_CALLERS => sub {
            my ($tag, $fid, $line, $count, $incl_s, $excl_s, $reci_s, $depth, @names) = @_;
            $p->{tagged}{$_} = 1 for grep { utf8::is_utf8($_) } @names;
            my ($called, $caller) = map { $plain->($_) } @names;
            my $arc = $p->{arcs}{"$caller -> $called at "
                . ($fid ? "$file->{$fid}:$line" : 'nowhere')} //= { called => $called,
                count => 0, depth => 0 };
            $arc->{count}  += $count;
            $arc->{incl_s} += $incl_s;
            $arc->{excl_s} += $excl_s;
            $arc->{reci_s} += $reci_s;
            $arc->{depth} = $depth if $depth > $arc->{depth};
            $p->{negative}++ if $incl_s < 0 || $excl_s < 0;
        },
        SRC_LINE => sub {
            my ($tag, $fid, $line, $text) = @_;
            # where #line skipped some there is none
            $p->{source}{"$file->{$fid}:$line"} = $plain->($text) if length $text;
        },
        '' => sub { die "unexpected chunk $_[0]\n" },
    };
}

sub _in_package {
    my ($p, $name, $file) = @_;
    $p->{package_files}{$1}{$file} = 1 if $name =~ /(.*)::/s;
    return;
}

# Entries and returns in order, and a digest of those that were not kept.
sub _event {
    my ($p, $event) = @_;
    if   (@{ $p->{events} } < $EVENTS_KEPT) { push @{ $p->{events} }, $event }
    else                                    { $p->{digest}->add("$event\n") }
    return;
}

# Strings as bytes, because Debian's collector never tags them as UTF-8. DIR replaces the directory that the program
# ran in, and names that modules derive from addresses become equal.
sub _plainer {
    my ($dir) = @_;
    return sub {
        my ($text) = @_;
        utf8::encode($text) if utf8::is_utf8($text) && !utf8::downgrade($text, 1);
        $text =~ s{^/loader/0x[0-9a-f]+/}{/loader/};
        $text =~ s/::[0-9a-f]{32}\b/::MD5/g;
        $text =~ s/\Q$dir\E/DIR/g if defined $dir && index($text, $dir) >= 0;
        return $text;
    };
}

# Reads as far as the stock reader can; {error} is what it died of, if it did.
# {complete} says whether every process that began in the file ended in it.
sub read_profile {
    my ($path, $dir) = @_;
    my %p = (path => $path, digest => Digest::MD5->new, events => [], starts => [], ends => [], ticks => 0,
        negative => 0);
    $p{$_} = {}
        for qw(attributes options files name_of named with_statements executed discounted line_ticks entries returns
        subs xsubs package_files arcs source);
    my $takers = _takers(\%p, _plainer($dir));
    my $whole  = eval { Devel::NYTProf::Data->new({ filename => $path, quiet => 1, callback => $takers }); 1 };
    $p{error}    = $whole ? undef : $@;
    $p{complete} = $whole && @{ $p{starts} } > 0
        && join(' ', sort map { $_->{pid} } @{ $p{starts} }) eq join(' ', sort @{ $p{ends} });
    $p{first_file} = $p{name_of}{1};
    _name_files(\%p);
    $p{rest} = $p{digest}->hexdigest;
    $p{arcs_said} = arcs_said($p{arcs});
    return \%p;
}

# Files by their names, and the order in which those with statements were seen. Others may get their number when the
# profile ends.
sub _name_files {
    my ($p) = @_;
    my $file = $p->{name_of};
    my %said;
    for my $fid (keys %$file) {
        my ($said, $parent) = @{ $p->{files}{$fid} }{qw(said parent)};
        $said{ $file->{$fid} } = "$said parent=" . ($parent ? $file->{$parent} // $parent : 'none');
    }
    my $last = '';
    for my $fid (sort { $a <=> $b } keys %{ $p->{with_statements} }) {
        $said{ $file->{$fid} } .= " comes after $last";
        $last = $file->{$fid};
    }
    $p->{files} = \%said;
    return;
}

sub count_of {
    my ($profile, $called) = @_;
    my $count = 0;
    $count += $_->{count} for grep { $_->{called} eq $called } values %{ $profile->{arcs} };
    return $count;
}

# The calls by their returns, whatever their depth.
sub calls_of {
    my ($profile, $called) = @_;
    my $count = 0;
    /^depth \d+ (.*)/s && $1 eq $called and $count += $profile->{returns}{$_} for keys %{ $profile->{returns} };
    return $count;
}

sub _as_text {
    my ($value) = @_;
    return 'nothing' if !defined $value;
    return ref $value ? join ' ', map { "$_ $value->{$_}" } sort keys %$value : $value;
}

sub _shown {
    my $value = substr _as_text(@_), 0, 200;
    $value =~ s/\n/\\n/g;
    return $value;
}

my $SHOWN = 6;    # differences of a kind

sub _hashes {
    my ($what, $one, $other, $ignored) = @_;
    my @different = grep { _as_text($one->{$_}) ne _as_text($other->{$_}) }
        grep { !$ignored || !$ignored->{$_} } sort keys %{ { %$one, %$other } };
    return if !@different;
    my $more = @different - $SHOWN;
    splice @different, $SHOWN if $more > 0;
    return (map { "$what $_:\n    " . _shown($one->{$_}) . "\n    " . _shown($other->{$_}) } @different),
        $more > 0 ? "$what: $more more differ" : ();
}

# For attributes that differ in each run, only whether they look right. The perl is the one that the collector was built
# for, which may be another of the same series.
sub _attributes {
    my ($attributes, $is_stocks) = @_;
    my %said = %$attributes;
    delete @said{@OURS};
    # Debian's reader was seen to lose the beginning of this one, which comes late in the file, or all but the end of
    # its value.
    my ($cut) = grep { length && 'cumulative_overhead_ticks' =~ /\Q$_\E\z/ } keys %said;
    $said{cumulative_overhead_ticks} = delete $said{$cut} if defined $cut;
    $said{cumulative_overhead_ticks} //= 1 if $is_stocks;
    for my $name (grep { defined $said{$_} } keys %OF_THE_RUN) {
        $said{$name} = 'as it should be' if $said{$name} =~ /\A$OF_THE_RUN{$name}\z/;
    }
    $said{perl_version} =~ s/\A(\d+\.\d+)\.\d+\z/$1/ if defined $said{perl_version};
    return \%said;
}

# A sub that is defined again has a range for each definition if the collector reads ranges when subs are called, but
# only the last one if it reads them at the end.
sub _former {
    my ($one, $other) = @_;
    my %last = map { $_ => 1 } values %$one;
    return { map { $_ => 1 } grep { !exists $one->{$_} && $last{ $other->{$_} } } keys %$other };
}

# An xsub, a built-in or the main program is shown in a file in which its package has subs. If there are several,
# any will do: Debian's collector takes one in the order of a hash.
sub _xsubs {
    my ($one, $other) = @_;
    my @found;
    for my $name (sort keys %{ { %{ $one->{xsubs} }, %{ $other->{xsubs} } } }) {
        my ($file, $other_file) = map { $_->{xsubs}{$name} // 'nothing' } $one, $other;
        next if $file eq $other_file;
        my ($package) = $name =~ /(.*)::/s;
        my $of_package = $one->{package_files}{ $package // '' } // {};
        push @found, "xsub $name:\n    $file\n    $other_file" if !$of_package->{$file} || !$of_package->{$other_file};
    }
    splice @found, $SHOWN if @found > $SHOWN;
    return @found;
}

sub _events {
    my ($one, $other) = @_;
    my ($e, $f) = ($one->{events}, $other->{events});
    my ($at) = grep { ($e->[$_] // '') ne ($f->[$_] // '') } 0 .. (@$e > @$f ? $#$e : $#$f);
    return $one->{rest} eq $other->{rest} ? () : 'the order of calls differs, beyond what was kept of it'
        if !defined $at;
    my $from = $at < 3 ? 0 : $at - 3;
    return "calls differ from number $at on:\n" . join "\n",
        map { '    ' . ($_ == $at ? '> ' : '  ') . ($e->[$_] // 'nothing') . '  |  '
            . ($f->[$_] // 'nothing') } $from .. $at + 3;
}

# Lines that say what differs, with the value of the first profile above that of the second. The first one is
# Debian's, unless the option same_collector is given. Further options: called, all subs that the second one and its
# parents called; left_open, if calls are open at the end that the first may have forgotten; evals_alike, if it may have
# taken one string eval of a line for another; compiled_before, if profiling began after the program was compiled.
sub differences {
    my ($one, $other, %how) = @_;
    if (!$how{same_collector}) {
        $one = with_rests(with_main_placed(with_called_subs($one, $other, $how{called} // called($other)), $other), $other);
        $one = with_depth_by_name($one, $other);
        $one = with_open_calls($one, $other) if $how{left_open};
        $one = without_uncalled_files($one, $other) if $how{compiled_before};
    }
    ($one, $other) = map { with_evals_alike($_) } $one, $other if $how{evals_alike};
    my @found;
    for my $p ($one, $other) {
        push @found, "$p->{path}: $p->{error}" if defined $p->{error};
        push @found, "$p->{path}: not complete" if !defined $p->{error} && !$p->{complete};
        push @found, "$p->{path}: more than once: @{$p->{twice}}[0]" if $p->{twice};
    }
    push @found, "version $one->{version}, $other->{version}" if $one->{version} ne $other->{version};
    push @found,
        _hashes('attribute', _attributes($one->{attributes}, !$how{same_collector}), _attributes($other->{attributes})),
        _hashes('option',    $one->{options},    $other->{options}),
        _hashes('file',      $one->{files},      $other->{files}),
        _hashes('executed',   $one->{executed},   $other->{executed}),
        _hashes('discounted', $one->{discounted}, $other->{discounted}),
        _hashes('entries',   $one->{entries},    $other->{entries}),
        _hashes('returns',   $one->{returns},    $other->{returns}),
        _hashes('arc',       $one->{arcs_said},  $other->{arcs_said}),
        _hashes('sub', $one->{subs}, $other->{subs}, _former($one->{subs}, $other->{subs})),
        _xsubs($one, $other),
        _hashes('source',    $one->{source},     $other->{source});
    push @found, _events($one, $other);
    return @found;
}

# Compares the profiles of two runs ({ files, dir }) of several processes. Process numbers differ in each run, so
# processes are matched by what they did, and those without a match are compared in the order of their start. An
# incomplete profile of the first run only means that there should be one.
sub compare_runs {
    my ($one, $other, %how) = @_;
    my ($left, $right) = map {
        my $run = $_;
        [sort { _started($a) <=> _started($b) } map { read_profile($_, $run->{dir}) } @{ $run->{files} }]
    } $one, $other;
    my @found     = $how{ends_in_c} ? _without_unfinished($left, $right) : ();
    my $one_stays = $how{overwritten} && @$left == 1 && @$right > 1;
    push @found, @$left . ' profiles, ' . @$right . ' profiles' if @$left != @$right && !$one_stays;
    $how{called} = { map { %{ called($_) } } @$right };
    my @unmatched;
    for my $p (@$left) {
        my ($match) = grep { !differences($p, $right->[$_], %how) } 0 .. $#$right;
        defined $match ? splice @$right, $match, 1 : push @unmatched, $p;
    }
    while (@unmatched && @$right) {
        my ($p, $q) = (shift @unmatched, shift @$right);
        next if !$p->{complete} && ($q->{complete} || $how{same_collector});
        push @found, "$p->{path} and $q->{path}:", differences($p, $q, %how);
    }
    return @found;
}

# Processes that end in C. Neither collector notices that, and ours has no file for one in which nothing is profiled.
sub _without_unfinished {
    my ($left, $right) = @_;
    my $nothing = !grep { $_->{options}{stmts} || $_->{options}{subs} } @$right;
    my ($lost, $ours) = map { scalar grep { !$_->{complete} } @$_ } $left, $right;
    @$_ = grep { $_->{complete} } @$_ for $left, $right;
    return ($nothing ? $ours == 0 : $ours == $lost) ? () : "$lost profiles, $ours profiles of processes that end in C";
}

sub _started { my ($p) = @_; return @{ $p->{starts} } ? $p->{starts}[0]{time} : 0 }

1;
