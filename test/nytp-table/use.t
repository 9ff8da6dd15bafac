# nytp-table: screens at several widths, the same rows in each form, what the head adds up to, what is said where there are no rows.
# The screens lie in test/data/nytp-table; BLESS=1 writes them anew.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP qw(decode_json);
use List::Util qw(sum);
use MadeMemory qw(made_memory);
use NYTPTest qw(build_dir run scratch_dir slurp spew top_dir);
use ProfileBytes qw(profile_bytes);
use Screens qw(screen screens_stay);
use Test::More;

my ($bin, $dir) = (build_dir() . '/bin', scratch_dir());

# A server: five requests for a page, which runs a query ten times each, and one that waits. A call takes so many ticks of 100 us;
# marks before it say what of that it waited: its depth, asleep and queued.
my $query = 'DBI::st::execute SELECT price FROM price WHERE item = ? AND shop = ? ORDER BY day';
my $sub   = 'Shop::Catalogue::Search::Index::price_of_item_by_identifier';

sub page {
    my ($n) = @_;
    return (
        (map { ([TIME_LINE => 20, 1, 6], [SUB_RETURN => 3, 20, 20, $query]) } 1 .. 10),
        [TIME_LINE => 100 * $n, 1, 7], [SUB_RETURN => 2, 200 + 100 * $n, 100 * $n, $sub],
        [TIME_LINE => 50, 1, 12], [SUB_RETURN => 1, 250 + 100 * $n, 50, 'NYTProf::span GET /cat/:cat'],
    );
}
my $server = spew("$dir/server.out",
    profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 10_000], [ATTRIBUTE => application => 'shop.pl'],
        [ATTRIBUTE => waits => 1], [ATTRIBUTE => labels => 'sql,sql=DBI::st::execute'], [PID_START => 7, 1, 100],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/home/me/shop/lib/Shop/Catalogue/Search/Index.pm'],
        (map { [SRC_LINE => 1, @$_] } [6, '    my ($price) = $select->execute($item, $shop);' . "\n"],
            [7, "\treturn sum(map { price(\$_) } \@items) / \@items; # caf\xe9\t\e[1m\n"], [12, "\n"]),
        [SUB_INFO => 1, $sub, 5, 8], [SUB_INFO => 1, 'main::idle', 20, 22], (map { page($_) } 1 .. 5),
        [ATTRIBUTE => waited => '2 8000 500'], [SUB_RETURN => 2, 8510, 8510, 'main::idle'],
        [TIME_LINE => 8510, 1, 21],
        [TIME_LINE => 40, 1, 22], [SUB_RETURN => 1, 8550, 40, 'NYTProf::span GET /idle'],
        [SUB_CALLERS => 1, 12, 'NYTProf::span GET /cat/:cat', 5, 0.25, 0.15, 0, 0, $sub],
        [SUB_CALLERS => 1, 6, $sub, 50, 0.1, 0.1, 0, 0, $query],
        [SUB_CALLERS => 1, 1, 'main::RUNTIME', 5, 0.275, 0.025, 0, 0, 'NYTProf::span GET /cat/:cat'],
        [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 0.855, 0.004, 0, 0, 'NYTProf::span GET /idle'],
        [SUB_CALLERS => 1, 21, 'NYTProf::span GET /idle', 1, 0.851, 0.851, 0, 0, 'main::idle'],
        [ATTRIBUTE => cumulative_overhead_ticks => 300], [PID_END => 7, 101.16]));

sub table {
    my (@arguments) = @_;
    my $got = run(["$bin/nytp-table", @arguments, 'server.out'], dir => $dir);
    is("$got->{status} $got->{err}", '0 ', "nytp-table @arguments");
    return $got->{out};
}

for my $by (qw(summary subs lines requests queries processes findings)) {
    my %shown = (pipe => table("--by=$by"), map { $_ => screen($_, $dir, "nytp-table --color=never --by=$by server.out") } 40, 80, 120);
    screens_stay('nytp-table', $by, \%shown);
}

