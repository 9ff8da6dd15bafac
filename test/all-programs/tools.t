# What all programs do in the same way: files, descriptors, limits. Outputs have the ending that nytprofhtml or
# nytprofcsv takes for a file: other names are directories to them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use File::Basename qw(basename);
use NYTPTest qw(build_dir converters record run scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use Test::More;

my @programs = converters();
my $profile  = slurp(record('tiny', ['test/scripts/tiny.pl'], calls => 2));
my $dir      = scratch_dir();

sub tool { return build_dir() . "/bin/$_[0]" }

# Runs a command in a shell, as "$0" "$@", with redirections after it and limits before it.
sub run_in_shell {
    my ($shell, @command) = @_;
    return run(['sh', '-c', $shell, @command], dir => $dir);
}

sub left { return join ' ', sort map { basename($_) } glob "$dir/.[!.]* $dir/*" }

spew("$dir/p.out", $profile);
spew("$dir/cut.out", substr $profile, 0, 1000);

# What has recorded a profile: stock's collectors do not say it themselves, but name their version.
sub profile_by {
    return profile_bytes([VERSION => 5, 0], (map { [ATTRIBUTE => @$_] } @_), [PID_START => 7, 1, 1.5],
        [SUB_RETURN => 1, 10, 10, 'main::f'], [PID_END => 7, 2.5]);
}

my @recorded = (
    ['stock'    => [xs_version => '6.12'], "stock's Devel::NYTProf 6.12"],
    ['named'    => [xs_version => '6.12'], [collector => "Devel::NYTProf 6.12 of nytprof-tools 9"],
    'Devel::NYTProf 6.12 of nytprof-tools 9'],
    ['reversed' => [collector => "some\tthing"], [xs_version => '6.12'], 'some\tthing'],
    ['long'     => [collector => 'x' x 100_000], 'x' x 255],
    ['nothing'  => [application => 'x'], undef],
);
spew("$dir/$_->[0].recorded", profile_by(@$_[1 .. $#$_ - 1])) for @recorded;
spew("$dir/tmon.recorded",
    "#fOrTyTwO\n\$hz=100;\n\$XS_VERSION='DProf 20110802.00';\n\$over_utime=0; \$over_stime=0; "
    . "\$over_rtime=0;\n\$over_tests=1;\n\$rrun_utime=1; \$rrun_stime=0; "
    . "\$rrun_rtime=1;\n\$total_marks=2\n\nPART2\n& 1 main f\n+ 1\n\@ 1 0 1\n- 1\n");
push @recorded, ['tmon', 'Devel::DProf 20110802.00'];

for my $program (@programs) {
    subtest "$program: --verbose names the collector" => sub {
        for my $case (@recorded) {
            my ($name, $text) = @$case[0, -1];
            next if $name eq 'tmon' && $program =~ /merge|dprof/;
            my @options = $program eq 'nytprofcsv' ? '--table=subs' : ();
            my $got = run([tool($program), '--verbose', @options, '-o', '-', "$dir/$name.recorded"]);
            my ($said) = $got->{err} =~ /^\Q$program: $dir\E\/$name\.recorded: recorded by (.*)$/m;
            is($said, $text, $name) or diag($got->{err});
        }
        unlike(run([tool($program), '-o', '-', "$dir/stock.recorded"])->{err}, qr/recorded by/, 'only then');
    };
}
unlink glob "$dir/*.recorded";

for my $program (@programs) {
    my $ending = $program eq 'nytprofcsv' ? '.csv' : '.html';
    subtest "$program: standard descriptors that are closed" => sub {
        is(run_in_shell('exec "$0" "$@" 2>/dev/null', tool($program), '-o', "said$ending", '-v', 'cut.out')->{status},
            0, 'with all of them');
        is(run_in_shell('exec "$0" "$@" 2>&-', tool($program), '-o', "closed$ending", '-v', 'cut.out')->{status}, 0,
            'without the one for messages');
        is(slurp("$dir/closed$ending"), slurp("$dir/said$ending"), 'messages do not go into the output');
        unlink "$dir/said$ending", "$dir/closed$ending";
        for my $closed ('>&-', '<&- >&-') {
            my $got = run_in_shell(qq{exec "\$0" "\$@" $closed}, tool($program), '-o', '-', 'p.out');
            is($got->{status}, 1, "$closed: exit 1");
            is($got->{err}, "$program: standard output: cannot write: Bad file descriptor\n", 'said so');
        }
        my $got = run_in_shell('exec "$0" "$@" <&-', tool($program), '-o', "closed$ending", '-');
        is($got->{status}, 1, 'nothing to read: exit 1');
        like($got->{err}, qr/\A$program: standard input: cannot \w+: Bad file descriptor\n\z/, 'said so');
    };

    subtest "$program: an output that is the input" => sub {
        link "$dir/p.out", "$dir/link.out" or die $!;
        for my $in (['p.out'], ['link.out'], ['-']) {
            my $got = run_in_shell('exec "$0" "$@" < p.out', tool($program), '-o', 'p.out', @$in);
            is($got->{status}, 1, "$in->[0]: exit 1");
            like($got->{err},
                qr/\A$program: (?:\Q$in->[0]\E|standard input) is the input and the output; name another output with -o\n\z/, 'said so');
            is(slurp("$dir/p.out"), $profile, 'it is as it was');
        }
        my $got = run_in_shell('exec "$0" "$@" >> p.out', tool($program), '-o', '-', 'p.out');
        is("$got->{status} $got->{err}", "1 $program: p.out is the input and the output; name another output with -o\n",
            'appended to');
        is(slurp("$dir/p.out"), $profile, 'nothing was');
        unlink "$dir/link.out";
    };

    subtest "$program: nothing to read" => sub {
        spew("$dir/out$ending", 'as it was');
        for my $bytes ('', 'NYTProf') {
            my $got = run([tool($program), '-o', "out$ending", '-'], dir => $dir, stdin => $bytes);
            is($got->{status}, 1, "'$bytes': exit 1");
            like($got->{err}, qr/\A$program: there is nothing to (?:write|merge): [^\n]*\n\z/, 'said so, in one line');
            is(slurp("$dir/out$ending"), 'as it was', 'the output is as it was');
        }
        unlink "$dir/out$ending";
    };

    subtest "$program: a limit for files" => sub {
        plan skip_all => 'its output fits into one block' if valgrind() && $program eq 'nytp-pprof';
        my $blocks = valgrind() ? 1 : 0;    # valgrind has a file of its own
        my $got = run_in_shell("(ulimit -f $blocks; " . '"$0" "$@"; echo "exit $?") 2>&1 | cat', tool($program), '-o',
            "out$ending", 'p.out');
        like($got->{out}, qr/\A$program: .*: File too large\b.*\nexit 1\n\z/, 'is reported, exit 1');
        is(left(), 'cut.out p.out', 'nothing is left');
    };
}

for my $program (@programs) {
    my $ending = $program eq 'nytprofcsv' ? '.csv' : '.html';
    subtest "$program: names of files in messages" => sub {
        my $got = run_in_shell('exec "$0" "$@"', tool($program), '-o', "out$ending", "no\e[31m\r\nsuch");
        is($got->{err}, "$program: no\\x1b[31m\\r\\nsuch: cannot open: No such file or directory\n", 'move no cursor');
        my $long = join '/', map { "\x{2026}" x 60 } 1 .. 20;
        utf8::encode($long);
        $got = run_in_shell('exec "$0" "$@"', tool($program), '-o', "out$ending", $long);
        like($got->{err}, qr/\A$program: .*: cannot open: No such file or directory\n\z/, 'leave room for the reason');
        ok(utf8::decode(my $said = $got->{err}), 'and are not cut within a character');
    };

    subtest "$program: NYTP_MEMORY_MIB" => sub {
        for my $wrong (qw(6 abc 64k -1 17592186044417)) {
            my $got = run([tool($program), '-o', "out$ending", 'p.out'], dir => $dir,
                env => { NYTP_MEMORY_MIB => $wrong });
            is($got->{status}, 1, "$wrong: exit 1");
            is($got->{err}, "$program: NYTP_MEMORY_MIB=$wrong: expected a whole number from 16 to 1073741824\n",
                'said so');
            is(left(), 'cut.out p.out', 'no output');
        }
        for my $good ('', 16, 1_000_000) {
            my $got = run([tool($program), '-o', "out$ending", 'p.out'], dir => $dir,
                env => { NYTP_MEMORY_MIB => $good });
            is("$got->{status} $got->{err}", '0 ', "'$good'");
            unlink "$dir/out$ending";
        }
    };
}

subtest 'threads have memory of their own' => sub {
    for my $jobs (8, 16, 28, 40, 64) {
        my $got = run_in_shell('exec "$0" "$@"', tool('nytprofmerge'), '-o', 'out', "--jobs=$jobs", 'p.out');
        is("$got->{status} $got->{err}", '0 ', "$jobs of them");
    }
};

subtest 'an empty file among others' => sub {
    spew("$dir/empty.out", '');
    for my $program (qw(nytprofcalls nytprofmerge nytp-tree)) {
        my $got = run([tool($program), '-o', '-', 'empty.out', 'p.out'], dir => $dir);
        is($got->{status}, 0, "$program: exit 0");
        like($got->{err}, qr/\A$program: warning: empty\.out is empty\n\z/, 'a warning');
    }
    unlink "$dir/empty.out";
};

# On a pseudo terminal, which script(1) makes.
subtest 'colours' => sub {
    plan skip_all => 'no script(1)' if system('script -qec true /dev/null > /dev/null 2>&1') != 0;
    my %coloured = (xterm => 1, dumb => 0);
    for my $term (sort keys %coloured) {
        my $got = run(['script', '-qec', tool('nytp-tree') . " $dir/p.out", '/dev/null'],
            env => { TERM => $term, NO_COLOR => undef });
        is($got->{out} =~ /\e\[/ ? 1 : 0, $coloured{$term}, "TERM=$term");
    }
};

done_testing();
