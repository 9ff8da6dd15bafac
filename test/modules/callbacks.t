# Callbacks of Devel::NYTProf::ReadStream may do what they like: leave in any way, keep what they got, fork,
# be profiled themselves. VALGRIND=1 runs them under memcheck, EXHAUSTIVE=1 loads ten thousand times.

use strict;
use warnings;

use Config;
use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(command exhaustive preloaded profiled);
use NYTPTest qw(build_dir record run scratch_dir slurp spew valgrind);
use POSIX qw(mkfifo);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $module  = build_dir() . '/perl5/Devel/NYTProf/ReadStream.pm';
my $scratch = scratch_dir();
plan(skip_all => "not built: no $module") if !-e $module;
preloaded();

my $small = record('evals', ['test/scripts/evals.pl'], calls => 2, nameevals => 1);

# More than the reader buffers, and large enough for its thread: noise does not compress.
srand 6;
my @noise = map { [SRC_LINE => 1, $_, join '', map { chr rand 256 } 1 .. 1000] } 1 .. 2000;
my $large = spew("$scratch/large", profile_bytes(
    [VERSION => 5, 0], ['START_DEFLATE'], [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0, 0, 0, 'x'], @noise,
    [PID_END => 7, 2.5]));

my $begin = 'use Devel::NYTProf::ReadStream "for_chunks"; my ($small, $large) = @ARGV; my @small = (filename => $small, quiet => 1);
my @large = (filename => $large, quiet => 1); our ($n, @kept); $| = 1;';

