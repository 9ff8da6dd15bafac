# Odd names of subs and files: control characters, UTF-8 and bytes that are not, quotes, backslashes, 64 KiB. They come
# from the collector, and from streams that perl would not write, and go through every program into the program that
# reads its output, which must accept it and find every sub. With EXHAUSTIVE there are random names, too, from SEED.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CallgrindCheck qw(callgrind_complaints);
use CollectorRun qw(profiled);
use DotGraph qw(drawn);
use IO::Uncompress::Gunzip ();
use Exports qw(perfetto_calls speedscope_profiles trace_calls);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;

my $dir        = scratch_dir();
my $flamegraph = '/usr/share/perl5/Devel/NYTProf/flamegraph.pl';
my $seed       = $ENV{SEED} // ($ENV{EXHAUSTIVE} ? time : 1);
diag("SEED=$seed") if $ENV{EXHAUSTIVE};
srand $seed;

# Kinds of names. Each begins with a letter of its own, because the readers may show no more of it.
my %odd = (
    plain       => 'main::plain',
    controls    => join('', 'main::c', map { chr } 1 .. 31, 127),
    c1_controls => join('', "main::d\x{263A}", map { chr } 128 .. 159),
    directions  => join('', 'main::r', map { chr } 0x61C, 0x200E, 0x200F, 0x202A .. 0x202E, 0x2066 .. 0x2069),
    nul         => "main::nul\0behind",
    newlines    => "main::nl\nsecond line\r\nthird\n",
    blanks      => " main::  blank\t ",
    semicolons  => 'main::a;b;c 12',
    quotes      => q{main::q'"`"'},
    backslashes => 'main::b\\\\\\N\\l\\x00\\',
    markup      => 'main::<b>&amp;<!-- ]]> &#0; </svg>',
    brackets    => 'main::f(1) [2] {3} (4',
    numbers     => 'main::(12)',
    key         => 'main::fn=(1) calls=1 2',
    percent     => 'main::%s%n%d%%',
    latin1      => "main::caf\xE9\xFF",
    half_utf8   => "main::half\xC3",
    bad_utf8    => "main::bad\xF8\x88\x80\x80\xED\xA0\x80\xC0\x80",
    utf8        => "main::\x{263A}\x{1F600}e\x{301}\x{202E}",
    noncharacter=> "main::\x{FFFE}\x{FFFF}",
    package     => "Odd'Pack age\x01::x::",
    colons      => '::::',
    eval        => 'main::__ANON__[(eval 99999999999)[a"b.pl:1]:2]',
    comment     => '# main::comment',
    record      => '->main::record = 3',
    long        => 'main::' . 'l' x 65_536,
    long_bytes  => 'main::' . join('', map { chr 128 + $_ % 128 } 1 .. 65_536),
);

