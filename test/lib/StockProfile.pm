package StockProfile;

# The known differences between Debian's collector and ours. Each is removed from what was read of the two profiles
# (ProfileCompare's read_profile), so that a comparison finds all other differences, and only those.
#
#   use StockProfile qw(with_called_subs);
#   $stock = with_called_subs($stock, $ours);

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK =
    qw(arcs_said called with_called_subs with_depth_by_name with_evals_alike with_main_placed with_open_calls with_rests
    without_uncalled_files);

sub arcs_said {
    my ($arcs) = @_;
    return { map { $_ => "count $arcs->{$_}{count} depth $arcs->{$_}{depth}" } keys %$arcs };
}

# A copy in which the tables of these names can be changed.
sub _copy {
    my ($p, @tables) = @_;
    return { %$p, map { $_ => { %{ $p->{$_} } } } @tables };
}

# Calls that are open when the process is replaced or ends in C. Ours closes them, stock forgets them.
sub with_open_calls {
    my ($stock, $ours) = @_;
    my $full = _copy($stock, qw(returns arcs_said xsubs));
    for my $name (keys %{ $ours->{returns} }) {
        $full->{returns}{$name}++ if $ours->{returns}{$name} - ($full->{returns}{$name} // 0) == 1;
    }
    for my $arc (keys %{ $ours->{arcs} }) {
        my $known   = $stock->{arcs}{$arc};
        my $surplus = $ours->{arcs}{$arc}{count} - ($known ? $known->{count} : 0);
        $full->{arcs_said}{$arc} = $ours->{arcs_said}{$arc} if $surplus == 1;
    }
    # Only now there is one that the main program called.
    $full->{xsubs}{'main::RUNTIME'} //= $ours->{xsubs}{'main::RUNTIME'} if $ours->{xsubs}{'main::RUNTIME'};
    my ($kept, $all) = ($stock->{events}, $ours->{events});
    my @more = @$all > @$kept ? @$all[@$kept .. $#$all] : ();
    $full->{events} = [@$kept, @more] if @more && !grep { !/^return / } @more;
    return $full;
}

# Statements that go on in a forked child, and those whose calls end the process. Stock forgets their time.
sub with_rests {
    my ($stock, $ours) = @_;
    my $full = _copy($stock, qw(executed discounted));
    for (grep { $_ } @$ours{qw(goes_on last)}) {
        my ($table, $place) = @$_;
        $full->{$table}{$place}++ if $ours->{$table}{$place} - ($full->{$table}{$place} // 0) == 1;
    }
    return $full;
}

# How often each sub is on the stack beside itself, at most: { name => count }. Callers return after what they call.
sub _recursion_by_name {
    my ($p) = @_;
    my (@stack, %on, %most);
    for (reverse @{ $p->{events} }) {
        my ($depth, $name) = /^return depth (\d+) (.*)/s or next;
        $on{ pop @stack }-- while @stack >= $depth;
        my $around = $on{$name}++ // 0;
        $most{$name} = $around if $around > ($most{$name} // 0);
        push @stack, $name;
    }
    return \%most;
}

# Stock counts recursion by CV. Of several pieces of code with one name, such as a wrapper and what it wraps, each is
# another one there. Ours counts by name, as call trees do.
sub with_depth_by_name {
    my ($stock, $ours) = @_;
    my @deeper = grep { my $known = $stock->{arcs}{$_}; $known && $known->{depth} < $ours->{arcs}{$_}{depth} } keys %{ $ours->{arcs} };
    return $stock if !@deeper;
    my ($full, $most) = (_copy($stock, 'arcs_said'), _recursion_by_name($ours));
    for my $arc (@deeper) {
        my ($known, $depth) = ($stock->{arcs}{$arc}, $ours->{arcs}{$arc}{depth});
        $full->{arcs_said}{$arc} = "count $known->{count} depth $depth"
            if !%$most || $depth <= ($most->{ $known->{called} } // 0);
    }
    return $full;
}

# Counts the string evals of one line together, because stock can mistake one for another: it identifies files by the
# address of their names, and since perl 5.38 a name is freed with the last of its code. For both profiles.
sub with_evals_alike {
    my ($p)   = @_;
    my $any   = sub { my ($place) = @_; $place =~ s/\(eval \d+\)/(eval)/g; return $place };
    my %alike = (%$p, executed => {}, entries => {}, arcs => {}, files => _files_beside_evals($p));
    for my $table (qw(executed entries)) {
        $alike{$table}{ $any->($_) } += $p->{$table}{$_} for keys %{ $p->{$table} };
    }
    $alike{events} = [map { $any->($_) } @{ $p->{events} }];
    for my $place (keys %{ $p->{arcs} }) {
        my ($arc, $sum) = ($p->{arcs}{$place}, $alike{arcs}{ $any->($place) } //= { count => 0, depth => 0 });
        $sum->{count} += $arc->{count};
        $sum->{depth} = $arc->{depth} if $arc->{depth} > $sum->{depth};
    }
    $alike{arcs_said} = arcs_said($alike{arcs});
    return \%alike;
}

# Evals may become known by a statement or by a call, at different times. The other files come in order.
sub _files_beside_evals {
    my ($p) = @_;
    my %files;
    for my $name (keys %{ $p->{files} }) {
        my ($said, $before) = split / comes after /, $p->{files}{$name}, 2;
        if ($name =~ /^\(eval /) {
            $said =~ s/flags=\K0x\w+/sprintf '0x%x', hex($&) & ~6/e;
            undef $before;
        }
        $before = (split / comes after /, $p->{files}{$before}, 2)[1] while defined $before && $before =~ /^\(eval /;
        $files{$name} = defined $before ? "$said comes after $before" : $said;
    }
    return \%files;
}

# { NAME => 1 } for all subs that it called.
sub called { my ($p) = @_; return { map { $_->{called} => 1 } grep { $_->{count} > 0 } values %{ $p->{arcs} } } }

# If no statement makes a file known (usually with stmts=0), stock learns about the file of a called sub only at the
# end, without the source and not always with the right name, and not at all if the sub's package has subs in another
# file. Ours knows the file from the call on, so it has it also for a sub that is defined anew later, and in children
# that do not call it. $called: { NAME => 1 } for the subs that it and the processes it was forked from called.
sub with_called_subs {
    my ($stock, $ours, $called) = @_;
    my $full   = _with_right_names($stock, $ours);
    my %placed = map { $_ => 1 } values %{ $full->{subs} };
    for my $range (grep { $called->{ $ours->{subs}{$_} } } keys %{ $ours->{subs} }) {
        my $name = $ours->{subs}{$range};
        my ($package) = $name =~ /(.*)::/s;
        $package =~ s/:+\z//; # of Some::Package:::name
        next if !$placed{$name} && !$stock->{package_files}{$package};
        my ($file, $first, $last) = $range =~ /^\Q$name\E (.*):(\d+)-(\d+)$/s;
        next if $stock->{options}{stmts} && ($full->{files}{$file} || $ours->{files}{$file} =~ /comes after/);
        _add_file($full, $ours, $file);
        _add_source($full, $ours, $file, $first .. $last);
        _add_range($full, $ours, $range, $file);
    }
    return $full;
}

# At the end, stock resolves a relative name in the directory that is current then, sometimes with the ':' that follows
# it in %DB::sub.
sub _with_right_names {
    my ($stock, $ours) = @_;
    my $full = _copy($stock, qw(files subs source package_files));
    for my $wrong (grep { !$ours->{files}{$_} && m{/} } keys %{ $stock->{files} }) {
        my ($tail)   = $wrong =~ m{([^/]+?):?\z};
        my @places   = map { /^(.* )\Q$wrong\E(:\d+-\d+)$/s ? [$1, $2] : () } keys %{ $stock->{subs} };
        my @so_named = grep { m{/\Q$tail\E\z} && !$stock->{files}{$_} } keys %{ $ours->{files} };
        for my $right (grep { my $file = $_;
            @places && !grep { !$ours->{subs}{"$$_[0]$file$$_[1]"} } @places } @so_named) {
            delete $full->{files}{$wrong} or last; # there may be two that are alike
            delete $full->{subs}{"$$_[0]$wrong$$_[1]"} for @places;
            $full->{files}{$right} = $ours->{files}{$right};
            _add_range($full, $ours, "$$_[0]$right$$_[1]", $right) for @places;
        }
    }
    return $full;
}

sub _add_range {
    my ($full, $ours, $range, $file) = @_;
    my $name = $full->{subs}{$range} = $ours->{subs}{$range};
    my ($package) = $name =~ /(.*)::/s;
    $full->{package_files}{$package} = { %{ $full->{package_files}{$package} // {} }, $file => 1 };
    return;
}

# The file with all subs in it, and those that it is an eval of.
sub _add_file {
    my ($full, $ours, $file) = @_;
    return if $full->{files}{$file};
    $full->{files}{$file} = $ours->{files}{$file};
    _add_range($full, $ours, $_, $file) for grep { / \Q$file\E:\d+-\d+$/ } keys %{ $ours->{subs} };
    my ($parent) = $ours->{files}{$file} =~ / parent=(.*)/;
    _add_file($full, $ours, $parent) if $ours->{files}{$parent};
    return;
}

# The source of the file, if these lines were not saved. (A file that was split has some lines twice.)
sub _add_source {
    my ($full, $ours, $file, @lines) = @_;
    return if !grep { ($full->{source}{"$file:$_"} // '') ne ($ours->{source}{"$file:$_"} // '') } @lines;
    $full->{source}{$_} = $ours->{source}{$_} for grep { /^\Q$file\E:\d+$/ } keys %{ $ours->{source} };
    return;
}

# If the program was compiled before the profile began (start=init, start=end), stock may number the file of a sub that
# was not called, if another sub of its package was.
sub without_uncalled_files {
    my ($stock, $ours) = @_;
    my $full   = _copy($stock, qw(files subs));
    my $called = called($stock);
    for my $file (grep { !$ours->{files}{$_} } keys %{ $stock->{files} }) {
        my @ranges = grep { / \Q$file\E:\d+-\d+$/ } keys %{ $stock->{subs} };
        next if !@ranges || grep { $called->{ $stock->{subs}{$_} } } @ranges;
        delete @{ $full->{subs} }{@ranges};
        my ($parent) = delete($full->{files}{$file}) =~ / parent=(.*)/;
        $full->{files}{$parent} = $ours->{files}{$parent} # whose flags are those of an eval then
            if ($ours->{files}{$parent} // 'comes after') !~ /comes after/;
    }
    return $full;
}

# Where stock places the main program and built-ins if their package has no sub that says it: the main program in the
# first file, if nothing of its package was called, and nowhere, if the package has only BEGIN blocks that were called.
sub with_main_placed {
    my ($stock, $ours) = @_;
    my $full   = _copy($stock, 'xsubs');
    my $called = called($stock);
    for my $name (keys %{ $ours->{xsubs} }) {
        my ($package) = $name =~ /(.*)::/s;
        my ($is, $should) = map { $_->{xsubs}{$name} } $stock, $ours;
        my $in_package = qr/^\Q$package\E::(?!.*::)/;
        next if !$stock->{package_files}{$package}{$should};
        my $by_default = $name eq 'main::RUNTIME' && defined $is && $is eq $stock->{first_file}
            && !grep { /$in_package/ } keys %$called;
        my $nowhere    = !defined $is && !grep { /$in_package/ && !/::BEGIN\@/ } values %{ $stock->{subs} };
        $full->{xsubs}{$name} = $should if $by_default || $nowhere;
    }
    return $full;
}

1;
