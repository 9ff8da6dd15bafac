package CallgrindCheck;

# What must hold for a callgrind file made from a profile, checked without our C code: stock's ReadStream reads
# the profile.
#
#   I1  the sums of the self columns are totals and summary
#   I2  for every strongly connected set of functions: what its incoming calls
#       cost is what it costs itself and what its outgoing calls cost
#   I3  one root, and its inclusive time is the total
#       I2 and I3 hold for every event
#   I4  every sub's self lines, with those of the code that it ran in other files, add
#       up to its exclusive ticks; calls to its counts; and no sub is missing or too many, but for memory that is of none
#   I5  the sums of Stmts and StmtTime are those of the statement chunks, also by line
#       of each file that is not an eval; of samples a line has no more, as built-ins have their own, unless it is the first one
#       of a function, where those are of which no line is known to be the function's
#   I6  nothing that a program could fail to load (CallgrindFile)
#   I7  no time counts twice: the total is the statement time, or the subs' exclusive time if that is more
#   I8  every cost's and call's time is the sum of its parts, work, queued and asleep; without work, waiting is at most all of
#       it; no event but time is 0 everywhere
#   I9  a function for the calls of another one that lead somewhere, `f (to g)`, costs nothing itself and calls others
#   I10 calls of samples are as many as the samples, or blocks, that they include
#   I11 jumps go back, or to their own line, which ran at least as often
#
#   my @complaints = callgrind_complaints($callgrind_bytes, $profile_path, %options);
#
# Without a path, I4, I5 and I7 are not checked; with the option cut, I5 and I7 are not (stock reads less than we do).

use strict;
use warnings;

use Exporter 'import';
use List::Util qw(max min sum0);

use CallgrindFile;
use StockModules;

use Devel::NYTProf::ReadStream qw(for_chunks);

our @EXPORT_OK = qw(callgrind_complaints kcachegrind_inclusive own_by_sub profile_sums);

my $ROOT = 'main::RUNTIME';

# The events of statements: their number, and their time.
my @STATEMENTS = (qr/Stmts|Samples|Blocks/, qr/Stmt(?:Time|Bytes)/);

sub callgrind_complaints {
    my ($bytes, $profile, %options) = @_;
    my $file       = CallgrindFile->parse($bytes);
    my @complaints = map { "I6 $_" } @{ $file->{complaints} };
    return @complaints if @complaints;
    push @complaints, _sums($file), _parts_of_time($file), _ways($file), _jumps($file);
    push @complaints, _circles($file, $_), _root($file, $_) for 0 .. $#{ $file->{events} };
    if (defined $profile) {
        my $sums = profile_sums($profile);
        push @complaints, _subs($file, $sums);
        push @complaints, _samples($file) if $sums->{is_sampled};
        push @complaints, _statements($file, $sums), _total($file, $sums) if !$options{cut};
    }
    return @complaints;
}

# ---- I1 ----

sub _sums {
    my ($file) = @_;
    my @sum = (0) x @{ $file->{events} };
    for my $function (values %{ $file->{functions} }) {
        for my $costs (values %{ $function->{self} }) {
            $sum[$_] += $costs->[$_] for 0 .. $#sum;
        }
    }
    $file->{sums} = \@sum;
    return map { "I1 $_ is @{ $file->{$_} }, the sum @sum" }
        grep { "@{ $file->{$_} }" ne "@sum" } qw(summary totals);
}

# ---- I8 ----

