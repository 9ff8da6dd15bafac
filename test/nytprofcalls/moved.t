# nytprofcalls --diff: anonymous subs whose lines moved are the same.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir run scratch_dir spew);
use ProfileBytes qw(simple_profile);
use Test::More;

my $ours    = build_dir() . '/bin/nytprofcalls';
my $scratch = scratch_dir();

sub diff {
    my ($old, $new) = @_;
    spew("$scratch/old", simple_profile($old));
    spew("$scratch/new", simple_profile($new));
    my $got = run([$ours, '--diff', "$scratch/old", "$scratch/new"]);
    is($got->{status}, 0, 'nytprofcalls --diff') or diag($got->{err});
    return $got->{out};
}

is(diff([[2, 5, 'main::__ANON__[a.pl:3]'], [1, 7, 'main::f']], [[2, 6, 'main::__ANON__[a.pl:9]'], [1, 7, 'main::f']]),
    "main::f 7 7\nmain::f;main::__ANON__[a.pl:9] 5 6\n", 'one that moved');
is(diff([[1, 5, 'main::__ANON__[a.pl:3]'], [1, 7, 'main::__ANON__[a.pl:5]']], [[1, 6, 'main::__ANON__[a.pl:4]']]),
    "main::__ANON__[a.pl:3] 5 0\nmain::__ANON__[a.pl:4] 0 6\nmain::__ANON__[a.pl:5] 7 0\n", 'two and one: who knows');
is(diff([[1, 5, 'main::f']], [[1, 6, 'main::g']]), "main::f 5 0\nmain::g 0 6\n", 'other names are other subs');

done_testing();