# Programs, and what they print. They must print nothing on stderr.
my %PROGRAMS = (
    'die'            => ['eval { for_chunks { die "x\n" if $. == 40 } @small; 1 } or print $@; print $. // "undef"',
        "x\nundef"],
    'die, object'    => ['eval { for_chunks { die { n => $. } if $. == 40 } @small; 1 } or print $@->{n}', 40],
    'die, large'     => ['for (1 .. 3) { eval { for_chunks { die $. if $. == 40 } @large; 1 } or print $@ =~ /^40 / }',
        '111'],
    'die, then more' => ['for (1 .. 3) { eval { for_chunks { $n++; die if $. == 4 } @small }; } print $n', 15],
    'croak'          =>
    ["use Carp; eval { for_chunks { croak 'x' if \$. == 4 } \@small };\nprint \$@ =~ /^x at -e line 2\\.\$/ ? 1 : \$@",
    1],
    'last'           =>
    ['for (1 .. 2) { no warnings; for_chunks { last if $. == 3 } @small; $n = 1 } print defined $n ? 1 : 0, $. // '
    . '"undef"', '0undef'],
    'last LABEL'     =>
    ['no warnings; OUT: for my $i (1 .. 2) { for (1 .. 2) { for_chunks { $n++; last OUT if $. == 3 } @large } } '
    . 'print $n; END { print "end" }', '4end'],
    'next'           => ['no warnings; for (1 .. 3) { for_chunks { $n++; next if $. == 3 } @large } print $n', 12],
    'no loop'        =>
    ['no warnings; eval { for_chunks { last if $. == 3 } @small }; print $@ =~ /^Can.t "last" outside a loop block/ '
    . '? 1 : $@', 1],
    'goto LABEL'     => ['no warnings; for_chunks { goto OUT if $. == 3 } @small; print "no"; OUT: print 1', 1],
    'goto &sub'      => ['sub f { $n++ } for_chunks { goto &f } @small; print $n > 1000 ? 1 : 0', 1],
    'return'         => ['for_chunks { return (1) x 1000 } @small; print 1', 1],
    'exit'           => ['END { print "end" } for_chunks { exit 0 if $. == 3 } @large', 'end'],
    'nested'         =>
    ['for_chunks { if ($. == 3) { my $m = 0; for_chunks { $m++ } @small; print "$. ", $m > 1000, " " } $n++ } '
    . '@small; print $n > 1000', '3 1 1'],
    'nested, other file' =>
    ['for_chunks { if ($_[0] eq "PID_END") { for_chunks { $n++ if $_[0] eq "SRC_LINE" } @large } } @small; print $n',
    2000],
    'recursive'      =>
    ['sub deep { my $d = shift; for_chunks { if ($. == 2) { $n++; deep($d - 1) if $d } } @large } deep(20); print $n',
    21],
    'keeps values'   =>
    ['for_chunks { push @kept, \$_[3] if $_[0] eq "SRC_LINE" } @large; my %s; $s{length $$_}++ for @kept; print '
    . 'scalar @kept, " @{[%s]}"', '2000 1000 2000'],
    'keeps @_'       =>
    ['for_chunks { push @kept, \@_ if $_[0] eq "SRC_LINE" } @large; my %s; $s{"@$_[0, 1]"}++ for @kept; print '
    . 'scalar @kept, " @{[%s]} $kept[7][2]"', '2000 SRC_LINE 1 2000 8'],
    'keeps closures' =>
    ['for_chunks { my $v = \$_[2]; push @kept, sub { $$v } if $_[0] eq "SRC_LINE" } @large; print $kept[7]->()', 8],
    'keeps tags'     => ['for_chunks { push @kept, \$_[0] } @small; print ${$kept[1]}', 'COMMENT'],
    'changes values' =>
    ['for_chunks { $n += $_[2] if $_[0] eq "SRC_LINE"; $_ = "x" for @_[1 .. $#_]; push @_, 5; $_[15] = 4; } @large; '
    . 'print $n', 2001000],
    'changes types'  =>
    ['for_chunks { $n += $_[2] if $_[0] eq "SRC_LINE"; $_[1] = [1]; bless \$_[2]; undef $_[3]; } @large; print $n',
    2001000],
    'ties values'    =>
    ['package T; sub TIESCALAR { bless [] } sub STORE { $main::s++ } sub FETCH { 7 } package main; our $s;
        for_chunks { $n += $_[2] if $_[0] eq "SRC_LINE"; tie $_[2], "T" if $#_ > 1 } @large; print $n, $s // "none"',
        '2001000none'],
    'read-only'      =>
    ['for_chunks { Internals::SvREADONLY($_, 1) for @_; $n += $_[2] if $_[0] eq "SRC_LINE" } @large; print $n',
    2001000],
    'tag stays'      =>
    ['eval { for_chunks { $_[0] = 5 } @small }; print $@ =~ /^Modification of a read-only/; for_chunks { print '
    . '$_[0] if !$. } @small', '1VERSION'],
    'shifts'         =>
    ['for_chunks { my $tag = shift; shift; $n += shift if $tag eq "SRC_LINE"; @_ = () } @large; print $n', 2001000],
    'undef @_'       => ['for_chunks { undef @_; undef *_ if 0; $n++ } @large; print $n', 2005],
    'splices @_'     =>
    ['for_chunks { $n += (splice @_, 1, 2)[1] if $_[0] eq "SRC_LINE"; push @_, shift; @_ = (@_, @_) } @large; print $n',
    2001000],
    'swaps values'   =>
    ['for_chunks { $n += $_[2] if $_[0] eq "SRC_LINE"; @_[1, 2] = @_[2, 1] if $#_ > 1 } @large; print $n', 2001000],
    'replaces @_'    =>
    ['for_chunks { $n += $_[2] if $_[0] eq "SRC_LINE"; local *_ = [7, 8]; shift; $_[0] = 9 } @large; print $n',
    2001000],
    'deletes values' =>
    ['for_chunks { $n += $_[2] if $_[0] eq "SRC_LINE"; delete @_[0 .. 2]; $#_ = 0 } @large; print $n', 2001000],
    'passes @_ on'   =>
    ['sub f { $_[2] .= "x"; push @kept, \@_ if @kept < 2 } for_chunks { $n += $_[2] if $_[0] eq "SRC_LINE"; &f if '
    . '$#_ > 1; f(@_) if $#_ > 1 } @large; print $n', 2001000],
    'XS callback'    =>
    ['use List::Util; &for_chunks(\&List::Util::shuffle, @large); &for_chunks(\&utf8::is_utf8, filename => $0) if '
    . '0; print 1', 1],
    'overloaded'     =>
    ['package O; use overload "&{}" => sub { sub { $main::n++ } }; package main; &for_chunks(bless([], "O"), '
    . '@large); print $n', 2005],
    'blessed'        =>
    ['&for_chunks(bless(sub { $n++ }), @large); &for_chunks(bless({ PID_END => bless sub { print "end" } }), '
    . '@large); print $n', 'end2005'],
    'lvalue sub'     => ['my $v; sub lv : lvalue { $n++; $v } &for_chunks(\&lv, @large); print $n', 2005],
    'autoloaded'     => ['sub AUTOLOAD { $n++ } &for_chunks(\&no_such, @large); print $n', 2005],
    'undefined'      =>
    ['eval { &for_chunks(\&no_such, @large) }; print $@ =~ /^Undefined subroutine &main::no_such called/', 1],
    'redefined'      => ['no warnings; sub f { $n++; *f = sub { } } &for_chunks(\&f, @large); print $n', 2005],
    'undefines itself' =>
    ['no warnings; sub f { $n++; undef &f if $. == 3 } eval { &for_chunks(\&f, @large) }; print "$n $@"', qr/^4 /],
    'file goes away' =>
    ['link $large, "$large.gone"; for_chunks { unlink "$large.gone"; $n++ } filename => "$large.gone", quiet => 1; '
    . 'print $n', 2005],
    'handle goes away' =>
    ['open my $f, "<", $small; my $l = <$f>; for_chunks { undef $f if $. == 2 } @small; print $. // "undef"', 'undef'],
    'reads handles'  =>
    ['open my $f, "<", $small; my $l = <$f>; for_chunks { $l = <$f> if $. < 9; $n = $. if !defined $n } @small; '
    . 'print "$n $."', '2 10'],
    'changes $.'     => ['for_chunks { $. = 1000; $n++ } @small; print $. // "undef"', 'undef'],
    'local $.'       => ['for_chunks { local $. = 3; $n++ } @small; print $n > 1000', 1],
    'sort, map'      =>
    ['my @n = sort { my $c = 0; for_chunks { $c++ } @small; $a <=> $b } map { for_chunks { } @small; $_ } 3, 1, 2; '
    . 'print "@n"', '1 2 3'],
    'in a callback in C' =>
    ['use List::Util "first"; print first { my $i = $_; for_chunks { } @small; $i == 2 } 1 .. 3', 2],
    'in DESTROY'     =>
    ['package D; sub DESTROY { main::for_chunks(sub { $main::n++ }, @main::all) } package main; our @all = @large; '
    . '{ my $d = bless [], "D" } print $n', 2005],
    'eval and die'   => ['for_chunks { eval { die { } }; eval q{die}; $n++ } @large; print $n', 2005],
    'signals'        =>
    ['local $SIG{ALRM} = sub { die "alarm\n" }; eval { for_chunks { $n++ == 50 and kill ALRM => $$ } @large; }; '
    . 'print $@, $n', "alarm\n51"],
    'signals, passed over' =>
    ['use Time::HiRes "ualarm"; $SIG{ALRM} = sub { $n++ }; ualarm 20_000, 20_000; &for_chunks({ PID_END => sub { } '
    . '}, @large) until $n; ualarm 0; print $n > 0', 1],
    'forks'          =>
    ['for_chunks { if ($. == 5) { my $pid = fork // die; if (!$pid) { print "child "; exit 3 } waitpid $pid, 0; '
    . 'print $? >> 8 } $n++ } @large; print " $n"', 'child 3 2005'],
    'forks, and reads on' =>
    ['for_chunks { if ($. == 5 && !(our $child = fork)) { $n = "child" } elsif ($. == 5) { waitpid $child, 0 } } '
    . '@large; print $. // "parent"; BEGIN { $SIG{__DIE__} = sub { print $_[0] =~ /^a profile cannot be read on in '
    . 'a process that was forked meanwhile/ ? "no " : $_[0]; exit 0 } }', 'no parent'],
    'forks, and reads anew' =>
    ['for_chunks { if ($. == 5 && !(my $child = fork)) { my $m; for_chunks { $m++ } @large; print $m; exit 0 } '
    . 'elsif ($. == 5) { waitpid $child, 0 } } @large; print " end"', '2005 end'],
    'debugger'       => ['for_chunks { $n++ } @small; print $n > 1000', 1],
);
$PROGRAMS{threads} =
    ['use threads; for_chunks { push @kept, threads->create(sub { my $m = 0; for_chunks { $m++ } @large; $m }) if '
    . '$. == 5; $n++ } @large; print "$n ", $kept[0]->join', '2005 2005']
    if $Config{useithreads};

for my $name (sort keys %PROGRAMS) {
    my ($program, $prints) = @{ $PROGRAMS{$name} };
    my %ways = (
        plain => sub { run([command('ours'), @_],
            env => { PERL5LIB => undef, PERL5OPT => undef, PERL_DESTRUCT_LEVEL => 2 }) },
        'our collector' => sub { profiled('ours', [@_]) },
        'perl -d'       =>
        sub { run([command('ours'), '-d', @_],
            env => { PERL5LIB => undef, PERL5DB => '{ package DB; sub DB { } sub sub { &$DB::sub } }' }) },
    );
    delete @ways{'our collector', 'perl -d'} if valgrind() || $name eq 'croak';
    delete $ways{'perl -d'} if $name eq 'goto &sub';
    for my $way (sort keys %ways) {
        my $got = $ways{$way}->('-we', "$begin $program", $small, $large);
        ref $prints ? like($got->{out}, $prints, "$name: $way") : is($got->{out}, $prints, "$name: $way");
        is($got->{err}, '', "$name: $way: nothing on stderr");
        is($got->{status}, 0, "$name: $way: status") or diag("signal $got->{signal}");
    }
}

# ---- signals ----

# perl dies in a handler when 120 signals are pending. Here that is while the reader waits for bytes of a pipe.
mkfifo("$scratch/pipe", 0600) or die "mkfifo: $!\n";
my $pending =
    run([command('ours'), '-e',
        'use Devel::NYTProf::ReadStream "for_chunks"; use Time::HiRes "ualarm"; my ($large, $pipe) = @ARGV;
    open my $in, "<", $large; read $in, my $bytes, 1_500_000; open my $out, "+<", $pipe;
    if (!fork) { open my $own, ">", $pipe; close $out; syswrite $own, $bytes; exit 0 }
    $SIG{ALRM} = sub { }; ualarm 500, 500; &for_chunks({ PID_END => sub { } }, filename => $pipe, quiet => 1)',
    $large, "$scratch/pipe"]);
like($pending->{err}, qr/^Maximal count of pending signals/,
    'too many signals end a program that reads, and it does not hang');

# ---- a program that reads forever ----

# The memory of the process, in bytes, after that many rounds of callbacks that end well or badly.
my $rounds = 'my ($small, $dir, @rounds) = @ARGV; use Devel::NYTProf::ReadStream "for_chunks"; no warnings;
    open my $cut, ">", "$dir/cut"; print {$cut} substr(do { local (@ARGV, $/) = $small; <> }, 0, 2000); close $cut;
    my $n = 0;
    for my $until (@rounds) {
        while ($n++ < $until) {
            for_chunks { my @v = @_; $_[-1] .= "x" if $#_ } filename => $small, quiet => 1 if $n % 10 == 0;
            &for_chunks({ SUB_CALLERS => sub { push @kept, \@_ } }, filename => $small, quiet => 1); @kept = ();
            eval { for_chunks { die "x" x 1000 if $. == 7 } filename => $small, quiet => 1 };
            eval { for_chunks { } filename => "$dir/cut", quiet => 1 };
            eval { &for_chunks({ NEW_FID => 1, "" => sub { } }, filename => $small, quiet => 1) };
            for (1) { for_chunks { last if $. == 7 } filename => $small, quiet => 1 }
        }
        open my $statm, "<", "/proc/self/statm"; print +(split " ", <$statm>)[1] * 4096, "\n";
    }';
my @rounds = valgrind() ? (2, 11) : exhaustive() ? (1_000, 10_000) : (100, 1_000);
my $grown = run([command('ours'), '-e', $rounds, $small, $scratch, @rounds],
    env => { PERL5LIB => undef, PERL5OPT => undef });
my ($before, $after) = split /\n/, $grown->{out};
is($grown->{err}, '', 'many rounds: nothing on stderr');
cmp_ok($after, '<=', $before + 256 * 1024, "no more memory after $rounds[1] rounds than after $rounds[0]")
    if !$ENV{PRELOAD} && !valgrind(); # the sanitizer keeps what is freed

done_testing();
