#!/usr/bin/perl

# The commands of the README and of the pages in doc/ run, each page's in their order and in a directory of
# their own. Links lead somewhere, make has the targets, and the example program is the one that the tests compile.

use strict;
use warnings;

use File::Basename qw(basename dirname);
use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(as_users);
use NYTPTest qw(build_dir patience run sanitized scratch_dir slurp spew top_dir valgrind);
use Test::More;

my $top   = top_dir();
my @pages = ('README.md', map { 'doc/' . basename($_) } glob "$top/doc/*.md");
my %text  = map { $_ => slurp("$top/$_") } @pages, 'CONTRIBUTING.md', 'CHANGELOG.md';
my $dir   = scratch_dir();

# The stock programs have the same names: it must be ours that run.
ok -x build_dir() . "/bin/$_", "$_ is built" for qw(nytprofcalls nytprofcg);

# The README opens a picture. There is no browser here: what it would open must be there.
mkdir "$dir/bin" or die $!;
spew("$dir/bin/xdg-open", "#!/bin/sh\ntest -s \"\$1\"\n");
chmod 0755, "$dir/bin/xdg-open";
my %env = as_users("$dir/bin");

# The reader's own program. It holds enough memory for some samples.
my $program =
    "sub outer { inner() for 1 .. 3 }\nsub inner { my \$sum = 0; \$sum += \$_ for 1 .. 1000; return \$sum "
    . "}\nour \@kept = map { 'x' x 1000 } 1 .. 3000;\nouter();\n";

sub shell_ready {
    my ($block) = @_;
    # -e ignores a command after "!", which says that the command must fail.
    $block =~ s/^! (.*?)( +#.*)?$/if $1; then exit 1; fi/gm;
    $block =~ s{\bperl(?= -d:DProf )}{/usr/bin/perl}g; # Debian's package is for the system's perl
    $block =~ s/^sleep (\d+)/'sleep ' . patience($1)/gem;
    return $block;
}

sub run_block {
    my ($block, $in) = @_;
    my ($first) = $block =~ /(.*)/;
    my $script  = shell_ready($block);
    my $got     = run(['sh', '-euc', $script], dir => $in, env => \%env);
    is $got->{status}, 0, $first or diag $got->{err};

    # The files that it says it makes are there. Comments are not commands.
    $script =~ s/ #.*//gm;
    for my $made ($script =~ /(?:(?<![-=])>|(?<!\S)-o) *([\w.]+)/g) {
        ok -s "$in/$made", "... makes $made";
    }
    return;
}

my $commands = 0;
for my $page (@pages) {
    my @blocks = $text{$page} =~ /^```sh\n(.*?)^```$/gms;
    @blocks = grep { !/\bheap=/ } @blocks if sanitized() || valgrind(); # they have a malloc() of their own
    next if !@blocks;
    my $in = "$dir/" . basename($page, '.md');
    subtest "$page: commands" => sub {
        mkdir $in or die $!;
        spew("$in/my.pl", $program) if $page eq 'README.md';
        run_block($_, $in) for @blocks;
    };
    $commands += @blocks;
}
cmp_ok $commands, '>=', 15, 'there are commands';
like slurp("$dir/README/flame.svg"),   qr/main::outer.*<\/svg>/s,
    "the flame graph of one's own program shows its subs";
like slurp("$dir/programs/flame.svg"), qr/Module::CoreList.*<\/svg>/s, 'and so does that of corelist';

# What is linked is there, pictures and headings too.
for my $page (sort keys %text) {
    my @dead;
    for my $link (grep { !/^https?:/ } $text{$page} =~ /\]\(([^)\s]+)\)/g) {
        my ($path, $heading) = $link =~ /^([^#]*)#?(.*)/;
        my $file = length $path ? "$top/" . dirname($page) . "/$path" : "$top/$page";
        push @dead, $link if !-e $file;
        push @dead, $link if length $heading && -e $file && !grep { $_ eq $heading } headings($file);
    }
    is_deeply \@dead, [], "$page: links";
}

# As GitHub names them.
sub headings {
    my ($file) = @_;
    return map { lc =~ s/[^\w\s-]//gr =~ s/\s/-/gr } slurp($file) =~ /^#+ (.*)$/mg;
}

# Targets have a description for `make help`, which shows them.
my %is_target = map { $_ => 1 } map { slurp("$top/$_") =~ /^([a-z0-9-]+):.*##/mg } qw(GNUmakefile test/test.mk lint.mk);
for my $page (grep { $_ ne 'CHANGELOG.md' } sort keys %text) {
    my @unknown = grep { !$is_target{$_} } $text{$page} =~ /(?:`|^\$ )make ([a-z][a-z0-9-]*)/mg;
    is_deeply \@unknown, [], "$page: targets of make";
}

cmp_ok $text{'README.md'} =~ tr/\n//, '<=', 200, 'the README is short';
for my $page (map { "doc/" . basename($_) } glob "$top/doc/*.md") {
    like $text{'README.md'}, qr/\]\(\Q$page\E\)/, "it links $page";
}
for my $picture ($text{'README.md'} =~ /^!\[[^\]]*\]\(([^)]+)\)/mg) {
    cmp_ok -s "$top/$picture", '<=', 150 * 1024, "$picture is small";
}
my ($table) = $text{'README.md'} =~ /^## The programs\n(.*?)^##/ms;
for my $tool (map { basename($_) } glob build_dir() . '/bin/*') {
    like $table, qr/^\| $tool \|/m, "the README's table has $tool";
}

my ($path, $quoted) = $text{'doc/library.md'} =~ /^<!-- (\S+) -->\n```c\n(.*?)^```$/ms;
is $quoted, slurp("$top/$path"), "the example program is $path";

done_testing;
