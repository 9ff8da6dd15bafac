package NYTPPrograms;

# Recorded profiles of programs that a Debian with the test's packages has,
# with all kinds of the collector's options.
#
#   use NYTPPrograms qw(recordings);
#   for my $recording (recordings()) { $recording->{name}, $recording->{path} }

use strict;
use warnings;

use Config;
use Exporter 'import';
use File::Basename qw(basename);
use NYTPTest qw(record);

our @EXPORT_OK = qw(recordings);

my $pod     = "$Config{privlib}/pod";
my $scripts = 'test/scripts';
my @json    = ('-MJSON::PP', '-e', 'print JSON::PP->new->pretty->canonical->encode(
    decode_json(q([1, 2.5, "\u00e4\u20ac", {"a": [null, true, {"b": "c"}]}])))');
my $deparse = "require './$scripts/calls.pl'; print B::Deparse->new->coderef2text(\\&fib)";

# Name, what is run, the collector's options.
my @programs = (
    ['pod2man',    ['/usr/bin/pod2man', "$pod/perlreftut.pod"], calls => 2],
    ['podchecker', ['/usr/bin/podchecker', "$pod/perldebug.pod"], blocks => 1, calls => 1],
    ['ack',        ['/usr/bin/ack', '--noenv', 'nytp_reader', 'lib'], slowops => 1, calls => 2],
    ['json',       \@json, compress => 0, calls => 2],
    ['prove',      ['/usr/bin/prove', '--exec', 'echo 1..1 ok 1', 'README.md'], slowops => 0],
    ['cloc',       ['/usr/bin/cloc', '--quiet', 'lib/format/reader.c'], calls => 0, compress => 9],
    ['corelist',   ['/usr/bin/corelist', 'strict'], stmts => 0, calls => 2],
    ['deparse',    ['-MB::Deparse', '-e', $deparse], clock => 2, savesrc => 0],
    ['evals',      ["$scripts/evals.pl"], calls => 2, nameevals => 1],
    ['evals-bare', ["$scripts/evals.pl"], nameevals => 0, nameanonsubs => 0, blocks => 1, leave => 0],
    ['calls',      ["$scripts/calls.pl"], calls => 2, slowops => 2, blocks => 1],
    ['calls-db',   ["$scripts/calls.pl"], calls => 2, slowops => 1, use_db_sub => 1],
    ['late',       ["$scripts/calls.pl"], calls => 2, start => 'init', findcaller => 1],
    ['stmts-only', ["$scripts/calls.pl"], subs => 0, compress => 0],
    ['forks',      ["$scripts/forks.pl"], calls => 2, addpid => 1],
);

# Every profile as { name, path }, recorded if it does not exist.
sub recordings {
    my @all;
    for my $program (@programs) {
        my ($name, $arguments, %options) = @$program;
        my @paths = record($name, $arguments, %options);
        push @all, map { { name => @paths > 1 ? "$name " . basename($_) : $name, path => $_ } } @paths;
    }
    return @all;
}

1;
