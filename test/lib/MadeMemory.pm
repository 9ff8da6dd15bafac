package MadeMemory;

# A profile of memory whose numbers are known: a shop that loads a module, keeps a cache, and calls itself.
#
#   use MadeMemory qw(made_memory);
#   my $path = made_memory("$dir/live.shop.out");                                  # live memory of process 7
#   made_memory("$dir/peak.shop.out", of => 'peak', times => 2, pid => 8);         # twice as much of each

use strict;
use warnings;

use Exporter qw(import);
use NYTPTest qw(spew);
use ProfileBytes qw(profile_bytes);

our @EXPORT_OK = qw(made_memory);

# 10 MiB: 4 MiB of compiled code in Big.pm, 3 MiB of strings in Shop::keep within the request GET /x, 2 MiB of hashes in Shop::again, which
# calls itself once, and 1 MiB of value heads outside of subs.
sub made_memory {
    my ($path, %option) = @_;
    my $mib  = 2**20 * ($option{times} // 1);
    my $pid  = $option{pid} // 7;
    my $site = sub { my ($bytes, $fid, $line, $blocks, $kind) = @_;
        return [ATTRIBUTE => memory => "$blocks $kind"], [TIME_LINE => $bytes, $fid, $line] };
    my $arc = sub { my ($line, $caller, $callee, $blocks, $incl, $excl, $reci, $depth, $fid) = @_;
        return [SUB_CALLERS => $fid // 1, $line, $caller, $blocks, map({ $_ * $mib / 2**20 } $incl, $excl, $reci), $depth,
            $callee] };
    spew($path, profile_bytes([VERSION => 5, 0],
        [ATTRIBUTE => application => '/srv/shop.pl'], [ATTRIBUTE => unit => 'bytes'],
        [ATTRIBUTE => memory_of => $option{of} // 'live'], [ATTRIBUTE => sampled_bytes => 65536],
        [ATTRIBUTE => ticks_per_sec => 1048576],
        [PID_START => $pid, 1, $option{start_s} // 1.5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'], [NEW_FID => 2, 0, 0, 0x12, 0, 0, '/srv/lib/Big.pm'],
        $site->($mib, 1, 1, 257, 'value heads'),
        [SUB_ENTRY => 1, 1], $site->(4 * $mib, 2, 1, 1000, 'code'),
        [SUB_RETURN => 1, 4 * $mib, 4 * $mib, 'main::BEGIN@1'],
        [SUB_ENTRY => 1, 4], [SUB_ENTRY => 1, 4], $site->(3 * $mib, 1, 2, 40, 'strings'),
        [SUB_RETURN => 2, 3 * $mib, 3 * $mib, 'Shop::keep'], [SUB_RETURN => 1, 3 * $mib, 0, 'NYTProf::span GET /x'],
        [SUB_ENTRY => 1, 5], [SUB_ENTRY => 1, 3], $site->(2 * $mib, 1, 3, 500, 'hashes'),
        [SUB_RETURN => 2, 2 * $mib, 2 * $mib, 'Shop::again'], [SUB_RETURN => 1, 2 * $mib, 0, 'Shop::again'],
        [SUB_INFO => 1, 'main::BEGIN@1', 1, 1], [SUB_INFO => 1, 'Shop::keep', 2, 2], [SUB_INFO => 1, 'Shop::again', 3, 3],
        $arc->(1, 'main::NULL', 'main::BEGIN@1', 1000, 4, 4, 0, 0),
        $arc->(4, 'main::RUNTIME', 'NYTProf::span GET /x', 40, 3, 0, 0, 0),
        $arc->(4, 'NYTProf::span GET /x', 'Shop::keep', 40, 3, 3, 0, 0),
        $arc->(5, 'main::RUNTIME', 'Shop::again', 500, 2, 0, 0, 0),
        $arc->(3, 'Shop::again', 'Shop::again', 500, 0, 2, 2, 1),
        $option{source}
        ? (map { [SRC_LINE => 1, $_->[0], "$_->[1]\n"] } [1, 'use Big;'], [2, 'sub Shop::keep { push @kept, shift }'],
            [3, 'sub Shop::again { Shop::again() if $n-- }'], [4, 'Shop::keep("x")'], [5, 'Shop::again();'])
        : (),
        [ATTRIBUTE => live_values_arrays => 300 * $mib / 2**20], [ATTRIBUTE => live_values_strings => 1200],
        [ATTRIBUTE => heap_samples => 160], [ATTRIBUTE => peak_bytes => 11 * $mib], [PID_END => $pid, 2.5]));
    return $path;
}

1;
