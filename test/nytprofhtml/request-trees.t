# The calls of single requests in a report: those that the filters leave of a profile when it is asked for the slowest one.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(need_collector profiled);
use List::Util qw(sum0);
use NYTPTest qw(build_dir run);
use ReportPage;
use Test::More;

need_collector();
my $bin = build_dir() . '/bin';

sub report_of {
    my ($path, @options) = @_;
    my $got = run(["$bin/nytprofhtml", '-o', '-', @options, $path]);
    is("$got->{status} $got->{err}", '0 ', 'a report');
    return ReportPage->new($got->{out});
}

# By stack: ticks and calls.
sub tree_of {
    my ($page, $block) = @_;
    my (@path, %tree);
    for my $i (0 .. $#{ $block->{sub} }) {
        $#path = $block->{depth}[$i] - 1;
        push @path, $page->{core}{subs}{name}[$block->{sub}[$i]];
        $tree{ join ';', @path } = [$block->{excl}[$i], $block->{calls}[$i]];
    }
    return \%tree;
}

# The same of the slowest request with that name, below its callers.
sub slowest {
    my ($path, $name) = @_;
    my %tree;
    for my $what (0, 1) {
        my $got = run(["$bin/nytprofcalls", '--span', $name, '--slowest=1', ('--calls') x $what, $path]);
        is($got->{status}, 0, 'nytprofcalls') or diag($got->{err});
        for (split /\n/, $got->{out}) {
            my ($stack, $number) = /(NYTProf::span .*) (\d+)$/ or next;
            $tree{$stack}[$what] += $number;
        }
    }
    return \%tree;
}

# How long the event loop was asleep and queued between the parts of the slowest span, in seconds.
sub loop_waits {
    my ($path) = @_;
    my ($head, @rows) = map { [split /,/] } split /\n/, run(["$bin/nytprofcsv", '--table=spans', '-o', '-', $path])->{out};
    my @spans = map { my %span; @span{@$head} = @$_; \%span } @rows;
    my ($slow) = sort { $b->{latency_s} <=> $a->{latency_s} } grep { $_->{span} =~ /parts/ } @spans;
    return $slow->{loop_asleep_s} + $slow->{loop_queued_s};
}

# To how many ticks the numbers of requests are rounded.
sub unit_of {
    my ($page) = @_;
    return $page->{core}{about}{ticks_per_s} / $page->block('requests')->{per_s};
}

# The ticks of a request, without what passed between its parts and what was not counted.
sub counted {
    my ($page, $row) = @_;
    my $requests = $page->block('requests');
    my $rest = $requests->{rest} ? $requests->{rest}[$row] : 0;
    return ($requests->{ticks}[$row] - $rest) * unit_of($page);
}

my $path = profiled('ours', ['-e', <<'PERL'])->{files}[0];
use NYTProf::Span;
sub work { my ($n) = @_; my $x = 0; $x += $_ for 1 .. $n; return $x }
sub deep { my ($n) = @_; return $n ? deep($n - 1) + work(2) : work(10) }
sub one { my ($name, $n) = @_; my $span = span($name); work($n); deep($n % 7); select undef, undef, undef, 0.0001 * $n; return }
one($_ % 3 ? 'GET /items' : 'GET /list', $_) for 1 .. 90;
PERL

my $page     = report_of($path);
my $requests = $page->block('requests');
my @rows     = map { /^request-(\d+)$/ ? $1 : () } keys %{ $page->{block} };
my %of;
for my $row (@rows) {
    my $block = $page->block("request-$row");
    push @{ $of{ $page->{core}{labels}{text}[$requests->{label}[$row]] } }, $row;
    my $apart = abs(sum0(@{ $block->{excl} }) - counted($page, $row));
    # Each number may be rounded: by half a tick, or by half a unit of those of requests, which is larger the longer they last.
    my $most = 1 + @{ $block->{sub} } + unit_of($page) * ($requests->{rest} && $requests->{rest}[$row] ? 1.5 : 1);
    cmp_ok($apart, '<=', $most, "request $row: its calls have its time") if $apart > 2;
}
is(scalar @{ $of{'GET /items'} }, 50, 'the 50 slowest of 60');
is(scalar @{ $of{'GET /list'} }, 30, 'all of 30');
for my $name (sort keys %of) {
    my ($row) = sort { $requests->{ticks}[$b] <=> $requests->{ticks}[$a] } @{ $of{$name} };
    my ($have, $expect) = (tree_of($page, $page->block("request-$row")), slowest($path, $name));
    cmp_ok(scalar keys %$have, '>', 3, "$name: calls");
    is_deeply([sort keys %$have], [sort keys %$expect], '... the stacks of the slowest one');
    is_deeply([grep { $have->{$_}[1] != $expect->{$_}[1] } keys %$have], [], '... as many calls');
    is_deeply([grep { abs($have->{$_}[0] - $expect->{$_}[0]) > 2 } keys %$have], [], '... as much time');
}

