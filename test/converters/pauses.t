# The time lines of nytp-trace and nytprofhtml: requests begin after the pauses between them, and take as long as they
# took.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir record run);
use ReportPage;
use Test::More;

my $bin = build_dir() . '/bin';

# Outermost calls of answer, in seconds: [begin, time].
sub of_trace {
    my ($path, @options) = @_;
    my $events = decode_json(run(["$bin/nytp-trace", '--json', '-o', '-', @options, $path])->{out});
    my (@open, @calls);
    for my $event (@{ ref $events eq 'HASH' ? $events->{traceEvents} : $events }) {
        push @open, $event if $event->{ph} eq 'B';
        next if $event->{ph} ne 'E';
        my $begun = pop @open;
        push @calls, [$begun->{ts} / 1e6, ($event->{ts} - $begun->{ts}) / 1e6] if $begun->{name} eq 'main::answer';
    }
    return @calls;
}

sub of_report {
    my ($path) = @_;
    my $core = ReportPage->new(run(["$bin/nytprofhtml", '-o', '-', $path])->{out})->{core};
    my ($calls, $rate) = ($core->{calls}, $core->{about}{ticks_per_s});
    return map { [$calls->{begin}[$_] / $rate, $calls->{ticks}[$_] / $rate] }
        grep { $core->{subs}{name}[$calls->{sub}[$_]] eq 'main::answer' } 0 .. $#{ $calls->{sub} };
}

my %options = (calls => { calls => 1 }, entries => { calls => 2 }, blocks => { calls => 2, blocks => 1 },
    leave => { calls => 1, leave => 0 }, 'no statements' => { calls => 2, stmts => 0 });
my $about_s = 0.001;
for my $name (sort keys %options) {
    my $path  = record("requests $name" =~ tr/ /-/r, ['test/scripts/requests.pl'], slowops => 0, %{ $options{$name} });
    for (['trace', of_trace($path)], ['trace --min=0.2us', of_trace($path, '--min=0.2us')], ['report', of_report($path)]) {
        my ($what, @calls) = @$_;
        is(scalar @calls, 3, "$name: $what: three requests") or next;
        my @before = map { $calls[$_][0] - ($_ > 0 ? $calls[$_ - 1][0] + $calls[$_ - 1][1] : 0) } 0 .. 2;
        is_deeply([grep { $before[$_] < ($options{$name}{stmts} // 1) * (0.1 * ($_ + 1) - $about_s) - 1e-6 } 0 .. 2], [],
            "$name: $what: each after its pause") or diag("@before");
        cmp_ok($before[1] + $before[2], '<', 0.1, "$name: $what: without statements, one after the other")
            if exists $options{$name}{stmts};
    }
    my @trace  = of_trace($path);
    my $folded = run(["$bin/nytprofcalls", '--unit=ns', $path])->{out};
    my ($ns, $shown_ns) = (0, 0);
    $ns += $1 while $folded =~ /^(?:[^\n]*;)?main::answer(?:;[^\n]*)? (\d+)$/mg;
    $shown_ns += 1e9 * $_->[1] for @trace;
    cmp_ok(abs($shown_ns - $ns), '<', 3000, "$name: durations do not change");
}

done_testing();
