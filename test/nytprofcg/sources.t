# nytprofcg --sources: the text that a profile holds is in a directory, under names that stay in it.

use strict;
use warnings;

use Cwd qw(abs_path getcwd);
use FindBin;
use lib "$FindBin::Bin/../lib";

use CallgrindFile;
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $nytprofcg = build_dir() . '/bin/nytprofcg';
my $scratch   = abs_path(scratch_dir());

# The callgrind file, parsed.
sub converted {
    my ($dir, $profile, @options) = @_;
    my $got = run([$nytprofcg, "--sources=$dir", @options, '-o', '-', $profile]);
    is($got->{status}, 0, "$dir: done");
    is($got->{err}, '', 'without a message');
    my $file = CallgrindFile->parse($got->{out});
    is_deeply($file->{complaints}, [], 'a callgrind file');
    return $file;
}

sub names_in {
    my ($dir) = @_;
    opendir my $handle, $dir or return ();
    return sort grep { !/^\.{1,2}\z/ } readdir $handle;
}

# A profile of files: [fid, name, text], and [fid, name, text, fid of the statement, line] of evals. Each ran its line 1.
sub profile_of {
    my ($name, @files) = @_;
    return spew("$scratch/$name.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 1e7],
        [PID_START => 7, 1, 1.5], (map { [NEW_FID => $_->[0], $_->[3] // 0, $_->[4] // 0, 2, 0, 0, $_->[1]] } @files),
        (map { my ($fid, @lines) = ($_->[0], split /(?<=\n)/, $_->[2]); map { [SRC_LINE => $fid, $_ + 1, $lines[$_]] } 0 .. $#lines }
            @files), (map { [TIME_LINE => 10, $_->[0], 1] } @files), [PID_END => 7, 2.5]));
}

subtest 'string evals and -e' => sub {
    my $code    = 'sub f { $_[0] } for my $i (1 .. 3) { eval "f(1);\nf(2)"; eval "f($i)" } eval q{eval "f(4)"}';
    my $profile = record('sources-evals', ['-e', $code]);
    my $file    = converted("$scratch/evals", $profile);
    my %text    = map { $_ => slurp($_) } grep { m{^\Q$scratch\E/evals/} } map { $_->{file} } values %{ $file->{functions} };
    is($file->{functions}{'main::RUNTIME'}{file}, "$scratch/evals/-e", 'the program is in the directory');
    is($text{"$scratch/evals/-e"}, "$code\n", 'with its text');
    is_deeply([ sort grep { /f\(/ && !/for my/ } values %text ],
        [ sort "eval \"f(4)\"\n;\n", "f(1);\nf(2)\n;\n", map { "f($_)\n;\n" } 1 .. 4 ], 'so are the evals');
    my $annotated = run(['callgrind_annotate', '--auto=yes', '--threshold=100',
        spew("$scratch/annotated.callgrind", run([$nytprofcg, "--sources=$scratch/evals", '-o', '-', $profile])->{out})])->{out};
    like($annotated, qr/ f\(2\)$/m, 'callgrind_annotate shows them');
    my $apart = converted("$scratch/apart", $profile, '--no-merge-evals');
    my %files = map { $_->{file} => 1 } values %{ $apart->{functions} };
    is_deeply([ sort grep { m{/apart/} } keys %files ], [ map { "$scratch/apart/$_" } grep { !/^\./ } names_in("$scratch/apart") ],
        'evals apart: files are those that are named');
    is(scalar(keys %files), scalar(keys %text), 'evals of one place with one text share a file');
};

subtest 'files on disk' => sub {
    my %text = map { $_ => "my \$x = '$_';\n" } qw(same changed missing);
    my $ended = "$text{same}__END__\nmore\n";
    spew("$scratch/same.pl", $ended);
    spew("$scratch/changed.pl", "1;\n$text{changed}");
    spew("$scratch/colon:.pl", $text{same});
    spew("$scratch/text.conf", $text{same});
    my @names = qw(same.pl changed.pl missing.pl colon:.pl text.conf);
    my $profile = profile_of('disk', map { [$_ + 1, "$scratch/$names[$_]", $text{ $names[$_] =~ s/\..*//r } // $text{same}] } 0 .. $#names);
    my $file = converted("$scratch/disk", $profile);
    my %files = map { $_->{file} => 1 } values %{ $file->{functions} };
    is_deeply([ sort keys %files ], [ sort "$scratch/same.pl", map { "$scratch/disk/$_" } qw(changed.pl missing.pl colon%3A.pl text.conf) ],
        'those that are as they were, and may be read, keep their names');
    is(slurp("$scratch/disk/changed.pl"), $text{changed}, 'another one has the text that ran');
    is(slurp("$scratch/changed.pl"), "1;\n$text{changed}", 'and is not changed');
};

subtest 'names stay in the directory' => sub {
    my $dir   = "$scratch/hostile";
    my @names = ('/etc/x.pl', '/tmp/x.pl', '../x.pl', '../../etc/passwd', '..', '.', '.hidden', 'a/..', 'a/', '', "nul\0/x.pl", "new\nline",
        'x.pl (2)', 'y' x 300, ("\x{c3}\x{a9}" x 150) . 'z', "latin\xe9", '(eval 1)[../x.pl:3]', '(eval 2)[/etc/x.pl:3]', '.nytprofcg-sources', 'linked.pl');
    my @files = map { [$_ + 1, $names[$_], "text $_;\n", $names[$_] =~ /^\(eval/ ? (1, 3) : ()] } 0 .. $#names;
    my $profile = profile_of('hostile', @files);
    my $before = converted($dir, $profile);
    my $outside = spew("$scratch/outside.pl", "mine\n");
    unlink "$dir/linked.pl" or die "$dir/linked.pl: $!";
    symlink $outside, "$dir/linked.pl" or die "linked.pl: $!";
    my $file = converted($dir, $profile);
    my %files = map { $_->{file} => 1 } values %{ $file->{functions} };
    is(slurp($outside), "mine\n", 'a link is replaced, not followed');
    is_deeply([ grep { -l "$dir/$_" || !-f _ } names_in($dir) ], [], 'all are files');
    is_deeply([ map { "$dir/$_" } grep { $_ ne '.nytprofcg-sources' } names_in($dir) ], [ sort keys %files ], 'the file names them');
    is_deeply([ sort map { slurp($_) } keys %files ], [ sort map { $_->[2] } @files ], 'no two have one name');
    is(slurp("$dir/.nytprofcg-sources"), '', 'nor that of the mark');
};

subtest 'other files are not replaced' => sub {
    my $profile = profile_of('small', [1, 'x.pl', "1;\n"]);
    my $refused = sub {
        my ($dir, $message, @options) = @_;
        my @before = names_in($dir);
        my $got = run([$nytprofcg, "--sources=$dir", @options, $profile]);
        is($got->{status}, 1, "$dir: refused");
        like($got->{err}, qr/^nytprofcg: \Q$dir\E: $message$/m, 'with a message');
        is_deeply([ names_in($dir) ], \@before, 'nothing is changed');
    };
    mkdir "$scratch/mine";
    spew("$scratch/mine/x.pl", "precious\n");
    $refused->("$scratch/mine", 'has files that --sources has not written', '-o', "$scratch/out.callgrind");
    $refused->("$scratch/mine/x.pl", 'is not a directory', '-o', "$scratch/out.callgrind");
    mkdir "$scratch/both";
    $refused->("$scratch/both", 'is the directory of the output, too', '-o', "$scratch/both/out.callgrind");
    $refused->("$scratch/a:b", 'a path with a colon.*', '-o', "$scratch/out.callgrind");
    ok(!-e "$scratch/out.callgrind", 'there is no output');
    converted("$scratch/both", $profile);
    is_deeply([ names_in("$scratch/both") ], [ '.nytprofcg-sources', 'x.pl' ], 'an empty directory is used');
};

subtest 'all or nothing' => sub {
    my $profile = profile_of('whole', [1, 'x.pl', "1;\n"]);
    for my $case (['no place for the output', '-o', "$scratch/none/x"], ['a full disk', '-o', '/dev/full']) {
        my ($name, @options) = @$case;
        is(run([$nytprofcg, "--sources=$scratch/left", @options, $profile])->{status}, 1, "$name: exit 1");
        is_deeply([ grep { /^left|nytp-/ } names_in($scratch) ], [], "$name: no sources are left");
    }
    is(run([$nytprofcg, "--sources=$scratch/left", '-o', "$scratch/cut.callgrind", spew("$scratch/bad.out", 'no profile')])->{status}, 1,
        'no profile: exit 1');
    mkdir "$scratch/block";
    converted("$scratch/block", $profile);
    unlink "$scratch/block/x.pl";
    mkdir "$scratch/block/x.pl";
    my $got = run([$nytprofcg, "--sources=$scratch/block", '-o', "$scratch/cut.callgrind", $profile]);
    is($got->{status}, 1, 'a source that cannot be written: exit 1');
    is_deeply([ grep { /^left|nytp-|^cut/ } names_in($scratch) ], [], 'nothing is left, and no file names sources that are not there');
};

done_testing();
