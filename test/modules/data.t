# Devel::NYTProf::Data: what stock's module of that name loads, and what is done with it. Programs of the stock
# distribution work beside it. EXHAUSTIVE=1 loads long profiles as well, and ten thousand times.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir chunk_tags fewer record run scratch_dir slurp spew top_dir valgrind);
use lib build_dir() . '/perl5';

use CollectorRun qw(command exhaustive preloaded profiled);
BEGIN { preloaded() }
use Devel::NYTProf::Data;    # before stock's, which other modules of the tests load
use JSON::PP ();
use NYTPPrograms qw(recordings);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $perl5   = build_dir() . '/perl5';
my $module  = "$perl5/Devel/NYTProf/Data.pm";
my $scratch = scratch_dir();
my %clean   = (PERL5LIB => undef, PERL5OPT => undef, NYTPROF => undef, PERL_HASH_SEED => 0);
is($INC{'Devel/NYTProf/Data.pm'}, $module, 'our module');

sub perl {
    my ($which, @arguments) = @_;
    return run([command($which), @arguments], env => \%clean);
}

# ---- the same as stock's ----

# Of two texts, the first lines that differ.
sub difference {
    my ($stock, $ours) = map { [split /\n/] } @_;
    my ($at) = grep { ($stock->[$_] // '') ne ($ours->[$_] // '') } 0 .. ($#$stock > $#$ours ? $#$stock : $#$ours);
    return defined $at ? 'stock: ' . ($stock->[$at] // 'nothing') . "\nours:  " . ($ours->[$at] // 'nothing') : 'none';
}

# Kinds of files, evals and subs that the recordings lack. (Stock crashes if a sub or call is in a file that does not
# exist.)
my @files = (
    [1, 0, 0, 0x12, '/srv/shop.pl'], [2, 1, 7, 0x112, '(eval 1)[/srv/shop.pl:7]'], [3, 0, 0, 0, 'rel/x.pl'],
    [4, 0, 0, 0x80, 'fake'],
    [5, 0, 0, 1, '/srv/lib/Bar.pm'], [6, 0, 0, 0, '-'], [7, 0, 0, 0, '/loader/0x1234/Baz.pm'],
    [8, 2, 3, 0x100, '(eval 2)[(eval 1)[/srv/shop.pl:7]:3]'],
    [9, 8, 1, 0x100, '(re_eval 3)[(eval 2)[x:1]:1]'], [10, 0, 0, 0x100, '(eval 9)'], [11, 0, 0, 0, 'named elsewhere'],
    [12, 1, 7, 0x100, '(eval 4)[/srv/shop.pl:7]'],
    [13, 0, 0, 0, '/srv/other/shop.pl'], [14, 0, 0, 0, '/srv/2'], [15, 0, 0, 0, '5'], [16, 0, 0, 0, ''],
    [17, 12, 1, 0x100, '(eval 5)[(eval 4)[/srv/shop.pl:7]:1]'],
);
my @subs = (
    [1, 'main::a', 3, 4], [2, 'main::a', 30, 31], [3, 'A::__ANON__', 3, 3],
    (map { [1, $_, 3, 3] } '::x', 'main::', 'nopkg', "A'B::x", 'main::CORE:foo',
        'CORE::print', 'A::__ANON__x', 'A::x__ANON__', 'A::B::__ANON__[/srv/x:3]',
        'A::B::__ANON__[(eval 3)[/a::b.pl:3]:1]'),
    (map { [1, $_, 0, 0] } 'A::CORE:print', 'A::xs', 'CORE::GLOBAL::print', 'CORE::say', 'A::CORE::x'),
    [1, 'A::half', 0, 5],
);
my @calls = (
    [1, 10, 'main::b', 3, 0.5, 0.25, 0.125, 2, 'main::a'], [10, 50, 'main::c', 4, 1, 0.5, 0, 0, 'main::a'],
    [2, 5, 'main::c', 4, 1, 0.5, 0, 0, 'main::a'],
    [2, 5, 'main::b', 1, 1, 0.5, 0, 0, 'main::a'], [0, 0, '', 0, 0, 0, 0, 0, 'A::xs'],
    [1, 4, 'main::c', 1, 1, 1, 0, 0, 'A::xs'], [1, 4, 'A::B', 1, 1, 1, 0, 0, 'A::unknown'],
);
my $kinds = spew("$scratch/kinds",
    profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000],
        [ATTRIBUTE => 'cumulative_overhead_ticks', 0], ['START_DEFLATE'], [PID_START => 7, 1, 100.5],
    (map { [NEW_FID => @$_[0 .. 3], 11, 22, $_->[4]] } @files), [TIME_LINE => 5, 1, 3], [TIME_BLOCK => 50, 1, 1, 1, 1],
    ['DISCOUNT'], [TIME_BLOCK => 500, 2, 2, 1, 1], [TIME_LINE => 7, 12, 2],
    [SRC_LINE => 1, 1, "a\n"], [SRC_LINE => 1, 3, "b\n"], [SRC_LINE => 2, 1, 'x'], (map { [SUB_INFO => @$_] } @subs),
    (map { [SUB_CALLERS => @$_] } @calls), [PID_END => 7, 200.5]));

my @large = ('ack', 'cloc', 'pod2man', 'podchecker');
for my $recording (fewer(4, grep { my $name = $_->{name}; exhaustive() || !grep { $_ eq $name } @large } recordings()),
    { name => 'kinds', path => $kinds }) {
    my ($name, $path) = @$recording{qw(name path)};
    my ($ours, $stock) = map { perl($_, top_dir() . '/test/scripts/dump-data.pl', $path) } qw(ours stock);
    is($ours->{err}, "$module\n", "$name: loaded by our module");
    unlike($stock->{err}, qr/^\Q$module\E$/m, "$name: and by stock's");
    my $values = $ours->{out} =~ tr/\n//;
    ok($ours->{out} eq $stock->{out} && $values > 100, "$name: the same $values values")
        or diag(difference($stock->{out}, $ours->{out}));
}

# Every method that stock has is compared, or the documentation says that it is missing.
my $public = 'use Devel::NYTProf::Data; use B;
    for my $class (qw(Data FileInfo SubInfo)) {
        my $package = "Devel::NYTProf::$class";
        my %subs = map { $_ => $package->can($_) } grep { /^[a-z]/ && $package->can($_) } keys %{"${package}::"};
        print "called $class: ", join(" ", sort grep { B::svref_2object($subs{$_})->GV->STASH->NAME eq $package } keys %subs), "\n";
    }';
my ($missing) = slurp($module) =~ /These methods of that module do not exist:\n\n(.*?)\n\n/ms
    or die 'no list of missing methods';
my %missing = map { $_ => 1 } map { split /, */ } $missing =~ /^ +(\w+(?:, \w+)*) {2,}/mg;
is(scalar(keys %missing), 6, 'the documentation says what is missing');
my %unused = %missing;
my @stock = map { my ($class, @names) = split; my @kept = grep { !$missing{$_} } @names[1 .. $#names];
    delete @unused{@names}; "$class $names[0] @kept\n" }
    split /\n/, perl('stock', '-e', $public)->{out};
my @compared = grep { /^called/ } split /^/, perl('ours', top_dir() . '/test/scripts/dump-data.pl', $kinds)->{out};
is_deeply(\@compared, \@stock, 'every method of stock that is not missing is compared');
is_deeply([sort keys %unused], [], 'and stock has what the documentation calls missing');

# ---- what stock does not load, or loads differently ----

my @begin = ([PID_START => 7, 1, 100.5], [NEW_FID => 1, 0, 0, 0x12, 11, 22, '/srv/shop.pl'],
    [NEW_FID => 2, 1, 7, 0x112, 0, 0, '(eval 1)[/srv/shop.pl:7]']);
my @end   = ([PID_END => 7, 200.5]);

sub made {
    my ($name, @chunks) = @_;
    return spew("$scratch/$name",
        profile_bytes([VERSION => 4, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], ['START_DEFLATE'], @chunks));
}

sub load { return Devel::NYTProf::Data->new({ filename => $_[0], quiet => 1 }) }

my $profile = load(made('sums', @begin,
    [PID_START => 8, 7, 101.5], [TIME_LINE => 10, 1, 5_000_000], ['DISCOUNT'], ['DISCOUNT'],
    [TIME_LINE => -3, 1, 5_000_000],
    [TIME_BLOCK => 50, 2, 8, 7, 6], [PID_END => 8, 102],
    [SUB_INFO => 2, "main::gr\x{f6}\x{263a}", 1, 2], [SUB_INFO => 1, "main::gr\x{f6}\x{263a}", 11, 12],
    [SUB_CALLERS => 0, 0, '', 0, 0, 0, 0, 0, 'main::CORE:print'],
    [SUB_CALLERS => 1, 5, "main::gr\x{f6}\x{263a}", 3, 0.5, 0.25, 0.125, 2, 'main::CORE:print'],
    [SUB_CALLERS => 1, 5, 'main::RUNTIME', 2, 1, 1, 0, 0, 'main::CORE:print'],
    @end, [ATTRIBUTE => 'cumulative_overhead_ticks', 500]));
my %attribute = %{ $profile->attributes };
is_deeply([@attribute{qw(profiler_start_time profiler_end_time profiler_duration profiler_active complete)}],
    [101.5, 200.5, 100.5, 100, 1], 'times of two processes');
is_deeply([@attribute{qw(total_stmts_measured total_stmts_discounted total_stmts_duration total_sub_calls)}],
    [3, 1, 0.057, 5], 'sums');
is_deeply($profile->{fid_line_time}[1][5_000_000], [0.007, 1], 'a line far down');
is_deeply([@$profile{qw(fid_block_time fid_sub_time)}],
    [[undef, undef, [(undef) x 7, [0.05, 1]]], [undef, undef, [(undef) x 6, [0.05, 1]]]], 'blocks and subs');
my ($grow, $print) = @{ $profile->subname_subinfo_map }{"main::gr\x{f6}\x{263a}", 'main::CORE:print'};
is_deeply([$grow->fid, $grow->first_line, $grow->last_line, $grow->calls, $grow->name],
    [1, 11, 12, 0, "main::gr\x{f6}\x{263a}"], 'the lowest fid of several');
ok(exists $_->subs->{"main::gr\x{f6}\x{263a}"}, 'defined in ' . $_->name) for $profile->all_fileinfos;
is_deeply([$print->fid, $print->first_line, $print->calls, $print->incl_time, $print->excl_time,
    $print->recur_incl_time, $print->recur_max_depth],
    [1, 0, 5, 1.5, 1.25, 0.125, 2], 'a built-in');
is_deeply($print->caller_fid_line_places,
    { 1 => { 5 => [5, 1.5, 1.25, 0, 0, 0.125, 2, { "main::gr\x{f6}\x{263a}" => undef, 'main::RUNTIME' => undef }] } },
    'its callers');
is_deeply($profile->fileinfo_of(1)->sub_call_lines,
    { 5 => { 'main::CORE:print' => $print->caller_fid_line_places->{1}{5} } }, 'and at the line');

# ---- methods ----

my ($file, $eval) = $profile->all_fileinfos;
is_deeply([map { $file->$_ } qw(name filename fid eval_fid eval_line flags size mtime evals)],
    ['/srv/shop.pl', '/srv/shop.pl', 1, '', '', 0x12, 11, 22, [$eval]], 'a file');
is_deeply([map { $eval->$_ } qw(name fid eval_fid eval_line evals)], ['(eval 1)[/srv/shop.pl:7]', 2, 1, 7, undef],
    'an eval');
is($eval->eval_fi, $file, 'and where it was done');
is_deeply([$file->has_evals], [$eval], 'has_evals');
is(scalar(my @defined = $file->subs_defined), 2, 'subs_defined');
is($_->profile, $profile, ref($_) . ' knows the profile') for $file, $print;
is($print->fileinfo, $file, 'fileinfo of a sub');
is($profile->fileinfo_of($_), $file, "fileinfo_of $_") for 1, '/srv/shop.pl', 'shop.pl', 'srv/shop.pl', $file;
is($profile->fileinfo_of($_), undef, 'fileinfo_of ' . ($_ // 'undef')) for 0, 3, 'hop.pl', 'none', undef;
is_deeply([$profile->inc], \@INC, 'inc');
is($profile->options, $profile->{option}, 'options');
my ($first) = load(made('gone', @begin, @end))->all_fileinfos;
is($first->profile, undef, 'what is loaded does not keep itself');

my $calls = record('calls', ["test/scripts/calls.pl"], calls => 2, slowops => 2, blocks => 1);
my @tags  = chunk_tags($calls);
my %seen;
is(Devel::NYTProf::Data->new({ filename => $calls, quiet => 1, callback => sub { $seen{ $_[0] }++ } }), undef,
    'with a callback');
is($seen{TIME_BLOCK}, (grep { $_ eq 'TIME_BLOCK' } @tags) + 0, 'which is called');
Devel::NYTProf::Data->new({ filename => $calls, quiet => 1, callback => { PID_END => sub { $seen{hash} = $. } } });
is($seen{hash}, $#tags, 'or a hash of them');
is(perl('ours', '-MDevel::NYTProf::Data', '-e', 'Devel::NYTProf::Data->new({ filename => shift })', $calls)->{out},
    "Reading $calls\n", 'says what it reads');

# ---- what cannot be loaded ----

my $too_much =
    qr{^\Q$scratch\E/[a-z-]+: its data take more than the 64 MiB allowed; NYTP_MEMORY_MIB allows more at \S+\bdata\.t line \d+\.$};
my %BAD = (
    cut     => [spew("$scratch/cut", substr(slurp($calls), 0, 20_000)),
        qr/: cut short at offset \d+ of the inflated data/],
    none    => ["$scratch/none", qr{none: cannot open: No such file or directory at \S+\bdata\.t line \d+\.$}],
    damaged => [made('damaged', @begin, [DISCOUNT =>], ['COMMENT', "\n\1"]), qr/unknown tag 0x01: expected a chunk/],
    'far fid'  => [made('fid', @begin, [NEW_FID => 4_000_000_000, 0, 0, 0, 0, 0, 'x'], @end), $too_much],
    'a fid that does not belong to a file' => [made('no-file', @begin, [TIME_LINE => 1, 0x2000000, 1], @end),
        $too_much],
    'far line' => [made('line', @begin, [TIME_LINE => 1, 1, 4_000_000_000], @end), $too_much],
    'far block' => [made('block', @begin, [TIME_BLOCK => 1, 1, 1, 4_000_000_000, 1], @end), $too_much],
    'far text' => [made('text', @begin, [SRC_LINE => 1, 4_000_000_000, 'x'], @end), $too_much],
    'text of no file' => [made('no-text', @begin, [SRC_LINE => 4_000_000_000, 1, 'x'], @end), $too_much],
);
for my $name (sort keys %BAD) {
    my ($path, $message) = @{ $BAD{$name} };
    is(eval { load($path) }, undef, "$name: nothing is loaded");
    like($@, $message, "$name: message");
}
my $far = made('far', @begin, [TIME_LINE => 1, 1, 20_000_000], @end);
is(eval { load($far) }, undef, 'a far line in a small file');
like($@, $too_much, 'is refused');
{
    local $ENV{NYTP_MEMORY_MIB} = 500;
    ok(load($far)->{fid_line_time}[1][20_000_000], 'a larger limit is accepted');
    local $ENV{NYTP_MEMORY_MIB} = 20;
    is(eval { load($far) }, undef, 'and a smaller one refuses it');
    like($@, qr/^\Q$far\E: its data take more than the 20 MiB allowed; /, 'which the message names');
    for my $odd ('much', 15, -1, '99x') {
        local $ENV{NYTP_MEMORY_MIB} = $odd;
        is(eval { load($calls) }, undef, "a wish of $odd");
        like($@, qr/^NYTP_MEMORY_MIB=$odd: expected a whole number from 16 to 1073741824 at \S+\bdata\.t line \d+\.$/,
            'is refused');
    }
}
# Odd profiles whose content can be loaded.
my @odd = ([NEW_FID => 3, 9, 1, 0x112, 0, 0, '(eval 2)[/late.pl:1]'], [NEW_FID => 9, 0, 0, 0, 0, 0, '/late.pl'],
    [NEW_FID => 4, 4, 4, 0, 0, 0, 'self'],
    [NEW_FID => 1, 0, 0, 0, 1, 1, '/again.pl'], [TIME_LINE => 5, 77, 1], [SUB_INFO => 78, 'f', 1, 1],
    [SUB_CALLERS => 79, 1, 'f', 1, 1, 1, 0, 0, ''],
    [SRC_LINE => 80, 0, "x\n"], [SRC_LINE => 80, 0, "y\n"], [SUB_CALLERS => 0, 5, 'g', 2, 1, 1, 0, 0, 'f'],
    [ATTRIBUTE => 'a', 1], [ATTRIBUTE => 'a', 2]);
$profile = load(made('odd', @begin, @odd, @end));
is_deeply([map { $_->fid . $_->name . ($_->eval_fi ? $_->eval_fi->name : '') } $profile->all_fileinfos],
    ['1/again.pl', '2(eval 1)[/srv/shop.pl:7]', '3(eval 2)[/late.pl:1]', '4self', '9/late.pl'], 'odd files');
is_deeply([$profile->{fid_srclines}[80][0], $profile->attributes->{a}, $profile->subname_subinfo_map->{f}->calls],
    ["y\n", 2, 2], 'odd values');

# ---- over and over ----

my $rounds = 'use Devel::NYTProf::Data; my ($small, $cut, $odd, @rounds) = @ARGV; my $n = 0;
    for my $until (@rounds) {
        while ($n++ < $until) {
            for my $file ($small, $odd) { my $p = Devel::NYTProf::Data->new({ filename => $file, quiet => 1 }); $_->profile for $p->all_fileinfos }
            eval { Devel::NYTProf::Data->new({ filename => $cut, quiet => 1 }) };
            my ($kept) = Devel::NYTProf::Data->new({ filename => $odd, quiet => 1 })->all_fileinfos;
        }
        open my $statm, "<", "/proc/self/statm"; print +(split " ", <$statm>)[1] * 4096, "\n";
    }';
my $small  = record('evals', ['test/scripts/evals.pl'], calls => 2, nameevals => 1);
my @rounds = valgrind() ? (1, 2) : exhaustive() ? (1_000, 10_000) : (50, 300);
my $grown  = run([command('ours'), '-e', $rounds, $small, "$scratch/fid", "$scratch/odd", @rounds],
    env => { %clean, PERL_DESTRUCT_LEVEL => 2 });
my ($before, $after) = split /\n/, $grown->{out};
is($grown->{err}, '', 'many rounds: nothing on stderr');
# the sanitizer keeps what is freed
cmp_ok($after, '<=', $before + 256 * 1024, "no more memory after $rounds[1] loads than after $rounds[0]")
    if !valgrind() && !$ENV{PRELOAD};

$grown = profiled('ours',
    ['-e', 'use Devel::NYTProf::Data; print Devel::NYTProf::Data->new({ filename => shift, quiet => 1 '
    . '})->attributes->{complete}', $small]);
is($grown->{out}, 1, 'loads while it is profiled') or diag($grown->{err});

# ---- the examples of the documentation ----

# The code below a heading.
sub example {
    my ($name, $heading) = @_;
    my ($text) = slurp("$perl5/Devel/NYTProf/$name.pm") =~ /^=head\d \Q$heading\E\n(.*?)^=/ms;
    my $code = join "\n", ($text // '') =~ /^( {4}.*|)$/mg;
    return spew("$scratch/example.pl", "use strict; use warnings;\n$code");
}

my $got = perl('ours', example('ReadStream', 'A file as JSON lines'), $calls);
my @lines = map { JSON::PP::decode_json($_) } split /\n/, $got->{out};
is($got->{err}, '', 'JSON lines: nothing on stderr');
is_deeply([map { $_->[0] } @lines], [0 .. $#tags], 'JSON lines: one for each chunk');
is($lines[31][8], load($calls)->fileinfo_of(1)->name, 'JSON lines: values');

my ($packages) = map { $_->{path} } grep { $_->{name} eq 'json' } recordings();
$got = perl('ours', example('ReadStream', 'Calls between packages'), $packages);
is($got->{err}, '', 'calls between packages: nothing on stderr');
my @pairs = map { [/^(\d+) (\S+) -> (\S+)$/] } split /\n/, $got->{out};
is(scalar(grep { @$_ != 3 || $_->[1] eq $_->[2] } @pairs), 0, 'calls between packages: pairs of them');
cmp_ok(scalar @pairs, '>', 5, 'calls between packages: some');
my $within = 0;
Devel::NYTProf::Data->new({ filename => $packages, quiet => 1, callback => { SUB_CALLERS => sub {
    my @in = map { s/::(?:CORE:)?[^:]*\z//r } @_[8, 9];
    $within += $_[3] if $_[3] && $in[0] eq $in[1];
} } });
my $all = 0;
$all += $_->[0] for @pairs;
is($all + $within, load($packages)->attributes->{total_sub_calls},
    'calls between packages: all that are not within one');

$got = perl('ours', example('Data', 'EXAMPLE'), $calls, 'calls.pl');
is($got->{err}, '', 'hottest lines: nothing on stderr');
my @hot = map { [/^(\d+\.\d+) s +(\d+) times, line (\d+): (.*)$/] } split /\n/, $got->{out};
is(scalar(grep { @$_ == 4 } @hot), 10, 'hottest lines: ten');
is_deeply([map { $_->[0] } @hot], [sort { $b <=> $a } map { $_->[0] } @hot], 'hottest lines: in order');
my $times = load($calls)->{fid_line_time}[1];
is($hot[0][1], $times->[$hot[0][2]][1], 'hottest lines: executions');
is($hot[0][3], (split /\n/, slurp(top_dir() . '/test/scripts/calls.pl'))[$hot[0][2] - 1], 'hottest lines: source');
spew("$scratch/nytprof.out", slurp($calls));
for my $name ('Data', 'ReadStream') {
    $got = run([command('ours'), example($name, 'SYNOPSIS')], env => \%clean, dir => $scratch);
    is($got->{status}, 0, "$name: synopsis") or diag($got->{err});
    cmp_ok($got->{out} =~ tr/\n//, '>', 50, "$name: synopsis prints");
}

# ---- programs of the stock distribution, with our modules before their own ----

sub beside {
    my ($which, $program, @arguments) = @_;
    my $dir = scratch_dir();
    my $lib = $which eq 'ours' ? $perl5 : undef;
    my $ran = run(["/usr/bin/$program", @arguments], env => { %clean, PERL5LIB => $lib, PERL_PERTURB_KEYS => 0 },
        dir => $dir);
    my %made = map { s{^\Q$dir\E/}{}r => slurp($_) } grep { -f } glob("$dir/* $dir/*/*");
    s/Reported on [\w :]+|^#.*\n//gm for values %made;
    return { %$ran, made => \%made };
}

my @STOCK = (
    ['nytprofhtml', '-f', $small, '-o', 'report'], ['nytprofcsv', '-f', $small, '-o', 'report'],
    ['nytprofcalls', '--stable', $small],
    ['nytprofcg', '-f', $small, '-o', 'out.callgrind'], ['nytprofmerge', '-o', 'merged.out', $small, $small],
);
for (@STOCK) {
    my ($program, @arguments) = @$_;
    my ($ours, $stock) = map { beside($_, $program, @arguments) } qw(ours none);
    is($ours->{status}, 0, "$program works") or diag($ours->{err});
    is($ours->{err}, $stock->{err}, "$program: says the same");
    is_deeply([sort keys %{ $ours->{made} }], [sort keys %{ $stock->{made} }], "$program: makes the same files");
    my @differ = grep { !/\.callgrind$|merged/ && $ours->{made}{$_} ne $stock->{made}{$_} } keys %{ $ours->{made} };
    is_deeply(\@differ, [], "$program: with the same contents");
}
is(perl('ours', '-e',
    'use Devel::NYTProf::Reader; use Devel::NYTProf::Data; print ref '
    . 'Devel::NYTProf::Data->can("subs_defined_in_file")')->{out}, 'CODE',
    'after Devel::NYTProf::Reader there is stock\'s');

done_testing();
