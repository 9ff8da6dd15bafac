# On a terminal, programs that write a file say which, how large it is, and what comes next.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir record run scratch_dir top_dir);
use Test::More;

my $bin      = build_dir() . '/bin';
my $scratch  = scratch_dir();
my ($profile) = record('calls', [top_dir() . '/test/scripts/calls.pl']);

# Program, its options, the file or directory, and what comes next.
my @cases = (
    ['nytprofcalls',    [],               'calls.folded',     'flamegraph.pl draws it'],
    ['nytprofcg',       [],               'calls.callgrind',  'kcachegrind opens it'],
    ['nytprofcsv',      [],               'tables',           'sqlite3 reads schema.sql there'],
    ['nytprofcsv',      ['--table=subs'], 'subs.csv',         'spreadsheets open it'],
    ['nytp-dot',        [],               'calls.gv',         'dot -Tsvg draws it'],
    ['nytp-pprof',      [],               'calls.pb.gz',      'go tool pprof -http=: shows it'],
    ['nytp-speedscope', [],               'calls.json',       'https://www.speedscope.app opens it'],
    ['nytp-speedscope', ['--cpuprofile'], 'calls.cpuprofile', 'VS Code and DevTools open it'],
    ['nytp-trace',      [],               'calls.pftrace',    'https://ui.perfetto.dev opens it'],
    ['nytprofhtml',     [],               'report.html',      '--open shows it'],
    ['nytprofmerge',    [],               'all.out',          'nytp shows it'],
    ['nytp-dprof',      [],               'tmon.out',         'dprofpp shows it'],
);

sub on_a_terminal {
    my (@words) = @_;
    my $got = run(['script', '-qec', join(' ', map { "'$_'" } @words), '/dev/null'], env => { TERM => 'xterm' });
    is($got->{status}, 0, "$words[0]: done") or diag($got->{out});
    return $got->{out} =~ s/\r//gr;
}

for my $case (@cases) {
    my ($program, $options, $name, $next) = @$case;
    my @words = ("$bin/$program", @$options, '-o', "$scratch/$name", $profile);
    my $said  = on_a_terminal(@words);
    my $size  = -d "$scratch/$name" ? '' : qr/, [\d.]+ (?:B|KiB|MiB)/;
    like($said, qr/^$program: \Q$scratch\E\/\Q$name\E$size \(\Q$next\E\)\n\z/m, "$program @$options: the last words");
    is(run([@words])->{err}, '', '... which are for a terminal alone');
}
unlike(on_a_terminal("$bin/nytp-dot", $profile), qr/draws it/, 'nothing of standard output');
like(on_a_terminal('sh', '-c', "$bin/nytp-dot -o $scratch/not/there.gv $profile || exit 0"), qr/cannot .*[^)]\n\z/s,
    'nothing of what failed');

done_testing();
