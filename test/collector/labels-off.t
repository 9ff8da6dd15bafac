# What labels= costs a program that does not ask for it: nothing. The handlers of ops are the same functions as without
# labels, but those of the kinds that are asked for, and the profile has the same chunks.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library need_collector preload profiled);
use NYTPTest qw(build_dir run);
use Test::More;

need_collector();

# Prints each op with its handler: where in NYTProf.so it is, or that it is not there.
my $PRINTS_HANDLERS = <<'END';
use B; use DynaLoader;
my (@ops, $name); push @ops, $name =~ s/^pp_//r while defined($name = B::ppname(scalar @ops));
my $array = DynaLoader::dl_find_symbol(DynaLoader::dl_load_file('', 0), 'PL_ppaddr') or die 'PL_ppaddr is not found';
my @handlers = unpack 'J*', unpack 'P' . length(pack 'J', 0) * @ops, pack 'J', $array;
open my $maps, '<', '/proc/self/maps' or die $!;
my @parts = map { /^(\w+)-(\w+) .*\bNYTProf\.so$/ ? [hex $1, hex $2] : () } readline $maps;
for my $n (0 .. $#ops) {
    my $is_ours = grep { $_->[0] <= $handlers[$n] && $handlers[$n] < $_->[1] } @parts;
    printf "%s %s\n", $ops[$n], $is_ours ? $handlers[$n] - $parts[0][0] : "perl's";
}
END

sub handlers {
    my (%options) = @_;
    my $got = profiled('ours', ['-e', $PRINTS_HANDLERS], options => \%options);
    is("$got->{status} " . $got->{err} =~ s/^.* labels has no effect with subs=0\n//r, '0 ', join ' ', 'handlers with',
        map { "$_=$options{$_}" } sort keys %options);
    return { map { split ' ', $_, 2 } split /\n/, $got->{out} };
}

# The ops whose handlers differ.
sub differing {
    my ($one, $other) = @_;
    return [sort grep { $one->{$_} ne $other->{$_} } keys %$one];
}

my %OPS = (
    regex   => [qw(match qr regcomp subst substcont)],
    file    => [qw(chdir ftatime ftbinary ftblk ftchr ftctime ftdir fteexec fteowned fteread ftewrite ftfile ftis
        ftlink ftmtime ftpipe
        ftrexec ftrowned ftrread ftrwrite ftsgid ftsize ftsock ftsuid ftsvtx fttext fttty ftzero lstat mkdir open open_dir readlink
        rename rmdir stat sysopen unlink)],
    command => [qw(backtick open sleep system)],
    host    => [qw(connect ghbyname)],
);
$OPS{$_} = ['entersub'] for qw(sql http template main::f=0);
my %every = map { $_ => 1 } map { @$_ } values %OPS;
$OPS{all} = [sort keys %every];

my $off = handlers();
like($off->{$_}, qr/^\d+$/, "the collector has a handler for $_") for @{ $OPS{all} };
is_deeply(differing($off, handlers(labels => $_)), $OPS{$_}, "labels=$_ has handlers for its ops alone")
    for sort keys %OPS;
is_deeply(differing($off, handlers(labelmax => 3, labellen => 50)), [], 'limits alone have none');
is_deeply(differing(map { handlers(slowops => 0, %$_) } {}, { labels => 'all' }), ['entersub'],
    'with slowops=0 built-ins have none');
is_deeply(differing(map { handlers(subs => 0, %$_) } {}, { labels => 'all' }), [], 'with subs=0 nothing has one');

# ---- chunks ----

my $PROGRAM = <<'END';
sub f { my ($n) = @_; "x$n" =~ /x$n/; "y" =~ s/y/z/r; -e '/tmp'; open my $fh, '<', '/etc/passwd'; system 'true'; sleep 0; return $n && f($n - 1) }
f($_) for 1 .. 3; use List::Util; List::Util::max(1, 2); my @s = sort { f(0); $a <=> $b } 2, 1;
END

# The chunks of a profile, without times and the number of the process. The clock passes only when it is asked: a busy
# machine changes no more than a tick.
my %TIMES = (TIME_LINE => [1], SUB_RETURN => [2, 3], SUB_CALLERS => [4 .. 6], PID_START => [1 .. 3], PID_END => [1, 2]);
my $CLOCK = clock_library('told-clock');

sub chunks {
    my (%options) = @_;
    my $got  = profiled('ours', ['-e', $PROGRAM], options => { clock => 0, waits => 0, %options },
        env => { LD_PRELOAD => preload($CLOCK) });
    my $dump = run([build_dir() . '/test/dump-chunks', $got->{files}[0]]);
    is("$dump->{status} $dump->{err}", '0 ', 'a whole profile');
    my @chunks = map { [split /\t/] } split /\n/, $dump->{out};
    for my $chunk (@chunks) {
        $chunk->[$_] = '-' for @{ $TIMES{ $chunk->[0] } // [] };
        $chunk->[2] = '-' if "@$chunk" =~ /^ATTRIBUTE '(?:clock|cumulative_overhead_ticks|wait_for_cpu|process_cpu_s|memory_at)/;
    }
    return [map { join "\t", @$_ } @chunks];
}

my $without = chunks();
ok(!(grep { /^ATTRIBUTE\t'label|^SUB_\w+\t.*%20/ } @$without),
    'a profile without labels has none, and does not speak of them');
is_deeply(chunks(%$_), $without, join(' ', %$_) . ': the same chunks') for { labels => '' },
    { labelmax => 3, labellen => 50 };
cmp_ok(scalar(grep { /^SUB_RETURN\t.*%20/ } @{ chunks(labels => 'file') }), '>', 0, 'one with labels has some');

done_testing();
