# nytp-diff: what changed, how it is shown, and when it fails a build.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env);
use JSON::PP qw(decode_json);
use MadeCalls qw(made_calls);
use MadeRuns qw(made_run);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $ours    = build_dir() . '/bin/nytp-diff';
my $scratch = scratch_dir();

sub diff { return run([$ours, @_], dir => $scratch) }

sub json {
    my $got = diff('--json', @_);
    is($got->{status}, 0, "nytp-diff --json @_") or diag($got->{err});
    return decode_json($got->{out});
}

sub row {
    my ($json, $name) = @_;
    my ($row) = grep { $_->{name} eq $name } @{ $json->{rows} };
    return $row;
}

# Several runs, with seconds that vary a little.
sub runs {
    my ($name, $count, %o) = @_;
    return map {
        my $i     = $_;
        my %calls = map { $_ => [$o{calls}{$_}[0], $o{calls}{$_}[1] * (1 + $i / 100)] } keys %{ $o{calls} };
        made_run("$scratch/$name$i", %o, calls => \%calls);
        "$name$i";
    } 1 .. $count;
}

subtest 'a profile and itself' => sub {
    made_run("$scratch/same", calls => { 'main::f' => [3, 0.25] });
    for my $by (qw(subs lines files packages stacks calls places labels)) {
        my $got = diff("--by=$by", '--fail-over=0', '--fail-calls=0', 'same', 'same');
        is($got->{status}, 0, $by);
        like($got->{out}, qr/^Nothing changed\.$/m, "$by: nothing");
    }
};

subtest 'labels' => sub {
    my $query = sub { ["DBI::st::execute $_[0]", 1, $_[1], ["DBI::st::prepare $_[0]", 1, 0.25]] };
    my @both  = ({ labels => 'sql=DBI::st::execute,sql=DBI::st::prepare' });
    made_calls("$scratch/old", @both, $query->('SELECT 1', 0.5), $query->('SELECT 2', 1));
    made_calls("$scratch/new", @both, ($query->('SELECT 1', 0.5)) x 3, ['NYTProf::span GET /', 1, 0.25]);
    my $json = json('--by=labels', 'old', 'new');
    is_deeply([map { "$_->{name} $_->{presence} @{ $_->{value} }{qw(old new)} @{ $_->{calls} }{qw(old new)}" } @{ $json->{rows} }],
        ['sql: SELECT 1 both 0.75 2.25 1 3', 'sql: SELECT 2 gone 1.25 0 1 0', 'span: GET / new 0 0.25 0 1'],
        'runs and times of the outermost calls');
    is(row(json('--by=labels', '--value=exclusive', 'old', 'new'), 'sql: SELECT 1')->{value}{new}, 2.25, 'of all methods');
    like(diff('--by=labels', 'old', 'new')->{out}, qr/ runs +label$/m, 'the heads of the table');
    made_calls("$scratch/unlabelled", ['DBI::st::execute', 1, 1]);
    my $got = diff('unlabelled', 'new');
    like($got->{err}, qr/one side has labels, the other has none/, 'labels of one side alone');
    unlike($got->{out}, qr/SELECT/, '... are left out');
};

# As many requests on each side, of which one of twenty takes longer in NEW; their queries are as fast as before.
subtest 'requests and queries' => sub {
    my $page = sub { ['NYTProf::span GET /cart', 1, $_[0], ['DBI::st::execute SELECT 1', 2, 0.125]] };
    my @both = ({ labels => 'sql=DBI::st::execute' });
    made_calls("$scratch/old", @both, map { $page->(0.25) } 1 .. 20);
    made_calls("$scratch/new", @both, map { $page->($_ > 18 ? 2 : 0.25) } 1 .. 20);
    my $rows = json('--by=requests,queries', '--value=p95', 'old', 'new')->{rows};
    is_deeply([map { $_->{name} } @$rows], ['span: GET /cart'], 'the request has changed, and the query has not');
    cmp_ok(abs($rows->[0]{value}{old} / 0.5 - 1), '<', 0.04, 'its 95th percentile before');
    cmp_ok(abs($rows->[0]{value}{new} / 2.25 - 1), '<', 0.04, '... and after');
    is(scalar @{ json('--by=queries', '--value=max', 'old', 'new')->{rows} }, 0, 'queries alone');
    is_deeply([map { $_->{name} } @{ json('--by=requests', 'old', 'new')->{rows} }], ['span: GET /cart'], 'requests alone');
    like(diff('--by=requests,subs', 'old', 'new')->{err}, qr/--by=requests,subs: expected subs, .*queries$/m, 'only these two go together');
};

