# NYTProf::Span::OpenTelemetry: spans have the ids of OpenTelemetry's current span, in the profile and in what the programs
# make of it. OpenTelemetry is a stub with the methods that the module calls, as its documentation describes them, since Debian
# has no package of it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Config;
use CollectorRun qw(need_collector optional_module plain profiled same_behaviour tool);
use IO::Uncompress::Gunzip qw(gunzip);
use JSON::PP ();
use NYTPTest qw(build_dir run scratch_dir);
use StockReaders qw(read_by_stock);
use Test::More;

need_collector();

# The current span has the trace "aaa..." and the span "bbb..." after current('a', 'b'); current() makes it invalid.
my $STUB = <<'END';
use strict;
use warnings;
{
    package OpenTelemetry::Trace;
    my ($current, @ids);
    sub span_from_context { return bless [@ids], 'OpenTelemetry::Trace::Span' }
    sub main::current { @ids = @_ ? (hex($_[0]) * 17, hex($_[1]) * 17) : (0, 0); return }
    main::current();
    package OpenTelemetry::Trace::Span;
    sub context { return bless [map { chr } @{ $_[0] }], 'OpenTelemetry::Trace::SpanContext' }
    package OpenTelemetry::Trace::SpanContext;
    sub hex_trace_id { return unpack 'H*', $_[0][0] x 16 }
    sub hex_span_id  { return unpack 'H*', $_[0][1] x 8 }
}
our $without;
BEGIN { $INC{'OpenTelemetry/Trace.pm'} = __FILE__ if !$without }
sub w { return 1 }
END
my $USES = "use NYTProf::Span;\nuse NYTProf::Span::OpenTelemetry qw(trace_span);\n";
my $lib  = '-I' . build_dir() . '/perl5';

my @recorded;

sub traced {
    my ($name, $script, %run) = @_;
    my @program = ('-e', "$STUB$USES$script");
    my ($plain, $got) = (plain([$lib, @program], %run), profiled('ours', \@program, %run));
    same_behaviour($plain, $got, $name);
    push @recorded, @{ $got->{files} };
    return $got;
}

# The spans of a profile in the order in which they began: "NAME TRACE SPAN", where ids of one digit are that digit.
sub spans {
    my (@arguments) = @_;
    my $got = run([tool('nytp-trace'), '--json', @arguments]);
    is("$got->{status} $got->{err}", '0 ', "nytp-trace @arguments[0 .. $#arguments - 1]");
    my @spans;
    for my $event (@{ JSON::PP::decode_json($got->{out})->{traceEvents} }) {
        my ($name) = $event->{ph} eq 'B' ? $event->{name} =~ /^NYTProf::span (.*)/ : () or next;
        push @spans, join ' ', $name, map { s/^(.)\1+\z/$1/r } grep { defined } map { $event->{args}{$_} } qw(trace_id span_id);
    }
    return \@spans;
}

my $got = traced('ids', <<'END');
sub page { my ($name) = @_; my $span = span($name); w(); return }
page('none');
current('a', 'b'); page('one');
current('a', 'c'); { my $span = span('outer'); current('a', 'd'); page('inner'); w() }
current(); page('none');
{ my $span = span('late'); current('e', 'f'); trace_span(); page('within'); name_span('renamed') }
current('0', '0'); page('none');
END
is_deeply(spans($got->{files}[0]),
    ['none', 'one a b', 'outer a c', 'inner a d', 'none', 'renamed e f', 'within e f', 'none'], 'ids of the current span');
# What was before the first tick of the span is left out, and so the ids of calls around, if they were before that.
like("@{ spans('--span=inner', $got->{files}[0]) }", qr/\Aouter(?: a c)? inner a d\z/, '... after a filter');
is_deeply(spans('--no-labels', $got->{files}[0]), [], '... and without labels');

# Spans at the same depth, which take turns.
SKIP: {
    skip 'needs Coro', 1 if !optional_module('Coro', 'libcoro-perl');
    my $coro = traced('coroutines', <<'END');
use Coro qw(async cede);
sub serve { my ($name, @ids) = @_; current(@ids); my $span = span($name); for (1 .. 3) { w(); cede } return }
my @coroutines = map { my @of = @$_; async { serve(@of) } } ['one', 'a', 'b'], ['none'], ['two', 'c', 'd'];
$_->join for @coroutines;
END
    my %parts;
    $parts{$_}++ for @{ spans($coro->{files}[0]) };
    is_deeply(\%parts, { map { $_ => 4 } 'one a b', 'none', 'two c d' }, 'each part has the ids of its span');
}

# A profile that was merged: ids stay with their spans.
my $second = traced('ids', "current('1', '2'); { my \$span = span('second'); w() }\n");
my $merged = scratch_dir() . '/merged.out';
is(run([tool('nytprofmerge'), '-o', $merged, map { $_->{files}[0] } $got, $second])->{err}, '', 'nytprofmerge');
is_deeply([grep { / / } @{ spans($merged) }],
    ['one a b', 'outer a c', 'inner a d', 'renamed e f', 'within e f', 'second 1 2'], '... keeps the ids');

# ---- the other formats ----

