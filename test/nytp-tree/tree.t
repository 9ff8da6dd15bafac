# nytp-tree's own tree: screens at several widths, which calls are shown and joined, what the rows add up to, and whose options the others are.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use MadeCalls qw(made_calls);
use MadeMemory qw(made_memory);
use NYTPTest qw(build_dir run scratch_dir spew);
use ProfileBytes qw(profile_bytes);
use Screens qw(screen screens_stay);
use Test::More;

my ($bin, $dir) = (build_dir() . '/bin', scratch_dir());

# Chains, forks within forks, a recursive sub, and many small calls.
my $price = ['Shop::Catalogue::Search::Index::price_of_item_by_identifier', 40, 0.002, ['DBI::st::execute', 2, 0.003]];
made_calls("$dir/shop.out", ['main::run', 1, 0.001, ['Shop::Server::handle', 1, 0.002, ['Shop::Server::dispatch', 10, 0.004,
    ['Shop::Catalogue::Search::words', 3, 0.004, ['Shop::Text::__ANON__[/home/me/shop/lib/Shop/Text.pm:65]', 5, 0.001]],
    ['Shop::Catalogue::Search::find', 1, 0.001, $price]],
    map { ["Shop::Page::part_$_", 1, 0.001] } 1 .. 40]], ['main::fib', 1, 0.01, ['main::fib', 2, 0.1, ['main::fib', 2, 0.05]]]);

sub tree {
    my (@arguments) = @_;
    my $got = run(["$bin/nytp-tree", @arguments, 'shop.out'], dir => $dir);
    is("$got->{status} $got->{err}", '0 ', "nytp-tree @arguments");
    return $got->{out};
}

for my $form (['tree'], ['to', '--to=DBI::st::execute'], ['from', '--from=Shop::Catalogue::Search::find']) {
    my ($name, @arguments) = @$form;
    my $command = "nytp-tree --color=never @arguments shop.out";
    my %shown = (pipe => tree(@arguments), ascii => screen(80, $dir, $command, LC_ALL => 'C'),
        map { $_ => screen($_, $dir, $command) } 40, 80, 120);
    s/^! .*\n(?:  \S.*\n)*//gm for values %shown; # findings have tests of their own
    screens_stay('nytp-tree', $name, \%shown);
    unlike($shown{ascii}, qr/[^\x00-\x7E]/, "$name: in ASCII where the locale has nothing else");
}

sub rows_of { return map { my ($share, $name) = /^ *([\d.]+) .*  (\S.*)$/; defined $name ? [$share, $name] : () } grep { !/%/ } split /\n/, $_[0] }

subtest 'which calls are shown' => sub {
    my @all = rows_of(tree('--rows=0'));
    my @some = rows_of(tree());
    cmp_ok(scalar @some, '<=', 25, '25 rows');
    cmp_ok(scalar @all, '>', 40, 'all of them');
    is(scalar(rows_of(tree('-n', 3))), 3, '-n 3');
    like(tree('-n', 3), qr/^\d+ calls below [\d.]+ % not shown: --rows=0$/m, 'what is hidden is said');
    like(tree('-n', 1), qr/^\d+ calls below 100\.0 % not shown: --rows=0$/m, '... and what is hidden is less than the root');
    unlike(tree('--rows=0'), qr/not shown/, '... if anything is');
    is_deeply([grep { $_->[0] < 10 } rows_of(tree('--min=10'))], [], '--min');
    like(tree('--min=10'), qr/not shown: --rows=0 --min=0$/m, '... is said, too');
    is(scalar(rows_of(tree('--depth=1'))), 3, '--depth=1: the root, and what it calls');
    my ($first) = @some;
    is($first->[0], '100.0', 'the root has all');
};

