# Devel::NYTProf::ReadStream: what stock's module of that name delivers.
# perl-callbacks.t tests what callbacks may do to it. EXHAUSTIVE=1 compares long profiles as well.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(command exhaustive preloaded);
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir chunk_tags fewer record run scratch_dir slurp spew top_dir);
use ProfileBytes qw(profile_bytes);
use StockModules ();
use Test::More;

my $perl5   = build_dir() . '/perl5';
my $module  = "$perl5/Devel/NYTProf/ReadStream.pm";
my $dump    = top_dir() . '/test/scripts/dump-stream.pl';
my $scratch = scratch_dir();
my %clean   = (PERL5LIB => undef, PERL5OPT => undef, NYTPROF => "file=$scratch/reader.out");
plan(skip_all => "not built: no $module") if !-e $module;
preloaded();

# perl with our module, or one with stock's that reads our profiles, and arguments.
sub perl {
    my ($which, @arguments) = @_;
    return run([$which eq 'ours' ? command('ours') : StockModules::command(), @arguments], env => \%clean);
}

# A program that reads with our module.
sub ours { return perl('ours', '-MDevel::NYTProf::ReadStream=for_chunks', '-we', @_) }

# ---- the same as stock's ----

my @large = ('ack', 'cloc', 'pod2man', 'podchecker');
for my $recording (fewer(4,
    grep { my $name = $_->{name}; exhaustive() || !grep { $_ eq $name } @large } recordings())) {
    my ($name, $path) = @$recording{qw(name path)};
    my ($ours, $stock) = map { perl($_, $dump, $path) } qw(ours stock);
    is($ours->{err}, "$module\n", "$name: read by our module");
    isnt($stock->{err}, $ours->{err}, "$name: and by stock's");
    my $chunks = $ours->{out} =~ tr/\n//;
    ok($ours->{out} eq $stock->{out} && $chunks > 50, "$name: the same $chunks chunks")
        or diag(first_difference($stock->{out}, $ours->{out}));
}

