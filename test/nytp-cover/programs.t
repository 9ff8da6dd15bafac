# What is recorded of programs with threads, forks, evals and all that perl makes of code, and that they do the same as
# without it. Lines that end with "# ran" must have run, those with "# not" must not, and those with "# none" have no statement.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Config;
use CoverRun qw(branches_in_json branches_of covered lcov lines_of recordings);
use NYTPTest qw(build_dir run scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $dir = scratch_dir();

sub clear { unlink recordings($dir); return }

# Runs the program plain and recorded, and looks at its lines. Returns the recorded run.
sub as_marked {
    my ($name, $source, %option) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    spew("$dir/$name.pl", $source);
    clear();
    my $plain = run([$^X, @{ $option{perl} // [] }, "$name.pl"], dir => $dir, env => { PERL5OPT => undef });
    my $got = covered($dir, ["$name.pl"], %option);
    is(join(' ', map { $got->{$_} // '-' } qw(status signal out err)), join(' ', map { $plain->{$_} // '-' } qw(status signal out err)),
        "$name: does the same as without")
        if !$option{differs};
    my $lines = lines_of(recordings($dir))->{"$name.pl"};
    my @source = split /\n/, $source;
    my %mark   = (ran => '1', not => '0', none => 'none');
    my @wrong  = map { my $line = $_ + 1;
        $source[$_] =~ /# (ran|not|none)$/ && ($lines->{$line} // 'none') ne $mark{$1} ? "$line: $lines->{$line}: $source[$_]" : ()
    } 0 .. $#source;
    is(join("\n", @wrong), '', "$name: its lines");
    return $got;
}

as_marked('forms', <<'END', perl => ['-w']);
use strict;
my $x;
my $y;                                  # ran
our $z;                                 # ran
my ($p, $q);                            # ran
my @list = (3, 1, 2);                   # ran
if (0) {                                # ran
  print 'folded';                       # none
}
package Foo {
  sub method { 1 }                      # ran
}
package main;
Foo->method;                            # ran
print sort { $a <=> $b or               # ran
  $a cmp $b } @list;
goto OVER;                              # ran
$x = 3;                                 # not
OVER: $x = 4;                           # ran
sub f {
  return wantarray;                     # ran
}
my $e = eval { die "x\n"; 1 } || 5;     # ran
sub g { use feature 'signatures'; no warnings; my $c = sub ($q, $r = 3) {
    $q + $r };                          # ran
  $c->(1) + $c->(1, 2) }                # ran
g();                                    # ran
f();                                    # ran
BEGIN { $x = 1;                         # ran
  $x = 2 if $x; }                       # ran
sub DESTROY {
  my $gone = 1;                         # ran
}
our $global = bless [];                 # ran
END {
  my $end = 1;                          # ran
}
no warnings 'redefine';
sub twice {
  return 1 }                            # ran
twice();
*twice = sub { return 2 };              # ran
twice();
"abc" =~ /(?{ $x = 7 })b/;              # ran
sub lv :lvalue {
  my $v; $v }                           # not
s/a/$x++/e for my $copy = 'aaa';        # ran
exit 3 if $x;                           # ran
print 'never';                          # not
END

as_marked('folded', <<'END');
use constant NEVER => 0;
sub leaves {
  for my $n (1 .. 2) {
    return $n;                          # ran
  }
  NEVER && warn 'x';                    # not
  return 0;                             # not
}
sub ends { my ($n) = @_;
  if ($n) { $n++;                       # ran
    NEVER && warn 'x'; }                # ran
  NEVER and print 1;                    # ran
  NEVER and print 2;                    # ran
  return $n;                            # ran
}
leaves();
ends(1);
END

my $counted = as_marked('overloaded', <<'END');
package Truth; use overload bool => sub { $calls++; ${ $_[0] } };
our $calls = 0;
package main;
for my $n (0, 1, 0, 1) {
  my $o = bless \(my $copy = $n), 'Truth';
  print 'a' if $o;                      # ran
  print 'b' unless $o;                  # ran
  my $c = $o ? 1 : 2;                   # ran
  my $d = $o && 1;                      # ran
  my $e = $o || 1;                      # ran
  while ($o) { last }                   # ran
}
print "$Truth::calls\n";                # ran
END
like($counted->{out}, qr/^\w+24$/, 'an overloaded bool runs as often as without');

as_marked('reaped', <<'END', perl => ['-w']);
use Scalar::Util 'weaken';
my $weak;
{ my $sub = sub { $weak };              # ran
  my $copy = $sub;                      # ran
  $weak = do { my $n = 1; sub { $n } };
  weaken($weak); }                      # ran
print defined $weak ? 'kept' : 'freed'; # ran
print " $^P ", join ',', map { (caller($_))[3] // () } 0 .. 2;
print defined &DB::enable_profile ? 1 : 0, defined &DB::DB ? 1 : 0;
END

as_marked('forks', <<'END');
$| = 1;
use POSIX ();
sub child {
  return 1;                             # ran
}
sub leaves {
  return 2 }                            # ran
sub parent {
  return 3;                             # ran
}
sub nobody {
  return 4;                             # not
}
sub killed {
  return 5;                             # ran
}
if (!fork) { child(); exit 0 }
wait;
if (!fork) { leaves(); POSIX::_exit(0) }
wait;
if (!fork) { killed(); kill KILL => $$; sleep 1 while 1 }
wait;
if (!fork) { wait for map { my $p = fork; exit 0 if !$p; $p } 1 .. 5; exit 0 }
wait;
parent();                               # ran
if (!fork) { exec $^X, '-e', '1' }
wait;
print "done\n";                         # ran
END

as_marked('left', <<'END', differs => 1);
use POSIX ();
sub f {
  return 1 }                            # ran
f();                                    # ran
POSIX::_exit(f());                      # ran
f();                                    # not
END

as_marked('killed', <<'END', differs => 1);
sub f {
  return 1 }                            # ran
f();                                    # ran
kill KILL => $$;                        # ran
f();                                    # not
END

# The same process runs two programs: neither recording takes the place of the other.
spew("$dir/second.pl", "print 1;\nprint 2 if \$x;\n");
clear();
spew("$dir/first.pl", "print 0;\nexec \$^X, 'second.pl';\n");
is(covered($dir, ['first.pl'],
        env => { PERL5OPT => '-I' . build_dir() . '/perl5 -MDevel::NYTProf::Cover' })->{out} =~ tr/012//dr, '', 'exec');
is(join(' ', map { "@$_{sort keys %$_}" } @{ lines_of(recordings($dir)) }{qw(first.pl second.pl)}), '1 1 1 1',
    'exec: both programs');

SKIP: {
    skip 'this perl has no threads', 2 if !$Config{useithreads};
    as_marked('threads', <<'END');
use threads;
sub f { my ($n) = @_;                   # ran
  if ($n) { return 1 }                  # ran
  return 2;                             # ran
}
sub g {
  return 3 }                            # not
$_->join for map { my $n = $_; threads->create(sub { f($n % 2) for 1 .. 200 }) } 1 .. 8;
threads->create(sub {
  eval "sub late { \n 1 } late()";      # ran
})->join;
print "done\n";                         # ran
END
}

# ---- string evals ----

as_marked('evals', <<'END');
for my $n (1 .. 3) {
  my $text = "sub g { if (\$_[0] > 1) {\n 2 } else { 1 } } g(\$n)";
  my $twice = eval $text;               # ran
}
my $broken = eval 'sub { 1 ) ';         # ran
eval qq{#line 1 "made up"\n1};          # ran
END
my $table = run([build_dir() . '/bin/nytp-cover', recordings($dir)], dir => $dir)->{out};
like($table, qr/\n\nString evals.*\n.* evals\.pl:3\n/, 'string evals are in a table of their own, by the line that runs them');

# Equal evals are one, in memory, too. Not under memcheck, whose own memory counts.
SKIP: {
    skip 'memory is measured', 2 if valgrind();
    spew("$dir/many.pl", <<'END');
sub rss { open my $in, '<', '/proc/self/statm'; return (split ' ', <$in>)[1] }
my $sum = 0;
sub some { $sum += eval 'my $f = sub { $_[0] ? 1 : 2 }; sub named { 3 } $f->(1)' for 1 .. $_[0] }
no warnings 'redefine';
some(1000);
my $before = rss();
some(10_000);
print rss() - $before;
END
    clear();
    my $pages = covered($dir, ['many.pl'])->{out};
    cmp_ok($pages, '<', 100, "10,000 equal string evals take $pages pages");
    cmp_ok(-s "$dir/nytcover.out", '<', 3000, 'and no more of the recording');
}

# ---- both collectors ----

clear();
spew("$dir/both.pl", "sub f { return \$_[0] }\nprint 'y' if f(1);\nprint 'n' if f(0);\nfor (1 .. 3) {\n  f(2) }\n");
is(covered($dir, ['both.pl'], before => ['-d:NYTProf'])->{out}, 'y', 'with -d:NYTProf beside it');
is_deeply(lines_of(recordings($dir)), { 'both.pl' => { map { $_ => 1 } 1 .. 5 } }, 'all lines have run');
is(join(' ', map { "@{ $_->[0] }" } @{ branches_of(recordings($dir))->{'both.pl'} }{ 2, 3 }), '1 0 0 1', 'and branches went their way');
my $calls = run([build_dir() . '/bin/nytprofcalls', '--calls', "$dir/nytprof.out"])->{out};
like($calls, qr/^main::f 5$/m, 'the profile has the calls');

# ---- which files ----

mkdir "$dir/$_" for qw(lib t project project/lib project/t);
spew("$dir/project/lib/Mine.pm",  "package Mine;\nsub f { 1 }\n1;\n");
spew("$dir/lib/Other.pm",         "package Other;\nsub f { 1 }\n1;\n");
spew("$dir/project/t/a.t",        "use Mine; use Other; use File::Spec; Mine::f(); Other::f();\n");
clear();
my $t = covered("$dir/project", ['t/a.t'], nytprof => "cover_file=$dir/nytcover.out", perl => ['-Ilib', '-I../lib']);
is("$t->{status}$t->{err}", '0', 'a test of a project');
is_deeply([sort keys %{ lines_of(recordings($dir)) }], ['lib/Mine.pm'], 'what is below its directory, without its tests');
clear();
covered('/', ["$dir/project/t/a.t"], nytprof => "cover_file=$dir/nytcover.out:cover_dir=$dir", perl => ["-I$dir/project/lib", "-I$dir/lib"]);
is_deeply([sort keys %{ lines_of(recordings($dir)) }], [qw(lib/Other.pm project/lib/Mine.pm project/t/a.t)], 'cover_dir=');
clear();
my $nothing = covered("$dir/project", ['-e', '1'], nytprof => "cover_file=$dir/nytcover.out");
my $said = run([build_dir() . '/bin/nytp-cover', recordings($dir)]);
is($said->{status}, 1, 'nothing was recorded: an error');
like($said->{err}, qr/^nytp-cover: nothing was recorded: .*cover_dir/m, 'which says why');

# ---- many recordings ----

spew("$dir/two.pl", "if (\$ARGV[0]) {\n  print 1 }\nelse {\n  print 2 }\nprint 3;\n");
clear();
covered($dir, ['two.pl', $_], nytprof => "cover_file=nytcover.out:cover_addpid=1") for 0, 0, 1;
my @three = recordings($dir);
is(scalar @three, 3, 'cover_addpid=1: none takes the place of another');
my $sum = lcov(@three);
is_deeply(branches_of(@three)->{'two.pl'}{1}, [[1, 1]], 'all went both ways together');
is(lcov(reverse(@three), @three), $sum, 'neither the order of recordings matters nor that one is read twice');
like(run([build_dir() . '/bin/nytp-cover', '--missing', $three[0]])->{out}, qr/^two\.pl  75 %  1->T, 2\n\z/, 'what is missing of the first');
is(run([build_dir() . '/bin/nytp-cover', '--missing', @three])->{out}, '', 'and of all');
utime 1, 1, "$dir/two.pl";
covered($dir, ['two.pl'], nytprof => "cover_file=nytcover.out:cover_addpid=1");
my $changed = run([build_dir() . '/bin/nytp-cover', recordings($dir)]);
is($changed->{status}, 1, 'a file that was changed between the recordings');
like($changed->{err}, qr/two\.pl was changed between the recordings/, 'is named');

# ---- recordings that are made up ----

# Points: a byte for what they are, and one for the line less that before; 0x11 is &&, whose value nobody uses.
sub recording {
    return profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'cover', 1], [ATTRIBUTE => 'cover_dir', '/p'], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0, 10, 20, '/p/a.pl'], @_, [PID_END => 7, 2.5]);
}

sub unit { my ($list, $count, $twin) = @_; return [COVER_UNIT => 3, 1, 1, 0, $twin // 0, '', $count, $list] }

my $one   = spew("$dir/one",   recording(unit("\0\0\x11\0\0\1", 3), [COVER_HIT => 3, 0, 1], [COVER_HIT => 3, 1, 1]));
my $other = spew("$dir/other", recording(unit("\0\0\x11\0\0\2\x11\0", 4), [COVER_HIT => 3, 0, 1], [COVER_HIT => 3, 1, 2]));
my $third = spew("$dir/third", recording(unit("\0\0\x11\0\x11\0", 3), [COVER_HIT => 3, 0, 1]));
is_deeply(branches_of($one, $other)->{'a.pl'}, { 1 => [[1, 1]], 3 => [[0, 0]] }, 'constants made two forms of a file: lines that agree are one');
is_deeply(branches_of($one, $other, $third)->{'a.pl'}{1}, [[0, 0], [0, 0], [1, 1]], 'and those that do not are apart');
is(lcov($third, $one, $other), lcov($other, $third, $one), 'in any order');
my $twins = spew("$dir/twins", recording((map { unit("\x11\0", 1, $_) } 0, 1), [COVER_HIT => 3, 0, 1]));
is_deeply(branches_of($twins)->{'a.pl'}{1}, [[0, 0], [1, 0]], 'equal subs of a line are two');
my $alias = spew("$dir/alias", recording(unit("\0\0\x40\1\0", 2), [COVER_HIT => 3, 0, 1]));
is_deeply(lines_of($alias)->{'a.pl'}, { 1 => 1, 2 => 1 }, 'what runs with another point has run with it');
# `if ($a && ($b || $c)) {}`: what the operands did says what the outer one did, and values of right operands.
sub nested { return branches_in_json($dir, spew("$dir/nested", recording(unit("\x11\0\x81\x61\0\0\x81\xe2\0\1", 3), map { [COVER_HIT => 3, @$_] } @_)))->{'a.pl'}{1} }
is_deeply(nested([1, 2]), [[0, 1], [0, 1, 0, 0], [0, 0, 0, 0]], 'nested operators: $a is false');
is_deeply(nested([1, 1], [2, 2]), [[1, 0], [1, 0, 1, 0], [0, 1, 0, 0]], '... $b is true');
is_deeply(nested([1, 1], [2, 1], [0, 2]), [[0, 1], [1, 0, 0, 1], [1, 0, 0, 1]], '... $c is false');

for (['too few points', unit("\0\0", 2)], ['too many', unit("\0\0\0\1", 1)], ['none', unit('', 0)], ['a kind that is none', unit("\x0f\0", 1)],
    ['one that runs with itself', unit("\x40\0\0", 1)], ['an operand of itself', unit("\x61\0\0", 1)], ['of a later one', unit("\x61\0\1\x21\0", 2)],
    ['of a statement', unit("\0\0\x61\0\0", 2)], ['with one that is not there', unit("\0\0\x40\0\7", 2)],
    ['a hit of no unit', [COVER_HIT => 4, 0, 1]], ['a file that is none', [COVER_UNIT => 3, 9, 1, 0, 0, '', 1, "\0\0"]]) {
    my ($what, $chunk) = @$_;
    my $got = run([build_dir() . '/bin/nytp-cover', spew("$dir/wrong", recording($chunk))]);
    is($got->{status}, 1, "$what: an error");
    like($got->{err}, qr/wrong: offset \d+: a COVER_\w+ makes no sense$/m, '... which says where');
}
my $merged = run([build_dir() . '/bin/nytprofmerge', '-o', "$dir/merged", $one, $other]);
is($merged->{status}, 1, 'nytprofmerge refuses recordings of coverage');
like($merged->{err}, qr/nytp cover reads many/, '... and says what reads them');

# ---- files that were cut ----

sub cut_at {
    my ($whole, $bytes) = @_;
    my $got = run([build_dir() . '/bin/nytp-cover', '--lcov=-', spew("$dir/cut", substr $whole, 0, $bytes)]);
    return 'signal' if $got->{signal};
    return $got->{status} == 1 ? ($got->{err} =~ /^nytp-cover: / && $got->{out} eq '' ? 0 : 'wrong') : $got->{out} =~ tr/1//;
}
my $whole = slurp($three[0]);
my @seen = map { cut_at($whole, $_) } $ENV{EXHAUSTIVE} ? 0 .. length $whole : grep { $_ % 9 == 0 || $_ == length $whole } 0 .. length $whole;
is(join(' ', grep { /\D/ } @seen), '', 'cut anywhere, a recording is an error or a part');
is(join(' ', @seen), join(' ', sort { $a <=> $b } @seen), 'with more bytes it has no less');

# With any bit flipped it is an error or something else, but no crash: the fuzz target says the same of itself.
my $n = 0;
my @flipped = map { my $at = $_;
    map { my $bytes = $whole; vec($bytes, 8 * $at + $_, 1) ^= 1; spew("$dir/flipped" . $n++, $bytes) } 0 .. 7
} grep { $ENV{EXHAUSTIVE} || $_ % 3 == 0 } 0 .. length($whole) - 1;
my $replayed = run([build_dir() . '/test/fuzz-nytp-cover', @flipped]);
is("$replayed->{status}$replayed->{err}", '0', scalar(@flipped) . ' recordings with a wrong bit');

# ---- what cannot be written ----

my $refused = covered($dir, ['two.pl'], nytprof => 'cover_file=/nowhere/at/all');
is($refused->{out}, '23', 'a file that cannot be written: the program goes on');
like($refused->{err}, qr{\ADevel::NYTProf::Cover: /nowhere/at/all: No such file or directory\..*\n\z}, 'and one message says so');

done_testing();
