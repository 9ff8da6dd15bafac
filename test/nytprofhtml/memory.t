# The report of a profile of memory in Chromium: bytes and blocks in all views, no words of time, kinds, and compiled code
# by file. Skipped where there is no chromium. test/all-programs/memory.t compares the numbers with those of nytp-tree.

use strict;
use warnings;
use utf8;

use FindBin;
use lib "$FindBin::Bin/../lib";

use MadeMemory qw(made_memory);
use NYTPTest qw(scratch_dir valgrind);
use ReportBrowser qw(browse menu csv go page_of quiet shown text_of);
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck' if valgrind();

my $dir = scratch_dir();
browse(my $browser = WebDriver->new, $dir);
my $live = made_memory("$dir/live.shop.out", source => 1);
ok(shown(page_of(memory => $live)), 'the page begins');

sub number_of_sub { return $browser->run('return report.profile.subs.name.indexOf(arguments[0])', $_[0]) }

# What is shown, with what is folded, and what is said of what is hovered for.
sub shown_text {
    return $browser->run(<<'JS');
        const view = document.getElementById('view');
        view.querySelectorAll('details:not(:has(.settings))').forEach(one => { one.open = true; });
        return [view.innerText, ...[...view.querySelectorAll('[title], [aria-label], [placeholder]')].filter(one => one.offsetParent)
            .map(one => [one.title, one.getAttribute('aria-label'), one.placeholder].join(' '))].join('\n');
JS
}

my $of_time =
    qr/\btimes?\b|\bseconds?\b|\d\s(?:m|\x{b5})?s\b|\bstatements\b|\d calls?\b|^(?:Calls|Runs|Per call)$|\bspent\b|\bwait/im;

subtest 'words' => sub {
    my $sub = number_of_sub('Shop::again');
    for my $size ([1600, 1000], [390, 844], [800, 600]) {
        $browser->size(@$size);
        for my $hash ('#/', '#/subs', '#/subs?group=package', '#/subs?unused=1', "#/sub/$sub", '#/flame',
            '#/flame?way=callees', '#/flame?by=calls', '#/files', '#/file/0', '#/file/0?level=sub', '#/file/1', '#/map',
            '#/modules', '#/kinds', '#/kinds/strings', '#/labels',
            '#/label/span:GET%20/x') {
            go($hash, '#view h1');
            cmp_ok($browser->run('return document.documentElement.scrollWidth'), '<=', $size->[0],
                "$hash: no sideways scrolling at $size->[0] pixels");
            next if $size->[0] < 1600;
            unlike(shown_text(), $of_time, "$hash: no words of time");
        }
    }
    $browser->size(1600, 1000);
    is_deeply($browser->run('return [...document.querySelectorAll("#views a")].map(one => one.textContent)'),
        ['Overview', 'Requests 40', 'Queries', 'Flame graph', 'Kinds', 'Subs', 'Files', 'Start-up'],
        'there is no time line');
    like(text_of('#help'), qr/next unit: automatic, GiB, MiB, KiB, B, %/, 'the units, in the list of keys');
    unlike(text_of('#help'), qr/time line/, '... which has none of a time line');
    quiet('words');
};

subtest 'numbers' => sub {
    go('#/', '#top-subs');
    is(text_of('#lede'), '10.0 MiB of live memory, 1,797 blocks; peak of the process: 11.0 MiB.', 'the first sentence');
    is_deeply($browser->run('return [...document.querySelectorAll("#findings li")].map(one => one.textContent)'),
        ['40 % compiled code of 1 file: lib/Big.pm (4.00 MiB): 4.00 MiB', '30 % Shop::keep has 40 blocks, the largest part strings: 3.00 MiB'],
        'what stands out');
    is_deeply($browser->run('return [...document.querySelectorAll("#findings a")].map(one => one.getAttribute("href"))'),
        ['#/kinds/code', '#/sub/Shop::keep'], '... with links');
    like(text_of('#hot'), qr/Subs by own memory.*Self, MiBIncl\., MiBBlocksSub/s, 'the heads of the first table');
    go('#/subs', '.data-table tbody tr');
    my %sub = map { $_->{Sub} => [@$_{'Self (B)', 'Incl. (B)', 'Blocks'}] } csv();
    is_deeply(\%sub, {
        'main::BEGIN@1' => [4 * 2**20, 4 * 2**20, 1000],
        'NYTProf::span GET /x' => [0, 3 * 2**20, 40],
        'Shop::keep'    => [3 * 2**20, 3 * 2**20, 40],
        'Shop::again'   => [2 * 2**20, 2 * 2**20, 500],
    },
        'subs: bytes, and blocks that count once for a sub that calls itself');
    go('#/subs?q=incl%3E%3D3MiB', '.data-table tbody tr');
    is_deeply([sort map { $_->{Sub} } csv()], ['NYTProf::span GET /x', 'Shop::keep', 'main::BEGIN@1'],
        'a filter with a unit of memory');
    go('#/subs?q=incl%3E3ms', '.wrong');
    like(text_of('.wrong'), qr/such as 5000, 20KiB, 3MiB or 1%/, '... and not with one of time');
    go('#/subs?group=package', '.data-table tbody tr');
    is_deeply({ map { $_->{Package} => $_->{Blocks} } csv() }, { Shop => 540, main => 1000, NYTProf => 0 }, 'packages have own blocks');
    go('#/files', '.data-table tbody tr');
    is_deeply({ map { $_->{File} => [@$_{'Self (B)', 'Blocks', 'Compiled code (B)'}] } csv() }, {
        '/srv/lib/Big.pm' => [4 * 2**20, 1000, 4 * 2**20],
        '/srv/shop.pl'    => [6 * 2**20, 797, 0],
    },
        'files, with their compiled code');
    go('#/flame?by=calls', '.flame canvas');
    like(text_of('.details'), qr/^all · 1,797 blocks below and here/, 'the flame graph by blocks has those outside of subs, too');
    go('#/labels', '.data-table tbody tr');
    is_deeply([map { [@$_{'Request', 'Size (B)', 'Self (B)', 'Blocks'}] } csv()], [['GET /x', 3 * 2**20, 0, 40]],
        'requests: which one keeps memory');
    go('#/modules', 'table.loads tbody tr');
    like(text_of('#stage'), qr/Start-up has 4\.00\sMiB, 40\.0\s% of all memory/, 'modules: what loading them allocated');
    quiet('numbers');
};

