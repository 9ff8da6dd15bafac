package Exports;

# What the exports say, checked as their readers check it, and summed up by stack: "outer;inner" => value.
#
#   my $shown = speedscope_profiles($json);      # [{ name, unit, stacks => {...}, total }]
#   my $shown = trace_calls($json);              # { calls, total_ns, stacks => {...} }
#   my $shown = perfetto_calls($bytes);          # the same
#   my $calls = pprof_calls($bytes);             # stacks => calls
#   my $shown = cpuprofile($json);               # { stacks => {...}, lines => {...}, total_ns }, in ns

use strict;
use warnings;

use Exporter 'import';
use IO::Uncompress::Gunzip qw(gunzip);
use FastJSON ();

our @EXPORT_OK = qw(speedscope_profiles trace_calls perfetto_calls pprof_calls pprof_profile cpuprofile);

# Strings stay bytes, as other programs print them; they must be UTF-8.
sub _decoded {
    my ($json) = @_;
    my $text   = $json;
    my $half   = qr/[\x{D800}-\x{DFFF}]/;
    die "not UTF-8\n" if !utf8::decode($text) || $text =~ /$half|[^\x{0}-\x{10FFFF}]/;
    my $as_bytes = sub { my $c = chr hex shift; die "half a character\n" if $c =~ $half; utf8::encode($c); return $c };
    return FastJSON::new()->decode($json =~
        s/(\\(?:u([0-9a-f]{4})|.))/defined $2 && hex $2 >= 0x80 ? $as_bytes->($2) : $1/gers);
}

# Values of open and close events by stack. Dies of what speedscope refuses.
sub _stacks {
    my ($events, $names, $with_gaps) = @_;
    my (@open, %stacks);
    my $last = 0;
    for my $event (@$events) {
        die "time goes back: $event->{at} after $last\n" if $event->{at} < $last;
        $stacks{ join ';', map { $names->[$_] } @open } += $event->{at} - $last if @open;
        die "time outside of frames\n" if !@open && $event->{at} != $last && !$with_gaps;
        $last = $event->{at};
        if ($event->{type} eq 'O') {
            push @open, $event->{frame};
        } else {
            my $frame = pop @open // die "closed, and not open\n";
            die "closes $event->{frame}, not $frame\n" if $frame != $event->{frame};
        }
    }
    die "not closed\n" if @open;
    return { map { $stacks{$_} ? ($_ => $stacks{$_}) : () } keys %stacks };
}

# What the app itself saves (saved => 1) has a frame for each profile that uses it, traces have gaps, and sums are those
# of doubles. What we write does not, except for timelines (gaps => 1), and uses all frames.
sub speedscope_profiles {
    my ($json, %options) = @_;
    my $file = _decoded($json);
    die "schema\n" if $file->{'$schema'} ne 'https://www.speedscope.app/file-format-schema.json';
    die "no profile\n" if !@{ $file->{profiles} };
    my @names = map { $_->{name} } @{ $file->{shared}{frames} };
    my %seen;
    $seen{$_}++ && !$options{saved} && die "two frames '$_'\n" for @names;
    my (@profiles, %used);
    for my $p (@{ $file->{profiles} }) {
        die "type $p->{type}\n" if $p->{type} ne 'evented' || $p->{startValue} != 0;
        $used{ $_->{frame} } = 1 for @{ $p->{events} };
        my $stacks = _stacks($p->{events}, \@names, $options{saved} || $options{gaps});
        my $last = @{ $p->{events} } ? $p->{events}[-1]{at} : 0;
        my $off = abs($p->{endValue} - $last);
        die "ends at $p->{endValue}, not $last\n" if $off > ($options{saved} ? 1e-6 : 0);
        push @profiles, { name => $p->{name}, unit => $p->{unit}, stacks => $stacks, total => $p->{endValue} };
    }
    die "frames that are not used\n" if keys %used < @names;
    return { profiles => \@profiles, frames => $file->{shared}{frames} };
}