# The columns of the time and of its parts.
sub _columns_of_time {
    my ($file) = @_;
    return (0, grep { $file->{events}[$_] =~ /^(?:Work|Queued|Asleep|Waiting)$/ } 1 .. $#{ $file->{events} });
}

# The column of an event, or undef.
sub _column {
    my ($file, $event) = @_;
    my ($column) = grep { $file->{events}[$_] =~ /^$event$/ } 0 .. $#{ $file->{events} };
    return $column;
}

# What a cost has of an event: 0 if the file does not have the event.
sub _cost {
    my ($file, $costs, $event) = @_;
    my $column = _column($file, $event);
    return defined $column ? $costs->[$column] : 0;
}

sub _parts_of_time {
    my ($file) = @_;
    my ($time, @parts) = _columns_of_time($file);
    my @complaints = map { "I8 $file->{events}[$_] is 0 everywhere" } grep { !$file->{sums}[$_] } 1 .. $#{ $file->{events} };
    my $is_whole = !grep { $_ eq 'Waiting' } @{ $file->{events} };
    for my $name (@parts ? sort keys %{ $file->{functions} } : ()) {
        my $function = $file->{functions}{$name};
        for my $costs (values %{ $function->{self} }, map { $_->{costs} } @{ $function->{calls} }) {
            my $sum = sum0(map { $costs->[$_] } @parts);
            push @complaints, "I8 $name: the parts are $sum of $costs->[$time]"
                if $is_whole ? $sum != $costs->[$time] : $sum > $costs->[$time];
        }
    }
    return @complaints;
}

# ---- I2 ----

# Kosaraju's algorithm: the order in which functions are finished, then the
# reversed graph from the last one back.
sub _finish_order {
    my ($calls) = @_;
    my (%seen, @order);
    for my $start (sort keys %$calls) {
        next if $seen{$start}++;
        my @stack = ([ $start, 0 ]);
        while (@stack) {
            my ($name, $next) = @{ $stack[-1] };
            my $to = $calls->{$name}[$next];
            $stack[-1][1]++;
            if (!defined $to) {
                push @order, $name;
                pop @stack;
            }
            elsif (!$seen{$to}++) {
                push @stack, [ $to, 0 ];
            }
        }
    }
    return @order;
}

# The number of the set that each function is in.
sub _components {
    my ($file) = @_;
    my (%forth, %back);
    for my $name (keys %{ $file->{functions} }) {
        $forth{$name} //= [];
        for my $call (@{ $file->{functions}{$name}{calls} }) {
            push @{ $forth{$name} }, $call->{to};
            push @{ $back{ $call->{to} } }, $name;
        }
    }
    my ($count, %set) = (0);
    for my $start (reverse _finish_order(\%forth)) {
        next if defined $set{$start};
        my @todo = ($start);
        while (defined(my $name = pop @todo)) {
            next if defined $set{$name};
            $set{$name} = $count;
            push @todo, @{ $back{$name} // [] };
        }
        $count++;
    }
    return \%set;
}

sub _circles {
    my ($file, $event) = @_;
    my $set = _components($file);
    my (%in, %out, %members, %is_root);
    while (my ($name, $function) = each %{ $file->{functions} }) {
        my $from = $set->{$name};
        push @{ $members{$from} }, $name;
        $is_root{$from} = 1 if $name eq $ROOT;
        $out{$from} += $_->[$event] for values %{ $function->{self} };
        for my $call (@{ $function->{calls} }) {
            next if $set->{ $call->{to} } == $from;
            $out{$from} += $call->{costs}[$event];
            $in{ $set->{ $call->{to} } } += $call->{costs}[$event];
        }
    }
    my $name = $file->{events}[$event];
    return map { "I2 $name " . join(', ', sort @{ $members{$_} }) . ': in ' . ($in{$_} // 0) . ", out $out{$_}" }
        grep { !$is_root{$_} && ($in{$_} // 0) != $out{$_} } sort { $a <=> $b } keys %members;
}

# ---- I3 ----

sub _root {
    my ($file, $event) = @_;
    my %called;
    $called{ $_->{to} } = 1 for map { @{ $_->{calls} } } values %{ $file->{functions} };
    my @roots = grep { !$called{$_} } sort keys %{ $file->{functions} };
    return "I3 not one root: @roots" if "@roots" ne $ROOT;
    my $inclusive = 0;
    $inclusive += $_->[$event] for values %{ $file->{functions}{$ROOT}{self} };
    $inclusive += $_->{costs}[$event] for @{ $file->{functions}{$ROOT}{calls} };
    my ($name, $total) = ($file->{events}[$event], $file->{totals}[$event]);
    return $inclusive == $total ? () : "I3 the root has $name $inclusive of $total";
}

# ---- I9 ----

# The function of which another one has the calls that lead somewhere, or undef.
sub _plain_of_way {
    my ($name) = @_;
    return $name =~ /\A(.*?) \(to .*\)\z/s ? $1 : undef;
}

sub _ways {
    my ($file) = @_;
    my @complaints;
    for my $name (grep { defined _plain_of_way($_) } sort keys %{ $file->{functions} }) {
        my $function = $file->{functions}{$name};
        push @complaints, "I9 $name costs something" if grep { $_ } map { @$_ } values %{ $function->{self} };
        push @complaints, "I9 $name calls nothing" if !@{ $function->{calls} };
    }
    return @complaints;
}

# ---- I11 ----

sub _jumps {
    my ($file) = @_;
    my @complaints;
    for my $name (sort keys %{ $file->{functions} }) {
        my ($function, %count) = ($file->{functions}{$name});
        for my $jump (@{ $function->{jumps} }) {
            push @complaints, "I11 $name jumps from line $jump->{line} to $jump->{to}" if $jump->{to} > $jump->{line};
            $count{ $jump->{to} } += $jump->{count};
        }
        for my $line (sort { $a <=> $b } keys %count) {
            my $runs = _cost($file, $function->{self}{$line} // [], $STATEMENTS[0]) // 0;
            push @complaints, "I11 $name jumps $count{$line} times to line $line, which ran $runs times"
                if $count{$line} > $runs;
        }
    }
    return @complaints;
}

# ---- KCachegrind ----

# Inclusive times as KCachegrind shows them, by name of function: those of a member of a cycle are without its calls
# within the cycle.
sub kcachegrind_inclusive {
    my ($file) = @_;
    my ($set, %inclusive) = (_components($file));
    while (my ($name, $function) = each %{ $file->{functions} }) {
        my @out = grep { $set->{ $_->{to} } != $set->{$name} } @{ $function->{calls} };
        $inclusive{$name} = sum0((map { $_->[0] } values %{ $function->{self} }), map { $_->{costs}[0] } @out);
    }
    return \%inclusive;
}

# ---- the profile ----

# A name as the callgrind file should show it: UTF-8, or else read as Latin-1, with control characters escaped.
sub _shown {
    my ($name) = @_;
    utf8::encode($name) if utf8::is_utf8($name) || !utf8::decode(my $copy = $name);
    my %named = ("\0" => '\0', "\n" => '\n', "\r" => '\r', "\t" => '\t');
    $name =~ s/([\x00-\x1f\x7f])/$named{$1} \/\/ sprintf '\x%02x', ord $1/ge;
    $name =~ s/\xc2([\x80-\x9f])/sprintf '\x%02x', ord $1/ge;    # C1 controls in UTF-8
    $name =~ s{^ (?=.)}{\\x20}; $name =~ s{ +$}{};
    return $name;
}

# Merged evals have the number of one of them: here all have 0.
sub _no_number {
    my ($name) = @_;
    $name =~ s/\((re_)?eval [0-9]+\)/'(' . ($1 \/\/ '') . 'eval 0)'/ge;
    return $name;
}

# What the chunks add up to: { ticks_per_sec, statements, ticks, lines => { file => { line => [count, ticks] } },
# subs => { name => { calls, ticks } } }.
# Kept, because one profile is compared several times.
my %kept;
sub profile_sums {
    my ($path) = @_;
    my $key = join "\0", $path, (stat $path)[1, 7, 9];
    return $kept{$key} //= _profile_sums($path);
}

sub _profile_sums {
    my ($path) = @_;
    my %sums = (ticks_per_sec => 1e7, statements => 0, ticks => 0, lines => {}, subs => {});
    my (%file_of, $discount, @lines);
    my $time = sub {
        my (undef, $ticks, $fid, $line) = @_;
        my $sum = $lines[$fid]{$line} //= [ 0, 0 ];
        $sum->[0]++ if !$discount;
        $sum->[1] += $ticks;
        $discount = 0;
    };
    my %on = (
        ATTRIBUTE   => sub {
            $sums{ticks_per_sec} = $_[2] if $_[1] eq 'ticks_per_sec';
            $sums{is_sampled} = 1 if $_[1] eq 'sampled_hz';
        },
        NEW_FID     => sub { $file_of{ $_[1] } = { name => _shown($_[7]), is_eval => $_[2] } },
        DISCOUNT    => sub { $discount = 1 },
        TIME_LINE   => $time,
        TIME_BLOCK  => $time,
        SUB_CALLERS => sub {
            my (undef, $fid, $line, $count, undef, $excl, undef, undef, $called) = @_;
            my $sub = $sums{subs}{ _no_number(_shown($called)) } //= { calls => 0, ticks => 0 };
            $sub->{calls} += $count;
            $sub->{ticks} += int $excl * $sums{ticks_per_sec} + ($excl < 0 ? -0.5 : 0.5);
        },
    );
    &for_chunks(\%on, filename => $path, quiet => 1);
    for my $fid (grep { $lines[$_] } 0 .. $#lines) {
        my $file = $file_of{$fid} // { name => '', is_eval => 1 };
        while (my ($line, $sum) = each %{ $lines[$fid] }) {
            $sums{statements} += $sum->[0];
            $sums{ticks}      += $sum->[1];
            next if $file->{is_eval};
            my $here = $sums{lines}{ $file->{name} }{$line} //= [ 0, 0 ];
            $here->[$_] += $sum->[$_] for 0, 1;
        }
    }
    return \%sums;
}

# ---- I4 ----

# The sub whose code in another file the function is, or undef if it is the sub itself. That of a file scope calls it.
sub _sub_of_part {
    my ($file, $name) = @_;
    return $file->{owners}{$name} if _is_scope($name);
    return $name =~ /\A(.*?) \((?:re_)?eval [0-9]+\)/s ? $1 : undef;
}

sub _is_scope { return $_[0] =~ /::\(file scope of / }

# The callers of file scopes. A way that nothing else leads there begins at the root.
sub _find_owners {
    my ($file) = @_;
    my %owners;
    for my $caller (sort keys %{ $file->{functions} }) {
        my $sub = _no_load(_plain_of_way($caller) // $caller);
        for my $call (grep { _is_scope($_->{to}) } @{ $file->{functions}{$caller}{calls} }) {
            $owners{ $call->{to} } = $sub if ($owners{ $call->{to} } // $ROOT) eq $ROOT;
        }
    }
    $file->{owners} = \%owners;
    return;
}

# BEGIN blocks say what they load.
sub _no_load { return $_[0] =~ s/BEGIN(?:@[0-9.]+)?\K \(loads .*\)\z//sr }

# The sub that a function stands for.
sub _sub_of {
    my ($file, $name) = @_;
    my $plain = _plain_of_way($name) // $name;
    return _no_number(_sub_of_part($file, $plain) // _no_load($plain));
}

# What each sub costs itself in a column, by name.
sub own_by_sub {
    my ($file, $column) = @_;
    my %own;
    _find_owners($file);
    while (my ($name, $function) = each %{ $file->{functions} }) {
        $own{ _sub_of($file, $name) } += $_->[$column] for values %{ $function->{self} };
    }
    return %own;
}

sub _subs {
    my ($file, $sums) = @_;
    my $ns = 1e9 / $sums->{ticks_per_sec};
    my %time = own_by_sub($file, 0);
    my (%calls, @complaints);
    while (my ($name, $function) = each %{ $file->{functions} }) {
        for my $call (@{ $function->{calls} }) {
            next if defined _plain_of_way($call->{to}) || defined _sub_of_part($file, $call->{to});
            $calls{ _sub_of($file, $call->{to}) } += $call->{count};
        }
    }
    delete $time{$ROOT};
    for my $name (sort keys %{ $sums->{subs} }) {
        my $sub  = $sums->{subs}{$name};
        my $time = delete $time{$name};
        next if !$sub->{calls} && !defined $time;
        my $expected = $sub->{ticks} > 0 ? $sub->{ticks} * $ns : 0;
        push @complaints, "I4 $name: time " . ($time // 'none') . ", expected $expected" if ($time // -1) != $expected;
        push @complaints, "I4 $name: calls " . ($calls{$name} // 0) . ", expected $sub->{calls}"
            if !$sums->{is_sampled} && ($calls{$name} // 0) != $sub->{calls};
    }
    push @complaints, map { "I4 $_ is not a sub that was called" } grep { $_ ne 'main::(free in arenas)' } sort keys %time;
    return @complaints;
}

# ---- I10 ----

sub _samples {
    my ($file) = @_;
    my @complaints;
    for my $name (sort keys %{ $file->{functions} }) {
        for my $call (@{ $file->{functions}{$name}{calls} }) {
            my $samples = _cost($file, $call->{costs}, $STATEMENTS[0]);
            push @complaints, "I10 $name -> $call->{to}: $call->{count} calls of $samples samples"
                if $call->{count} != max(1, $samples);
        }
    }
    return @complaints;
}

# ---- I5 ----

sub _statements {
    my ($file, $sums) = @_;
    my $ns = 1e9 / $sums->{ticks_per_sec};
    my @complaints;
    my ($statements, $time) = map { _cost($file, $file->{sums}, $_) } @STATEMENTS;
    push @complaints, "I5 $statements statements, expected $sums->{statements}" if $statements != $sums->{statements};
    my $expected = $sums->{ticks} > 0 ? $sums->{ticks} * $ns : 0;
    push @complaints, "I5 statement time $time, expected $expected" if $time != $expected;
    my (%lines, %is_first);
    for my $function (values %{ $file->{functions} }) {
        my ($first) = sort { $a <=> $b } keys %{ $function->{self} };
        $is_first{ $function->{file} }{$first} = 1 if defined $first;
        while (my ($line, $costs) = each %{ $function->{self} }) {
            $lines{ $function->{file} }{$line}[$_] += _cost($file, $costs, $STATEMENTS[$_]) for 0, 1;
        }
    }
    for my $path (sort keys %{ $sums->{lines} }) {
        (my $shown = $path) =~ s/:/%3A/g;
        for my $line (sort { $a <=> $b } keys %{ $sums->{lines}{$path} }) {
            my ($count, $ticks) = @{ $sums->{lines}{$path}{$line} };
            my $got = $lines{$shown}{$line} // [ 0, 0 ];
            $count = $is_first{$shown}{$line} ? $got->[0] : min($count, $got->[0]) if $sums->{is_sampled};
            push @complaints,
                "I5 $path line $line: $got->[0] statements in $got->[1], expected $count in " . $ticks * $ns
                if $got->[0] != $count || ($ticks >= 0 && $got->[1] != $ticks * $ns && !$sums->{negative});
        }
    }
    return @complaints;
}

# ---- I7 ----

sub _total {
    my ($file, $sums) = @_;
    my $in_subs  = sum0(map { max(0, $_->{ticks}) } values %{ $sums->{subs} });
    my $expected = max(0, $sums->{ticks}, $in_subs) * (1e9 / $sums->{ticks_per_sec});
    return $file->{totals}[0] == $expected ? () : "I7 the total is $file->{totals}[0], not $expected";
}

1;
