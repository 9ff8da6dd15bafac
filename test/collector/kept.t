# Values that calls leave behind: exact numbers, however calls begin and end, without heap=.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(collector need_collector optional_module profiled tool);
use Config;
use NYTPTest qw(run scratch_dir spew);
use ReportPage;
use Test::More;

need_collector();

my $dir = scratch_dir();

# What nytprofcsv says of the subs of a profile, "INCLUSIVE EXCLUSIVE" by name without main::. Cells that are empty are "".
sub kept_of {
    my (@files) = @_;
    my $got = run([tool('nytprofcsv'), '-o', '-', '--table=subs', @files]);
    is "$got->{status} $got->{err}", '0 ', 'the table is written';
    my ($head, @rows) = map { [split /,/, $_, -1] } split /\r\n/, $got->{out};
    is "@$head[-2, -1]", 'inclusive_kept_values exclusive_kept_values', 'which has the values last';
    my %called = map { $_->[0] => $_->[-1] eq '' ? '-' : $_->[-1] } @rows;
    my $tree   = run([tool('nytp-tree'), qw(--table --no-header --rows=0 --columns=kept), @files]);
    my %shown  = map { /(\S+)  (\S+)$/ ? ($2 => $1) : () } split /\n/, $tree->{out};
    is_deeply \%shown, { map { $_ => $called{$_} } keys %shown }, 'nytp-tree has the same of the subs themselves';
    ok %shown, '... of some';
    return map { ($_->[0] =~ s/^main:://r => "@$_[-2, -1]") } @rows;
}

my $runs = 0;

# Profiles a program. Returns what its calls kept, and its profiles.
sub kept {
    my ($name, $code, %options) = @_;
    my $got = profiled(collector(), ['program.pl'], prepare => sub { spew("$_[0]/program.pl", $code) }, %options);
    is "$got->{status} $got->{err}", '0 ', "$name: ends well" or diag $got->{signal};
    my @files = map { my $to = "$dir/" . $runs++; rename $_, $to or die "$_: $!"; $to } sort glob "$got->{profiles}/nytprof.out*";
    return ({ kept_of(@files) }, @files);
}

sub is_kept {
    my ($name, $got, %want) = @_;
    return is_deeply({ map { $_ => $got->{$_} } keys %want }, \%want, $name);
}

# The same up to 7 % and 60 values: perl makes some once for a sub, such as pads of a recursion, or the stacks of a coroutine.
sub is_about {
    my ($name, $got, %want) = @_;
    for my $sub (sort keys %want) {
        my @got = split / /, $got->{$sub} // 'none';
        my @far = grep { my $n = (split / /, $want{$sub})[$_]; $n ne '?' && abs(($got[$_] // 1e9) - $n) > 60 + 0.07 * abs $n } 0, 1;
        is(scalar @far, 0, "$name: $sub") or diag "@got, and $want{$sub} is true";
    }
    return;
}

# ---- who leaks -------------------------------------------------------------------------------------

# Per call 4, 0 and 1: a hash, its reference and two elements; a string.
my $innocent = <<'END';
use strict;
my (%cache, @log);
sub route_a { my $i = shift; $cache{"k$i"} = { id => $i, body => 'b' x 200 }; return }
sub route_b { my $i = shift; my %t = map { $_ => "v$_" } 1 .. 20; return 0 }
sub route_c { my $i = shift; push @log, "request $i done"; return }
sub serve { my $i = shift; route_a($i); route_b($i); route_c($i); return }
serve($_) for 1 .. 1000;
END
my ($got, $file) = kept('an innocent sub', $innocent);
is_kept('an innocent sub keeps nothing', $got, route_a => '4000 4000', route_b => '0 0', route_c => '1000 1000', serve => '5000 0');

SKIP: {
    skip 'the programs are not built for this perl', 1 if !-x tool('nytprofhtml');
    my $page = run([tool('nytprofhtml'), '-o', '-', $file]);
    my $subs = ReportPage->new($page->{out})->subs;
    is_deeply([map { $subs->{"main::$_"}{kept} } qw(route_a route_b route_c serve)], [4000, 0, 1000, 0], 'the report has the same of the subs themselves');
}

($got) = kept('an arena that was given back', <<'END');
use strict;
my @leak;
sub burst { my @t = map { [$_, $_ + 1] } 1 .. $_[0]; my $n = @t; undef @t; return $n }
sub leak { my $i = shift; push @leak, { id => $i, n => [1, 2] }; return }
burst(20_000);
leak($_) for 1 .. 5000;
END
is_kept('what takes over the values of a burst', $got, burst => '0 0', leak => '35000 35000');

# ---- ways to begin and end a call ------------------------------------------------------------------

my %ways = (
    q{a result is the caller's} => [<<'END', make => '0 0', tree => '2000 2000', take => '0 -2000', drop => '0 0'],
sub make { return "text $_[0]" }
sub tree { return [$_[0]] }
sub take { my $tree = tree($_[0]); return }
sub drop { make(1); return }
take($_), drop() for 1 .. 1000;
END
    'what is freed' => [<<'END', fill => '1000 1000', clear => '-1000 -1000', take => '0 0'],
sub fill { push @kept, 'x' for 1 .. 1000; return }
sub take { my $x = shift @others; push @others, 'y'; return }
sub clear { @kept = (); return }
fill(); clear(); @others = (1 .. 3); take() for 1 .. 1000;
END
    'recursion' => [<<'END', deep => '2000 2000', outer => '2000 0'],
sub deep { my $n = shift; push @kept, 'k'; deep($n - 1) if $n > 1; return }
sub outer { deep(10); return }
outer() for 1 .. 200;
END
    'die' => [<<'END', dies => '? ?', catches => '4000 ?'],
sub dies { push @kept, [1]; die "no\n" }
sub inner { push @kept, 1; dies() }
sub catches { for (1 .. 1000) { eval { inner() } } $@ = ''; return }
$@ = 'some text'; catches();
END
    'last' => [<<'END', leaves => '2000 2000'],
no warnings;
sub leaves { push @kept, \my $x; last }
for (1 .. 1000) { for (1) { leaves() } }
END
    'exit' => [<<'END', leaves => '1000 1000', around => '1000 0'],
sub leaves { push @kept, 1 for 1 .. 1000; exit }
sub around { leaves() }
around();
END
    'called by perl' => [<<'END', order => '0 0', sorts => '0 0', text => '1000 1000', DESTROY => '0 0', FETCH => '1000 1000', drops => '2000 0'],
use overload '""' => \&text;
sub order { return $a <=> $b }
sub sorts { my @sorted = sort order 3, 1, 2; return }
sub text { push @kept, 1; return 'text' }
sub DESTROY { my $self = shift; push @kept, 1; pop @kept; return }
sub TIESCALAR { return bless [] }
sub FETCH { push @kept, 1; return 1 }
sub drops { my $object = bless {}; my $text = "$object"; my $x = $main::tied; return }
tie our $tied, 'main';
sorts(), drops() for 1 .. 1000;
END
    'coroutines' => [<<'END', job => '2000 0', keep => '2000 2000', other => '0 0', yield => '0 0'],
use Coro;
sub keep { push @kept, 1; return }
sub yield { cede; return }
sub job { for (1 .. 1000) { keep(); yield() } return }
sub other { for (1 .. 500) { my @mine = (1) x 100; yield() } return }
$_->join for map { my $sub = $_; async { $sub->() } } \&job, \&job, \&other;
END
    'threads' => [<<'END', keep => '3000 3000'],
use threads;
sub keep { push @kept, 1 for 1 .. 1000; return }
$_->join for map { threads->create(\&keep) } 1 .. 2;
keep();
END
    'forks' => [<<'END', keep => '2000 2000', around => '2000 0'],
sub keep { push @kept, 1 for 1 .. 1000; return }
sub around { my $pid = fork; keep(); $pid ? waitpid $pid, 0 : exit }
around();
END
);
my %needs = (coroutines => ['Coro', 'libcoro-perl']);
for my $name (sort keys %ways) {
    my ($code, %want) = @{ $ways{$name} };
    next if $needs{$name} && !optional_module(@{ $needs{$name} }) || $name eq 'threads' && !$Config{useithreads};
    for my $slow (0, 1) {
        ($got) = kept($name, "use strict; our (\@kept, \@others);\n$code", options => { $slow ? (calls => 2, leave => 0) : () });
        is_about($slow ? "$name, slowly" : $name, $got, %want);
    }
}

($got) = kept('goto', <<'END');
sub to { push @kept, [1]; return }
sub from { push @kept, 1; goto &to }
from() for 1 .. 1000;
END
is_about('goto', $got, from => '1000 1000', to => '3000 3000');

# perl keeps the text of an eval for debuggers
($got) = kept('a string eval', <<'END');
sub evals { my $n = shift; eval 'push @kept, $n; 1' or die; return }
evals($_) for 1 .. 1000;
END
my @evals = split / /, $got->{evals};
ok $evals[0] >= 1000 && $evals[0] == $evals[1], 'a string eval' or diag "@evals";

done_testing();
