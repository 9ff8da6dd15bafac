package StockProfile;

# What Debian's collector leaves out or takes for something else is put right in what was read of its profile
# (ProfileCompare's read_profile), so that a comparison finds all else that differs, and nothing but that.
#
#   use StockProfile qw(with_called_subs);
#   $stock = with_called_subs($stock, $ours);

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(arcs_said called with_called_subs with_evals_alike with_main_placed with_open_calls without_uncalled_files);

sub arcs_said {
    my ($arcs) = @_;
    return { map { $_ => "count $arcs->{$_}{count} depth $arcs->{$_}{depth}" } keys %$arcs };
}

# A copy whose tables of that name can be changed.
sub _copy {
    my ($p, @tables) = @_;
    return { %$p, map { $_ => { %{ $p->{$_} } } } @tables };
}

# The calls that are open when the process is replaced or ends in C: ours closes them, stock forgets them.
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

# The string evals of one line counted together, for stock may take one for another: it knows files by where their names
# are, and since perl 5.38 a name is freed with the last of its code. For both profiles.
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

# Whether a statement or a call made an eval known, and when, is open. The others come in their order.
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

# { NAME => 1 } for all that it called.
sub called { my ($p) = @_; return { map { $_->{called} => 1 } grep { $_->{count} > 0 } values %{ $p->{arcs} } } }

# Where no statement makes a file known (mostly by stmts=0), stock learns only at the end of the file of a sub that was called:
# then not if the sub's package has subs in another file, without the source, and not always its right name. Ours knows
# it from the call on, and so of what a sub was before it was defined anew, and in children that do not call it.
# $called: { NAME => 1 } for what those that it was forked from called, too.
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

# At the end stock takes a relative name against the directory of then, and sometimes with the ':' behind it in %DB::sub.
sub _with_right_names {
    my ($stock, $ours) = @_;
    my $full = _copy($stock, qw(files subs source package_files));
    for my $wrong (grep { !$ours->{files}{$_} && m{/} } keys %{ $stock->{files} }) {
        my ($tail)   = $wrong =~ m{([^/]+?):?\z};
        my @places   = map { /^(.* )\Q$wrong\E(:\d+-\d+)$/s ? [$1, $2] : () } keys %{ $stock->{subs} };
        my @so_named = grep { m{/\Q$tail\E\z} && !$stock->{files}{$_} } keys %{ $ours->{files} };
        for my $right (grep { my $file = $_; @places && !grep { !$ours->{subs}{"$$_[0]$file$$_[1]"} } @places } @so_named) {
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

# The source of the file, if what is in these lines was not saved. (A file that was split has some lines twice.)
sub _add_source {
    my ($full, $ours, $file, @lines) = @_;
    return if !grep { ($full->{source}{"$file:$_"} // '') ne ($ours->{source}{"$file:$_"} // '') } @lines;
    $full->{source}{$_} = $ours->{source}{$_} for grep { /^\Q$file\E:\d+$/ } keys %{ $ours->{source} };
    return;
}

# Where the program was compiled before the profile began (start=init, start=end), stock may number the file of a sub that was
# not called, if another one of its package was.
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

# Where stock places the main program and built-ins if no sub tells: the main program in the first file, when nothing of its
# package was called; and nowhere, when the package has nothing but BEGIN blocks that were called.
sub with_main_placed {
    my ($stock, $ours) = @_;
    my $full   = _copy($stock, 'xsubs');
    my $called = called($stock);
    for my $name (keys %{ $ours->{xsubs} }) {
        my ($package) = $name =~ /(.*)::/s;
        my ($is, $should) = map { $_->{xsubs}{$name} } $stock, $ours;
        my $in_package = qr/^\Q$package\E::(?!.*::)/;
        next if !$stock->{package_files}{$package}{$should};
        my $by_default = $name eq 'main::RUNTIME' && defined $is && $is eq $stock->{first_file} && !grep { /$in_package/ } keys %$called;
        my $nowhere    = !defined $is && !grep { /$in_package/ && !/::BEGIN\@/ } values %{ $stock->{subs} };
        $full->{xsubs}{$name} = $should if $by_default || $nowhere;
    }
    return $full;
}

1;
