# What every program does with files, descriptors and limits, the same way each.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/lib";

use File::Basename qw(basename);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use Test::More;

my @programs = map { basename($_) } glob build_dir() . '/bin/*';
my $profile  = slurp(record('tiny', ['test/scripts/tiny.pl'], calls => 2));
my $dir      = scratch_dir();

sub tool { return build_dir() . "/bin/$_[0]" }

# In a shell, as "$0" "$@": with redirections and limits behind it or before it.
sub run_in_shell {
    my ($shell, @command) = @_;
    return run(['sh', '-c', $shell, @command], dir => $dir);
}

sub left { return join ' ', sort map { basename($_) } glob "$dir/.[!.]* $dir/*" }

spew("$dir/p.out", $profile);
spew("$dir/cut.out", substr $profile, 0, 1000);

for my $program (@programs) {
    subtest "$program: standard descriptors that are closed" => sub {
        is(run_in_shell('exec "$0" "$@" 2>/dev/null', tool($program), '-o', 'said', '-v', 'cut.out')->{status}, 0, 'with all of them');
        is(run_in_shell('exec "$0" "$@" 2>&-', tool($program), '-o', 'closed', '-v', 'cut.out')->{status}, 0, 'without the one for messages');
        is(slurp("$dir/closed"), slurp("$dir/said"), 'which do not go into the output');
        unlink "$dir/said", "$dir/closed";
        for my $closed ('>&-', '<&- >&-') {
            my $got = run_in_shell(qq{exec "\$0" "\$@" $closed}, tool($program), '-o', '-', 'p.out');
            is($got->{status}, 1, "$closed: exit 1");
            is($got->{err}, "$program: standard output: cannot write: Bad file descriptor\n", 'said so');
        }
        my $got = run_in_shell('exec "$0" "$@" <&-', tool($program), '-o', 'closed', '-');
        is($got->{status}, 1, 'nothing to read: exit 1');
        like($got->{err}, qr/\A$program: standard input: cannot \w+: Bad file descriptor\n\z/, 'said so');
    };

    subtest "$program: an output that is the input" => sub {
        link "$dir/p.out", "$dir/link.out" or die $!;
        for my $in (['p.out'], ['link.out'], ['-']) {
            my $got = run_in_shell('exec "$0" "$@" < p.out', tool($program), '-o', 'p.out', @$in);
            is($got->{status}, 1, "$in->[0]: exit 1");
            like($got->{err}, qr/\A$program: (?:\Q$in->[0]\E|standard input) is the output, too; -o names another\n\z/, 'said so');
            is(slurp("$dir/p.out"), $profile, 'it is as it was');
        }
        my $got = run_in_shell('exec "$0" "$@" >> p.out', tool($program), '-o', '-', 'p.out');
        is("$got->{status} $got->{err}", "1 $program: p.out is the output, too; -o names another\n", 'appended to');
        is(slurp("$dir/p.out"), $profile, 'nothing was');
        unlink "$dir/link.out";
    };

    subtest "$program: a limit for files" => sub {
        my $got = run_in_shell('(ulimit -f 0; "$0" "$@"; echo "exit $?") 2>&1 | cat', tool($program), '-o', 'out', 'p.out');
        like($got->{out}, qr/\A$program: .*: File too large\b.*\nexit 1\n\z/, 'is told, exit 1');
        is(left(), 'cut.out p.out', 'nothing is left');
    };
}

done_testing();