sub random_name {
    my @alphabets = ([map { chr } 0 .. 31], [map { chr } 32 .. 126], [map { chr } 128 .. 255],
        [qw(; " ' \\ < & [ ] :: / %)], ["\x{E9}", "\x{263A}"]);
    my @chosen = map { $alphabets[rand @alphabets] } 0 .. rand 3;
    return join '', 'r', map { my $a = $chosen[rand @chosen]; $a->[rand @$a] } 0 .. rand 40;
}
if ($ENV{EXHAUSTIVE}) { $odd{"random $_"} = random_name() for 1 .. 40 }

# A profile in which each sub calls the next one, from files that have such names, too.
sub made_up {
    my (@names) = @_;
    my $ticks = 100;
    return profile_bytes(
        [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [ATTRIBUTE => 'application', q{/a"b\'<c>;.pl}],
        [PID_START => 7, 1, 1.5],
        (map { [NEW_FID => $_ + 1, 0, 0, 2, 0, 0, "/$names[$_]"] } 0 .. $#names),
        (map { [TIME_LINE => $ticks, $_ + 1, 3] } 0 .. $#names),
        (map { [SUB_RETURN => $_ + 1, $ticks * (@names - $_), $ticks, $names[$_]] } reverse 0 .. $#names),
        (map { [SUB_INFO => $_ + 1, $names[$_], 1, 9] } 0 .. $#names),
        (map { [SUB_CALLERS => ($_ || 1), 3, ($_ ? $names[$_ - 1] : 'main::RUNTIME'), 1, 1e-5 * (@names - $_), 1e-5, 0,
            0, $names[$_]] } 0 .. $#names),
        [PID_END => 7, 2.5],
    );
}

# What a terminal acts on, or what reverses the text around it. A tab does no harm.
my $acts = qr/[\x00-\x08\x0B\x0C\x0E-\x1F\x7F]|\xC2[\x80-\x9F]|\xD8\x9C|\xE2\x80[\x8E\x8F\xAA-\xAE]|\xE2\x81[\xA6-\xA9]/;
my $text = qr/calls|cg|tree|table|dot|dprof|speedscope|trace --json/;

# Runs a program on the profile. Returns its result, or nothing after a failed test.
sub result_of {
    my ($program, $profile, @options) = @_;
    my $out = "$dir/" . $program =~ s/.*-//r . ".html";
    unlink $out;
    my $got = run([build_dir() . "/bin/$program", @options, '-o', $out, $profile]);
    is("$got->{status} $got->{err}", '0 ', "$program @options");
    ok(slurp($out) !~ $acts, "$program: nothing that a terminal acts on") if "$program @options" =~ $text;
    return $out;
}

sub consumer_is_content {
    my ($name, @command) = @_;
    my $got = run(\@command, dir => $dir, env => { DPROFPP_OPTS => undef });
    is(join(' ', $got->{status} // 'signal', substr $got->{err}, 0, 300), '0 ', "$name accepts it");
    return $got->{out};
}

sub flames_ok {
    my ($profile, $subs) = @_;
    my $folded = result_of('nytprofcalls', $profile, '--calls');
    my @lines  = split /\n/, slurp($folded);
    is(scalar(grep { !/\A.+ \d+\z/ } @lines), 0, 'each line is a stack and a number');
    my %leaf = map { /([^;]+) \d+\z/ ? ($1 => 1) : () } @lines;
    is(scalar(keys %leaf), $subs, 'nytprofcalls: all subs') if defined $subs;
    my $svg = consumer_is_content('flamegraph.pl', $flamegraph, '--minwidth=0', $folded);
    unlike($svg, qr/\xEF\xBF[\xBE\xBF]/, 'no character that XML forbids');
    my $boxes = () = $svg =~ /<g\b[^>]*>\s*<title>/g;
    cmp_ok($boxes, '>=', $subs // 1, 'a box for each sub');
    return;
}

sub callgrind_ok {
    my ($profile, $subs) = @_;
    my $out   = result_of('nytprofcg', $profile);
    my $bytes = slurp($out);
    is(join("\n", callgrind_complaints($bytes)), '', 'a correct callgrind file');
    my %names = map { $_ => 1 } $bytes =~ /^c?fn=\(\d+\) (.*)$/mg;
    cmp_ok(scalar(keys %names), '>=', $subs, 'nytprofcg: all subs') if defined $subs;
    my $text = consumer_is_content('callgrind_annotate', 'callgrind_annotate', '--threshold=100', $out);
    my ($total) = $bytes =~ /^totals: (\d+)/m;
    my ($told) = $text =~ /^\s*([\d,]+)[^\n]*PROGRAM TOTALS/m;
    is(($told // '') =~ tr/,//dr, $total, 'with its total');
    return;
}

sub report_ok {
    my ($profile, $subs) = @_;
    my $page = ReportPage->new(slurp(result_of('nytprofhtml', $profile, '--no-mergeevals') ));
    unlike($page->static, qr{<(?:b|i|img)>|<!--}, 'nytprofhtml: names are no markup');
    is(scalar(grep { $_ ne 'main::RUNTIME' } keys %{ $page->subs }), $subs, 'all subs') if defined $subs;
    return;
}

sub graph_ok {
    my ($profile, $subs) = @_;
    my $graph = drawn(slurp(result_of('nytp-dot', $profile, '--url={sub}', '--min=0', '--min-edge=0', '--max-nodes=1000')));
    is($graph->{complaint}, '', 'dot accepts it');
    is(scalar(grep { $_ ne 'not shown ' } keys %{ $graph->{nodes} }), $subs + 1, 'nytp-dot: all subs, and the root')
        if defined $subs;
    drawn(slurp(result_of('nytp-dot', $profile, '--collapse=package', '--min=0')))->{complaint} eq ''
        or fail('packages');
    return;
}

sub dprof_ok {
    my ($profile, $subs) = @_;
    my $out   = result_of('nytp-dprof', $profile);
    my $table = consumer_is_content('dprofpp', 'dprofpp', '-q', '-O', 1000, $out);
    my $rows  = grep { /\A *[\d.-]+ +[\d.-]+ +[\d.-]+ +\d+ / } split /\n/, $table; # it breaks long names
    is($rows, $subs, 'nytp-dprof: all subs') if defined $subs;
    consumer_is_content('dprofpp -T', 'dprofpp', '-T', $out);
    spew("$dir/tmon.out", slurp($out));
    my $got = run(['dprof2calltree', '-f', "$dir/tmon.out", '-o', "$dir/cachegrind"]);
    like("$got->{status} $got->{err}", qr/\A0 Writing .*\n\z/, 'dprof2calltree accepts it');
    my $calls = sub { return slurp(result_of('nytprofcalls', $_[0], '--calls')) =~ tr/\n// };
    is($calls->($out), $calls->($profile), 'and back: as many stacks') if defined $subs;
    return;
}

sub tree_ok {
    my ($profile, $subs) = @_;
    my $json = slurp(result_of('nytp-tree', $profile, '--json'));
    require JSON::PP;
    ok(eval { JSON::PP::decode_json($json); 1 }, 'nytp-tree: JSON as JSON::PP reads it') or diag($@);
    my @lines = split /\n/, slurp(result_of('nytp-tree', $profile, '-S'));
    is(scalar @lines, $subs, 'nytp-tree: a line for each sub') if defined $subs;
    return;
}

sub table_ok {
    my ($profile, $subs) = @_;
    require JSON::PP;
    my $rows = JSON::PP::decode_json(slurp(result_of('nytp-table', $profile, '--by=subs', '--format=json')));
    is(scalar @$rows, $subs, 'nytp-table: all subs') if defined $subs;
    my @lines = split /\n/, slurp(result_of('nytp-table', $profile, '--by=subs', '--rows=0'));
    cmp_ok(scalar @lines, '>=', @$rows + 3, '... a line for each');
    result_of('nytp-table', $profile, @$_) for [], ['--format=markdown'], ['--by=lines', '--format=csv'], ['--by=lines'];
    return;
}

sub exports_ok {
    my ($profile, $subs) = @_;
    my $shown = speedscope_profiles(slurp(result_of('nytp-speedscope', $profile)));
    is(scalar @{ $shown->{frames} }, $subs, 'nytp-speedscope: all subs') if defined $subs;
    my $stacks = sub { return join '|', map { unpack 'H*', $_ } sort keys %{ $_[0]{stacks} // {} } };
    my $trace = perfetto_calls(slurp(result_of('nytp-trace', $profile)));
    is($stacks->(trace_calls(slurp(result_of('nytp-trace', $profile, '--json')))), $stacks->($trace),
        'nytp-trace: the same in both formats');
    return if system('go version >/dev/null 2>&1') != 0;
    consumer_is_content('go tool pprof', 'go', 'tool', 'pprof', '-raw', result_of('nytp-pprof', $profile));
    return;
}

sub tables_ok {
    my ($profile, $subs) = @_;
    my $cell = qr/(?:"(?:[^"]|"")*"|[^",\r\n]*)/;
    for my $table (qw(subs calls files lines)) {
        my $got = run([build_dir() . '/bin/nytprofcsv', "--table=$table", '-o', '-', $profile]);
        is("$got->{status} $got->{err}", '0 ', "nytprofcsv: $table");
        ok($got->{out} !~ $acts, '... nothing that a terminal acts on');
        my ($header, @rows) = split /\r\n/, $got->{out};
        my $commas = $header =~ tr/,//;
        is(scalar(grep { !/\A$cell(?:,$cell){$commas}\z/ } @rows), 0, 'each row has all cells');
        ok(utf8::decode($got->{out}), 'in UTF-8');
        is(scalar(grep { !/\Amain::(?:RUNTIME|NULL),/ } @rows), $subs, 'all subs') if $table eq 'subs' && defined $subs;
    }
    return;
}

sub consumers_ok {
    my ($name, $profile, $subs) = @_;
    return subtest $name => sub {
        my $merged = result_of('nytprofmerge', $profile);
        for my $way ($profile, rename($merged, "$dir/again") ? "$dir/again" : die "$!\n") {
            $_->($way, $subs) for \&flames_ok, \&callgrind_ok, \&graph_ok, \&report_ok, \&dprof_ok, \&tree_ok, \&table_ok,
                \&exports_ok, \&tables_ok;
        }
    } || diag("SEED=$seed");
}

consumers_ok('all of them', spew("$dir/all", made_up(map { $odd{$_} } sort keys %odd)), scalar keys %odd);

# One at a time, to see which one is the culprit.
if ($ENV{EXHAUSTIVE}) {
    consumers_ok($_, spew("$dir/one", made_up('main::first', $odd{$_})), 2) for sort grep { $_ ne 'plain' } keys %odd;
}

# ---- what perl itself makes, under both collectors ----

my $program = <<'PERL';
no strict 'refs';
my @names = map { pack 'H*', $_ } @ARGV;
my @subs = map { my $n = $_; *{"Odd::$n"} = sub { return length $n }; \&{"Odd::$n"} } @names;
require Sub::Util;
@subs = map { Sub::Util::set_subname("Odd::$names[$_]", $subs[$_]) } 0 .. $#subs;
$_->() for @subs;
eval qq{#line 7 "odd;file \\"'<&\xE9\x01.pl"\nsub in_file { return 1 } in_file()};
eval "sub { return 2 }->();\n";
do './odd "file";\'<&>.pl' or die;
PERL

my $work = scratch_dir();
spew("$work/program.pl", $program);
spew("$work/odd \"file\";'<&>.pl", "sub in_odd { return 3 } in_odd();\n");
# In stock, names end at a NUL.
my @asked = map { $odd{$_} } grep { $odd{$_} !~ /\0/ && !/^(?:long|package|colons)/ } sort keys %odd;
my @made  = map { unpack 'H*', utf8::is_utf8($_) ? do { my $n = $_; utf8::encode($n); $n } : $_ } @asked;
my %got   = map { $_ => profiled($_, ['program.pl', @made], dir => $work) } 'ours', 'stock';
my %names;
for my $collector (sort keys %got) {
    is("$got{$collector}{status} $got{$collector}{err}", '0 ', "recorded by $collector");
    my $chunks = run([build_dir() . '/bin/nytprofcalls', '--calls', @{ $got{$collector}{files} }]);
    $names{$collector} = join "\n", grep { /Odd|in_/ } sort map { s/.*;//r } split /\n/, $chunks->{out};
}
is($names{ours}, $names{stock}, 'the same names as stock');
like($names{ours}, qr/Odd::/, 'there are some');
consumers_ok('as recorded', @{ $got{ours}{files} });

# Modules give subs names that end in a blank, as Try::Tiny does: "try {...} ".
subtest 'blanks at the end' => sub {
    my $profile = spew("$dir/blank", made_up('Some::try {...} ', 'main::f'));
    for my $case (['nytp-tree'], ['nytp-dprofpp'], ['nytp-tree', '--json'], ['nytp-dot'], ['nytp-pprof'], ['nytp-pprof', '--lines'],
        ['nytp-speedscope'], ['nytp-speedscope', '--timeline'],
        ['nytp-trace'], ['nytp-trace', '--json'], ['nytprofcg'], ['nytprofcsv', '--table=subs']) {
        my ($program, @options) = @$case;
        unlink "$dir/out.csv";
        run([build_dir() . "/bin/$program", @options, '-o', "$dir/out.csv", $profile]);
        IO::Uncompress::Gunzip::gunzip("$dir/out.csv" => \my $text, Transparent => 1);
        like($text, qr/\btry \{\.\.\.\}(?! *\\x20|  | [\n",])/, "$program @options: trimmed");
    }
    my $page = ReportPage->new(slurp(result_of('nytprofhtml', $profile)));
    ok($page->subs->{'Some::try {...}'}, 'nytprofhtml');
    like($page->static, qr/>Some::try \{\.\.\.\}</, '... and without scripts');
    like(slurp(result_of('nytprofcalls', $profile)), qr/^Some::try \{\.\.\.\} [; ]/m,
        'nytprofcalls writes the bytes that stock does');
};

done_testing();
