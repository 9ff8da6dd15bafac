# heap_holders=1: the variables that hold memory. Programs of which is known what holds how much; and that walking over values
# changes nothing.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(collector need_collector profiled);
use MemoryProfile qw(memory_view);
use NYTPTest qw(build_dir run sanitized spew valgrind);
use Test::More;

need_collector();
plan skip_all => 'sanitizers and memcheck have a malloc() of their own' if sanitized() || valgrind();

# Runs a program with nearly each block of some hundred bytes as a sample. Returns the bytes of each holder at the moment.
sub held {
    my ($name, $code, %run) = @_;
    my $got = profiled(collector(), ['program.pl'], prepare => sub { spew("$_[0]/program.pl", $code) },
        options => { heap => 4096, heap_holders => 1, %{ $run{options} // {} } }, env => { NYTPROF_TEST_HEAP => '64,1' });
    is $got->{status}, 0, "$name: ends well" or diag "signal $got->{signal}: $got->{err}";
    is $got->{err}, '', "$name: silent";
    my %bytes;
    my $view = memory_view("$got->{profiles}/nytprof.out", $run{view} // 'held') // return;
    $bytes{ $_->{stack}[-1] // '' } += $_->{bytes} for @{ $view->{sites} };
    return (\%bytes, $got);
}

sub near {
    my ($bytes, $holder, $want) = @_;
    my $got = $bytes->{$holder} // 0;
    $holder =~ s/([^ -~])/sprintf '\x{%x}', ord $1/ge;
    return ok(abs($got - $want) <= 0.1 * $want, sprintf '%s: %.0f bytes, and %.0f is true', $holder, $got, $want);
}

# Strings of 1,000 bytes take blocks of 1,008, and so on (glibc).
my $text = '"x" x $main::length';
my ($bytes) = held('ways to hold', <<"END");
use strict; use Scalar::Util 'weaken';
my (\@list, %few, %many, \$object, \@weak, \$cut, \$tied, \@nested);
our (\@deep, \$length); \$length = 1000;
\@list = map { $text } 1 .. 100;
%few = (name => $text, other => [map { $text } 1 .. 100]);
%many = map { \$_ => $text } 1 .. 100;
\$object = bless { rows => [map { { text => $text } } 1 .. 100] }, 'Rows';
%Foo::Bar = map { \$_ => { in => $text } } 1 .. 100;
{ my \@closed = map { $text } 1 .. 100; sub closure { scalar \@closed } }
sub state_of { use feature 'state'; state \$kept = [map { $text } 1 .. 100]; return scalar \@\$kept } state_of();
weaken(\$weak[\$_] = \\\$list[\$_]) for 0 .. 99;
\$cut = "y" x (150 * \$length); substr \$cut, 0, 3, '';
package Tied { sub TIEARRAY { bless [map { $text } 1 .. 100] } sub FETCH { \$_[0][\$_[1]] } sub FETCHSIZE { scalar \@{\$_[0]} } }
tie my \@tie, 'Tied';
\@nested = map { [map { $text } 1 .. 10] } 1 .. 10;
sub cycle { my \$x = { data => $text }; \$x->{self} = \$x; return } cycle() for 1 .. 1000;
my \$chain; \$chain = { next => \$chain, text => $text } for 1 .. 100;
my \$deep = \$deep[0] = []; for (1 .. 100) { push \@\$deep, $text, []; \$deep = \$deep->[-1] }
my \@subs = map { my \$captured = $text; sub { \$captured } } 1 .. 100;
{ no strict 'refs'; open my \$handle, '<', \$0; \${*\$handle} = "z" x (100 * \$length); push \@list, \$handle }
sub recurses { my (\$n) = \@_; my \$own = $text; \$n ? recurses(\$n - 1) : DB::heap_snapshot('deep') } recurses(50);
DB::heap_snapshot('now'); 1;
END
my $block = 1008;
near($bytes, 'my @list[*]', 100 * $block + 100_016);
near($bytes, 'my %few{other}[*]', 100 * $block);
near($bytes, 'my %few{name}', $block);
near($bytes, 'my %many{*}', 100 * $block);
near($bytes, 'my $object{rows}[*]{text}', 100 * $block);
near($bytes, '%Foo::Bar{*}{in}', 100 * $block);
near($bytes, 'my @closed of main::closure[*]', 100 * $block);
near($bytes, 'my $kept of main::state_of[*]', 100 * $block);
near($bytes, 'my $cut', 150_016);
near($bytes, 'my @tie[*]', 100 * $block);
near($bytes, 'my @nested[*][*]', 100 * $block);
near($bytes, 'my $chain{text}', $block);
near($bytes, 'my $chain{next}{text}', 99 * $block);
near($bytes, (grep { /^my \$captured of main::__ANON__\[/ } keys %$bytes)[0], 100 * $block);
near($bytes, '(held by no variable)', 1000 * $block + 1000 * 88);
ok !(grep { /\@weak\[/ } keys %$bytes), 'a weak reference holds nothing';
cmp_ok((grep { /^\@main::deep/ } keys %$bytes), '<', 20, 'a list of lists has few holders');

my ($named, $got) = held('a moment', 'our @kept; our $l = 3000; push @kept, "k" x $l for 1 .. 100; DB::heap_snapshot("full"); @kept = (); my $n = "end" x $l; 1', view => 'held=full');
near($named, '@main::kept[*]', 100 * 3008);
is $named->{'my $n'}, undef, 'and not what came later';
my $stacks = run([build_dir() . '/bin/nytprofcalls', '--memory=held', "$got->{profiles}/nytprof.out"])->{out};
like $stacks, qr/^my \$n \d+$/m, 'nytprofcalls shows what is held at the end';
unlike $stacks, qr/main::kept\[/, '... without what is not any more';
my $none = run([build_dir() . '/bin/nytprofcalls', '--memory=held=never', "$got->{profiles}/nytprof.out"]);
is "$none->{status} $none->{out}", '1 ', 'a moment that never was is an error';
like $none->{err}, qr/does not say who held memory at that moment: heap_holders=1 records it/, '... which says how';

# An element of a tied hash that is an argument, what two variables share, and keys of all kinds.
($bytes, $got) = held('hard to walk', <<'END', view => 'held=hard');
use strict; no warnings;
package Hash { require Tie::Hash; our @ISA = 'Tie::StdHash' }
our ($length, @first, %later, %odd) = 3000; tie my %tied, 'Hash'; $tied{$_} = $_ x $length for 'a', 'b';
$first[0] = 's' x (3 * $length); $later{$_} = [$first[0]] for 1 .. 100;
%odd = ("a\nb\0" => 'o' x $length, "\x{100}" => 'p' x $length, "\xff" => 'q' x $length, '' => 'r' x $length, chr(0xd800) => 1);
our @freed = map { $_ x $length } 1 .. 5;
sub snap { undef @freed; DB::heap_snapshot('hard') } snap($tied{a}, substr($tied{b}, 1, 3), @freed);
1;
END
near($bytes, 'my %tied{a}', 3008);
near($bytes, '@main::first[*]', 9008);
near($bytes, "%main::odd{$_}", 3008) for 'a?b?', "\x{100}", '?', '';
my $early = run([build_dir() . '/bin/nytprofcalls', qw(--memory=held --range=..0.000001s), "$got->{profiles}/nytprof.out"]);
is "$early->{status} $early->{out}", '1 ', 'a moment without a walk has no holders';

# What the walk lacks memory for is not said.
my $full = profiled(collector(), ['program.pl'], prepare => sub { spew("$_[0]/program.pl", <<'END') }, options => { heap => 1, heap_holders => 1 },
our @all = map { [$_] } 1 .. 700_000; DB::heap_snapshot('full'); @all = (); DB::heap_snapshot('empty'); print "done\n";
END
    under => ['prlimit', '--as=' . (200 << 20)]);
is "$full->{status} $full->{out}", "0 done\n", 'a program goes on if there is no memory for a walk' or diag $full->{err};
isnt run([build_dir() . '/bin/nytprofcalls', '--memory=held=full', "$full->{profiles}/nytprof.out"])->{status}, 0, '... which is not half there';

my ($bare) = held('without the option', 'our @kept = map { "k$_" x 3000 } 1 .. 100; 1', options => { heap_holders => 0 });
is $bare, undef, 'holders are recorded on demand';

done_testing();
