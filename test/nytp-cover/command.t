# nytp cover COMMAND: all perls below it are recorded, and what they have run is shown with the status of the command.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use File::Path qw(remove_tree);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use Screens qw(screen);
use Test::More;

preloaded();

my $dir  = scratch_dir();
my $home = "$dir/a:b=c";
mkdir $_ or die "$_: $!\n" for $home, map { "$home/$_" } qw(lib t);
my %env = (PERL5LIB => build_dir() . '/perl5', PERL5OPT => undef, HARNESS_PERL_SWITCHES => undef, NYTPROF => undef,
    PROVE_PASS_THROUGH => undef);

sub cover {
    my ($arguments, %more) = @_;
    return run([build_dir() . '/bin/nytp', 'cover', @$arguments], dir => $home, env => { %env, %more });
}

sub recordings { return map { s{.*/}{}r } glob "\Q$home\E/nytcover/*" }

spew("$home/lib/Foo.pm", <<'END');
package Foo;
sub sign { my ($n) = @_;
  if ($n < 0) {
    return -1 }
  return $n ? 1 : 0 }
sub forked {
  return 2 }
sub executed {
  return 3 }
sub never {
  return 4 }
1;
END
spew("$home/t/a.t",  'use Test::More tests => 1; use Foo; is(Foo::sign(3), 1);');
spew("$home/t/b.t",  "#!perl -T\nuse Test::More tests => 1; use Foo; is(Foo::sign(-3), -1);");
spew("$home/t/c.t",  'use Test::More tests => 1; use Foo; if (!fork) { Foo::forked(); require POSIX; POSIX::_exit(0) } wait; pass();');
spew("$home/t/d.t",  'use Test::More tests => 1; chdir "/"; ' . "is(`\$^X -I'$home/lib' -e 'use Foo; print Foo::executed()'`, 3);");
spew("$home/bad.pl", "#!/usr/bin/env perl\nrequire './lib/Foo.pm';\nexit 7;\n");

my $table = <<'END';
lines       branches       conditions       subs       file
 87 %  7/8      75 %  3/4           -  0/0  75 %  3/4  lib/Foo.pm
 87 %  7/8      75 %  3/4           -  0/0  75 %  3/4  total
END
my $plain = run(['prove', '-l', 't'], dir => $home, env => \%env);
my $got   = cover(['prove', '-l', '-j4', 't']);
is("$got->{status} $got->{err}", '0 ', 'a test suite: its status');
like($got->{out}, qr/^Result: PASS\n\Q$table\E\z/m, '... and what it has run: with -T, forked, executed in another directory');
is(($plain->{out} =~ /^(Files=4, Tests=4)/m)[0], ($got->{out} =~ /^(Files=4, Tests=4)/m)[0], '... after what it prints without');
my @first = recordings();
cmp_ok(scalar @first, '>', 5, 'each process has a recording');
is(cover([])->{out}, $table, 'without a command: what the last run left');
for ([80, 'lines branches conditions subs file'], [52, 'lines branches conditions file'], [34, 'lines branches file'], [20, 'lines file']) {
    my ($columns, $heads) = @$_;
    is(join(' ', screen($columns, $home, 'nytp-cover', %env) =~ /\A.*/g) =~ s/ +/ /gr, $heads, "$columns columns: names stay");
}
is(cover(['--missing'])->{out}, "lib/Foo.pm  87 %  5->F, 11\n", '--missing');
is(cover(['--lcov=-', 'perl', '-w', '-Ilib', "-M$_", '-e', '1'])->{out} =~ /^SF:lib\/Foo\.pm$/m ? 1 : 0, 1, "perl -M$_: a module of the command line is recorded")
    for 'Foo', '-Foo';
is(cover(['--lcov=-', 'perl', '-T', '-Ilib', '-MFoo', '-e', 'print 5'])->{err} =~ /^nytp-cover: nothing was recorded/m, 1, '... not with -T, which ignores PERL5LIB');
cover(['prove', '-l', '-j4', 't']);
my $lcov = cover(['--lcov=-'])->{out};
cover(['--', 'prove', '-l', 't']);
is(cover(['--lcov=-'])->{out}, $lcov, 'as many processes at once as you like, with the same result');
is_deeply([grep { my $name = $_; grep { $_ eq $name } @first } recordings()], [], 'the recordings of a run before are gone');

