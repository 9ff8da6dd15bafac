package MadeMemory;

# A profile of memory whose numbers are known: a shop that loads a module, keeps a cache, and calls itself.
#
#   use MadeMemory qw(made_memory);
#   my $path = made_memory("$dir/live.shop.out");                                  # live memory of process 7
#   made_memory("$dir/peak.shop.out", of => 'peak', times => 2, pid => 8);         # twice as much of each
#   my @chunks = made_records();     # for a profile of time with heap=1: the same is live; twice as much at the peak; three
#                                    # times as much was allocated. made_records(1): @kept holds what Shop::keep allocated

use strict;
use warnings;

use Exporter qw(import);
use NYTPTest qw(spew);
use ProfileBytes qw(profile_bytes);

our @EXPORT_OK = qw(made_memory made_records);

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

# A number of a record (lib/format/heap.h).
sub _number {
    my ($number) = @_;
    my $text = '';
    for (; $number >= 32; $number >>= 5) { $text .= chr(48 + 32 + ($number & 31)) }
    return $text . chr(48 + $number);
}
sub _signed { my ($number) = @_; return _number($number < 0 ? -2 * $number - 1 : 2 * $number) }
sub _record { my ($kind, $first, @numbers) = @_; return join '', _number($first << 4 | $kind), @numbers }

sub made_records {
    my ($has_holders) = @_;
    my %kind = (alloc => 0, free => 1, node => 4, site => 5, name => 6, totals => 7, begin => 8, walk => 9, holder => 10, held => 11);
    my $mib  = 2**20;
    my @text = ('main::BEGIN@1', 'NYTProf::span GET /x', 'Shop::keep', 'Shop::again', 'value heads', 'code', 'strings', 'hashes');
    my %name = map { $text[$_] => $_ + 1 } 0 .. $#text;
    my @records = (_record($kind{begin}, 0), map { _record($kind{name}, 2 * length, $_) } @text);
    my $node = sub { my ($parent, $sub, $line) = @_; return _record($kind{node}, $parent, map { _number($_) } $name{$sub}, 1, $line) };
    push @records, $node->(0, 'main::BEGIN@1', 1), $node->(0, 'NYTProf::span GET /x', 4), $node->(2, 'Shop::keep', 4),
        $node->(0, 'Shop::again', 5), $node->(4, 'Shop::again', 3);
    my @sites = ([0, 'value heads', 1, 1, 1, 257], [1, 'code', 2, 1, 4, 1000], [3, 'strings', 1, 2, 3, 40], [5, 'hashes', 1, 3, 2, 500]);
    push @records, map { _record($kind{site}, $_->[0], map { _number($_) } $name{ $_->[1] }, @$_[2, 3]) } @sites;
    my ($slots, @mine) = (0);
    my $alloc = sub {
        for my $site (1 .. @sites) {
            my ($bytes, $blocks) = @{ $sites[$site - 1] }[4, 5];
            for my $n (1 .. $blocks) {
                my $size = int($bytes * $mib / $blocks) + ($n == 1 ? $bytes * $mib % $blocks : 0);
                push @records, _record($kind{alloc}, $site, _number($size), _signed(0), _signed($size));
                push @mine, [$slots++, $size];
            }
        }
    };
    my $free = sub {    # LIVE is that before it, so the next record has what went
        my $gone = 0;
        for (@mine) { push @records, _record($kind{free}, $_->[0], _signed(-$gone)); $gone = $_->[1] }
        push @records, _record($kind{totals}, 0, _signed(-$gone));
        ($slots, @mine) = (0);
    };
    $alloc->();
    my $kept = $slots;
    @mine = ();
    for my $given (2, 3) {
        $alloc->();
        my @slots = map { $_->[0] } @mine;
        $free->();
        $records[-1] = _record($kind{totals}, 10 * $given * $mib, substr $records[-1], length _record($kind{totals}, 0));
        $slots = $kept;
    }
    if ($has_holders) {
        my $first = $sites[0][5] + $sites[1][5];
        push @records, _record($kind{name}, 2 * length 'my @kept', 'my @kept'), _record($kind{walk}, 1),
            _record($kind{holder}, 0, _number(@text + 1)), map { _record($kind{held}, $_, _number(1)) } $first .. $first + $sites[2][5] - 1;
    }
    my @pieces = ('');
    for my $record (@records) {
        push @pieces, '' if length $pieces[-1] > 2000;
        $pieces[-1] .= $record;
    }
    return [ATTRIBUTE => heap_file => '1 1'], [ATTRIBUTE => heap_file => '2 2'], map({ [ATTRIBUTE => heap_records => "0 $_"] } @pieces),
        $has_holders ? [ATTRIBUTE => heap_mark => '0 end'] : ();
}

1;
