# nytp-diff --explain: which calls, subs and labels caused a difference, and how much of it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP qw(decode_json);
use List::Util qw(sum);
use MadeCalls qw(made_calls);
use MadeRuns qw(made_run);
use NYTPTest qw(build_dir run scratch_dir);
use Test::More;

my $ours    = build_dir() . '/bin/nytp-diff';
my $scratch = scratch_dir();

sub causes {
    my (@arguments) = @_;
    my $got = run([$ours, '--explain', '--json', @arguments], dir => $scratch);
    is($got->{status}, 0, "@arguments") or diag($got->{err});
    my $json = decode_json($got->{out});
    return [$json->{whole}{value}{difference}, @{ $json->{causes} }];
}

# Compares two programs, given as trees of calls. Its causes must be those, and their differences add up to the whole.
sub explained {
    my ($name, $old, $new, @sentences) = @_;
    my %o = (labels => 'sql=DBI::st::execute,sql=DBI::st::prepare');
    made_calls("$scratch/old", \%o, @$old);
    made_calls("$scratch/new", \%o, @$new);
    my ($whole, @causes) = @{ causes('old', 'new') };
    is_deeply([map { sprintf '%+.2f %s', $_->{difference}, $_->{sentence} } @causes], \@sentences, $name);
    cmp_ok(abs($whole - sum(0, map { $_->{difference} } @causes)), '<', 0.001, "$name: which is all of the difference");
    return;
}

