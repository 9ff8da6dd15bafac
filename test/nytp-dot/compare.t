# nytp-dot --diff: colours and texts say what changed from one profile to another.

use strict;
use warnings;
use utf8;

use FindBin;
use lib "$FindBin::Bin/../lib";

use DotGraph qw(drawn);
use Encode qw(decode);
use MadeRuns qw(made_run);
use NYTPTest qw(build_dir run scratch_dir);
use Test::More;

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output todo_output);

my $ours    = build_dir() . '/bin/nytp-dot';
my $scratch = scratch_dir();

sub graph {
    my @arguments = @_;
    my $got       = run([$ours, @arguments], dir => $scratch);
    is($got->{status}, 0, "nytp-dot @arguments") or diag($got->{err});
    return drawn($got->{out});
}

# "#rrggbb"
sub is_red  { my ($r, $b) = map { hex } $_[0] =~ /^#(..)..(..)$/; return $r > $b + 30 }
sub is_blue { my ($r, $b) = map { hex } $_[0] =~ /^#(..)..(..)$/; return $b > $r + 30 }

my %old = ('A::same' => [1, 0.5], 'A::slower' => [1, 0.25], 'A::faster' => [1, 0.5], 'A::gone' => [1, 0.125]);
my %new = ('A::same' => [1, 0.5], 'A::slower' => [1, 0.75], 'A::faster' => [1, 0.25], 'A::fresh' => [1, 0.125]);
$old{'A::__ANON__[/home/ann/t.pl:3]'} = [1, 0.25];
$new{'A::__ANON__[/srv/t.pl:8]'}      = [1, 0.375];
made_run("$scratch/old", calls => \%old);
made_run("$scratch/new", calls => \%new);

my $graph = graph('--diff', 'old', 'new');
my %node  = %{ $graph->{nodes} };
is($graph->{complaint}, '', 'dot reads it');
ok(is_red($node{'A::slower'}{fill}),  'what takes longer is red');
ok(is_blue($node{'A::faster'}{fill}), 'what takes less is blue');
ok(!is_red($node{'A::same'}{fill}) && !is_blue($node{'A::same'}{fill}), 'the rest is neither');
ok(is_red($node{'A::fresh'}{fill}), 'what is new is red');
ok((grep { $_ eq '+500 ms' } @{ $node{'A::slower'}{lines} }),  'the difference');
ok((grep { $_ eq '−250 ms' } @{ $node{'A::faster'}{lines} }), 'with its sign');
ok((grep { $_ eq 'new' } @{ $node{'A::fresh'}{lines} }),       'what is new says so');
ok(!(grep { /^[+−]/ } @{ $node{'A::same'}{lines} }),          'what did not change does not');
like($node{'A::slower'}{tip}, qr/^before: inclusive 250 ms, self 250 ms$/m, 'the times before');
ok((grep { $_ eq '+125 ms' } @{ $node{'A::__ANON__[/srv/t.pl:8]'}{lines} }),
    'anonymous subs whose lines moved are matched');
ok((grep { $_ eq 'gone: A::gone, self 125 ms' } @{ $node{'not shown '}{lines} }), 'what is gone is listed')
    or diag(explain($node{'not shown '}));
ok((grep { /^before: 1\.73 s, change: \+375 ms$/ } @{ $graph->{lines} }), 'the title has the totals')
    or diag(explain($graph->{lines}));
my ($edge) = grep { $_->{to} eq 'A::slower' } @{ $graph->{edges} };
like($edge->{tip}, qr/^before: 250 ms$/m, 'arrows, too');

my $packages = graph('--collapse=package', '--diff', 'old', 'new');
ok((grep { $_ eq '+375 ms' } @{ $packages->{nodes}{A}{lines} }), 'packages');
my $same = graph('--diff', 'old', 'old');
is((grep { /^(?:[+−]|new$|gone:)/ } map { @{ $_->{lines} } } values %{ $same->{nodes} }), 0, 'a profile and itself');
graph('--theme=gray', '--diff', 'old', 'new');

made_run("$scratch/samples", samples => 400, calls => { 'A::same' => [1, 1] });
my $got = run([$ours, '--diff', 'samples', 'new'], dir => $scratch);
is($got->{status}, 1, 'samples and the collector: an error');
like($got->{err}, qr/new is a profile of time and samples one of sampled time/, 'it says so');
is($got->{out}, '', 'and there is no graph');
made_run("$scratch/longer", samples => 800, outside => 0.2, calls => { 'A::same' => [1, 2] });
my $shares = graph('--diff', 'samples', 'longer');
is((grep { /^[+−]/ } map { @{ $_->{lines} } } values %{ $shares->{nodes} }), 0, 'a longer recording is not slower');
is(run([$ours, '--diff', 'missing', 'new'], dir => $scratch)->{status}, 1, 'a file that is not there');

done_testing();
