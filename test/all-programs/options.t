# The grammar of options: each option that a program has ever had is accepted, and a name or a letter means the same in all programs,
# as the table in CONTRIBUTING.md says. BLESS=1 adds new options to test/data/options, and takes none away.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use File::Basename qw(basename);
use NYTPTest qw(build_dir record run slurp spew top_dir);
use Test::More;

my ($bin, $list) = (build_dir() . '/bin', top_dir() . '/test/data/options');
my @programs = map { basename($_) } glob "$bin/*";

sub command_of { my ($program) = @_; return ("$bin/$program", $program eq 'nytp' ? 'run' : ()) }

my %now = map { my $program = $_; map { /^(\S+)\t/ ? ("$program $1" => 1) : () } split /\n/, run([command_of($program), '--help-values'])->{out} }
    @programs;
my %ever = map { $_ => 1 } split /\n/, slurp($list);
%ever = (%now, %ever) if $ENV{BLESS};
spew($list, join '', map { "$_\n" } sort keys %ever) if $ENV{BLESS};
is_deeply([grep { !$ever{$_} } sort keys %now], [], 'the list has all options that there are');

# With a value that may be wrong: what is not accepted is the option itself.
my @refused;
for (sort keys %ever) {
    my ($program, $option, $after) = /^(\S+) (-\w|--[\w-]+)(\[?=\]?)?$/ or die $_;
    my $got = run([command_of($program), $option . ($after && $option =~ /^--/ ? '=1' : ''), $after && $option !~ /^--/ ? '1' : (), '--help']);
    push @refused, "$program $option: $got->{err}" if $got->{err} =~ /unrecognized option|ambiguous|invalid option|requires an argument/;
}
is_deeply(\@refused, [], 'each of them is accepted');

# ---- what CONTRIBUTING.md says ----

my ($table) = slurp(top_dir() . '/CONTRIBUTING.md') =~ /^\| option \| meaning \|\n(.*?)\n\n/ms;
my (%described, %letter);
for (split /\n/, $table) {
    my ($options) = /^\| (.*?) \| / or next;
    $described{$1} = 1 while $options =~ /`--([a-z-]+)/g;
    $letter{$1} = $2 while $options =~ /`-(\w)`, `--([a-z-]+)/g;
}
my (%programs_of, %takes, %letter_of);
for (sort keys %now) {
    my ($program, $name, $after) = /^(\S+) --([\w-]+)(.*)$/ or next;
    $programs_of{$name}{$program} = 1;
    $takes{$name}{$after} = 1;
}
my @shared = grep { keys %{ $programs_of{$_} } > 1 && !/^(?:help|version)$/ } sort keys %programs_of;
is_deeply([grep { !$described{$_} } @shared], [], 'options of several programs are in the table');

# What takes a value in one program takes one in all, but for these: --root=SUB and --table of nytp-tree are old names, and files of nytp-cover are others.
my %differs = map { $_ => 1 } qw(diff root fail-calls json table);
is_deeply([grep { keys %{ $takes{$_} } > 1 && !$differs{$_} } @shared], [], '... and take values everywhere, or nowhere');

for my $program (@programs) {
    my $help = run([command_of($program), '--help'])->{out};
    $letter_of{$1}{$2}{$program} = 1 while $help =~ /(?<![\w-])-(\w), --([a-z-]+)/g;
}
my %own = ('d duration' => 'nytp-record', 'd delay' => 'nytp-top', 'n runs' => 'nytp-bench', 'o out' => 'nytprofcsv nytprofhtml');
my @wrong;
for my $letter (sort keys %letter_of) {
    my %names = %{ $letter_of{$letter} };
    delete $_->{'nytp-dprofpp'} for values %names; # dprofpp's
    delete $names{$_} for grep { !%{ $names{$_} } || join(' ', sort keys %{ $names{$_} }) eq ($own{"$letter $_"} // '') } keys %names;
    push @wrong, "-$letter: " . join ', ', sort keys %names if keys %names > 1;
    push @wrong, map { "-$letter is $letter{$letter}, not $_" } grep { $letter{$letter} && $_ ne $letter{$letter} } sort keys %names;
}
is_deeply(\@wrong, [], 'a letter means the same in all programs');

# ---- --rows=0, --min=1%, --min=10us ----

my $profile = record('tiny-plain', ['test/scripts/tiny.pl'], calls => 2, compress => 0, savesrc => 0);
for (['nytp-table', '--by=subs'], ['nytp-tree', '--table'], ['nytp-diff', $profile], ['nytp-top', '--batch=1']) {
    my ($program, @arguments) = @$_;
    my ($all, $one) = map { run(["$bin/$program", @arguments, "--rows=$_", $profile]) } 0, 1;
    is("$all->{status} $one->{status}", '0 0', "$program --rows=0") or diag($all->{err});
    cmp_ok(length $all->{out}, '>', length $one->{out}, '... shows all') if $program ne 'nytp-diff';
}
for my $program (grep { $now{"$_ --min="} } @programs) {
    my ($sign, $none, $all, $most, $short) = map { run(["$bin/$program", "--min=$_", $program eq 'nytp-table' ? '--by=subs' : (), '-o', '-', $profile]) }
        qw(1% 1 0% 3600s 1ns);
    is("$sign->{status} $sign->{out}", "0 $none->{out}", "$program --min=1%") if $program ne 'nytp-trace';
    is($none->{status}, 2, '... but a number alone is refused: calls are apart') if $program eq 'nytp-trace';
    is("$all->{status} $most->{status} $short->{status}", '0 0 0', "$program --min=1ns");
    cmp_ok(length $most->{out}, '<', length $all->{out}, '... and an hour leaves out something');
}

done_testing();
