# Files that have several profiles one after the other, as `cat a b` writes them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ReportPage;
use Test::More;

my $scratch = scratch_dir();
my $bin     = build_dir() . '/bin';

# Under sanitizers perl starts with their library.
preloaded();

my %profile = (
    compressed   => record('sequence-compressed', ['test/scripts/calls.pl'], calls => 2),
    plain        => record('sequence-plain',      ['test/scripts/evals.pl'], calls => 2, compress => 0),
    another      => record('sequence-another',    ['test/scripts/shapes.pl'], calls => 2, compress => 9),
);
my $tmon = run(["$bin/nytp-dprof", '-o', "$scratch/tmon.out", $profile{another}]);
is("$tmon->{status}$tmon->{err}", '0', 'a tmon.out is made') or BAIL_OUT('no tmon.out');
$profile{tmon} = "$scratch/tmon.out";

# A file of profiles by their names, and of other text.
sub joined { return spew("$scratch/joined", join '', map { $profile{$_} ? slurp($profile{$_}) : $_ } @_) }

my %command = (
    nytprofcalls => [['nytprofcalls'], ['nytprofcalls', '--calls', '--reverse']],
    'nytp-dprofpp' => [['nytp-dprofpp', '-F', '-S'], ['nytp-dprofpp', '-F', '-T'], ['nytp-dprofpp', '-F']],
    nytprofmerge => [['nytprofmerge', '--compress=0', '-o', '-']],
    nytprofcsv   => [map { ['nytprofcsv', '-o', '-', "--table=$_"] } qw(subs calls files lines)],
);

# Runs a command over files apart and over all in one file, named and piped; its results must be the same.
sub same_as_apart {
    my ($name, $command, @parts) = @_;
    my ($program, @options) = @$command;
    my $file  = joined(@parts);
    my $apart = run(["$bin/$program", @options, map { $profile{$_} } @parts]);
    my $one   = run(["$bin/$program", @options, $file]);
    my $piped = run(["$bin/$program", @options, '-'], stdin => slurp($file));
    is("$apart->{status} $one->{status} $piped->{status}", '0 0 0', "@$command: $name")
        or diag("$one->{err}$piped->{err}");
    ok($one->{out} eq $apart->{out},   '... as if they were apart');
    ok($piped->{out} eq $apart->{out}, '... through a pipe, too');
    unlike($one->{err}, qr/skipped/, '... and nothing is skipped');
    return;
}

for my $program (sort keys %command) {
    subtest "$program reads all profiles of a file" => sub {
        for my $command (@{ $command{$program} }) {
            same_as_apart('both compressed',                  $command, qw(compressed another));
            same_as_apart('both plain',                       $command, qw(plain plain)) if $program ne 'nytprofmerge';
            same_as_apart('compressed, plain and compressed', $command, qw(compressed plain another));
            same_as_apart('with a tmon.out in between',       $command, qw(plain tmon compressed));
        }
    };
}

# The page names the files that it was made from.
subtest 'nytprofhtml reads all profiles of a file' => sub {
    my @page = map {
        my $got = run(["$bin/nytprofhtml", '-o', '-', @$_]);
        is("$got->{status} $got->{err}", '0 ', 'a report') or BAIL_OUT('no report');
        my $core = ReportPage->new($got->{out})->{core};
        delete $core->{about}{inputs};
        $core;
    } [@profile{qw(plain compressed another)}], [joined(qw(plain compressed another))];
    is_deeply($page[1], $page[0], 'as if they were apart');
};

subtest 'programs of one profile refuse a second one' => sub {
    for my $parts ([qw(compressed plain)], [qw(plain compressed)], [qw(tmon plain)]) {
        my $file = joined(@$parts);
        my $at   = -s $profile{ $parts->[0] };
        for my $program (qw(nytprofcg nytp-dot nytp-dprof)) {
            my $got = run(["$bin/$program", '-o', "$scratch/none", $file]);
            is("$got->{status} $got->{err}",
                "1 $program: $file: a second profile begins at byte $at; merge them with nytprofmerge\n",
                "$program: @$parts");
            ok(!-e "$scratch/none", '... and writes nothing');
        }
    }
};

subtest 'so do the modules that read profiles' => sub {
    my $file  = joined(qw(compressed plain));
    my $at    = -s $profile{compressed};
    my $error = qr/^\Q$file\E: a second profile begins at byte $at; merge them with nytprofmerge at -e line 1\.$/;
    my @perl  = ($^X, '-I' . build_dir() . '/perl5');
    my $count = 'for_chunks { $n++ } filename => $ARGV[0], quiet => 1; print $n';
    my $alone = run([@perl, '-MDevel::NYTProf::ReadStream=for_chunks', '-e', $count, $profile{compressed}]);
    my $got   = run([@perl, '-MDevel::NYTProf::ReadStream=for_chunks', '-e', "eval { $count; 1 } or print \$n, \$@",
        $file]);
    like($got->{out}, qr/^$alone->{out}/, 'ReadStream: the chunks of the first one');
    like(substr($got->{out}, length $alone->{out}), $error, '... and then an error');
    my $data = run([@perl, '-MDevel::NYTProf::Data', '-e',
        'Devel::NYTProf::Data->new({ filename => $ARGV[0], quiet => 1 })', $file]);
    like($data->{err}, $error, 'Data: an error');
    my $junk = run([@perl, '-MDevel::NYTProf::ReadStream=for_chunks', '-e', $count, joined('compressed', 'junk')]);
    is($junk->{out}, $alone->{out}, 'something else is skipped');
    like($junk->{err}, qr/ skipped 4 bytes after the profile at -e line 1\.$/, '... with a warning');
};

subtest 'something else after a profile' => sub {
    my $alone = run(["$bin/nytprofcalls", $profile{compressed}]);
    for my $rest ("\n", 'NYTPro', "#fOrTyTwO!\nx", "\0" x 100_000, "PK\3\4") {
        my $file = joined('compressed', $rest);
        my $at   = -s $profile{compressed};
        my $left = length($rest) - ($rest =~ /^#.*\n/ ? length $& : 0);
        my $from = (-s $file) - $left;
        my $got  = run(["$bin/nytprofcalls", $file]);
        my $size = $left == 1 ? "1 byte" : "$left bytes";
        is($got->{err}, "nytprofcalls: warning: $file: offset $from: skipped $size after the profile\n", $size);
        is($got->{out}, $alone->{out}, '... are skipped');
    }
    my $comment = run(["$bin/nytprofcalls", joined('compressed', "# a comment\n#\n# and no newline")]);
    is($comment->{err}, '', 'comments are not worth a warning');
};

subtest 'a process without an end before another profile' => sub {
    my ($pid) = run([build_dir() . '/test/dump-chunks', $profile{plain}])->{out} =~ /^PID_END\t(\d+)/m;
    my $bytes = $pid < 1 << 7 ? 1 : $pid < 1 << 14 ? 2 : $pid < 1 << 21 ? 3 : 4;
    my $cut = substr slurp($profile{plain}), 0, -(1 + $bytes + 8); # PID_END is the last chunk: tag, process, time
    my $got = run(["$bin/nytprofcalls", '--verbose', spew("$scratch/cut", $cut . slurp($profile{compressed}))]);
    is($got->{status}, 0, 'both are read');
    like($got->{err}, qr/cut short at offset \d+; no end of process \d+/, '... with a warning');
    my $strict = run(["$bin/nytprofcalls", '--strict', "$scratch/cut"]);
    is($strict->{status}, 1, '--strict: an error');
};

done_testing();