my $f = sub { ['main::f', $_[0], $_[1] // 0.01] };

explained('more calls', [['main::g', 1, 0.5, $f->(100)]], [['main::g', 1, 0.5, $f->(300)]],
    '+2.00 main::f is called 3 times as often (100 to 300 calls), by main::g');
explained('fewer calls', [['main::g', 1, 0.5, $f->(100)]], [['main::g', 1, 0.5, $f->(60)]],
    '-0.40 main::f is called 40 % less often (100 to 60 calls), by main::g');
explained('calls of a caller', [['main::g', 10, 0.1, $f->(10)]], [['main::g', 20, 0.1, $f->(10)]],
    '+2.00 main::g is called 2 times as often (10 to 20 calls), by code outside of subs');
explained('the caller, and more calls by each of its calls', [['main::g', 10, 0.1, $f->(1)]], [['main::g', 20, 0.1, $f->(3)]],
    '+1.10 main::g is called 2 times as often (10 to 20 calls), by code outside of subs',
    '+0.40 main::g calls main::f more often each time (1 to 3 times, 10 to 60 calls in all)');
explained('longer calls', [['main::g', 1, 0.5, $f->(100)]], [['main::g', 1, 0.5, $f->(100, 0.014)]],
    '+0.40 main::f itself takes 40 % longer in each call (10.0 ms to 14.0 ms)');
explained('a longer call', [['main::g', 1, 0.5]], [['main::g', 1, 1.75]],
    '+1.25 main::g itself takes 3.5 times as long (500 ms to 1.75 s)');
explained('new and gone', [['main::g', 2, 0.5, ['main::old', 3, 0.1]]],
    [['main::g', 2, 0.5, ['main::new', 3, 0.2, $f->(5)]], ['main::h', 1, 0.3, ['main::new', 1, 0.2, $f->(5)]]],
    '+1.50 new: main::new (6 calls), by main::g', '-0.60 gone: main::old (6 calls), by main::g',
    '+0.55 new: main::h (1 call), by code outside of subs');
explained('another caller', [['main::g', 2, 0.5, $f->(10)], ['main::h', 2, 0.5, $f->(1)], ['main::i', 1, 0.1]],
    [['main::g', 2, 0.5], ['main::h', 2, 0.5, $f->(1)], ['main::i', 1, 0.1, $f->(5)]],
    '-0.20 main::g no longer calls main::f (20 calls)', '+0.05 main::i now calls main::f (5 calls)');
explained('recursion', [['main::r', 2, 0.01, ['main::r', 1, 0.01, ['main::r', 1, 0.01]]]],
    [['main::r', 2, 0.01, ['main::r', 2, 0.01, ['main::r', 2, 0.01]]]],
    '+0.08 main::r calls itself 3 times as often (4 to 12 calls)');
explained('recursion of two', [['main::a', 1, 0.01, ['main::b', 1, 0.01, ['main::a', 1, 0.01, ['main::b', 1, 0.01]]]]],
    [['main::a', 1, 0.01, ['main::b', 1, 0.01, ['main::a', 2, 0.01, ['main::b', 2, 0.01]]]]],
    '+0.04 main::b and main::a call each other 2.3 times as often (3 to 7 calls)');

# The methods of a statement are one cause, and a request is one whatever begins it.
my $query = sub {
    my ($times, $text) = @_;
    return ['main::list', $times, 0.01, ["DBI::st::execute $text", 1, 0.1, ["DBI::st::prepare $text", 1, 0.05]]];
};
explained('more runs of a query', [$query->(2, 'SELECT 1')], [$query->(2, 'SELECT 1'), $query->(2, 'SELECT 1')],
    '+0.32 main::list is called 2 times as often (2 to 4 calls), by code outside of subs');
explained('a changed query', [$query->(2, 'SELECT 1')], [$query->(2, 'SELECT 2')],
    '+0.30 new: query "SELECT 2" (2 runs), in main::list', '-0.30 gone: query "SELECT 1" (2 runs), in main::list');
my $requests = sub {
    my ($list, $show) = @_;
    return ['main::serve', 1, 0.1,
        ['main::handle', $list, 0.01, ['NYTProf::span GET /list', 1, 0, $f->(10)]],
        ['main::handle', $show, 0.01, ['NYTProf::span GET /show', 1, 0, $f->(1)]]];
};
explained('more requests of a route', [$requests->(10, 10)], [$requests->(10, 40)],
    '+0.30 main::handle is called 2.5 times as often (20 to 50 calls), by main::serve',
    '+0.30 request "GET /show" comes 4 times as often (10 to 40 requests)');

# What chance explains is none. The slower one is by far.
for my $side (qw(o n)) {
    for my $run (1 .. 5) {
        my $noise = ($run * ($side eq 'o' ? 3 : 5) % 7) / 50;
        made_run("$scratch/$side$run",
            calls => { 'main::f' => [3, ($side eq 'o' ? 1 : 3) + $noise], 'A::noise' => [9, 1 + $noise] });
    }
}
my (undef, @sure) = @{ causes((map { "o$_" } 1 .. 5), '--', map { "n$_" } 1 .. 5) };
is_deeply([map { $_->{sentence} =~ s/ \d.*//r } @sure], ['main::f itself takes'], 'more than chance');

# Ten subs that take more or less by one factor, of which no two are the same; some are called more, and one is slower by itself.
subtest 'the machine' => sub {
    my $subs = sub {
        my ($factor, %more) = @_;
        return { map { ("main::s$_" => [$_, $_ / 20 * ($more{$_} // $factor * (1 + ($_ % 3 - 1) / 20))]) } 1 .. 10 };
    };
    my $found = sub {
        my ($calls, %o) = @_;
        made_run("$scratch/before", calls => $subs->(1, map { ($_ => 1) } 1 .. 10), outside => 0.1, queued => delete $o{queued_before});
        made_run("$scratch/after",  calls => $calls, outside => 0.15, %o);
        my ($whole, @causes) = @{ causes('before', 'after') };
        is(sprintf('%.6f', sum(0, map { $_->{difference} } @causes)), sprintf('%.6f', $whole), '... adds up') if $o{sum};
        return join '|', map { $_->{sentence} } @causes;
    };
    is($found->($subs->(1.5), sum => 1), 'everything is 1.5 times slower, and not single subs', 'slower');
    is($found->($subs->(1.5), queued_before => 0.5, queued => 1.4, sum => 1), 'everything is 1.5 times slower: the machine',
        'it waited much for a processor in both');
    is($found->($subs->(1.5), queued_before => 0.2, queued => 1.4), 'everything is 1.5 times slower, and not single subs',
        '... but not if one did not wait much');
    is($found->($subs->(1, 3 => 1.4), queued_before => 0.5, queued => 1), 'it waited longer for a processor (500 ms to 1.00 s)',
        'nor if subs do not differ alike; it may be any sub that waited');
    like($found->($subs->(1, 10 => 9), queued_before => 0.5, queued => 1),
        qr/\Amain::s10 itself takes 9 times as long in each call [^|]*\|it waited longer for a processor \([^|]*\z/, '... which does not explain all');
    is($found->($subs->(0.5), outside => 0.05), 'everything is 2.0 times faster, and not single subs', 'faster');
    like($found->($subs->(1.5, 4 => 6), sum => 1),
        qr/\Aeverything is 1\.5 times slower, and not single subs\|main::s4 itself takes 6 times as long in each call \([^|]*\z/,
        'one sub is slower than that');
    unlike($found->($subs->(1, map { ($_ => 1.5) } 8 .. 10)), qr/everything/, 'a third of the subs');
    unlike($found->($subs->(1, 10 => 9)), qr/everything/, 'one sub with most of the time');
    unlike($found->({ map { ("main::s$_" => [$_, $_ / 20 * $_]) } 1 .. 10 }), qr/everything/, 'each by another factor');
    unlike($found->($subs->(1.04)), qr/everything/, 'less than a tenth');
};

# Where it is measured which subs waited for a processor, that is one cause, and no part of the others.
made_run("$scratch/before", stacks => 1, calls => { 'main::f' => [2, 0.5], 'A::g' => [1, 0.25] },
    waited => { 'main::f' => [0.125, 0], 'A::g' => [0, 0] });
made_run("$scratch/after", stacks => 1, calls => { 'main::f' => [2, 0.75], 'A::g' => [1, 0.5] },
    waited => { 'main::f' => [0.25, 0.125], 'A::g' => [0, 0.25] });
my ($slower, @measured) = @{ causes('before', 'after') };
is_deeply([map { sprintf '%.3f %s', $_->{difference}, $_->{sentence} } @measured],
    ['0.375 it waited longer for a processor (0 to 375 ms)',
        '0.125 main::f itself takes 25 % longer in each call (250 ms to 313 ms)'], 'queued, and asleep for longer');
is(sprintf('%.6f', sum(map { $_->{difference} } @measured)), sprintf('%.6f', $slower), '... which is all of the difference');

made_run("$scratch/few",  samples => 900, calls => { 'main::f' => [3, 0.25], 'A::g' => [1, 0.5] });
made_run("$scratch/many", samples => 900, calls => { 'main::f' => [3, 0.75], 'A::g' => [1, 0.5] });
my (undef, @sampled) = @{ causes('few', 'many') };
is_deeply([map { $_->{sentence} } @sampled],
    ['main::f itself takes 55.6 % of the time, not 29.4 %', 'A::g itself takes 37.0 % of the time, not 58.8 %',
    'code outside of subs takes 7.4 % of the time, not 11.8 %'], 'samples');

subtest 'forms' => sub {
    my $text = run([$ours, '--explain', 'few', 'many'], dir => $scratch);
    like($text->{out}, qr/\AWhat caused the difference:\n\s*\+26\.14 %  main::f itself takes .*\n.*\n.*\n\n\s*old /, 'before the table');
    my $markdown = run([$ours, '--explain', '--markdown', 'few', 'many'], dir => $scratch);
    like($markdown->{out}, qr/\AWhat caused the difference:\n\n- \+26\.14 %: main::f itself .*\n- .*\n- .*\n\n\| /, 'a list in Markdown');
    my $heading = sub { my ($line) = run([$ours, '--explain', @_], dir => $scratch)->{out} =~ /\A(.*):\n/; return $line };
    is($heading->('o1', 'n1'), 'What differs (one run each: may be chance)', 'one run of each is not tested');
    is($heading->('o1', 'o2', 'o3', '--', map { "n$_" } 1 .. 5), 'What differs (3 and 5 runs: may be chance)', '... nor are three');
    is($heading->((map { "o$_" } 1 .. 4), '--', map { "n$_" } 1 .. 4), 'What caused the difference', '... but four are');
    my $none = run([$ours, '--explain', 'few', 'few'], dir => $scratch);
    like($none->{out}, qr/\ANo single cause explains 1 % of the time\.\n\n/, 'nothing to explain');
    is(run([$ours, '--explain', '--csv', 'few', 'many'], dir => $scratch)->{status}, 2, 'not as CSV');
};

done_testing();