sub first_difference {
    my ($stock, $ours) = map { [split /\n/] } @_;
    my ($at) = grep { ($stock->[$_] // '') ne ($ours->[$_] // '') } 0 .. $#$stock + 1;
    return defined $at ? join "\n", "stock: " . ($stock->[$at] // 'nothing'),
        "ours:  " . ($ours->[$at] // 'nothing') : 'none';
}

# Format 4.0, which stock 6.12 does not read, and what recordings do not have.
my @odd = (
    [COMMENT     => 'a = b'],
    [ATTRIBUTE   => 'ticks_per_sec', 1000],
    [ATTRIBUTE   => 'application',   'a=b c'],
    [PID_START   => 4_000_000_000, 1, 1.25],
    [NEW_FID     => 300, 0, 0, 0x12, 4_294_967_295, 70_000, '/srv/shop.pl'],
    [NEW_FID     => 2, 300, 7, 0x102, 0, 0, "(eval 1)[/srv/\x{263a}.pl:7]"],
    [TIME_LINE   => 70_000, 300, 5_000_000],
    [DISCOUNT    =>],
    [TIME_BLOCK  => 1, 300, 2, 3, 4],
    [SUB_INFO    => 300, "main::gr\x{f6}\x{df}e\x{263a}", 1, 2],
    [SUB_INFO    => 300, '', 0, 0],
    [SUB_CALLERS => 300, 1, "\xe4", 2, 0.5, -0.25, 2**-997, 3, "a\0b\nc"],
    [SRC_LINE    => 300, 1, "print 1;\n"],
    [SRC_LINE    => 300, 2, ''],
    [PID_END     => 4_000_000_000, 2.5],
);

# The values as they are delivered.
sub delivered {
    my ($tag, @v) = @{ $_[0] };
    $v[0] .= "\n" if $tag eq 'COMMENT';
    @v = @v[0, 2, 3, 1] if $tag eq 'SUB_INFO';
    @v = @v[0, 1, 3 .. 8, 2] if $tag eq 'SUB_CALLERS';
    return [$tag, @v];
}

unshift @INC, $perl5;
require Devel::NYTProf::ReadStream;
is($INC{'Devel/NYTProf/ReadStream.pm'}, $module, 'our module');
for my $version (4, 5) {
    my @chunks = ([VERSION => $version, 0], @odd[0 .. 4], ['START_DEFLATE'], @odd[5 .. $#odd]);
    my (@got, @numbers);
    Devel::NYTProf::ReadStream::for_chunks(sub { push @got, [@_]; push @numbers, $. },
        filename => spew("$scratch/odd", profile_bytes(@chunks)), quiet => 1);
    is_deeply(\@got, [map { delivered($_) } @chunks], "format $version.0: all values");
    is_deeply(\@numbers, [0 .. $#chunks], "format $version.0: \$. counts");
    is_deeply([map { utf8::is_utf8($_->[-1]) ? 1 : 0 } grep { $_->[0] =~ /FID|SUB_INFO/ } @got], [0, 1, 1, 0],
        'characters and bytes');
}
# ---- options, hashes, $. ----

my $calls = record('calls', ["test/scripts/calls.pl"], calls => 2, slowops => 2, blocks => 1);
my @tags  = chunk_tags($calls);
my %count;
$count{$_}++ for @tags;
spew("$scratch/nytprof.out", slurp($calls));

my @PRINTS = (
    ['for_chunks { } filename => $ARGV[0]; print "end"', "Reading $calls\nend", 'says what it reads'],
    ['for_chunks { print $_[0] if $. == 1 } quiet => 1, filename => $ARGV[0]', 'COMMENT', 'or not'],
    ["chdir '$scratch'; for_chunks { print 1 if !\$. } quiet => 1", 1, 'nytprof.out is the default'],
    ['my @r = for_chunks { 5 } filename => $ARGV[0], quiet => 1; print scalar(@r), defined $r[0] ? 1 : 0', '10',
    'gives undef'],
    ['print defined &main::for_chunks, prototype "main::for_chunks"', '1&%', 'prototype'],
    ['&for_chunks({ NEW_FID => sub { print "$.,$_[1] " if $_[1] < 3 } }, filename => $ARGV[0], quiet => 1)',
    '31,1 42,2 ', 'hash'],
    ['my %n; my $other = sub { $n{$_[0]}++; $last = $. }; our $last; &for_chunks({ TIME_BLOCK => sub { $n{one}++ }, "" => $other }, filename => $ARGV[0], quiet => 1);
      print "@n{qw(one SUB_INFO PID_END)} $last ", exists $n{TIME_BLOCK} ? 1 : 0',
      "$count{TIME_BLOCK} $count{SUB_INFO} 1 $#tags 0", 'hash with a default'],
    ['my %n; for my $tag (qw(TIME_BLOCK DISCOUNT SUB_RETURN SRC_LINE)) { &for_chunks({ $tag => sub { $n{$tag} .= "$.," } }, filename => $ARGV[0], quiet => 1) }
      my %all; for_chunks { $all{$_[0]} .= "$.," } filename => $ARGV[0], quiet => 1; print join " ", map { $all{$_} eq $n{$_} ? 1 : 0 } sort keys %n',
      '1 1 1 1', 'numbers count what is passed over'],
    ['&for_chunks({}, filename => $ARGV[0], quiet => 1); print 1', 1, 'an empty hash'],
    ['open my $f, "<", $0 eq "-e" ? $INC{"Exporter.pm"} : $0; <$f>; <$f>; for_chunks { <$f> if $. < 5 } filename => '
    . '$ARGV[0], quiet => 1; print "$. "; <$f>; print $.',
      '7 8', '$. is of the handle again'],
    ['{ local $. = 7; for_chunks { } filename => $ARGV[0], quiet => 1; print $. } print $. // "undef"', '7undef',
    '$. without a handle'],
    ['use English; for_chunks { print $NR if $_[0] eq "PID_END" } filename => $ARGV[0], quiet => 1', $#tags, 'English'],
    ['print "caller"; for_chunks { print wantarray // "void" if !$. } filename => $ARGV[0], quiet => 1', 'callervoid',
    'void context'],
    ['use JSON::PP; for_chunks { print JSON::PP->new->encode([@_[0, 1, 2]]) if $_[0] eq "PID_END" or $_[0] eq '
    . '"NEW_FID" && $_[1] == 2 } filename => $ARGV[0], quiet => 1',
        qr/^\["NEW_FID",2,0\]\["PID_END",\d+,\d+\.\d+\]$/, 'numbers are numbers'],
);
for (@PRINTS) {
    my ($program, $prints, $name) = @$_;
    my $got = ours($program, $calls);
    ref $prints ? like($got->{out}, $prints, $name) : is($got->{out}, $prints, $name);
    is($got->{err}, '', "$name: nothing to complain of");
}

my @COMPLAINS = (
    ['&for_chunks({ NEW_FID => "f" }, filename => $ARGV[0])',
    qr/^NEW_FID callback is not a CODE reference at -e line 1\.$/],
    ['&for_chunks({ "" => undef }, filename => $ARGV[0])',
    qr/^The default callback is not a CODE reference at -e line 1\.$/],
    map { ["&for_chunks($_, filename => \$ARGV[0])", qr/^The callback is not a CODE reference at -e line 1\.$/] }
        '"for_chunks"', 'undef', '[]', '\*STDIN', '5',
);
for (@COMPLAINS) {
    my ($program, $error) = @$_;
    my $got = ours($program, $calls);
    like($got->{err}, $error, $program);
    isnt($got->{status}, 0, 'and ends');
}

# ---- files that are not whole ----

# An argument cannot have a NUL, so the name is made there.
like(ours('for_chunks { print 1 } filename => "$ARGV[0]\0.old", quiet => 1', $calls)->{err},
    qr/^\S+\\0\.\.\.: the name of a file has no NUL at -e line \d+\.$/,
    'the file whose name is before a NUL is not read');

my %BAD = (
    nowhere   => ["$scratch/none", 0, qr/^\S+none: cannot open: No such file or directory at -e line 2\.$/],
    directory => [$scratch, 0, qr/^\S+: cannot read: Is a directory at -e line 2\.$/],
    no_profile => [$module, 0, qr/^\S+: offset 0: not a Perl profile: .* at -e line 2\.$/],
    empty     => [spew("$scratch/empty", ''), 0,
        qr/^\S+: cut short at offset 0, before any process began at -e line 2\.$/],
    damaged   => [spew("$scratch/damaged", profile_bytes([VERSION => 5, 0], @odd[0 .. 4]) . "\2"), 6,
        qr/^\S+: offset \d+: unknown tag 0x02: expected a chunk at -e line 2\.$/],
    cut       => [spew("$scratch/cut", substr profile_bytes([VERSION => 5, 0], @odd[0 .. 4]), 0, -1), 5,
        qr/^\S+: cut short at offset \d+, within a NEW_FID chunk; no end of process 4000000000 at -e line 2\.$/],
    'no end'  => [spew("$scratch/no-end", profile_bytes([VERSION => 5, 0], @odd[0 .. 4])), 6,
        qr/^\S+: cut short at offset \d+; no end of process 4000000000 at -e line 2\.$/],
    deflated  => [spew("$scratch/deflated", substr(slurp($calls), 0, 20_000)), 12_000,
        qr/^\S+: cut short at offset \d+ of the inflated data/],
    'half a line' =>
    [spew("$scratch/line", profile_bytes([VERSION => 5, 0]) . ":no such\n" . profile_bytes(@odd[3, $#odd])), 3,
        qr/^\S+: offset 12: a line without "=" was skipped at -e line 2\.$/],
);
for my $name (sort keys %BAD) {
    my ($path, $least, $message) = @{ $BAD{$name} };
    my $got = ours("my \$n = 0; END { print \$n }\nfor_chunks { \$n++ } filename => \$ARGV[0], quiet => 1", $path);
    like($got->{err}, $message, "$name: message");
    is($got->{err} =~ tr/\n//, 1, "$name: in one line");
    cmp_ok($got->{out}, '>=', $least, "$name: what came before was delivered");
    is($got->{status} != 0, $name ne 'half a line', "$name: status");
}

done_testing();
