# What is recorded of programs with threads, forks, evals and all that perl makes of code, and that they do the same as
# without it. Lines that end with "# ran" must have run, those with "# not" must not, and those with "# none" have no statement.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use Config;
use CoverRun qw(branches_of covered lines_of recordings);
use NYTPTest qw(build_dir run sanitized scratch_dir spew valgrind);
use Test::More;

preloaded();

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
like($table, qr/\n\nString evals.*\n.* file\n.* evals\.pl:3\n/, 'string evals are in a table of their own, by the line that runs them');

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
    sanitized() or cmp_ok($pages, '<', 100, "10,000 equal string evals take $pages pages"); # sanitizers do not use freed memory again
    cmp_ok(-s "$dir/nytcover.out", '<', 3000, 'and no more of the recording');
}

# What runs allocates as much as without, to the byte, although the file grows: how much more a program allocates that runs its code.
SKIP: {
    skip 'valgrind counts what is allocated', 2 if valgrind() || sanitized() || run(['valgrind', '--version'])->{status};
    my ($full, @bytes, @size) = (64 << 10); # where the file has to grow
    my @cover = ('-I' . build_dir() . '/perl5', '-MDevel::NYTProf::Cover');
    spew("$dir/allocates.pl", join '', map({ "sub " . 'a' x 240 . "$_ { 1 }\n" } 1 .. 244), "sub f { my (\$x) = \@_;\n",
        map({ "\$v$_ = \$x && \$v[\$x] ? 1 : \$w$_ || \$x;\n" } 1 .. 50), "}\nf(\$_) for 1 .. \$ARGV[0];\n");
    for ([0], [2], [0, @cover], [2, @cover]) {
        my ($rounds, @load) = @$_;
        clear();
        my $got = run(['valgrind', $^X, @load, 'allocates.pl', $rounds], dir => $dir, env => { PERL5OPT => undef, NYTPROF => undef, PERL_HASH_SEED => 0 });
        push @bytes, $got->{err} =~ /total heap usage:.* ([\d,]+) bytes allocated/ ? $1 =~ tr/,//dr : die 'valgrind says nothing';
        push @size, -s "$dir/nytcover.out";
    }
    is($bytes[3] - $bytes[2], $bytes[1] - $bytes[0], 'what watches allocates nothing');
    ok($size[2] < $full && $size[3] > $full, "... nor does the file that grows: $size[2] to $size[3] bytes");
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

# ---- what cannot be written ----

spew("$dir/two.pl", "print 2;\nprint 3;\n");
my $refused = covered($dir, ['two.pl'], nytprof => 'cover_file=/nowhere/at/all');
is($refused->{out}, '23', 'a file that cannot be written: the program goes on');
like($refused->{err}, qr{\ADevel::NYTProf::Cover: /nowhere/at/all: No such file or directory\..*\n\z}, 'and one message says so');

done_testing();
