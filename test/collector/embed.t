# Perl in another program: interpreters one after the other, and processes that perl does not fork.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env collector command finish need_collector nytprof_value start);
use Config;
use ExtUtils::Embed ();
use NYTPTest qw(compiler run scratch_dir spew top_dir valgrind);
use ProfileCompare qw(count_of read_profile);
use Test::More;

need_collector();

my $dir     = scratch_dir();
my $program = "$dir/embed";
{
    my @flags = map { split ' ' } ExtUtils::Embed::ccopts(1), ExtUtils::Embed::ldopts(1);
    my $got   = run([compiler(), '-w', '-o', $program, top_dir() . '/test/embed/embed.c', @flags]);
    plan skip_all => "perl cannot be embedded (Debian: libperl-dev): $got->{err}" if $got->{status} != 0;
}

spew("$dir/site.pl", <<'END');
sub handler { my ($n) = @_; my $x = lc "REQUEST $n"; fails() if $n == ($ENV{DIES} // -1); return $x . " " . work($n) }
sub fails { die "no\n" }
sub work { my ($n) = @_; my $sum = 0; $sum += $_ for 1 .. $n; return $sum }
sub started { 1 }
started();
END { work(1) }
1;
END

# Runs the program in a directory of its own. Returns { out, files => the profiles by name }.
sub embedded {
    my ($name, $times, $workers, $options, @load) = @_;
    my $profiles = scratch_dir();
    my @perl     = command(collector());
    my $job      = start(
        [$program, $times, $workers, @perl[1 .. $#perl], @load, "$dir/site.pl"],
        dir => $dir,
        env => { clean_env(), NYTPROF => nytprof_value(file => "$profiles/nytprof.out", %$options) },
    );
    my $got = finish($job);
    is $got->{status}, 0, "$name: runs" or diag "signal $got->{signal}";
    is $got->{err}, '', "$name: silent";
    my @answers = ('request 0 0', 'request 1 1', 'request 2 3');
    $answers[$ENV{DIES}] = '' if defined $ENV{DIES};
    is $got->{out}, join('', map { "$_\n" } @answers) x ($times * (1 + $workers)), "$name: answers";
    my %files = map { m{.*/(.*)} => read_profile($_) } glob "$profiles/*";
    ok $files{$_}{complete}, "$name: $_ is whole" or diag $files{$_}{error} // 'no end of process' for sort keys %files;
    return %files;
}

# The time between the requests of the program is not in the profile.
my $BETWEEN_S = 0.05;

sub waited_for {
    my ($profile, $requests, $name) = @_;
    return if valgrind();    # under which perl itself takes as long
    my $statements_s = 0;
    $statements_s += $_ / $profile->{attributes}{ticks_per_sec} for values %{ $profile->{line_ticks} };
    my $lived_s = $profile->{end_s} - $profile->{starts}[0]{time};
    cmp_ok $statements_s, '<', $lived_s - 0.9 * $requests * $BETWEEN_S,
        "$name: no statement has the time between requests";
    return;
}

sub serves {
    my ($profile, $requests, $name) = @_;
    is count_of($profile, 'main::handler'), $requests, "$name: requests";
    is count_of($profile, 'main::work'), $requests + 1, "$name: what they call, and what END calls";
    waited_for($profile, $requests, $name);
    return;
}

for my $options ({}, { endatexit => 1 }, { blocks => 1, calls => 2 }) {
    my $name  = join(' ', 'one interpreter', %$options);
    my %files = embedded($name, 1, 0, $options, '-d:NYTProf');
    is scalar keys %files, 1, "$name: one file";
    serves($_, 3, $name) for values %files;
}
{
    local $ENV{DIES} = 2;
    my %files = embedded('a handler that dies', 1, 0, {}, '-d:NYTProf');
    waited_for($_, 3, 'a handler that dies') for values %files;
}
SKIP: {
    skip 'a perl without threads or multiplicity has one interpreter in a process', 1 if !$Config{usemultiplicity};
    my %files = embedded('two interpreters', 2, 0, {}, '-d:NYTProf', '-MDevel::NYTProf', '-e',
        'BEGIN { DB::enable_profile("two-%d.out") } require "./site.pl"');
    my @names = sort grep { /two/ } map { m{.*/(.*)} } glob "$dir/two-*.out";
    is "@names", 'two-1.out two-2.out', 'two interpreters: a file for each';
    for my $name (@names) {
        my $profile = read_profile("$dir/$name");
        ok $profile->{complete}, "two interpreters: $name is whole" or diag $profile->{error} // 'no end of process';
        serves($profile, 3, "two interpreters: $name");
    }

    %files = embedded('two interpreters, one name', 2, 0, {}, '-d:NYTProf');
    is scalar(grep { count_of($_, 'main::handler') == 3 } values %files), 2,
        'two interpreters, one name: both are there';
    %files = embedded('four interpreters', 4, 1, {}, '-d:NYTProf');
    is scalar(grep { count_of($_, 'main::handler') == 3 } values %files), 8,
        'four interpreters: a file for each, and for each of their children';
    is join(' ', grep { !/^nytprof\.out(?:\.\d+(?:\.t[123])?)?\z/ } keys %files), '', 'four interpreters: names';
}
for my $options ({ addpid => 1, endatexit => 1 }, {}) {
    my $name  = join ' ', 'workers that are forked in C', %$options;
    my %files = embedded($name, 1, 3, $options, '-d:NYTProf');
    is scalar keys %files, 4, "$name: a file for each";
    serves($_, 3, $name) for values %files;
}

done_testing();