subtest 'values that are kept' => sub {
    my @calls = map { my $kept = $_; [map { ([ATTRIBUTE => kept => $_->[0]], [SUB_CALLERS => 1, 1, 'main::RUNTIME', 10, 0.1, 0.1, 0, 0, $_->[1]]) } @$kept] }
        [['5 5', 'main::f'], ['0 0', 'main::g']], [['5 5', 'main::f'], ['40 40', 'main::g']];
    for my $run (['old', $calls[0]], ['new', $calls[1]], ['silent', [grep { $_->[0] eq 'SUB_CALLERS' } @{ $calls[0] }]]) {
        spew("$scratch/$run->[0]", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 10_000], [PID_START => 7, 1, 1],
            [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'], @{ $run->[1] }, [PID_END => 7, 2]));
    }
    my $json = json('--value=kept', 'old', 'new');
    is_deeply([map { [@{$_}{qw(name)}, @{ $_->{value} }{qw(old new verdict)}] } $json->{whole}, @{ $json->{rows} }],
        [['whole program', 5, 45, 'exact'], ['main::g', 0, 40, 'exact']], 'the sub that keeps more is named, and exact');
    like(diff('--value=kept', 'old', 'silent')->{err}, qr/not all profiles say how many values calls left behind$/m, 'not known');
    is(diff('--value=kept', '--by=lines', 'old', 'new')->{status}, 2, 'lines do not have it');
    my $table = run([build_dir() . '/bin/nytp-table', '--by=subs', '--format=json', 'new'], dir => $scratch)->{out};
    is_deeply({ map { @{$_}{qw(sub kept)} } @{ decode_json($table) } }, { 'main::f' => 5, 'main::g' => 40 }, 'nytp-table has it');
};

subtest 'one of each' => sub {
    made_run("$scratch/old", calls => { 'main::f' => [3, 0.25], 'A::gone' => [1, 0.5], 'A::same' => [9, 0.125] });
    made_run("$scratch/new", calls => { 'main::f' => [5, 0.75], 'A::fresh' => [1, 0.25], 'A::same' => [9, 0.125] });
    my $json = json('old', 'new');
    is_deeply([map { "$_->{name} $_->{presence} $_->{value}{difference}" } @{ $json->{rows} }],
        ['A::gone gone -0.5', 'main::f both 0.5', 'A::fresh new 0.25'], 'largest changes first');
    is($json->{whole}{value}{difference}, 0.25, 'the whole program');
    is(row($json, 'main::f')->{percent}, 200, 'a share of OLD');
    is(row($json, 'main::f')->{value}{verdict}, 'untested', 'one run proves nothing about times');
    is(row($json, 'main::f')->{calls}{verdict}, 'exact',    'but numbers of calls are exact');

    my $text = diff('old', 'new')->{out};
    my @lines = split /\n/, $text;
    like($lines[0], qr/^ *old +new +change +% +calls +sub$/, 'headings');
    like($lines[1], qr/^ *975 ms +1\.23 s +\+250 ms +\+25\.6 % +13 -> 15 +whole program$/, 'first the whole program');
    like($lines[2], qr/^ *500 ms +- +-500 ms +gone +1 -> 0 +A::gone$/, 'what is gone');
    like($lines[3], qr/^ *250 ms +750 ms +\+500 ms +\+200\.0 % +3 -> 5 +main::f$/, 'what takes longer');
    like($text, qr/^Too few runs to test times: 1 old, 1 new; four of each are needed\.$/m, 'it says so');

    is_deeply([map { $_->{name} } @{ json('--sort=name', 'old', 'new')->{rows} }], ['A::fresh', 'A::gone', 'main::f'],
        '--sort=name');
    is(json('--by=packages', 'old', 'new')->{rows}[1]{value}{difference}, -0.25, 'packages add up their subs');
    is_deeply([map { "$_->{name} $_->{presence} $_->{value}{difference}" } @{ json('--by=calls', 'old',
        'new')->{rows} }],
        ['main::RUNTIME -> A::gone gone -0.5', 'main::RUNTIME -> main::f both 0.5',
        'main::RUNTIME -> A::fresh new 0.25'],
        'callers and callees');
    is(json('--by=places', '--value=inclusive', 'old', 'new')->{rows}[1]{name},
        'main::RUNTIME -> main::f at /srv/shop.pl:1', 'from which line');
    is_deeply([map { [@$_{qw(name)}, $_->{value}{old}, $_->{value}{new}] } @{ json('--value=calls', 'old',
        'new')->{rows} }],
        [['main::f', 3, 5], ['A::fresh', 0, 1], ['A::gone', 1, 0]], '--value=calls');
    is(row(json('--value=per-call', 'old', 'new'), 'main::f')->{value}{new}, 0.15, '--value=per-call');
    like(diff('--rows=1', 'old', 'new')->{out}, qr/^2 more rows changed; --rows=0 shows them\.$/m, '--rows');
};

# f is asleep for as long as it takes longer, and g is queued for a processor.
subtest 'parts of the time' => sub {
    my %both = (stacks => 1, outside => 0.25);
    made_run("$scratch/old", %both, calls => { 'main::f' => [2, 0.5], 'A::g' => [1, 0.25] },
        waited => { 'main::f' => [0.125, 0], 'A::g' => [0, 0] });
    made_run("$scratch/new", %both, calls => { 'main::f' => [2, 0.75], 'A::g' => [1, 0.5] },
        waited => { 'main::f' => [0.375, 0.125], 'A::g' => [0, 0.25] });
    my $changes = sub {
        return [map { "$_->{name} $_->{value}{old} $_->{value}{new}" } @{ json(@_, 'old', 'new')->{rows} }];
    };
    for my $by (qw(subs stacks)) {
        is_deeply($changes->("--by=$by", '--value=asleep'), ['main::f 0.125 0.375'], "asleep by $by");
        is_deeply($changes->("--by=$by", '--value=queued'), ['A::g 0 0.25', 'main::f 0 0.125'], '... queued');
        is_deeply($changes->("--by=$by", '--value=work'), ['main::f 0.375 0.25'], '... and work');
    }
    is_deeply($changes->('--by=packages', '--value=queued'), ['A 0 0.25', 'main 0 0.125'], 'by package');
    is_deeply($changes->('--by=calls', '--value=queued'),
        ['main::RUNTIME -> A::g 0 0.25', 'main::RUNTIME -> main::f 0 0.125'], 'by caller and callee');
    is_deeply($changes->('--by=lines', '--value=asleep'), ['/srv/shop.pl:3 0.125 0.375'], 'by line');
    is_deeply(json('--value=work', 'old', 'new')->{whole}{value}{new}, 0.75, 'of the whole program');
    my $text = diff('--value=work', 'old', 'new')->{out};
    like($text, qr/\Aold: 1\.00 s = 875 ms work \+ 125 ms asleep\nnew: 1\.50 s = 750 ms work \+ 375 ms queued \+ 375 ms asleep\n\n/,
        'the head says what times are made of');
    like(diff('--by=places', '--value=work', 'old', 'new')->{err}, qr/--value=work does not go with --by=places/, 'not of places');

    made_run("$scratch/slept", %both, calls => { 'main::CORE:sleep' => [1, 0.5] });
    like(diff('--value=asleep', 'slept', 'new')->{out}, qr/^Not all profiles measure waiting: /m, 'by names');
    is(row(json('--value=asleep', 'slept', 'new'), 'main::CORE:sleep')->{value}{old}, 0.5, '... of subs that wait');
    is(diff('--value=queued', 'slept', 'new')->{status}, 1, '... which do not say who was queued');
};

subtest 'several of each' => sub {
    my %calls = ('main::f' => [3, 0.25], 'main::g' => [1, 0.5]);
    my @old   = runs('o', 4, calls => \%calls);
    my @new   = runs('n', 4, calls => { %calls, 'main::f' => [4, 0.375] });
    my $json  = json(@old, '--', @new);
    is_deeply([@$json{qw(old_runs new_runs)}], [4, 4], 'four and four');
    my $f = row($json, 'main::f');
    is($f->{value}{verdict}, 'significant', 'none of the new runs is as short as an old one');
    cmp_ok(abs($f->{value}{p} - 2 / 70), '<', 1e-6, 'in 2 of 70 ways to deal them out');
    cmp_ok(abs($f->{value}{old} - 0.25 * 1.025), '<', 1e-6, 'the median');
    is(row($json, 'main::g'), undef, 'what did not change is not there');

    made_run("$scratch/n5", calls => { %calls, 'main::f' => [3, 0.1] });
    made_run("$scratch/n6", calls => { %calls, 'main::f' => [7, 0.2] });
    my @mixed = (@new[0, 1], 'n5', 'n6');
    $json = json(@old, '--', @mixed);
    is(row($json, 'main::f')->{value}{verdict}, 'chance', 'two longer, two shorter: chance');
    is(row($json, 'main::f')->{calls}{verdict}, 'chance', 'numbers of calls that vary are tested');
    my $text = diff(@old, '--', @mixed)->{out};
    like($text, qr/ ~ +1\.000 .* main::f$/m, '~ and p');
    like($text, qr/PERL_HASH_SEED=0/, 'why numbers may vary');
    unlike(diff(@old, '--', @new)->{out}, qr/PERL_HASH_SEED|Too few/, 'only then');
};

subtest 'another checkout, another version' => sub {
    made_run("$scratch/a", file => '/home/ann/shop/lib/Shop.pm', inc => ['/home/ann/shop/lib', '/usr/share/perl5'],
        calls => { 'main::__ANON__[/home/ann/shop/lib/Shop.pm:12]' => [1, 0.25], 'Shop::BEGIN@3' => [1, 0.125] });
    made_run("$scratch/b", file => '/srv/shop/lib/Shop.pm', inc => ['/srv/shop/lib', '/usr/share/perl5'],
        calls => { 'main::__ANON__[/srv/shop/lib/Shop.pm:14]' => [1, 0.5], 'Shop::BEGIN@4' => [1, 0.25] });
    is_deeply([map { "$_->{name} $_->{presence}" } @{ json('a', 'b')->{rows} }],
        ['main::__ANON__[Shop.pm:14] both', 'Shop::BEGIN@4 both'], 'subs whose lines moved');
    is_deeply([map { "$_->{name} $_->{presence}" } @{ json('--by=files', 'a', 'b')->{rows} }],
        ['/srv/shop/lib/Shop.pm both'], 'files, with the path of NEW');
    like(diff('--by=lines', 'a', 'b')->{out}, qr{ /srv/shop/lib/Shop\.pm:\d+$}m, 'which lines have, too');
    is(scalar(grep { $_->{presence} ne 'both' } @{ json('--by=lines', 'a', 'b')->{rows} }), 0, 'lines');
    is(scalar(grep { $_->{presence} ne 'both' } @{ json('--by=stacks', 'a', 'b')->{rows} }), 0, 'stacks');

    made_run("$scratch/c", calls => { map { ("main::__ANON__[t.pl:$_]" => [1, 0.25]) } 3, 5 });
    made_run("$scratch/d", calls => { map { ("main::__ANON__[t.pl:$_]" => [1, 0.5]) } 4, 6, 8 });
    my $json = json('c', 'd');
    my $sum  = row($json, 'main::__ANON__[t.pl:#]');
    is_deeply([$sum->{presence}, @{ $sum->{value} }{qw(old new)}], ['sum', 0.5, 1.5],
        'what cannot be matched has a sum');
    is(scalar(grep { $_->{presence} =~ /^(?:new|gone)$/ } @{ $json->{rows} }), 5, 'and is new or gone');
};

# A profile of a text, with so many statements of 10 ticks each on lines of it, and ten times as many in NEW.
sub texts {
    my ($name, $times, $text, %count) = @_;
    my @lines = split /^/, $text;
    return spew("$scratch/$name",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1.5],
            [NEW_FID => 1, 0, 0, 2, 0, 0, '/srv/moved.pl'],
        (map { ([TIME_LINE => 10, 1, $_]) x ($times * $count{$_}) } sort { $a <=> $b } keys %count),
        (map { [SRC_LINE => 1, $_, $lines[$_ - 1]] } 1 .. @lines), [PID_END => 7, 2.5]));
}

