# nytp-pprof and nytp-trace by way of protoc, which decodes their messages as test/proto/*.proto describes them: no
# field is unknown, each has its type, and what they say is what nytprofcalls says.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use IO::Uncompress::Gunzip qw(gunzip);
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir run);
use Test::More;
use Written qw(stacks_of written);

plan skip_all => 'no protoc (protobuf-compiler)' if system('protoc --version >/dev/null 2>&1') != 0;

my %paths;
push @{ $paths{ $_->{name} =~ s/ .*//r } }, $_->{path} for recordings();

# A message in protoc's text format: { field => [values] }. Bytes that are not ASCII are octal escapes.
my %character = (n => "\n", r => "\r", t => "\t");
sub message_of {
    my ($lines) = @_;
    my %message;
    while (defined(my $line = shift @$lines)) {
        return \%message if $line =~ /^ *\}$/;
        if ($line =~ /^ *(\w+) \{$/) {
            push @{ $message{$1} }, message_of($lines);
            next;
        }
        my ($field, $value) = $line =~ /^ *([A-Za-z]\w*): (.*)$/ or die "unknown: $line\n";
        $value =~ s/\\(?:([0-7]{3})|(.))/defined $1 ? chr oct $1 : $character{$2} \/\/ $2/ge
            if $value =~ s/^"(.*)"$/$1/;
        push @{ $message{$field} }, $value;
    }
    return \%message;
}

sub decoded {
    my ($type, $file, $bytes) = @_;
    my $got = run(['protoc', "-I$FindBin::Bin/../proto", "--decode=$type", $file], stdin => $bytes);
    is("$got->{status} $got->{err}", '0 ', "protoc decodes a $type");
    return message_of([split /\n/, $got->{out}]);
}

sub sum { my $sum = 0; $sum += $_ for @_; return $sum }

# ---- profile.proto ----

sub pprof_ok {
    my ($paths, $calls, $ns) = @_;
    gunzip(\written('nytp-pprof', @$paths) => \my $bytes) or die "gzip\n";
    my $profile = decoded(Profile => 'profile.proto', $bytes);
    my @strings = @{ $profile->{string_table} };
    is($strings[0], '', 'the first string is empty');
    is_deeply([map { join ' ', @strings[$_->{type}[0], $_->{unit}[0]] } @{ $profile->{sample_type} }],
        ['wall nanoseconds', 'calls count'], 'the types of values, time first');
    is($strings[ $profile->{default_sample_type}[0] ], 'wall', 'time is the default');
    my %function = map { $_->{id}[0] => $strings[ $_->{name}[0] ] } @{ $profile->{function} };
    my %location = map { $_->{id}[0] => $function{ $_->{line}[0]{function_id}[0] } } @{ $profile->{location} };
    my (%calls, %ns, %pids);
    for my $sample (@{ $profile->{sample} }) {
        my $stack = join ';', reverse map { $location{$_} // die "no location $_\n" } @{ $sample->{location_id} };
        $calls{$stack} += $sample->{value}[1];
        $ns{$stack}    += $sample->{value}[0];
        $pids{ $_->{num}[0] }++ for grep { $strings[ $_->{key}[0] ] eq 'pid' } @{ $sample->{label} // [] };
    }
    is_deeply(\%calls, $calls, 'samples have the calls');
    is_deeply({ map { $ns{$_} ? ($_ => $ns{$_}) : () } keys %ns }, $ns, 'and the times');
    is(scalar(keys %pids), @$paths > 1 ? scalar @$paths : 0, 'each of several processes has a label');
    return;
}

# ---- Perfetto ----

sub trace_ok {
    my ($paths, $calls, $ns) = @_;
    my (%sequences, %open, %calls, %tracks);
    my $total = 0;
    for my $packet (@{ decoded(Trace => 'trace.proto', written('nytp-trace', @$paths))->{packet} }) {
        my $s = $sequences{ $packet->{trusted_packet_sequence_id}[0] } //= { at => 0,
            track => $packet->{trace_packet_defaults}[0]{track_event_defaults}[0]{track_uuid}[0] };
        $s->{names}{ $_->{iid}[0] } = $_->{name}[0]
            for map { @{ $_->{event_names} } } @{ $packet->{interned_data} // [] };
        $tracks{ $_->{uuid}[0] } = $_ for @{ $packet->{track_descriptor} // [] };
        my $event = $packet->{track_event}[0] // next;
        next if $event->{type}[0] eq 'TYPE_COUNTER';
        my $track = $event->{track_uuid}[0] // $s->{track};
        my $stack = $open{$track} //= [];
        $total += $packet->{timestamp}[0] if @$stack && $track == $s->{track};
        if ($event->{type}[0] eq 'TYPE_SLICE_BEGIN') {
            push @$stack, $event->{name}[0] // $s->{names}{ $event->{name_iid}[0] };
            $calls{ join ';', @$stack }++ if $track == $s->{track};
        } else {
            pop @$stack;
        }
    }
    is_deeply(\%calls, $calls, 'slices are the calls');
    is_deeply([grep { @$_ } values %open], [], 'all of them end');
    is(scalar(grep { $_->{process} } values %tracks), scalar @$paths, 'each process has a track');
    return $total;
}

for my $name (qw(calls evals forks)) {
    subtest $name => sub {
        my $paths = $paths{$name};
        my ($calls, $ns) = (stacks_of('--calls', @$paths), stacks_of('--unit=ns', @$paths));
        pprof_ok($paths, $calls, $ns);
        my $total = trace_ok($paths, $calls, $ns);
        is($total, sum(values %$ns), 'a trace of one process has its time') if @$paths == 1;
    };
}

done_testing();
