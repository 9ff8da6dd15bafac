# When something happened, a merged profile says as the profiles of which it was made.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(profiled);
use Config;
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use StockModules;
use Test::More;

use Devel::NYTProf::ReadStream qw(for_chunks);

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();

# The spans of files, as [name, begin, latency].
sub spans {
    my $got = run(["$bin/nytprofcsv", '--table=spans', '-o', '-', @_]);
    is($got->{status}, 0, 'spans') or diag($got->{err});
    my (undef, @rows) = split /\n/, $got->{out};
    return sort { $a->[1] <=> $b->[1] } map { [(split /,/)[0, 2, 3]] } @rows;
}

# The calls of files, as [process and name, begin]. Calls of one name do not change their order.
sub calls {
    my $got = run(["$bin/nytp-trace", '--json', '--depth=100000', '-o', '-', @_]);
    is($got->{status}, 0, 'calls') or diag($got->{err});
    my @calls;
    push @calls, [$1, $2 / 1e6] while $got->{out} =~ /"ph":"B",("pid":\d+,"tid":\d+,"name":"(?:[^"\\]|\\.)*").*"ts":(\d+\.\d+)/g;
    return sort { $a->[0] cmp $b->[0] || $a->[1] <=> $b->[1] } @calls;
}

sub merged {
    my ($name, @files) = @_;
    my $got = run(["$bin/nytprofmerge", '-o', "$scratch/$name", @files]);
    is($got->{status}, 0, $name) or diag($got->{err});
    return "$scratch/$name";
}

# Where the rows of two lists differ by more than so many seconds. Times of day are exact to two ticks, as doubles.
sub moved {
    my ($expected, $got, $most_s) = @_;
    return 'numbers of rows: ' . @$expected . ', ' . @$got if @$expected != @$got;
    my @moved = grep {
        my ($x, $y) = ($expected->[$_], $got->[$_]);
        $x->[0] ne $y->[0] || grep { abs($x->[$_] - $y->[$_]) > $most_s } 1 .. $#$x;
    } 0 .. $#$expected;
    return join "\n", map { "@{ $expected->[$_] } is @{ $got->[$_] }" } @moved > 10 ? @moved[0 .. 9] : @moved;
}

# Asks for spans, and for calls.
sub same_moments {
    my ($name, $merged, @files) = @_;
    is(moved([spans(@files)], [spans($merged)], 5e-7), '', "spans: $name");
    is(moved([calls(@files)], [calls($merged)], 1.5e-7), '', "calls: $name");
    return;
}

# Where statements of evals that are not the first of their place are shown, the subs of the whole file say.
my $evals = <<'END';
use NYTProf::Span;
sub request { my $span = span("GET /$_[0]"); select undef, undef, undef, 0.002; return }
for my $i (1 .. COUNT) { eval "sub f$i { $i } select undef, undef, undef, 0.005; 1" or die $@; request($i) if $i % 3 == 0 }
request("after $_") for 1 .. 3;
END
my @files;
for my $count (0, 1, 2, 12) {
    push @files, profiled('ours', ['-e', $evals =~ s/COUNT/$count/r])->{files}[0];
    same_moments("$count evals", merged("of $count", $files[-1]), $files[-1]);
}
same_moments('several profiles', merged('of all', @files), @files);
same_moments('merged in steps', merged('all in steps', merged('of two', @files[0, 1]), merged('of others', @files[2, 3])), @files);

# A clock of other ticks: what the copy says is earlier and shorter.
my $slow = profiled('ours', ['-e', $evals =~ s/COUNT/4/r], options => { compress => 0 })->{files}[0];
for my $rate (25_000_000, 40_000_000) {
    my $fast = spew("$scratch/fast", slurp($slow) =~ s/ticks_per_sec=\K10000000/$rate/r);
    is(moved([spans($slow, $fast)], [spans(merged("of $rate ticks", $slow, $fast))], 5e-7), '', "$rate ticks a second");
}

my $file = spew("$scratch/in one file", join '', map { slurp($_) } @files);
is(moved([spans($file)], [spans(merged('of one file', $file))], 5e-7), '', 'in one file');

# What a sub is, the profiles of Debian's collector say at their end, and ours before its first call.
same_moments("stock's $_->{name}", merged('of stock', $_->{path}), $_->{path}) for recordings();
my @stock = map { $_->{path} } grep { $_->{name} =~ /\A(?:pod2man|json|evals.*)\z/ } recordings();
same_moments("several of stock's", merged('of stock', @stock), @stock);
for my $program (['-MB::Deparse', '-e', 'print B::Deparse->new->coderef2text(sub { $_[0] + 1 })'],
    ["$FindBin::Bin/../scripts/evals.pl"], ["$FindBin::Bin/../scripts/calls.pl"],
    ['/usr/bin/pod2man', "$Config{privlib}/pod/perlreftut.pod"]) {
    my ($path) = profiled('ours', $program, options => { calls => 2 })->{files}[0];
    same_moments("@$program", merged('of ours', $path), $path);
}

# A profile of ours says what an xsub is before it has returned.
my $xsubs = profiled('ours', ['-MList::Util=sum', '-e', 'sub f { my $x = sum(@_); utf8::upgrade($x); print "" } f($_) for 1 .. 3'],
    options => { start => 'init' })->{files}[0];
my (%is_known, %before);
for_chunks {
    my ($tag, @fields) = @_;
    $is_known{ $fields[3] } = 1 if $tag eq 'SUB_INFO' && $fields[1] > 0;
    $is_known{ $fields[7] } = 1 if $tag eq 'SUB_CALLERS' && $fields[0] == 0;
    $before{ $fields[3] } //= $is_known{ $fields[3] } // 0 if $tag eq 'SUB_RETURN';
} filename => $xsubs, quiet => 1;
is_deeply(\%before, { map { $_ => 1 } qw(List::Util::sum main::CORE:print main::f utf8::upgrade) }, 'xsubs are known');

done_testing();