subtest 'kinds' => sub {
    go('#/kinds', '.data-table tbody tr');
    is_deeply({ map { $_->{Kind} => [@$_{'Size (B)', 'Blocks', 'Subs'}] } csv() }, {
        code          => [4 * 2**20, 1000, 1],
        strings       => [3 * 2**20, 40,   1],
        hashes        => [2 * 2**20, 500,  1],
        'value heads' => [2**20,     257,  1],
    },
        'all kinds');
    like(text_of('#stage'), qr/arenas/, 'with what arenas do to the numbers');
    like(text_of('#stage'), qr/Heads of values.*80\.0\s%1,200strings20\.0\s%300\s*arrays/s, 'and how many values there are');
    $browser->click('.data-table tbody a');
    ok($browser->wait_for('document.querySelector("#stage h1")?.textContent === "Code"'), 'a click opens a kind');
    like(text_of('#stage'), qr/Subs.*main::BEGIN\@1.*Files.*Big\.pm/s, '... with its subs and files');
    go('#/kinds/value%20heads', '#stage h1');
    like(text_of('#stage'), qr/main::RUNTIME \(outside of subs\)/, 'what is outside of subs');
    go('#/kinds/nothing', '.empty');
    like(text_of('.empty'), qr/named nothing/, 'a kind that is not there');
    go('#/kinds?out=pkg:Shop', '.data-table tbody tr');
    is_deeply({ map { $_->{Kind} => $_->{'Size (B)'} } csv() }, { code => 4 * 2**20, 'value heads' => 2**20 },
        'without the subs that are left out');
    go('#/?out=pkg:Shop', '#chosen strong');
    is(text_of('#chosen'), "5.00\xa0MiB of 10.0\xa0MiB, 1,257 blocks.", 'bytes and blocks of what is left');
    my $sub = number_of_sub('Shop::keep');
    go("#/sub/$sub", '#stage h1');
    like(text_of('#stage'), qr/Kinds of its own memory.*100\.0\s%3\.0040strings/s, 'kinds of a sub');
    go('#/file/0', '.source tbody tr');
    like(text_of('#stage'), qr/Kinds.*strings.*hashes.*value heads/s, 'kinds of a file');
    quiet('kinds');
};

subtest 'units' => sub {
    go('#/kinds', '.data-table tbody tr');
    is_deeply([map { /^Unit (.*)/ } @{ menu() }], ['auto', 'GiB', 'MiB', 'KiB', 'B', '% of all memory'], 'the units');
    for my $case (['u', 'GiB', '0.00'], ['uu', 'MiB', '4.00'], ['uuu', 'KiB', '4,096.0'], ['uuuu', 'B', '4,194,304'],
        ['uuuuu', '%', '40.00']) {
        my ($keys, $unit, $code) = @$case;
        $browser->keys('u');
        ok($browser->wait_for("document.querySelector('.data-table th').textContent.startsWith('Size, $unit')"),
            "$keys: $unit");
        is($browser->run('return document.querySelector(".data-table tbody td").textContent'), $code, '... the number');
    }
    $browser->keys('u');
    quiet('units');
};

subtest 'a comparison' => sub {
    my $old = made_memory("$dir/old.shop.out"), my $new = made_memory("$dir/new.shop.out", times => 2);
    ok(shown(page_of(compared => $new, '--diff', $old)), 'the page begins');
    like(text_of('#overview'), qr/Compared with .*old\.shop\.out: 10\.0 MiB → 20\.0 MiB, \+100\.0 %/, 'in bytes');
    go('#/subs', '.data-table tbody tr');
    my ($keep) = grep { $_->{Sub} eq 'Shop::keep' } csv();
    is_deeply([@$keep{'Self old (B)', 'Self new (B)', 'Blocks old', 'Blocks new'}], [3 * 2**20, 6 * 2**20, 40, 40],
        'subs: old and new bytes and blocks');
    for my $hash ('#/', '#/flame', '#/files', '#/file/0', '#/map', '#/modules', '#/kinds') {
        go($hash, '#view h1');
        unlike(shown_text(), $of_time, "$hash: no words of time");
    }
    quiet('a comparison');
};

$browser->quit;
done_testing();