subtest 'requests of several parts' => sub {
    my $parts = profiled('ours', ['-e', <<'PERL'])->{files}[0];
use NYTProf::Span;
my @due;
sub work { my ($n) = @_; my $x = 0; $x += $_ for 1 .. $n; return $x }
sub rest { my ($n) = @_; work($n) for 1 .. 3; return }
sub begin { my ($n) = @_; my $r = NYTProf::Span->start('GET /parts'); work($n);
    push @due, $r->wrap(sub { work(10 * $n); rest($n); push @due, NYTProf::Span->wrap(sub { rest($n) }) }); return }
sub plain { my $s = span('plain'); work(50); return }
begin(100 * $_) for 1 .. 6; plain();
while (my $code = shift @due) { select undef, undef, undef, 0.001; $code->() }
PERL
    my $of_parts = report_of($parts);
    my ($spans, $labels) = ($of_parts->block('requests'), $of_parts->{core}{labels});
    my %is = map { ($_ => $labels->{text}[$spans->{label}[$_]]) } 0 .. $#{ $spans->{label} };
    is_deeply([sort values %is], [('GET /parts') x 6, 'plain'], 'one for each request');
    my ($slow) = sort { $spans->{ticks}[$b] <=> $spans->{ticks}[$a] } grep { $is{$_} ne 'plain' } keys %is;
    my ($plain) = grep { $is{$_} eq 'plain' } keys %is;
    my $loop = loop_waits($parts);
    cmp_ok($spans->{rest}[$slow] / $spans->{per_s} + $loop, '>=', 0.007, 'what passed between parts');
    is($spans->{others}[$plain], 0, '... of a request of one part none of it in others');
    my ($have, $expect) = (tree_of($of_parts, $of_parts->block("request-$slow")), slowest($parts, 'GET /parts'));
    is_deeply([sort keys %$have], [sort keys %$expect], 'the stacks of all parts');
    is_deeply([grep { $have->{$_}[1] != $expect->{$_}[1] } keys %$have], [], '... as many calls');
    is_deeply([grep { abs($have->{$_}[0] - $expect->{$_}[0]) > 3 } keys %$have], [], '... as much time');
    my $work = sum0(map { $_->[0] } values %$have);
    cmp_ok(abs($work - counted($of_parts, $slow) + $loop * $of_parts->{core}{about}{ticks_per_s}), '<', 2 * unit_of($of_parts) + 10,
        '... which with what passed between them is all of its time');
};

subtest 'a request of very many stacks' => sub {
    my $large = profiled('ours', ['-e', <<'PERL'])->{files}[0];
use NYTProf::Span;
no warnings 'recursion';
sub leaf { return 1 }
sub deep { my ($n) = @_; leaf(); deep($n - 1) if $n; select undef, undef, undef, 0.005 if !$n; return }
sub one { my $span = span('GET /deep'); deep(3000); return }
one() for 1 .. 2;
PERL
    my $deep = report_of($large);
    my $block = $deep->block('request-0');
    cmp_ok(scalar @{ $block->{sub} }, '<=', 2001, 'its small stacks are those of their callers');
    cmp_ok(scalar @{ $block->{sub} }, '>', 1000, '... and the others are left');
    cmp_ok(abs(sum0(@{ $block->{excl} }) - counted($deep, 0)), '<', 3000, '... with all time that was counted');
    is_deeply([grep { $block->{depth}[$_] > $block->{depth}[$_ - 1] + 1 } 1 .. $#{ $block->{depth} }], [], '... below those that called them');
};

is_deeply([grep { /^request-/ } keys %{ report_of($path, '--no-flame')->{block} }], [], 'none with --no-flame');

done_testing();