subtest 'lines that moved' => sub {
    my @loop = ("for (1 .. 50) {\n", "    work();\n", "}\n");
    texts('before', 1, join('', "use strict;\n", @loop, "print 1;\n", "print 2;\n"), 1 => 1, 3 => 50, 5 => 2, 6 => 3);
    texts('after', 10,
        join('', "use strict;\n", "# New.\n", "use warnings;\n", @loop[0, 1], "    more();\n", $loop[2], "print 3;\n",
            "print 2;\n"),
        1 => 1, 5 => 50, 6 => 50, 8 => 2, 9 => 3);
    my %calls = map { $_->{name} => join ' ',
        @{ $_->{calls} }{qw(old new)} } @{ json('--by=lines', 'before', 'after')->{rows} };
    is_deeply(\%calls,
        { '/srv/moved.pl:1' => '1 10', '/srv/moved.pl:5' => '50 500', '/srv/moved.pl:6' => '0 500',
        '/srv/moved.pl:8' => '2 20', '/srv/moved.pl:9' => '3 30' },
        'each with its numbers in both versions, and an edited one, too');
};

subtest 'a busy machine' => sub {
    my $busy = sub {
        my ($name, $wait_s) = @_;
        spew("$scratch/$name",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1.5],
                [NEW_FID => 1, 0, 0, 2, 0, 0, 't.pl'], [TIME_LINE => 1000, 1, 1],
                (defined $wait_s ? [ATTRIBUTE => wait_for_cpu => $wait_s] : ()), [PID_END => 7, 2.5]));
    };
    $busy->('quiet', 0.019);
    $busy->('busy',  0.12);
    $busy->('unknown', undef);
    like(diff('quiet', 'busy')->{out}, qr/^The machine was busy: for 2 % of the time in OLD, 12 % in NEW\.$/m,
        'is said');
    like(diff('--markdown', 'quiet', 'busy')->{out}, qr/\n\nThe machine was busy: /, '... in Markdown, too');
    unlike(diff('quiet', 'unknown')->{out}, qr/busy/, 'below 2 % it is not, nor if it is not known');
    my $json = json('unknown', 'busy');
    is_deeply([@$json{qw(old_busy new_busy)}], [0, 0.12], 'and programs can read it');
};

