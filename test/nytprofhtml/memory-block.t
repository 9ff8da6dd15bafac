# What a report has of the memory of a run with NYTPROF=heap=1: the block of its view, in whatever the report is written to, and
# nothing of it where only a part of the run is shown. test/nytprofhtml/live-memory.t looks at the view.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use List::Util qw(sum0);
use MadeMemory qw(made_memory made_records);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;

my $dir = scratch_dir();

# A profile of time, as the collector writes it with heap=1.
sub made_time {
    my ($path, %option) = @_;
    my $pid = $option{pid} // 7;
    spew($path, profile_bytes([VERSION => 5, 0], [ATTRIBUTE => application => '/srv/shop.pl'],
        [ATTRIBUTE => ticks_per_sec => 1000], $option{alone} ? () : [ATTRIBUTE => heap => 1], $option{holders} ? [ATTRIBUTE => heap_holders => 1] : (),
        [PID_START => $pid, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
        [NEW_FID => 2, 0, 0, 0x12, 0, 0, '/srv/lib/Big.pm'], $option{alone} ? () : made_records($option{walk}), [ATTRIBUTE => heap_mark => '250 half'],
        [SUB_ENTRY => 1, 4], [TIME_LINE => 400, 1, 2], [SUB_RETURN => 1, 400, 400, 'Shop::keep'],
        [SUB_INFO => 1, 'Shop::keep', 2, 2], [SUB_CALLERS => 1, 4, 'main::RUNTIME', 1, 0.4, 0.4, 0, 0, 'Shop::keep'],
        [PID_END => $pid, 2.5]));
    return $path;
}

sub html { return run([build_dir() . '/bin/nytprofhtml', @_]) }
sub files { my ($report) = @_; return join ' ', sort map { s{.*/}{}r } glob "$report/*" }
sub block { my ($page) = @_; return $page =~ /id="memory"/ ? ReportPage->new($page)->block('memory') : undef }
sub bytes_of { my ($parts) = @_; return sum0(@{ $parts->{bytes} }) / 2**20 }

my $profile = made_time("$dir/nytprof.out");
for my $where ("$dir/report", "$dir/one.html", '-') {
    my $got = html('-o', $where, $profile);
    is_deeply([@$got{qw(status err)}], [0, ''], "-o $where: done");
    my $memory = block($where eq '-' ? $got->{out} : slurp(-d $where ? "$where/index.html" : $where));
    is(bytes_of($memory->{peaks}), 20, '... with what was live at the peak');
    is(sum0(map { $memory->{lives}{went}[$_] < 0 ? $memory->{lives}{bytes}[$_] : 0 } 0 .. $#{ $memory->{lives}{went} }) / 2**20, 10, '... and at the end');
    is_deeply($memory->{holders}{place}, [], '... and nobody who holds it');
    is_deeply([map({ $memory->{names}{text}[$_] } @{ $memory->{moments}{name} }), $memory->{moments}{s}], ['half', [0.25]], '... and the moment that has a name');
}
is(files("$dir/report"), 'index.html', 'one page');

made_time("$dir/held.out", holders => 1, walk => 1);
is(html('-o', "$dir/held.html", "$dir/held.out")->{status}, 0, 'heap_holders=1');
my $held = block(slurp("$dir/held.html"));
is_deeply([map { $held->{holders}{bytes}[$_] / 2**20 } grep { $held->{names}{text}[ $held->{holders}{holder}[$_] ] eq 'my @kept' } 0 .. $#{ $held->{holders}{holder} }],
    [3], '... the variable that holds 3 MiB');
made_time("$dir/killed.out", holders => 1);
is(html('-o', "$dir/killed.html", "$dir/killed.out")->{status}, 0, 'a process that was killed');
is_deeply(block(slurp("$dir/killed.html"))->{holders}{place}, [], '... has nobody who holds it');

for my $option ('--no-wait', '--range=0s..1s', '--span=Shop::keep') {
    my $got = html($option, '-o', "$dir/part.html", $profile);
    is_deeply([@$got{qw(status err)}, block(slurp("$dir/part.html"))], [0, '', undef], "$option: memory is not divided so");
}
is(html('-o', "$dir/alone.html", made_time("$dir/alone.out", alone => 1))->{status}, 0, 'a profile without samples of memory');
is(block(slurp("$dir/alone.html")), undef, '... has none');

made_memory("$dir/live.old.out");
for my $memory (["$dir/live.old.out"], ['--memory=live', $profile]) {
    is(html('-o', "$dir/memory.html", @$memory)->{status}, 0, "@$memory: a report of memory alone");
    like(slurp("$dir/memory.html"), qr{<p id="lede" class="lede"><strong>10\.0 MiB</strong> of live memory, 1,797 blocks;}, '... with the same bytes');
}

made_time("$dir/nytprof.out.8", pid => 8);
is(html('-o', "$dir/two.html", $profile, "$dir/nytprof.out.8")->{status}, 0, 'two processes');
my $two = block(slurp("$dir/two.html"));
is_deeply([bytes_of($two->{peaks}), scalar @{ $two->{ends_s} }], [40, 2], '... have what both have');
is(html('--process=8', '-o', "$dir/eight.html", $profile, "$dir/nytprof.out.8")->{status}, 0, 'one of them');
is(bytes_of(block(slurp("$dir/eight.html"))->{peaks}), 20, '... has its own');

done_testing();
