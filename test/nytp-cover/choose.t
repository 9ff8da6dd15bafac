# What counts: lines that were added since a commit, and what comments do not excuse.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use Test::More;

preloaded();

my $dir = scratch_dir();
my %env = (PERL5LIB => build_dir() . '/perl5', PERL5OPT => undef, HARNESS_PERL_SWITCHES => undef, NYTPROF => undef,
    GIT_CONFIG_GLOBAL => '/dev/null', GIT_CONFIG_SYSTEM => '/dev/null', HOME => $dir,
    map { ("GIT_${_}_NAME" => 'a', "GIT_${_}_EMAIL" => 'a@b') } qw(AUTHOR COMMITTER));

sub cover { my (@words) = @_; return run([build_dir() . '/bin/nytp-cover', @words], dir => $dir, env => \%env) }

# Each line of what is missing, without the table.
sub missing_lines { my ($got) = @_; return $got->{out} =~ s/^lines  .*//msr }

# ---- comments ----

sub excused {
    my ($source, @options) = @_;
    spew("$dir/a.pl", $source);
    cover(@options, 'perl', 'a.pl');
    return cover('--missing', @options);
}

for (
    ['a statement', "if (\$x) {\n  f(); # uncoverable statement\n} # uncoverable statement\n", 'a.pl  100 %  1->T', '3: the statement .* is not there'],
    ['on the line before', "if (\$x) {\n  # uncoverable statement note:count:2\n\n  # why\n  f();\n}\n", 'a.pl  100 %  1->T'],
    ['a branch', "print 1 if \$x; # uncoverable branch true\n", ''],
    ['the other one', "print 1 if \$x; # uncoverable branch false\n", 'a.pl  100 %  1->T', '1: the branch .* has run'],
    ['which may run', "print 1 if \$x; # uncoverable branch false class:ignore_covered_err\n", 'a.pl  100 %  1->T'],
    ['both', "# uncoverable branch all class:ignore_covered_err\nprint 1 if \$x;\n", ''],
    ['the second of a line', "print 1 if \$x; print 2 if \$y; # uncoverable branch true count:2\n", 'a.pl  100 %  1:1->T'],
    ['some of a line', "print 1 if \$x; print 2 if \$y; print 3 if \$z; # uncoverable branch true count:1,2..3\n", ''],
    ['one that is not there', "print 1 if \$x; # uncoverable branch true count:2\n", 'a.pl  100 %  1->T', '1: the branch .* is not there'],
    ['a condition', "\$y = \$x || 3; # uncoverable condition left\n", ''],
    ['right operands', "\$y = \$x && f(); # uncoverable condition right\n", 'a.pl  100 %  1->T'],
    ['both values', "# uncoverable condition right\n# uncoverable condition false\n\$y = \$x && f();\n", ''],
    ['a sub', "# uncoverable subroutine\nsub f {\n  # uncoverable statement\n  1;\n}\n\$x = 1;\n", ''],
    ['after the end', "\$x = 1;\n__END__\n# uncoverable statement\n", ''],
    ['pod, MC/DC', "\$x = 1; # uncoverable pod\n", ''],
) {
    my ($name, $source, $missing, $warning) = @$_;
    my $got = excused($source);
    is($got->{out}, $missing eq '' ? '' : "$missing\n", "excused: $name");
    like($got->{err}, defined $warning ? qr/\Anytp-cover: warning: a\.pl:$warning\n\z/ : qr/\A\z/, '... and warnings');
}
like(cover()->{out}, qr{100 %  1/1 .* -  0/0 .* a\.pl}, 'what is excused is not counted');
excused("print 1 if \$x; # uncoverable branch true\n");
is(join(' ', cover('--lcov=-')->{out} =~ /^(BR\w+:.*)/mg), 'BRDA:1,0,1,1 BRF:1 BRH:1', '... nor in files for others');
like(cover('--json=-')->{out}, qr/"branch_list":\[\[1,null,1\]\]/, '... in JSON it is null');

spew("$dir/a.pl", slurp("$dir/a.pl") . "# more\n");
is(cover('--missing')->{err}, "nytp-cover: warning: a.pl has changed since it ran: lines may be others now\n", 'a source that was changed after the run');

# ---- which program ----

spew("$dir/a.pl", "if (\$ENV{X}) {\n  print 'x';\n}\nelse {\n  print 'y';\n}\nprint 'z' if \$ENV{Z};\n\nsub never { 1 }\n");
mkdir "$dir/t" or die;
spew("$dir/t/$_.t", "do './a.pl';\n") for qw(x y);
cover('sh', '-c', 'X=1 perl t/x.t; perl t/y.t; perl t/y.t');
is(cover("--who=a.pl:$_->[0]")->{out}, $_->[1], "--who=a.pl:$_->[0]") for [1, "t/x.t\nt/y.t\n"], [2, "t/x.t\n"], [5, "t/y.t\n"];
is(cover("--only-by=$_->[0]")->{out}, $_->[1], "--only-by=$_->[0]") for ['t/x.t', "a.pl:2: print 'x';\n"], ['t/y.t', "a.pl:5: print 'y';\n"];
for (['--who=a.pl:9', 0, 'no program has run a\.pl:9'], ['--who=a.pl:8', 1, 'a\.pl:8 has no statement'], ['--who=b.pl:1', 1, 'no recording has the file b\.pl'],
    ['--who=a.pl', 2, '--who=a\.pl: expected FILE:LINE'], ['--who=a.pl:-1', 2, '--who=a\.pl:-1: expected'], ['--only-by=z.t', 1, 'no recording is of the program z\.t'],
    ['--only-by=t/x.t', '--missing', 2, '--missing has no effect']) {
    my ($status, $says) = (@$_)[-2, -1];
    my @words = @$_[0 .. $#$_ - 2];
    my $got = cover(@words);
    is("$got->{status} $got->{out}", "$status ", "@words");
    like($got->{err}, qr/^nytp-cover: $says/, '... says why');
}

# ---- lines of a branch ----

sub git { my (@words) = @_; my $got = run(['git', @words], dir => $dir, env => \%env); die "@words: $got->{err}" if $got->{status}; return $got->{out} }

unlink "$dir/a.pl";
mkdir "$dir/lib" or die;
git(qw(init -q -b main));
spew("$dir/lib/Old.pm",   join '', "package main;\n1;\n", map({ "sub f$_ { $_ }\n" } 1 .. 9), "1;\n");
spew("$dir/lib/Moved.pm", join '', "package Moved;\n", map({ "sub g$_ { $_ }\n" } 1 .. 20), "1;\n");
spew("$dir/lib/Gone.pm",  "1;\n");
git(qw(add lib));
git(qw(commit -q -m one));
my $all = "use lib 'lib'; require \$_ for map { s/lib.//r } glob 'lib/*.pm'; print f1(), f3();\n";
spew("$dir/all.pl", $all);
cover('perl', 'all.pl');
my $same = cover('--diff');
is("$same->{status} $same->{out}", "0 No code was added since main.\n", '--diff: nothing was added');
is(cover('--diff', '--fail-under=100')->{status}, 0, '... which is enough');

git(qw(checkout -q -b topic));
git(qw(mv lib/Moved.pm lib/New.pm));
git(qw(rm -q lib/Gone.pm));
my @old = split /^/, slurp("$dir/lib/Old.pm");
splice @old, 4, 1, "sub f3 { \$_[0] ? 3 : 4 }\n", "sub added { my \$t = shift;\n", "  \t return \"\e[1m\" }\n";
spew("$dir/lib/Old.pm", join '', @old[0 .. 7, 9 .. $#old]);
spew("$dir/lib/\"caf\xe9\".pm", "++ b/lib/Old.pm;\n1;\n");
spew("$dir/lib/\"caf\xe9\".pm", "my \$v = 3;\n++ \$v;\nsub h { 1 }\n1;\n");
git(qw(add lib));
git(qw(commit -q -m two));
git(qw(checkout -q main));
spew("$dir/later", "of main\n");
git(qw(add later));
git(qw(commit -q -m three));
git(qw(checkout -q topic));
cover('perl', 'all.pl');
my $diff = cover('--diff=main');
is("$diff->{status} $diff->{err}", '0 ', '--diff=main');
is(missing_lines($diff), <<"END", '... what was added, and has not run: not what was moved, deleted or is older');
lib/"caf\xc3\xa9".pm:3: sub h { 1 }
lib/Old.pm:5->T: sub f3 { \$_[0] ? 3 : 4 }
lib/Old.pm:6: sub added { my \$t = shift;
lib/Old.pm:7: return "\\x1b[1m" }
END
like($diff->{out}, qr{^ 57 %  4/7 .* total$}m, '... and how much of it has');
is(cover('--diff', '--missing')->{out}, "lib/\"caf\xc3\xa9\".pm  75 %  3\nlib/Old.pm  33 %  5->T, 6-7\n", '... with --missing as one line for each file');
is(cover('--diff', "--fail-under=$_->[0]")->{status}, $_->[1], "--fail-under=$_->[0] of the diff") for [57, 0], [58, 3];
SKIP: {
    cover('--cobertura=cover.xml');
    my $theirs = run(['diff-cover', 'cover.xml', '--compare-branch=main'], dir => $dir, env => \%env);
    skip 'diff-cover is not installed', 2 if ($theirs->{status} // 0) == 127;
    is($theirs->{status}, 0, 'diff-cover reads what is written for it') or diag($theirs->{err});
    like($theirs->{out}, qr/^lib\/Old\.pm \(33\.3%\): Missing lines 6-7$/m, '... and finds the same lines') or diag($theirs->{out});
}
spew("$dir/lib/Old.pm", slurp("$dir/lib/Old.pm") . "sub unsaved { 1 }\n1;\n");
cover('perl', 'all.pl');
like(missing_lines(cover('--diff')), qr/^lib\/Old\.pm:14: sub unsaved/m, 'what is not committed counts');

for ('nosuch', '-x', '') {
    my $got = cover("--diff=$_");
    is("$got->{status} $got->{out}", '2 ', "--diff=$_: not a commit");
    like($got->{err}, qr/^nytp-cover: --diff=$_: git finds no common commit/m, '... says so');
}
run(['git', 'clone', '-q', '--depth=1', '--branch=topic', '--no-single-branch', "file://$dir", "$dir/shallow"], env => \%env);
ok(-d "$dir/shallow/lib", 'a shallow clone');
my $shallow = run([build_dir() . '/bin/nytp-cover', '--diff=origin/main', 'perl', '../all.pl'], dir => "$dir/shallow", env => \%env);
is($shallow->{status}, 2, '... without the common commit is an error');
like($shallow->{err}, qr/^nytp-cover: --diff=origin\/main: .* shallow clone .* fetch-depth: 0/m, '... which says what to do');

done_testing();