subtest 'limits' => sub {
    my %calls = ('main::f' => [3, 0.25], 'main::g' => [1, 0.5]);
    my @old   = runs('lo', 4, calls => \%calls);
    my @new   = runs('ln', 4, calls => { %calls, 'main::f' => [4, 0.375] });
    my @fresh = runs('lh', 4, calls => { %calls, 'main::h' => [2, 0.25] });
    for my $case (
        [3, qr/the program takes 1[45]\.\d % more time, over the limit of 5 %: \d+ ms -> \S+ m?s \(p = 0\.029\)$/,
        '--fail-over=5%', @old, '--', @new],
        [0, qr/\A\z/, '--fail-over=25%', @old, '--', @new],
        [0, qr/\A\z/, '--fail-over=5%',  @new, '--', @old],
        [3, qr/main::f takes 50\.0 % more time/, '--fail-over=40', '--of=main::f', @old, '--', @new],
        [3, qr/\bf makes 33\.3 % more calls.* \(the same in all runs\)$/, '--fail-calls=10', '--of=f', @old, '--',
        @new],
        [0, qr/^nytp-diff: not judged, since it was not tested: the program takes .* \(a test takes four profiles of each side, and half a percent of the time\)$/, '--fail-over=5', $old[0], $new[0]],
        [3, qr/the program makes 25\.0 % more calls, over the limit of 5 %: 4 -> 5 \(the same in all runs\)$/,
        '--fail-calls=5', $old[0], $new[0]],
        [3, qr/h makes calls, but none before, over the limit of 5 %: 0 -> 2 /, '--fail-calls=5', '--of=h', @old, '--',
        @fresh],
        [3, qr/main::h takes time, but none before, over the limit of 5 %: 0 -> 256 ms \(p = 0\.029\)$/,
        '--fail-over=5', '--of=main::h', @old, '--', @fresh],
        [0, qr/^nytp-diff: not judged, chance can explain it: /, '--fail-over=1', '--of=f', @old, '--', $new[0],
        $old[0], $old[1], $new[1]],
        [1, qr/^nytp-diff: --of=h: no profile has a sub of that name$/, '--fail-over=1', '--of=h', $old[0], $new[0]],
        [1, qr/^nytp-diff: --of=main::ff: no profile has a sub of that name: main::f\?$/, '--fail-over=1', '--of=main::ff', $old[0], $new[0]],
    ) {
        my ($status, $message, @arguments) = @$case;
        my $got = diff(@arguments);
        is($got->{status}, $status, "@arguments: exit status");
        like($got->{err}, $message, 'message');
        isnt($got->{out}, '', 'and the table');
    }
};

