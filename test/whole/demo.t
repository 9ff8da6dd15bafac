# What `make demo` runs, with a shorter text: it makes what it says, and says which programs are missing.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env need_system_perl);
use NYTPTest qw(build_dir run scratch_dir slurp spew top_dir);
use Test::More;

need_system_perl('the demo');

my $dir = scratch_dir();
symlink build_dir() . "/$_", "$dir/$_" or die $! for qw(bin perl5);

# The programs that it needs, and one of those that show what it made.
mkdir "$dir/path" or die $!;
for my $name (qw(dirname dot mkdir perl pod2man rm sed sh)) {
    my ($path) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
    symlink $path, "$dir/path/$name" or die $! if $path;
}
plan skip_all => 'no Graphviz' if !-e "$dir/path/dot";
spew("$dir/path/kcachegrind", "#!/bin/sh\n");
chmod 0755, "$dir/path/kcachegrind";

my $got = run([top_dir() . '/test/tools/demo', $dir, 'Pod/Escapes.pm'], env => { clean_env(), PATH => "$dir/path" });
is("$got->{status} $got->{err}", '0 ', 'the demo runs, and nothing else is said') or diag($got->{out});
my ($open) = $got->{out} =~ /^Open what was made:\n(.*)/ms;
my @lines = split /\n/, $open;
for my $line (@lines) {
    my ($program, $file) = $line =~ /^  (\S+) .*?(\S+) +# / or fail("unexpected: $line"), next;
    ok(-s $file, $file =~ s{.*/}{}r);
    my $missing = $line =~ /needs Debian's package \S+$/ ? 1 : 0;
    is($missing, $program eq 'kcachegrind' ? 0 : 1, "... and whether there is $program");
}
cmp_ok(scalar @lines, '>=', 6, 'all of them');
like(slurp("$dir/demo/report.html"), qr/<title>[^<]*pod2man Escapes\.pm/, 'the title is that of what ran');

done_testing;