# ---- limits ----

for (['--fail-under=87', 0, ''], ['--fail-under=88', 3, "87 % of the lines have run, less than 88 %"],
    ['--fail-under-branch=75.5', 3, "75 % of the branches have run, less than 75.5 %"]) {
    my ($option, $status, $says) = @$_;
    my $limited = cover([$option]);
    is("$limited->{status} $limited->{err}", "$status " . ($says ? "nytp-cover: $says\n" : ''), $option);
    is($limited->{out}, $table, '... with the table');
}

# ---- the command ----

my $failed = cover(['--fail-under=100', 'perl', 'bad.pl', '--missing']);
is($failed->{status}, 7, 'the status of a command that fails counts more than a limit');
like($failed->{out}, qr/^\s*\d+ %  [^\n]*  bad\.pl$/m, '... and what it has run is shown, too') or diag(explain($failed));
is(cover(['sh', '-c', 'exit 5'])->{status}, 5, 'one that starts no perl');

for ([sh => '-c', ':'], ['perl', '-T', '-e', '1'], ['env', '-u', 'PERL5OPT', 'perl', '-e', '1']) {
    my $nothing = cover($_);
    is($nothing->{status}, 1, "@$_: nothing was recorded, an error");
    like($nothing->{err}, qr/\Anytp-cover: nothing was recorded: no perl has loaded Devel::NYTProf::Cover\. perl -T .*\n\z/, '... which says why');
}
like(cover(['perl', '-e', 'BEGIN { $ENV{PERL5OPT} = "-w"; exec $^X, "bad.pl" if $ARGV[0]++ < 1 }'])->{err}, qr/^nytp-cover: nothing was recorded: before its end, the process has not compiled code/m,
    'another PERL5OPT in a program: an error that says why');
like(cover(['perl', '-e', 'BEGIN { require POSIX; POSIX::_exit(0) } require "./bad.pl"'])->{err}, qr/^nytp-cover: nothing was recorded: before its end, the process/m, '_exit in BEGIN, too');
for (['nosuch', 1, qr/neither such a recording nor such a command/], ['--', 'nosuch', 127, qr/cannot execute/]) {
    my ($status, $says) = (@$_)[-2, -1];
    my $got = cover([@$_[0 .. $#$_ - 2]]);
    is($got->{status}, $status, "@$_[0 .. $#$_ - 2]: is not there");
    like($got->{err}, $says, '... and says so');
}

# What the environment has stays, before a command whose name a recording has, too.
spew("$home/prints.pl", 'print $ENV{NYTPROF} =~ /^start=no:/ ? 1 : 0, $INC{"Carp.pm"} ? 1 : 0, "\n"');
is((split /\n/, cover(['perl', 'prints.pl'], NYTPROF => 'start=no', PERL5OPT => '-MCarp')->{out})[0], '11', 'NYTPROF and PERL5OPT of the user');
spew("$home/perl", slurp("$home/nytcover/" . (recordings())[0]));
is(cover(['perl'])->{out} =~ tr/\n//, 3, 'a recording that is called as a command is');

# ---- what lies in the directory ----

spew("$home/nytcover/notes", "NYTProf 5 0\nmine");
cover(['perl', 'bad.pl']);
is(slurp("$home/nytcover/notes"), "NYTProf 5 0\nmine", 'what is no recording stays');
remove_tree("$home/nytcover");
like(cover([])->{err}, qr{^nytp-cover: there is neither nytcover/ nor nytcover\.out here; nytp cover COMMAND makes one$}, 'nothing was recorded here');
spew("$home/nytcover", 'mine');
my $blocked = cover(['echo', 'runs']);
is("$blocked->{status} $blocked->{out}", '1 ', 'no directory can be made: the command does not run');
like($blocked->{err}, qr{^nytp-cover: \S+/nytcover: cannot write there: }, '... and a message says why');

done_testing();