SKIP: {
    skip 'no protoc (protobuf-compiler)', 4 if system('protoc --version >/dev/null 2>&1') != 0;
    my $decode = sub {
        my ($type, $bytes) = @_;
        my $decoded = run(['protoc', "-I$FindBin::Bin/../proto", "--decode=$type", lc($type) . '.proto'], stdin => $bytes);
        is($decoded->{status}, 0, "protoc decodes a $type") or diag($decoded->{err});
        return $decoded->{out};
    };
    my $trace = $decode->(Trace => run([tool('nytp-trace'), $got->{files}[0]])->{out});
    my %ids;
    $ids{"$2 $1"}++ while $trace =~ /debug_annotations \{\s+string_value: "(\w+)"\s+name: "(\w+)"/g;
    is_deeply(\%ids, { 'trace_id ' . 'a' x 32 => 3, 'trace_id ' . 'e' x 32 => 2,
        (map { 'span_id ' . $_ x 16 => $_ eq 'f' ? 2 : 1 } qw(b c d f)) }, "Perfetto's annotations");
    gunzip(\run([tool('nytp-pprof'), $got->{files}[0]])->{out} => \my $pprof) or die "gzip\n";
    my $profile = $decode->(Profile => $pprof);
    my @strings = $profile =~ /^string_table: "(.*)"$/mg;
    my %labels;
    for my $sample ($profile =~ /^sample \{\n(.*?)^\}/msg) {
        my %label = map { $strings[$_] // '' } $sample =~ /key: (\d+)\s+str: (\d+)/g;
        $labels{ join ' ', map { s/^(.)\1+\z/$1/r } grep { defined } @label{qw(route trace_id span_id)} } = 1
            if defined $label{route};
    }
    is_deeply([sort keys %labels], ['inner a d', 'none', 'one a b', 'outer a c', 'renamed e f', 'within e f'], "pprof's labels");
}
is(scalar(grep { /;NYTProf::span one$/ } map { s/ \d+$//r } split /\n/, run([tool('nytprofcalls'), $got->{files}[0]])->{out}), 1,
    'names of spans are as they were');

# ---- what the module does not do ----

my $without = profiled('ours', ['-e', "BEGIN { \$main::without = 1 } $STUB$USES current('a', 'b'); { my \$span = span('x'); w() }"]);
is($without->{err}, '', 'without OpenTelemetry: nothing is said');
is_deeply(spans($without->{files}[0]), ['x'], '... and there are no ids');

my $odd = profiled('ours', ['-e', $STUB . <<'END']);
use NYTProf::Span;
my @ids;
DB::on_span(sub { return @ids });
sub page { my ($name) = @_; my $span = span($name); return }
for my $odd ([], ['a' x 32], ['a' x 32, 'b' x 16, 1], ['a' x 31, 'b' x 16], ['A' x 32, 'b' x 16], ['a' x 32, '0' x 16],
    ["a\n" x 16, 'b' x 16], [undef, undef], [[], {}], ['a' x 33, 'b' x 16]) {
    @ids = @$odd;
    page('odd');
}
@ids = ('a' x 32, 'b' x 16);
page('right');
$! = 2; $@ = 'mine';
DB::on_span(sub { $! = 3; eval { die "inner\n" }; die "of the hook\n" });
page('died');
print $! + 0, " $@\n";
DB::on_span(sub { my $span = span('own'); return @ids });
page('again');
DB::on_span(sub { no warnings; last ROUND });
ROUND: for my $name ('left', 'went on') { page($name) }
DB::on_span('nothing');
page('off');
DB::trace_span(@ids);
sub late { my $span = span('late'); DB::trace_span(@ids); DB::trace_span('x'); return }
late();
DB::on_span(sub { DB::finish_profile(); return @ids });
page('ended');
page('ended');
END
like($odd->{err}, qr/\A\t\(in cleanup\) of the hook\n\z/, 'a hook that dies: perl warns');
is($odd->{out}, "2 mine\n", '... and $! and $@ are as they were');
is_deeply(spans($odd->{files}[0]), [('odd') x 10, 'right a b', 'died', 'again a b', 'own', 'left', 'went on', 'off', 'late', 'ended'], 'odd ids are none');

SKIP: {
    skip 'perl without threads', 4 if !$Config{usethreads};
    my $threads = traced('threads', <<'END', options => { addpid => 0 });
use threads;
current('a', 'b');
{ my $span = span('first'); w() }
threads->create(sub { current('c', 'd'); my $span = span('thread'); w() })->join;
END
    is_deeply([sort map { @{ spans($_) } } @{ $threads->{files} }], ['first a b', 'thread c d'], 'in a thread, too');
}

SKIP: {
    skip 'needs Coro', 4 if !optional_module('Coro', 'libcoro-perl');
    my $coro = traced('coroutines', <<'END');
use Coro;
sub job { my ($digit, $name) = @_; current($digit, $digit) if $digit; my $span = span($name); current(); cede; w(); cede; w() }
$_->join for map { my @job = @$_; async { job(@job) } } ['a', 'one'], ['b', 'two'], ['', 'three'];
END
    my %wrong = map { $_ => 1 } grep { !/^(?:one(?: a a)?|two(?: b b)?|three)$/ } @{ spans($coro->{files}[0]) };
    is_deeply(\%wrong, {}, 'no span of a coroutine has the ids of another');
}

read_by_stock('all of these', \@recorded);

done_testing();
