# What bash and zsh offer: every option in --help, and values that the programs accept.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir record run scratch_dir slurp top_dir);
use Sampled qw(may_sample start);
use Test::More;

my ($build, $top, $root) = (build_dir(), top_dir(), scratch_dir());
my $prefix = '/opt/nytprof';
my $got    = run(['make', '-s', 'install', "BUILD=$build", "DESTDIR=$root", "PREFIX=$prefix"], dir => $top);
is($got->{status}, 0, 'installed') or diag($got->{err});
my $bash_dir = "$root$prefix/share/bash-completion/completions";
my $zsh_file = "$root$prefix/share/zsh/site-functions/_nytprof";
my %path     = (env => { PATH => "$root$prefix/bin:$ENV{PATH}" });
my @programs = map { s{.*/}{}r } glob("$root$prefix/bin/*");
cmp_ok(scalar @programs, '>=', 2, 'there are programs');

# The options in --help, without its examples, which are lines of their own.
sub documented {
    my ($program) = @_;
    my $help = join '', map { run(["$root$prefix/bin/$program", $_])->{out} } '--help',
        $program eq 'nytp-dprofpp' ? '--help-dprofpp' : ();
    $help =~ s/^usage:.*\n//;
    $help =~ s/^ +[^ -].*\n//gm;
    my %options = map { $_ => 1 } $help =~ /(?<![\w-])(--[a-z][a-z-]+)/g;
    return sort keys %options;
}

# What bash offers for a command line that is being typed.
my $ask = <<'BASH';
. /usr/share/bash-completion/bash_completion
. "$1/$2"
COMP_LINE=$3 COMP_POINT=${#3} COMP_TYPE=9 COMP_KEY=9
read -ra COMP_WORDS <<<"${3//=/ = }"
[[ $3 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
compopt() { :; }
_nytprof "$2"
printf '%s\n' "${COMPREPLY[@]}"
BASH

sub bash_offers {
    my ($line) = @_;
    my ($program) = $line =~ /^(\S+)/;
    my $offered = run(['bash', '-c', $ask, 'bash', $bash_dir, $program, $line], %path, dir => $root);
    return grep { length } split /\n/, $offered->{out};
}

# The arguments of zsh's _arguments.
my $show_arguments = <<'ZSH';
words=(${=1} '') CURRENT=$#words
_call_program() { shift; "$@" }
_arguments() { print -l -- "$@" }
. $2
ZSH

sub zsh_offers {
    my ($program) = @_;    # with its verb
    my $offered = run(['zsh', '-fc', $show_arguments, 'zsh', $program, $zsh_file], %path);
    is($offered->{err}, '', "$program: zsh has nothing to complain of");
    return split /\n/, $offered->{out};
}

my $profile = record('calls', ['test/scripts/calls.pl'], calls => 2, slowops => 2, blocks => 1);

my $waits     = start($^X, '-e', '$| = 1; print "ready\n"; sysread STDIN, my $x, 1'); # for nytp-record
my $forbidden = may_sample();

for my $program (grep { $_ ne 'nytp' } @programs) {
    my @operands = $program eq 'nytp-record' ? ('-p', $waits->{pid}, '-d', 0.1) : $program eq 'nytp-diff'
        ? ($profile, $profile) : $profile;
    my @options = documented($program);
    cmp_ok(scalar @options, '>=', 5, "$program: has options");
    my %bash = map { s/=$//r => 1 } bash_offers("$program --");
    is_deeply([sort keys %bash], \@options, "$program: bash completes them all, and nothing else");
    my @specs = zsh_offers($program);
    my %zsh   = map { /^(--[a-z-]+)/ ? ($1 => 1) : () } @specs;
    is_deeply([sort keys %zsh], \@options, "$program: so does zsh");
    is((grep { /_files/ } @specs)[-1], '*:profile:_files', "$program: and files");

    # Both offer the same words as values, and the program takes them.
    for (@specs) {
        my ($option, $values) = /^(--[a-z-]+)=.*\((.*)\)$/ or next;
        my @values = split ' ', $values;
        is_deeply([bash_offers("$program $option=")], \@values, "$program $option: bash offers $values");
      SKIP: for my $value (@values) {
            skip($forbidden, scalar @values) if $forbidden && $program eq 'nytp-record';
            next if $program eq 'nytp-top'; # which test/nytp-top/use.t covers
            next if $value =~ /^(?:[KMG]i)?B$|kinds$/; # the profile is of time; test/all-programs/memory.t has one of memory
            next if "$program $value" =~ /^nytp-diff (?:queued|kept)$/; # which the profile does not say; test/nytp-diff/use.t has some that do
            my @form  = "$program $option" eq 'nytp-dprofpp --color' ? '-S' : (); # a table has no colours
            my $taken = run(["$root$prefix/bin/$program", @form, "$option=$value", '-o', '/dev/null', @operands]);
            next if $taken->{err} =~ /needs (\S+), which is not installed/ && !-e "$root$prefix/bin/$1";
            is($taken->{status}, 0, "$program $option=$value") or diag($taken->{err});
        }
    }
    is_deeply([bash_offers("$program $root/o")], ["$root/opt"], "$program: bash completes files");
}
$waits->{end}->();
is_deeply([bash_offers('nytprofcalls --unit=u')], ['us'], 'as far as they are typed');
is_deeply([bash_offers('nytprofcalls --unit u')], ['us'], 'without the sign, too');
is_deeply([bash_offers("nytprofcalls --output=$root/o")], ["$root/opt"], 'and files after it');

# ---- nytp, which has verbs ----

my @verbs = map { split / / } run(["$root$prefix/bin/nytp"])->{out} =~ /^(?:\S.{23}| {24})([a-z]+(?: [a-z]+)*)(?: {2,}\w|$)/mg;
cmp_ok(scalar @verbs, '>=', 15, 'nytp has verbs');
my @offered = ('help', @verbs);
is_deeply([sort { $a cmp $b } bash_offers('nytp ')], [sort qw(-h --help --version), @offered],
    'bash completes the verbs of nytp');
is_deeply([bash_offers('nytp sp')], ['speedscope'], '... as far as they are typed');
is_deeply([bash_offers('nytp help sp')], ['speedscope'], '... and those that it helps with');
is_deeply([bash_offers('nytp tree --min-c')], [bash_offers('nytp-tree --min-c')],
    '... and the options of their programs');
is_deeply([bash_offers('nytp calls --unit=u')], ['us'], '... with values');
is_deeply([bash_offers("nytp run $root/o")], ["$root/opt"], '... and files');
is((zsh_offers('nytp'))[-1], "*:verb:(@offered)", 'zsh completes the verbs of nytp');
is_deeply([zsh_offers('nytp help')], [zsh_offers('nytp')], '... and those that it helps with');
is_deeply([zsh_offers('nytp tree')], [zsh_offers('nytp-tree')], '... and the options of their programs');
is_deeply([map { /^(--\S+?)[:=]/ ? $1 : () } zsh_offers('nytp run')], ['--output'], '... and of run');

my ($compdef) = slurp($zsh_file) =~ /^#compdef (.*)/;
is_deeply([sort split ' ', $compdef], [sort @programs], 'zsh knows all programs');
is_deeply([map { s{.*/}{}r } glob("$bash_dir/*")], \@programs, 'bash has a file for each');

done_testing;