# Names that would leave a cell of a table, or their quotes.
subtest 'names in Markdown' => sub {
    plan skip_all => 'no cmark-gfm' if !grep { -x "$_/cmark-gfm" } split /:/, $ENV{PATH};
    my @names = map { "main::$_" } 'plain', '`', '``', 'a`<img src=x onerror=alert(1)>', '<b>`', '`a``b`', 'a\\|<i>b',
        '\\`<u>', '|', '[a](x)', '&lt;', '*a*', 'a\\';
    push @names, '`', '`a`', '``<i>``';
    made_run("$scratch/names1", calls => { map { ($names[$_] => [1, 1]) } 0 .. $#names });
    made_run("$scratch/names2", calls => { map { ($names[$_] => [1, 2 + $_]) } 0 .. $#names });
    my $html  = run(['cmark-gfm', '-e', 'table', '--unsafe'],
        stdin => diff('--markdown', '--sort=new', 'names1', 'names2')->{out})->{out};
    my @cells = $html =~ m{<td>(<code>.*)</td>}g;
    is_deeply(\@cells, [map { '<code>' . s/&/&amp;/gr =~ s/</&lt;/gr =~ s/>/&gt;/gr . '</code>' } reverse @names],
        'are code, as GitHub shows it');
};

subtest 'for programs and merge requests' => sub {
    made_run("$scratch/odd1", calls => { 'main::a|b`c,"d"' => [3, 0.25] });
    made_run("$scratch/odd2", calls => { 'main::a|b`c,"d"' => [3, 0.5] });
    my $got = diff('--markdown', 'odd1', 'odd2');
    my @lines = split /\n/, $got->{out};
    like($lines[0], qr/^\| old \| new \| change \| % \| sub \|$/, 'Markdown: headings');
    like($lines[1], qr/^\|(?: -{3}:? \|)+$/, 'Markdown: the line below');
    like($lines[3], qr/\| ``main::a\\\|b`c,"d"`` \|$/, 'Markdown: names are code, bars are not cells');
    $got = diff('--csv', 'odd1', 'odd2');
    like($got->{out}, qr/\Aname,presence,old,.*\r\nwhole program,both,/, 'CSV');
    like($got->{out}, qr/^"main::a\|b`c,""d""",both,0\.25,0,0\.5,0,0\.25,1,untested,100,/m, 'CSV: quoted');
    is(row(json('odd1', 'odd2'), 'main::a|b`c,"d"')->{value}{new}, 0.5, 'JSON');
    is(diff('-o', 'out.txt', 'odd1', 'odd2')->{status}, 0, '-o');
    is(slurp("$scratch/out.txt"), diff('odd1', 'odd2')->{out}, 'the same');
};

subtest 'samples' => sub {
    made_run("$scratch/s1", samples => 400, outside => 3, calls => { 'main::f' => [1, 1] });
    made_run("$scratch/s2", samples => 400, outside => 6, calls => { 'main::f' => [1, 2] });
    made_run("$scratch/s3", samples => 400, outside => 2, calls => { 'main::f' => [1, 2] });
    my $same = json('s1', 's2');
    is($same->{times}, 'shares', 'shares of the time');
    is(row($same, 'main::f'), undef, 'a longer recording is not slower');
    my $f = row(json('s1', 's3'), 'main::f');
    is_deeply([@{ $f->{value} }{qw(old new verdict)}], [0.25, 0.5, 'significant'], 'a larger share');
    cmp_ok(abs($f->{value}{old_spread} - sqrt(0.25 * 0.75 / 400)), '<', 1e-9, 'the error of sampling');
    made_run("$scratch/only$_", samples => 50, outside => 0, calls => { "main::$_" => [1, 1] }) for qw(f g);
    is_deeply([map { row(json('onlyf', 'onlyg'), "main::$_")->{value}{verdict} } qw(f g)], [('significant') x 2],
        'from none to all of the time, and the reverse');
    is_deeply([@{ json('s1', 's3')->{whole}{calls} }{qw(old new)}], [400, 400], 'the whole has all samples');
    made_run("$scratch/whole", calls => { 'main::f' => [1, 1] });
    my $got = diff('s1', 'whole');
    is($got->{status}, 1, 'samples and the collector: an error');
    like($got->{err}, qr/--mixed/, 'which names the option');
    is($got->{out}, '', 'and no table');
    is(diff('--mixed', 's1', 'whole')->{status}, 0, '--mixed');
    made_run("$scratch/s4", samples => 400, outside => 2, calls => { 'main::f' => [1, 3], 'main::g' => [1, 3] });
    like(diff('s1', 's4')->{out}, qr/^ *4\.00 s +8\.00 s +\+4\.00 s .*whole program$/m, 'the whole has a time');
    like(diff('s1', 's4')->{out}, qr/^25\.00 % .* main::f$/m, 'subs have shares');
    for my $case ([1, qr/--fail-over needs --of/, '--fail-over=5'],
        [1, qr/calls were not counted/, '--fail-calls=5', '--of=f'],
        [3, qr/f takes 50\.0 % more time, over the limit of 5 %: 25\.00 % -> 37\.50 % \(p = 0\.\d+\)/, '--fail-over=5',
        '--of=f']) {
        my ($status, $message, @options) = @$case;
        my $limited = diff(@options, 's1', 's4');
        is($limited->{status}, $status, "@options");
        like($limited->{err}, $message, 'says why');
    }
};

subtest 'without waiting' => sub {
    made_run("$scratch/w$_", stacks => 1, outside => 3, calls => { 'main::f' => [1, 1], 'main::CORE:sleep' => [1, $_] })
        for 1, 2;
    like(diff('w1', 'w2')->{out}, qr{^ *5\.00 s +6\.00 s }m, 'the whole waits');
    for my $by (qw(subs lines files packages calls places stacks)) {
        my $got = diff('--no-wait', "--by=$by", 'w1', 'w2');
        is("$got->{status} $got->{err}", '0 ', "--no-wait --by=$by");
        unlike($got->{out}, qr/sleep/, 'nothing waits');
    }
    made_run("$scratch/flat", calls => { 'main::CORE:sleep' => [1, 1] });
    like(diff('--no-wait', 'w1', 'flat')->{err}, qr/has only sums of its calls: filters need .* calls=1 or 2$/,
        'stacks are needed');
};

subtest 'usage' => sub {
    made_run("$scratch/x", program => '/usr/bin/x.pl', calls => { 'main::f' => [1, 1] });
    made_run("$scratch/y", program => 'y.pl', calls => { 'main::f' => [1, 1] });
    is(diff('x', 'y')->{err}, "nytp-diff: warning: different programs: x is of x.pl, y of y.pl\n",
        'different programs');
    for my $case (
        ['x'], ['x', 'x', 'x'], [], ['x', '--'], ['--', 'x'], ['x', '--', 'x', '--', 'x'],
        ['--fail-over=much', 'x', 'x'],
        ['--by=files', '--value=inclusive', 'x', 'x'], ['--of=f', 'x', 'x'], ['--by=cats', 'x', 'x'],
    ) {
        my $got = diff(@$case);
        is($got->{status}, 2, "@$case: wrong usage");
        is($got->{out}, '', 'no output');
    }
    is(diff('--', 'x', '--', 'x')->{status}, 2, 'two --');
    like(diff('--memory=grown=a..b', 'x')->{err}, qr/nytp-table --memory=grown=a\.\.b x shows/, 'two moments of one profile');
    my $got = diff('x', 'missing');
    is($got->{status}, 1, 'a file that is not there');
    is($got->{out}, '', 'no table');
};

# Programs that people would compare: what was changed is found.
subtest 'real programs' => sub {
    my $text = <<'PERL';
sub answer { SLEEP; return 42 }
sub table { return join ',', map { $_ * $_ } 1 .. 50 }
my %cache;
sub look_up { return CACHED table() }
sub work { my $n = 0; LOOP { $n += length look_up() } return $n }
answer();
work();
PERL
    my $record = sub {
        my ($name, %o) = @_;
        my $program = $text =~ s/(SLEEP|CACHED|LOOP)/$o{$1}/gr;
        spew("$scratch/p.pl", $program);
        my $got = run([$^X, '-I' . build_dir() . '/perl5', '-d:NYTProf', 'p.pl'], dir => $scratch,
            env => { clean_env(), NYTPROF => "file=$scratch/$name" });
        is($got->{status}, 0, "recorded $name") or diag($got->{err});
    };
    my %plain = (SLEEP => '1', CACHED => '', LOOP => 'for (1 .. 10)');
    $record->('plain', %plain);
    $record->('sleeps', %plain, SLEEP => 'select undef, undef, undef, 2');
    $record->('doubled', %plain, LOOP => 'for (1 .. 20)');
    $record->('cached', %plain, CACHED => '$cache{table} //=');
    my $sleeps = json('plain', 'sleeps');
    is($sleeps->{rows}[0]{name}, 'main::CORE:sselect', 'a sleep that was added is the first row');
    is($sleeps->{rows}[0]{presence}, 'new', 'and new');
    my $doubled = json('--value=calls', 'plain', 'doubled');
    is_deeply([map { "$_->{name} $_->{value}{old} $_->{value}{new} $_->{value}{verdict}" } @{ $doubled->{rows} }],
        ['main::look_up 10 20 exact', 'main::table 10 20 exact'], 'a loop that runs twice as often');
    my $cached = json('--value=calls', 'plain', 'cached');
    is_deeply([map { "$_->{name} $_->{value}{old} $_->{value}{new}" } @{ $cached->{rows} }], ['main::table 10 1'],
        'a cache');
};

done_testing();
