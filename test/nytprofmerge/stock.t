# nytprofmerge makes what stock's nytprofmerge makes, and says so to stock's reader.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Collapsed qw(stock_program);
use MergedData qw(data_of differing model_of);
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use RandomProfile qw(random_profile);
use Test::More;

my $ours    = build_dir() . '/bin/nytprofmerge';
my $scratch = scratch_dir();

# The differences between profiles merged by both programs, in the chunks and in what stock makes of them. Of a sub that
# an eval defines with other lines, stock writes the fid that it had in the input: redefined subs are not compared.
sub differences {
    my ($inputs, %how) = @_;
    my @made;
    for my $merge ([stock_program('nytprofmerge')], [$ours]) {
        push @made, "$scratch/merged" . @made;
        my $got = run([@$merge, '-o', $made[-1], @$inputs]);
        return "@$merge: exit $got->{status}: $got->{err}" if $got->{status} != 0;
    }
    my @carried = ({}, {});
    my @data    = map { data_of($made[$_], $carried[$_]) } 0, 1;
    if ($how{redefined}) {
        delete @$_{ grep { /^sub / } keys %$_ } for @data;
    }
    my @found = differing(@data);
    push @found, differing(map { model_of($made[$_], $carried[$_]) } 0, 1) if !$how{chunks_only};
    return @found;
}

sub same {
    my ($name, @inputs) = @_;
    return is(join("\n", differences(\@inputs)), '', "$name: as stock");
}

sub twice {
    my ($path) = @_;
    return ($path, spew("$scratch/second", slurp($path)));
}

my @recordings = recordings();
my %path       = map { $_->{name} => $_->{path} } @recordings;
same("two runs: $_", twice($path{$_})) for qw(evals evals-bare json pod2man calls-db stmts-only);
same("one: $_",      $path{$_})        for qw(podchecker ack deparse cloc late);
same('different programs', @path{qw(calls json evals)});

my @forks = record('forks', ['test/scripts/forks.pl'], calls => 2, addpid => 1);
cmp_ok(scalar @forks, '>=', 2, 'there are children');
same('parent and forked children', @forks);

# A test-suite, where prove and each of the tests are processes of their own.
mkdir "$scratch/t" or die "$scratch/t: $!\n";
for my $n (1 .. 3) {
    spew("$scratch/t/$n.t", 'use strict; use Test::More; sub check { ok($_[0] < 9, "small") }'
        . " check(\$_) for 1 .. $n; eval 'check(\$_)' for 1 .. 3; is_deeply([$n], [$n]); done_testing();\n");
}
my @suite = record('test-suite',
    ['-e', '$ENV{PERL5OPT} = "-d:NYTProf"; exit system($^X, "/usr/bin/prove", "--norc", "-Q", shift)', "$scratch/t"],
    addpid => 1);
cmp_ok(scalar @suite, '>=', 5, 'prove and its tests have a profile each');
same('prove over a test directory', @suite);

same('thousands of evals', twice(record('two-thousand-evals',
    ['-e', 'sub f { 1 } for my $n (1 .. 1000) { eval "f(); f()"; eval "sub g$n { f() } sub h { f() } g$n(); h()" }'],
    calls => 2)));
same('shapes', twice(record('shapes-default', ['test/scripts/shapes.pl'])));

my @wrong;
for my $seed (1 .. ($ENV{EXHAUSTIVE} ? 500 : 12)) {
    my $redefined = $seed % 2;
    my @inputs    = map {
        spew("$scratch/in$_", random_profile($seed * 3 + $_, compress => $_ % 2, redefined => $redefined))
    } 1 .. 3;
    my @differ = differences(\@inputs, chunks_only => 1, redefined => $redefined);
    push @wrong, "seed $seed:", @differ if @differ;
}
is(join("\n", @wrong), '', 'made-up profiles: as stock');

done_testing();
