# Manual pages and --help have the same options, and SEE ALSO leads from each program to those that belong with it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use File::Basename qw(basename);
use NYTPTest qw(build_dir run slurp);
use Test::More;

my $build = build_dir();

# What has the options that a program's page describes: those of nytp are of its verb run.
sub command_of { my ($program) = @_; return ("$build/bin/$program", $program eq 'nytp' ? 'run' : ()) }

# The long options of --help, without its examples, which are indented lines that begin with a word.
sub in_help {
    my ($program) = @_;
    my $help = join '', map { run([command_of($program), $_])->{out} } '--help',
        $program eq 'nytp-dprofpp' ? '--help-dprofpp' : ();
    $help =~ s/^usage:.*\n//;
    $help =~ s/^ +[^ -].*\n//gm;
    my %names = map { $_ => 1 } $help =~ /(?<![\w-])--([a-z][a-z-]+)/g;
    return sort keys %names;
}

# Those that begin an entry of a list: ".It Fl o Ar FILE , Fl -output Ns = Ns Ar FILE".
sub in_manual {
    my ($page) = @_;
    my %names = map { $_ => 1 } map { /(?:Fl|,) -([a-z][a-z-]+)/g } $page =~ /^\.It (Fl .*)/mg;
    return sort keys %names;
}

sub accepts {
    my ($program, $option) = @_;
    my $got = run([command_of($program), "--$option=1", '--help']);
    return $got->{err} !~ /unrecognized|ambiguous/;
}

my @programs = map { basename($_) } glob "$build/bin/*";
cmp_ok(scalar @programs, '>=', 6, 'there are programs');
for my $program (@programs) {
    my $path = "$build/man/$program.1";
    ok(-e $path, "$program has a manual page") or next;
    my %described = map { $_ => 1 } in_manual(slurp($path));
    my @helped    = in_help($program);
    cmp_ok(scalar @helped, '>=', $program eq 'nytp' ? 4 : 5, "$program: --help has options");
    my @lines = split /\n/, run(["$build/bin/$program", '--help'])->{out};
    ok(@lines > 5 && @lines <= 24 && !grep({ length > 80 } @lines), '... and fits a screen');
    ok(scalar(grep { /^  \Q$program\E .*|\|\s*\Q$program\E/ } @lines), '... with an example');
    is_deeply([grep { !$described{$_} } @helped], [], '... which its page describes');
    is_deeply([grep { !accepts($program, $_) } sort keys %described], [], '... and it accepts what the page describes');
}

# ---- SEE ALSO ----

# It names the programs of ours that the page mentions, those that name it, and the collector's manual.
sub see_also { return $_[0] =~ /^\.Sh SEE ALSO\n(.*?)(?=^\.Sh|\z)/ms ? $1 : '' }

my %page = map { $_ => slurp("$build/man/$_.1") } @programs;
my %named;
for my $program (@programs) {
    $named{$program} = { map { $_ => 1 } see_also($page{$program}) =~ /^\.Xr (\S+) 1/mg };
}
for my $program (@programs) {
    my $also     = see_also($page{$program});
    my %mentions = map { $_ => 1 } grep { $page{$program} =~ /(?<![\w-])\Q$_\E(?![\w-])/ } @programs;
    my @expected = grep { $_ ne $program && ($mentions{$_} || $named{$_}{$program}) } @programs;
    is_deeply([grep { !$named{$program}{$_} } @expected], [], "$program: SEE ALSO names those that belong with it");
    my @listed = map { /^(\S+) (\d)/ ? "$2 $1" : () } $also =~ /^\.Xr (.*)/mg;
    is_deeply(\@listed, [sort @listed], '... by section and name');
    like($also, qr/^\.Ql perldoc Devel::NYTProf$/m, '... and what explains the collector');
}

# ---- the filters, which have a page of their own ----

my @filters = in_manual(slurp("$build/man/nytprof-filters.7"));
my @filtering;
for my $program (@programs) {
    my ($lines) = run(["$build/bin/$program", '--help'])->{out} =~ /^( +--no-wait .*?nytp help filters)$/ms;
    next if !defined $lines;
    push @filtering, $program;
    is_deeply([sort $lines =~ /--([a-z][a-z-]+)/g], [sort @filters], "$program has all filters");
    like(see_also($page{$program}), qr/^\.Xr nytprof-filters 7$/m, '... and its page leads to theirs');
}
my @not_there = grep { my $program = $_; !grep { $_ eq $program } @filtering } @programs;
is_deeply(\@not_there, [qw(nytp nytp-bench nytp-cover nytp-record nytp-top)], 'all programs that read profiles have filters');
is_deeply([see_also(slurp("$build/man/nytprof-filters.7")) =~ /^\.Xr (\S+) 1/mg], [sort @programs],
    'the page of filters leads to all programs');

done_testing;