subtest 'a terminal has colours' => sub {
    my $text = screen(80, $dir, 'nytp-tree shop.out', NO_COLOR => undef);
    like($text, qr/^\e\[1;31m100\.0\e\[0m /m, 'much');
    unlike($text =~ s/^ *\e\[[\d;]+m[\d.]+\e\[0m//gmr, qr/\e/, 'of shares alone');
    unlike(tree(), qr/\e/, 'a pipe has none');
    like(tree('--color'), qr/\e/, '--color');
};

subtest 'one number for one thing' => sub {
    my %share = map { (reverse @$_)[0, 1] } rows_of(tree('--from=DBI::st::execute'));
    my ($row) = grep { /^[^!].*DBI::st::execute/ } split /\n/, run(["$bin/nytp-table", '--by=subs', "$dir/shop.out"])->{out};
    is($share{'DBI::st::execute'}, (split ' ', $row)[0], 'the share of nytp-table');
    my ($all) = tree('--to=DBI::st::execute') =~ /^ *([\d.]+) .* DBI::st::execute/m;
    is($all, $share{'DBI::st::execute'}, '... also with callers');
};

subtest '--focus and --ignore' => sub {
    my $focus = tree('--focus=execute', '--rows=0');
    like($focus, qr/^ *58\.9 +2\.40 s .* main::RUNTIME › /m, 'what leads there has the time of what is there');
    is_deeply([grep { /words|part_|fib/ } map { $_->[1] } rows_of($focus)], [], '... and other calls are left out');
    my $ignore = tree('--ignore=identifier', '--rows=0');
    is_deeply([grep { /identifier|execute/ } map { $_->[1] } rows_of($ignore)], [], 'what matches is left out, with what it calls');
    like($ignore, qr/^ *21\.4 +873 ms .* main::RUNTIME$/m, '... and nothing else');
    like(tree('--focus=execute', '--ignore=words', '--to=DBI::st::execute'), qr/^ 58\.9 +2\.40 s /m, 'with --to');
    my $none = run(["$bin/nytp-tree", '--focus=nothing', 'shop.out'], dir => $dir);
    is("$none->{status} $none->{err}", "1 nytp-tree: no call that takes time matches --focus\n", 'no such call');
    is(run(["$bin/nytp-tree", '--focus=(', 'shop.out'], dir => $dir)->{status}, 2, 'no such expression');
};

subtest 'what is not there' => sub {
    my $got = run(["$bin/nytp-tree", '--to=Shop::Server::handel', "$dir/shop.out"]);
    is("$got->{status} $got->{err}", "1 nytp-tree: no calls of 'Shop::Server::handel': Shop::Server::handle?\n", 'the close name');
    like(tree('--from=main::fib', '--ignore=fib', @$_), qr/^100 % = .*\n(?:!.*\n)*No such call has ${\ (@$_ ? 'time' : 'work: --wait shows what waits')}\.\n\z/m,
        "no rows, but a sentence @$_") for [], ['--wait'];
    is(run(["$bin/nytp-tree", '--to=main::run', '--from=main::run', "$dir/shop.out"])->{status}, 2, 'callers, or what is called');
    like(run(["$bin/nytp-tree", made_memory("$dir/memory.out")])->{out}, qr/^    % +size +self +blocks +sub\n100\.0 /m, 'memory');
};

# BLOCKS, SAMPLES and the ERROR of what subs have: errors of what they call add up as squares.
subtest 'errors of memory' => sub {
    my $site = sub { my ($bytes, $line, $memory) = @_; return [ATTRIBUTE => memory => $memory], [TIME_LINE => $bytes, 1, $line] };
    my $made = sub { spew("$dir/errors.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => unit => 'bytes'], [ATTRIBUTE => memory_of => 'live'], @_,
        [ATTRIBUTE => ticks_per_sec => 1], [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/a.pl'],
        $site->(1000, 9, '1 1 900 strings'), [SUB_ENTRY => 1, 1], $site->(2000, 2, '2 3 400 strings'), $site->(500, 2, '2 3 0 arrays'),
        [SUB_ENTRY => 1, 3], $site->(1500, 4, '2 2 300 strings'), [SUB_RETURN => 2, 1500, 1500, 'main::inner'],
        [SUB_RETURN => 1, 4000, 2500, 'main::outer'], [SUB_ENTRY => 1, 1], $site->(700, 5, '1 4 300 hashes'),
        [SUB_RETURN => 1, 700, 700, 'main::other'], [SUB_INFO => 1, 'main::outer', 1, 3], [SUB_INFO => 1, 'main::inner', 4, 4],
        [SUB_INFO => 1, 'main::other', 5, 5],
        [SUB_CALLERS => 1, 1, 'main::RUNTIME', 4, 4000, 2500, 0, 0, 'main::outer'], [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 700, 700, 0, 0, 'main::other'],
        [SUB_CALLERS => 1, 3, 'main::outer', 2, 1500, 1500, 0, 0, 'main::inner'], [PID_END => 7, 2.5])) };
    $made->();
    my $errors = sub { my $got = run(["$bin/nytp-tree", @_, "$dir/errors.out"]); is($got->{err}, '', "@_");
        return { map { /^ *[\d.]+ +\S+ [KM]?i?B {1,6}(few|\S+ B)? .*?(\w+)$/ ? ($2 => $1) : () } split /\n/, $got->{out} } };
    is_deeply($errors->(), { RUNTIME => undef, outer => '500 B', inner => 'few', other => 'few' }, 'the whole is counted, and fewer than five samples say little')
        or diag run(["$bin/nytp-tree", "$dir/errors.out"])->{out};
    is_deeply($errors->('--from=main::outer'), { outer => '500 B', inner => 'few' }, 'below a sub');
    is_deeply($errors->('--to=main::inner'), { inner => 'few', outer => 'few' }, 'callers have the errors of what they called');
    is_deeply($errors->('--ignore=inner'), { RUNTIME => undef, outer => '400 B', other => 'few' }, 'without a sub');
    is_deeply($errors->('--focus=outer'), { outer => '500 B', inner => 'few' }, 'a part of the whole has one');
    $made->([ATTRIBUTE => sampled_sum => 1000]);
    is($errors->()->{outer}, '470 B', 'a sum that was counted makes them smaller, by what is left out, too');
    $made->([ATTRIBUTE => sampled_sum => 'counted']);
    is($errors->()->{outer}, '442 B', '... or by the lines alone');
    is($errors->('--span=main::outer', '--from=main::outer')->{outer}, '500 B', '... but it is not that of a span');
};

subtest 'what is of dprofpp' => sub {
    for my $options (['-S'], ['-T'], ['-t'], ['-O', 3], ['-l'], ['--table'], ['--json'], ['--callers=main::fib'], ['--min=5', '-S'], ['--unit=ms', '-d', '-S'],
        ['--columns=p50']) {
        my ($here, $there) = map { run(["$bin/$_", @$options, 'shop.out'], dir => $dir) } 'nytp-tree', 'nytp-dprofpp';
        is("$here->{status} $here->{out}$here->{err}", "0 $there->{out}", "@$options");
    }
    like(run(["$bin/nytp-dprofpp", 'shop.out'], dir => $dir)->{out}, qr/^%Time ExclSec /m, 'nytp-dprofpp prints the table');
    is(run(["$bin/nytp-tree", '--dprofpp', 'shop.out'], dir => $dir)->{out}, run(["$bin/nytp-dprofpp", 'shop.out'], dir => $dir)->{out}, '--dprofpp');
    symlink "$bin/nytp-dprofpp", "$dir/dprofpp" or die;
    is(run(["$dir/dprofpp", 'shop.out'], dir => $dir)->{out}, run(["$bin/nytp-dprofpp", 'shop.out'], dir => $dir)->{out}, 'called as dprofpp');
    is(tree('--format=json', '--to=main::fib', '--work'), tree('--json', '--callers=main::fib', '--work'), '--format=json');
    like(run(["$bin/nytp-tree", '--format=json', $_, 'shop.out'], dir => $dir)->{err}, qr/\Anytp-tree: --[a-z]+ has no effect in JSON,/, "... which is not $_") for '--focus=fib', '--rows=3', '--wait';
    my $wrong = run(["$bin/nytp-tree", '--nothing', 'shop.out'], dir => $dir);
    is("$wrong->{status} $wrong->{err}", "2 nytp-tree: unrecognized option '--nothing'\nTry 'nytp-tree --help'.\n", 'neither has it');
};

done_testing();