unlike(screen(120, $dir, 'nytp-table --by=lines server.out server.out'), qr/select/, 'lines of several profiles stand without text');

my $ascii = run(['script', '-qec', "stty cols 60; exec $bin/nytp-table --by=queries $server", '/dev/null'], env => { LC_ALL => 'C' });
unlike($ascii->{out}, qr/[^\x00-\x7E]/, 'in ASCII where the locale has nothing else');

subtest 'the head adds up' => sub {
    my %ms = (s => 1000, ms => 1, us => 0.001);
    for my $by (qw(summary subs lines requests queries)) {
        my ($first, $second) = split /\n/, table("--by=$by") =~ s/\n(?=  \+)//r;
        my ($all, @parts) = map { /([\d.]+) (s|ms|us)/ ? $1 * $ms{$2} : () } split /[=+]/, $first;
        cmp_ok(abs($all - sum(@parts)), '<', 10, "$by: $first");
        is($second, '100 % = 280 ms of work', '... and names the base');
    }
};

like(run(["$bin/nytp-table", '--by=subs', $server, $server])->{out}, qr/^shop\.pl \(2 processes\)  2\.32 s = 560 ms work /, 'several files add up, and are counted once');

sub rows { my ($text) = @_; return decode_json($text) }

subtest 'the same rows in all forms' => sub {
    for my $by (qw(subs lines requests queries processes)) {
        my $rows = rows(table("--by=$by", '--format=json'));
        my ($head, @csv) = map { [split /,/, $_, -1] } split /\r\n/, table("--by=$by", '--format=csv');
        is(scalar @csv, scalar @$rows, "$by: as many rows");
        my @of_csv = map { my $row = $_; +{ map { $head->[$_] => $row->[$_] } 0 .. $#$head } } @csv;
        is_deeply([map { my $row = $_; +{ map { $_ => $row->{$_} // '' } keys %$row } } @$rows],
            [map { my $row = $_; +{ map { $_ => $row->{$_} =~ /^-?[\d.]+\z/ ? 0 + $row->{$_} : $row->{$_} } keys %$row } } @of_csv],
            '... with the same values');
        my $text = table("--by=$by");
        my $last = (sort grep { !/_s$|percent|runs|calls/ } @$head)[-1];
        is_deeply([grep { index($text, $_->{$last}) < 0 } @$rows], [], '... which are in the text') if $by ne 'processes';
    }
    my ($page) = table('--by=requests', '--format=markdown') =~ /^(\| 5 .*)/m;
    is($page, '| 5 | 275 ms | 24.3 % | 275 ms | 0 | 0 | `GET /cat/:cat` |', 'Markdown has all time, and what it is made of');
};

subtest 'requests and queries' => sub {
    my %request = map { $_->{request} => $_ } @{ rows(table('--by=requests', '--format=json')) };
    is_deeply($request{'GET /idle'}, { request => 'GET /idle', percent => 1.786, work_s => 0.005, waits_s => 0.85, runs => 1,
        map { $_ => $request{'GET /idle'}{p50_s} } qw(p50_s p95_s max_s) }, 'one that waits');
    cmp_ok(abs($request{'GET /idle'}{max_s} - 0.855), '<', 1e-9, '... lasts longer than it works');
    cmp_ok(abs($request{'GET /cat/:cat'}{max_s} - 0.075), '<', 1e-9, 'the longest one');
    my ($command) = table('--by=requests') =~ /^slowest: (nytp tree --slowest=1 --span='GET \/idle' 'server\.out')\n\z/m;
    is((run(['sh', '-c', "$bin/$command"], dir => $dir)->{out} // '') =~ /  1  .*NYTProf::span GET \/idle/m ? 1 : 0, 1, 'the command that shows the slowest');
    my ($query) = @{ rows(table('--by=queries', '--format=json')) };
    is("$query->{runs} $query->{work_s}", '50 0.1', 'runs of a query');
    like(table('--by=queries'), qr/^! 10 for each GET \/cat\/:cat, by \Q$sub\E$/m, '... which each request repeats');
};

subtest 'options' => sub {
    my @names = map { $_->{sub} } @{ rows(table('--by=subs', '--format=json', '--sort=sub')) };
    is_deeply(\@names, [sort { $a cmp $b } @names], '--sort=sub: by name');
    my @sorted = map { $_->{calls} } @{ rows(table('--by=subs', '--format=json', '--sort=-calls')) };
    is_deeply(\@sorted, [sort { $a <=> $b } @sorted], '--sort=-calls: the smallest first');
    like(table('--by=subs', '-n', 2), qr/^3 subs below \d+\.\d % not shown: --rows=0\n\z/m, '-n says what is hidden');
    unlike(table('--by=subs', '-n', 0), qr/not shown/, '-n 0 shows all');
    like(table('--by=subs', '--min=10'), qr/subs below \d+\.\d % not shown: --rows=0 --min=0\n\z/, '--min');
    like(table('--by=subs', '--min=99'), qr/^5 subs not shown: --rows=0 --min=0\n\z/m, '... also if none is left');
    like(table('--by=requests', '--wait'), qr/^100 % = 1\.13 s of all time\n(?:!.*\n)*.*\n75\.7  855 ms .*GET \/idle$/m, '--wait: all time');
    like(table('--by=requests', '--work'), qr/^100 % = 280 ms of work$/m, '--work: the same base as without');
    my %wrong = ('--sort=p59' => qr/no column 'p59' in --by=requests: p50\?\n/, '--sotr=p95' => qr/'--sotr=p95': --sort\?\n/);
    for my $option (sort keys %wrong) {
        my $got = run(["$bin/nytp-table", '--by=requests', $option, $server]);
        like("$got->{status} $got->{err}", qr/^[12] nytp-table: .*$wrong{$option}/, "$option: the close name");
    }
    is(run(["$bin/nytp-table", @$_, $server])->{status}, 2, "@$_ do not go together")
        for ['--min=1'], ['--by=findings', '--sort=calls'], ['--by=findings', '--format=csv'], ['--by=processes', '--rows=3'];
};

subtest 'no rows' => sub {
    my $empty = spew("$dir/empty.out", profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.5], [PID_END => 7, 9]));
    for my $by (qw(subs lines requests queries regex)) {
        my $got = run(["$bin/nytp-table", "--by=$by", $empty]);
        is($got->{status}, 0, "$by: done");
        like($got->{out}, qr/^The profile has no .*: .* (?:records|names) them\.\n\z/m, '... and says what records them');
        is(run(["$bin/nytp-table", "--by=$by", '--format=json', $empty])->{out}, "[\n]\n", '... as JSON');
    }
};

subtest 'samples and memory' => sub {
    my $samples = spew("$dir/samples.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 1000],
        [ATTRIBUTE => sampled_hz => 100], [PID_START => 7, 1, 100], [NEW_FID => 1, 0, 0, 2, 0, 0, 'a.pl'],
        (map { ([TIME_LINE => 10, 1, 1], [SUB_RETURN => 1, 10, 10, 'main::f']) } 1 .. 9),
        [SUB_CALLERS => 1, 1, 'main::RUNTIME', 9, 0.09, 0.09, 0, 0, 'main::f'], [PID_END => 7, 101]));
    like(run(["$bin/nytp-table", '--by=subs', $samples])->{out}, qr/^ +% +self +total +sub\n100\.0 +90 ms +90 ms +main::f\n/m,
        'samples have no calls');
    my $memory = made_memory("$dir/memory.out");
    like(run(["$bin/nytp-table", '--by=subs', $memory])->{out}, qr/^.*memory.*: .*B\n100 % = .*\n(?:!.*\n)* +% +self +total +blocks .*sub\n/,
        'memory has blocks');
};

done_testing();