# Dies of what VS Code and DevTools rely on. They go from the first node down. A line has the share of all time that its
# ticks are of all hits. Below the root, each of several processes has a node, which is no part of stacks here.
sub cpuprofile {
    my ($json) = @_;
    my $file  = _decoded($json);
    my @nodes = @{ $file->{nodes} };
    my (%path, %own, %url_of, %shown);
    die "ids\n" if grep { $nodes[$_]{id} != $_ + 1 } 0 .. $#nodes;
    die "root\n" if $nodes[0]{callFrame}{functionName} ne '(root)';
    $path{1} = [];
    for my $node (@nodes) {
        my ($path, $frame) = (delete $path{ $node->{id} } // die("node $node->{id} has no caller\n"),
            $node->{callFrame});
        die "script $frame->{scriptId}\n" if ($url_of{ $frame->{scriptId} } //= $frame->{url}) ne $frame->{url};
        my $is_process = @$path == 0 && $frame->{url} eq '' && $frame->{functionName} =~ / \(pid \d+\)\z/;
        my @whole = (@$path, $node->{id} == 1 || $is_process ? () : $frame->{functionName});
        $path{$_} = \@whole for @{ $node->{children} };
        $own{ $node->{id} } = [join(';', @whole), 0];
        my $name = $frame->{url} =~ s{^file://}{}r =~ s/%(\w\w)/chr hex $1/ger;
        $shown{lines}{"$name:$_->{line}"} += $_->{ticks} for @{ $node->{positionTicks} // [] };
    }
    die "a child that is no node\n" if %path;
    my ($samples, $deltas) = @$file{qw(samples timeDeltas)};
    die "as many samples as deltas\n" if @$samples != @$deltas;
    die "begin and end\n" if $deltas->[0] != 0 || $file->{startTime} <= 0 || $samples->[-1] != 1;
    for my $i (0 .. $#$samples - 1) {
        my $ns = sprintf '%.0f', $deltas->[$i + 1] * 1000;
        die "time goes back\n" if $ns < 0;
        $own{ $samples->[$i] }[1] += $ns;
        $shown{total_ns} += $ns;
    }
    die "hits\n" if grep { $_->{hitCount} != $own{ $_->{id} }[1] } @nodes;
    die "end\n" if sprintf('%.0f', ($file->{endTime} - $file->{startTime}) * 1000) != ($shown{total_ns} //= 0);
    $shown{stacks}{ $_->[0] } += $_->[1] for grep { $_->[1] != 0 } values %own;
    return \%shown;
}

# Both also have counters of processes: { counters => { 'RSS bytes' => { PID => [[ns, value], ...] } } }.

# Events by thread, in order: each end is that of the innermost begin, and each event is later than the one before.
sub trace_calls {
    my ($json) = @_;
    my %shown = (calls => 0, processes => 0, phases => 0);
    my (%open, %last);
    for my $event (@{ _decoded($json)->{traceEvents} }) {
        $shown{processes}++ if $event->{name} eq 'process_name';
        next if $event->{ph} eq 'M';
        if ($event->{ph} eq 'C') {
            push @{ $shown{counters}{$_}{ $event->{pid} } }, [1000 * $event->{ts}, $event->{args}{$_}] for keys %{ $event->{args} };
            next;
        }
        if ($event->{ph} =~ /[be]/) {
            my $request = $shown{requests}{ $event->{id} } //= [$event->{name}, $event->{pid}];
            die "another name or process\n" if "@$request[0, 1]" ne "$event->{name} $event->{pid}";
            push @$request, sprintf '%.0f', 1000 * $event->{ts};
            next;
        }
        my $thread = "$event->{pid} $event->{tid}";
        die "not later: $event->{ts}\n" if defined $last{$thread} && $event->{ts} <= $last{$thread};
        $last{$thread} = $event->{ts};
        if ($event->{ph} eq 'B') {
            push @{ $open{$thread} }, $event;
            $shown{ $event->{tid} == 0 ? 'phases' : 'calls' }++;
            $shown{stacks}{ join ';', map { $_->{name} } @{ $open{$thread} } }++ if $event->{tid} != 0;
        } else {
            my $begun = pop @{ $open{$thread} } // die "ends, and did not begin\n";
            die "$event->{name} ends, not $begun->{name}\n" if $event->{name} ne $begun->{name};
        }
    }
    die "does not end\n" if grep { @$_ } values %open;
    return \%shown;
}

# The fields of a message: number => [values].
sub _fields {
    my ($bytes) = @_;
    my (%fields, $at);
    my $varint = sub {
        my ($value, $shift) = (0, 0);
        while (1) {
            my $byte = ord substr $bytes, $at++, 1;
            $value |= ($byte & 0x7F) << $shift;
            return $value if $byte < 0x80;
            $shift += 7;
        }
    };
    for ($at = 0; $at < length $bytes;) {
        my $key = $varint->();
        die "type of field $key\n" if ($key & 7) != 0 && ($key & 7) != 2;
        my $value = $varint->();
        if (($key & 7) == 2) {
            die "beyond the end\n" if $at + $value > length $bytes;
            ($value, $at) = (substr($bytes, $at, $value), $at + $value);
        }
        push @{ $fields{ $key >> 3 } }, $value;
    }
    return \%fields;
}

# What the first packet of a sequence says: its clocks, and what its packets need not repeat.
sub _begin_sequence {
    my ($packet) = @_;
    my $defaults = _fields($packet->{59}[0] // '');
    my $track    = _fields($defaults->{11}[0] // '')->{11}[0];
    my %sequence = (clock => $defaults->{58}[0] // 0, track => $track, names => {});
    for my $clock (map { _fields($_) } map { @{ _fields($_)->{1} } } @{ $packet->{6} // [] }) {
        my ($id, $at, $is_incremental) = map { $clock->{$_}[0] // 0 } 1 .. 3;
        die "clock $id is not the sequence's own\n" if $is_incremental && ($id < 64 || $id > 127);
        die "the axis begins at $at\n" if $id == 6 && $at != 0;
        $sequence{at}{$id} = $at if $is_incremental;
    }
    return \%sequence;
}

# The time of a packet, on the axis of all sequences: some clocks are incremental.
sub _time {
    my ($sequence, $packet) = @_;
    my $time  = $packet->{8}[0] // die "no time\n";
    my $clock = $packet->{58}[0] // $sequence->{clock};
    return $time if $clock == 0 || $clock == 6;
    die "clock $clock is not known\n" if !exists $sequence->{at}{$clock};
    return $sequence->{at}{$clock} += $time;
}

# What a track counts, by its unit.
sub _counted {
    my ($track) = @_;
    my $unit = _fields($track->{8}[0])->{3}[0];
    return $unit == 3 && $track->{2}[0] eq 'memory (RSS)' ? 'RSS bytes' : $unit == 2 ? $track->{2}[0] : die "unit $unit\n";
}

sub perfetto_calls {
    my ($bytes) = @_;
    my %shown = (calls => 0, processes => 0, phases => 0, total_ns => 0);
    my (%sequences, %open, %last, %tracks, %counters, %pids, %requests);
    for my $packet (map { _fields($_) } @{ _fields($bytes)->{1} // [] }) {
        my $number = $packet->{10}[0] or die "no sequence\n";
        $sequences{$number} = _begin_sequence($packet) if $packet->{13}[0] & 1;
        my $sequence = $sequences{$number} // die "sequence $number did not begin\n";
        if ($packet->{60}) {
            my $track = _fields($packet->{60}[0]);
            $shown{processes}++ if $track->{3};
            $pids{ $track->{1}[0] }     = _fields($track->{3}[0])->{1}[0] if $track->{3};
            $counters{ $track->{1}[0] } = [_counted($track), $pids{ $track->{5}[0] }] if $track->{8};
            $requests{ $track->{1}[0] } = $pids{ $track->{5}[0] } if ($track->{2} // [''])->[0] eq 'requests';
            die "two tracks $track->{1}[0]\n" if $tracks{ $track->{1}[0] }++;
        }
        for my $name (map { @{ _fields($_)->{2} // [] } } @{ $packet->{12} // [] }) {
            my $interned = _fields($name);
            $sequence->{names}{ $interned->{1}[0] } = $interned->{2}[0];
        }
        next if !$packet->{11};
        my $event = _fields($packet->{11}[0]);
        my $at    = _time($sequence, $packet);
        my $track = $event->{11}[0] // $sequence->{track};
        die "track $track is not known\n" if !$tracks{$track};
        die "time goes back\n" if !exists $requests{$track} && defined $last{$track} && $at < $last{$track};
        if ($event->{9}[0] == 4) {
            my ($what, $pid) = @{ $counters{$track} // die "track $track does not count\n" };
            push @{ $shown{counters}{$what}{$pid} }, [$at, $event->{30}[0]];
            next;
        }
        if (exists $requests{$track}) {
            push @{ $shown{requests}{$track} }, ($event->{9}[0] == 1 ? ($event->{23}[0], $requests{$track}) : ()), $at;
            next;
        }
        $shown{total_ns} += $at - $last{$track} if @{ $open{$track} // [] } && $open{$track}[-1]{call};
        $last{$track} = $at;
        if ($event->{9}[0] == 1) {
            my $name = $event->{23} ? $event->{23}[0] : $sequence->{names}{ $event->{10}[0] } // die "no name\n";
            push @{ $open{$track} }, { name => $name, call => !$event->{23} };
            $shown{begins}{$track} //= $at;
            $shown{ $event->{23} ? 'phases' : 'calls' }++;
            $shown{stacks}{ join ';', map { $_->{name} } @{ $open{$track} } }++ if !$event->{23};
        } else {
            pop @{ $open{$track} } // die "ends, and did not begin\n";
        }
    }
    die "does not end\n" if grep { @$_ } values %open;
    return \%shown;
}

sub _packed {
    my ($bytes) = @_;
    my ($value, $shift, @numbers) = (0, 0);
    for my $byte (unpack 'C*', $bytes) {
        $value |= ($byte & 0x7F) << $shift;
        $shift += 7;
        next if $byte >= 0x80;
        push @numbers, $value;
        ($value, $shift) = (0, 0);
    }
    return @numbers;
}

# Ids must count from 1 in the order of their messages: Parca asks for that.
sub _by_id {
    my ($messages, $what) = @_;
    my @all = (undef);
    for my $message (map { _fields($_) } @{ $messages // [] }) {
        die "$what $message->{1}[0] is not the next\n" if $message->{1}[0] != @all;
        push @all, $message;
    }
    return \@all;
}

# What a profile of pprof says: { bytes, strings, time_ns, types => [[type, unit]], samples => [{ stack, values, labels
# }] }. A label is [name, text or undef, number]. Indexes and ids are checked.
sub pprof_profile {
    my ($bytes) = @_;
    gunzip(\$bytes => \my $proto) or die "gzip\n";
    my $profile = _fields($proto);
    my @strings = @{ $profile->{6} // die "no strings\n" };
    my $string  = sub { $strings[$_[0] // 0] // die "there is no string $_[0]\n" };
    die "the first string is '$strings[0]'\n" if $strings[0] ne '';
    my $functions = _by_id($profile->{5}, 'function');
    my $locations = _by_id($profile->{4}, 'location');
    my @names     = map { $_ && $string->($functions->[ _fields($_->{4}[0])->{1}[0] ]{2}[0]) } @$locations;
    my @samples   = map { {
        stack  => [reverse map { $names[$_] // die "no location $_\n" } _packed($_->{1}[0])],
        values => [_packed($_->{2}[0])],
        labels => [map { my $label = _fields($_);
            [$string->($label->{1}[0]), $label->{2} ? $string->($label->{2}[0]) : undef, $label->{3}[0]] } @{ $_->{3}
            // [] }],
    } } map { _fields($_) } @{ $profile->{2} // [] };
    return { bytes => length $proto, strings => \@strings, time_ns => $profile->{9}[0] // 0, samples => \@samples,
        types => [map { my $type = _fields($_); [map { $string->($type->{$_}[0]) } 1, 2] } @{ $profile->{1} // [] }] };
}

# Stacks => calls; with 'time', stacks => nanoseconds.
sub pprof_calls {
    my ($bytes, $time) = @_;
    my %calls;
    for my $sample (@{ pprof_profile($bytes)->{samples} }) {
        my $count = $sample->{values}[$time ? 0 : 1];
        $calls{ join ';', @{ $sample->{stack} } } += $count if $count;
    }
    return \%calls;
}

1;
