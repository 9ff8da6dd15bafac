# Profiling ends, or the process forks or ends, while the collector handles an op that executes code of the program
# (test/scripts/ends/joints.pl). The program runs as without it, and all profiles are whole.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(collector exhaustive need_collector nytprof_value plain profiled same_behaviour);
use File::Glob 'bsd_glob';
use NYTPTest qw(build_dir run top_dir);
use Test::More;

need_collector();

my @actions = qw(finish disable change reopen refused fork finished exit die);
my @options = (
    { calls => 2 },
    { calls => 2, stmts => 0, forkdepth => 1 },
    { calls => 1, leave => 0, blocks => 1, slowops => 3 },
    { calls => 0, findcaller => 1, compress => 0 },
    { calls => 2, use_db_sub => 1 },
    { subs => 0, blocks => 1 },
);

# An action with half of the options, or all actions with the first ones; exhaustively, all of both.
sub cases {
    my %with = (finish => [@options[0, 2, 4]]);
    return map { my $action = $_;
        map { [$action, $_] } @{ exhaustive() ? \@options : $with{$action} // [$options[0]] } } @actions;
}

sub unreadable {
    my @files = @_;
    my $got = run([build_dir() . '/bin/nytprofcalls', '--strict', '--output=/dev/null', @files]);
    return $got->{status} == 0 ? '' : $got->{err};
}

# Without a collector, these do nothing either.
my %same_alone = map { $_ => 'finish' } qw(disable change reopen refused);

my @program = top_dir() . '/test/scripts/ends/joints.pl';
my %plain;
for (cases()) {
    my ($action, $options) = @$_;
    my $alone = $same_alone{$action} // $action;
    my $name  = "$action with " . nytprof_value(%$options);
    my $got   = profiled(collector(), [@program, $action], options => $options, timeout_s => 120);
    same_behaviour($plain{$alone} //= plain([@program, $alone]), $got, $name, qr/^Devel::NYTProf: cannot write .*\n/m);
    my @files = (@{ $got->{files} }, bsd_glob("$got->{dir}/*.out*"));
    cmp_ok(scalar @files, '>', 50, "$name: there are profiles");
    is(unreadable(@files), '', "$name: all of them are whole");
}

done_testing();
