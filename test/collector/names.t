# Programs that remove, rename and replace stashes, globs and subs, in each way that perl has, also while their code runs.
# They do under the collector what they do without it, and leave whole profiles. EXHAUSTIVE=1: each way, moment and set of
# options together.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(collector exhaustive need_collector plain profiled same_behaviour tool);
use HardCase qw(readable);
use NYTPTest qw(run top_dir);
use ProfileCompare qw(count_of);
use Test::More;

need_collector();

my $SCRIPTS = top_dir() . '/test/scripts/names';
my @OPTIONS = (
    { calls => 2, blocks => 1 }, { heap => 1, findcaller => 1 }, { use_db_sub => 1, calls => 0 },
    { labels => 'all', slowops => 3, calls => 1 },
);

sub text_of { my ($options) = @_; return join ':', map { "$_=$options->{$_}" } sort keys %$options }

sub name_of {
    my ($arguments, $options) = @_;
    my ($script, @others) = @$arguments;
    return join ' ', $script =~ s{.*/}{}r, @others, text_of($options);
}

# Compares a run under the collector with one without it. Returns the path of the profile.
sub compare {
    my ($plain, $arguments, $options) = @_;
    my $name   = name_of($arguments, $options);
    my $got    = profiled(collector(), $arguments, options => $options, env => { NYTPROF_TEST_HEAP => '200,7' });
    $got->{err} =~ s/^Devel::NYTProf: heap: not available.*\n//m; # with musl
    same_behaviour($plain, $got, $name);
    my ($path) = grep { m{/nytprof\.out\z} } @{ $got->{files} };
    ok(defined $path, "$name: there is a profile") or return;
    return $path;
}

# ---- packages of a program: all ways in one run ----

my $plain = plain(["$SCRIPTS/packages.pl"]);
is $plain->{status}, 0, 'packages.pl runs without the collector';
for my $options (@OPTIONS) {
    my @arguments = "$SCRIPTS/packages.pl";
    my $path      = compare($plain, \@arguments, $options) // next;
    my ($profile) = readable($path, name_of(\@arguments, $options), $options->{calls} // 1);
    cmp_ok(count_of($profile, '__GONE__::named'), '>', 0, '... a sub whose package has no name any more is called');
}

# ---- main, DB and what perl itself needs ----

my $itself = "$SCRIPTS/perl-itself.pl";
my @ways   = split ' ', run([$^X, $itself])->{out};
cmp_ok(scalar @ways, '>', 20, 'there are ways');
my @moments = qw(between inside begin exit die object);
my $count   = 0;
for my $way (@ways) {
    my @pairs = map { my $moment = $_; map { [$moment, $_] } @OPTIONS } @moments;
    for my $pair (exhaustive() ? @pairs : $pairs[7 * $count++ % @pairs]) {
        my ($moment, $options) = @$pair;
        next if $way eq 'package_DB' && $options->{use_db_sub}; # perl -d wants DB::DB
        my @arguments = ($itself, $way, $moment);
        my $path      = compare(plain(\@arguments), \@arguments, $options) // next;
        my $read      = run([tool('nytprofcalls'), '-o', '/dev/null', $options->{calls} // 1 ? '--strict' : (), $path]);
        is $read->{status}, 0, '... which is whole' or diag $read->{err};
    }
}
my $got = profiled(collector(), ['-e', 'sub f { lc "A" =~ /a/ } f(); undef %main::; print "x\n"']);
is $got->{out}, "x\n", 'undef %main:: and a built-in';

done_testing();
