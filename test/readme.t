#!/usr/bin/perl

# The README's commands run, in their order and in one directory, and its
# example program is the one that the tests compile.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/lib";

use CollectorRun qw(clean_env);
use NYTPTest qw(build_dir patience run scratch_dir slurp top_dir);
use Test::More;

my $readme = slurp(top_dir() . '/README.md');
my @blocks = $readme =~ /^```sh\n(.*?)^```$/gms;
cmp_ok scalar @blocks, '>=', 5, 'there are commands';

# The stock programs have the same names: it must be ours that run.
ok -x build_dir() . "/bin/$_", "$_ is built" for qw(nytprofcalls nytprofcg);

my $dir = scratch_dir();
my %env = (clean_env(), PATH => build_dir() . "/bin:$ENV{PATH}", PERL5LIB => build_dir() . '/perl5');
for my $block (@blocks) {
    my ($first) = $block =~ /(.*)/;
    # -e heeds no command behind "!", which says that it must fail.
    (my $script = $block) =~ s/^! (.*?)( +#.*)?$/if $1; then exit 1; fi/gm;
    $script =~ s/^sleep (\d+)/'sleep ' . patience($1)/gem;
    my $got = run(['sh', '-euc', $script], dir => $dir, env => \%env);
    is $got->{status}, 0, $first or diag $got->{err};

    # What it says it makes is there. Comments are no commands.
    $script =~ s/ #.*//gm;
    for my $made ($script =~ /(?:(?<![-=])>|-o) *([\w.]+)/g) {
        ok -s "$dir/$made", "... makes $made";
    }
}
like slurp("$dir/flame.svg"), qr/Module::CoreList.*<\/svg>/s, 'the flame graph shows subs';

my ($path, $quoted) = $readme =~ /^<!-- (\S+) -->\n```c\n(.*?)^```$/ms;
is $quoted, slurp(top_dir() . "/$path"), "the example program is $path";

done_testing;
