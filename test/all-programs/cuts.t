# Profiles that stop at any byte. Every program succeeds, shows no more than of the whole profile, and with each
# further byte at least as much as before.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CallgrindFile;
use Collapsed qw(parsed frames_of);
use Config;
use Exports qw(perfetto_calls pprof_calls speedscope_profiles);
use FuzzSeeds qw(small_of_each_kind);
use NYTPTest qw(build_dir converters fewer record run scratch_dir slurp spew);
use ReportPage;
use Test::More;

my $cut  = scratch_dir() . '/cut.out';
my @tiny = ('test/scripts/tiny.pl');

# With EXHAUSTIVE small profiles are cut at every byte, and large ones at 2,000 random places; otherwise at some of
# these.
my %small = (
    'tiny'            => record('tiny', \@tiny, calls => 2),
    'tiny-plain'      => record('tiny-plain', \@tiny, calls => 2, compress => 0, savesrc => 0),
    'tiny-statements' => record('tiny-statements', \@tiny, subs => 0, compress => 0, blocks => 1, savesrc => 0),
);
my %large = (
    'pod2man' => record('pod2man', ['/usr/bin/pod2man', "$Config{privlib}/pod/perlreftut.pod"], calls => 2),
    'calls'   => record('calls', ['test/scripts/calls.pl'], calls => 2, slowops => 2, blocks => 1),
);

# What a callgrind file shows: statements, their time, and calls by callee. KCachegrind must be able to load it.
sub callgrind_measure {
    my $file  = CallgrindFile->parse($_[0]);
    my %costs = map { $file->{events}[$_] => $file->{totals}[$_] } 0 .. $#{ $file->{events} };
    my %shown  = (Stmts => $costs{Stmts} // 0, StmtTime => $costs{StmtTime} // 0, complaints => scalar @{ $file->{complaints} });
    for my $function (values %{ $file->{functions} }) {
        # Code outside of known subs is in functions that nytprofcg makes up: "main::(file scope of a.pl)".
        for my $call (@{ $function->{calls} }) {
            my $name = $call->{to} =~ s/BEGIN(?:@[0-9.]+)?\K \(loads .*\)\z//r;
            $shown{"calls of $name"} += $call->{count} if $name !~ /(?: |::)\(/;
        }
    }
    return \%shown;
}

# Calls in a tmon.out.
sub tmon_measure { return { calls => scalar(() = $_[0] =~ /^[+*]/mg) } }

# Calls by sub, from its box: who called it, even whether it was itself, depends on what has returned.
sub dot_measure {
    my ($dot, %calls) = ($_[0] =~ s/\\\n//gr);
    $calls{$1} += $2 =~ tr/,//dr while $dot =~ /[\t ]tooltip="([^"\\ ]+)(?: \([^"\\]*)?\\n[^"]*\\ncalls: ([\d,]+)/g;
    return \%calls;
}

# Calls by sub.
# The work of the head, in microseconds. Calls may stand elsewhere in the tree, as what was around them has not returned.
sub head_measure {
    my ($number, $unit) = $_[0] =~ /^100 % = (\S+) (s|ms|us) of work$/m or return {};
    return { work => $number * { s => 1e6, ms => 1e3, us => 1 }->{$unit} };
}

sub tree_measure {
    my %calls;
    $calls{$1} += $2 while $_[0] =~ /^ *(\S.*) x (\d+) *\t/mg;
    return \%calls;
}

# Chunks by kind, and calls by sub. The profile must be complete, except that processes need not end.
sub profile_measure {
    my $got = run([build_dir() . '/test/dump-chunks', spew("$cut.merged", $_[0])]);
    die $got->{err}
        if $got->{err} !~ /\A(?:|.*: cut short at offset \d+(?:, before any process began|[^;]*; no end of process \d+))\n?\z/;
    my %chunks;
    $chunks{$1}++ while $got->{out} =~ /^(TIME_LINE|TIME_BLOCK|SUB_RETURN|SUB_INFO)\t/mg;
    $chunks{"calls of $2"} += $1 while $got->{out} =~ /^SUB_CALLERS\t\d+\t\d+\t(\d+)\t.*\t(\S+)\t\S+$/mg;
    return \%chunks;
}

# Statements of a table of lines.
sub lines_measure {
    my %sum = (statements => 0);
    $sum{statements} += $1 while $_[0] =~ /,(\d+),[\d.-]+\r$/mg;
    return \%sum;
}

# The same of nytp-table.
sub runs_measure {
    my %sum = (statements => 0);
    $sum{statements} += $1 while $_[0] =~ /^[\d.-]*,[\d.-]*,(\d+),/mg;
    return \%sum;
}

# Sums of what is in a report.
sub report_measure {
    my $core = ReportPage->new($_[0])->{core};
    my %sum = (statements => $core->{totals}{statements}, calls => $core->{calls}{all},
        files => scalar @{ $core->{files}{name} });
    return \%sum;
}

# Calls by sub: the stacks around them depend on what has returned.
sub calls_by_sub {
    my ($stacks) = @_;
    my %calls;
    $calls{ s/.*;//sr } += $stacks->{$_} for keys %$stacks;
    return \%calls;
}

sub speedscope_measure {
    my ($calls) = grep { $_->{unit} eq 'none' } @{ speedscope_profiles($_[0])->{profiles} };
    return calls_by_sub($calls ? $calls->{stacks} : {});
}

sub trace_measure { return calls_by_sub(perfetto_calls($_[0])->{stacks} // {}) }
sub pprof_measure { return calls_by_sub(pprof_calls($_[0])) }

# How each program is run, and how its result is measured: numbers that must not exceed those of the whole.
my %programs = (
    nytprofcalls => [['--calls'], sub { frames_of(parsed($_[0])) }],
    nytprofcg    => [['-o', '-'], \&callgrind_measure],
    nytprofmerge => [['-o', '-'], \&profile_measure],
    'nytp-dot'   => [['--begin', '--url={sub}', '--min=0', '--min-edge=0', '--max-nodes=9999'], \&dot_measure],
    'nytp-dprof' => [['-o', '-'], \&tmon_measure],
    nytprofhtml  => [['-o', '-', '--no-source'], \&report_measure],
    nytprofcsv   => [['-o', '-', '--table=lines'], \&lines_measure],
    'nytp-tree'    => [['--rows=0'], \&head_measure],
    'nytp-dprofpp' => [['-S'],       \&tree_measure],
    'nytp-table' => [['--by=lines', '--format=csv'], \&runs_measure],
    'nytp-speedscope' => [[], \&speedscope_measure],
    'nytp-trace' => [[], \&trace_measure],
    'nytp-pprof' => [[], \&pprof_measure],
);

sub measured {
    my ($name, $bytes) = @_;
    my ($arguments, $measure) = @{ $programs{$name} };
    my $got = run([build_dir() . "/bin/$name", @$arguments, spew($cut, $bytes)]);
    return {} if $got->{status} == 1 && $got->{out} eq ''
        && $got->{err} =~ /^$name: there is nothing to (?:merge|write): .+\n\z/m;
    die "status $got->{status}, signal $got->{signal}: $got->{err}\n"
        if $got->{signal} || $got->{status} != 0 || $got->{err} !~ /\A(?:$name: warning: .+\n)*\z/;
    return $measure->($got->{out});
}

sub complaints {
    my ($name, $bytes, @lengths) = @_;
    my $whole = measured($name, $bytes);
    my ($before, @wrong) = ({});
    for my $length (@lengths) {
        my $shown = eval { measured($name, substr $bytes, 0, $length) };
        push @wrong, "$length: $@" if !$shown;
        push @wrong, map { "$length: $_: $shown->{$_}" } grep { $shown->{$_} > ($whole->{$_} // 0) } sort keys %{ $shown
            // {} };
        push @wrong, map { "$length: $_: less than before" } grep { $before->{$_} > ($shown->{$_}
            // 0) } sort keys %$before;
        $before = $shown // {};
    }
    return @wrong if !%$whole;
    my ($near, $all) = (0, 0);
    $near += $_ for values %$before;
    $all  += $_ for values %$whole;
    push @wrong, "$near of $all near the end" if $near < 0.9 * $all;
    return @wrong;
}

# The places for a program: with EXHAUSTIVE each byte; otherwise each program has others, which together are 47 bytes
# apart. The fuzz targets read small profiles that are cut at each byte.
sub places {
    my ($size, $program) = @_;
    my ($first, $step) = $ENV{EXHAUSTIVE} ? (0, 1) : (47 * $program, 47 * keys %programs);
    return map { $first + $_ * $step } 0 .. ($size - 1 - $first) / $step;
}

sub random_places {
    my ($size) = @_;
    my %at = map { int rand $size => 1 } 1 .. ($ENV{EXHAUSTIVE} ? 2000 : 4);
    return sort { $a <=> $b } keys %at;
}

sub is_cut_well {
    my ($profile, $bytes, $places) = @_;
    my @names = sort keys %programs;
    for my $n (0 .. $#names) {
        my ($name, @lengths) = ($names[$n], fewer(9, $places->(length $bytes, $n)), length($bytes) - 1);
        my @wrong = complaints($name, $bytes, @lengths);
        is(join("\n", @wrong), '', "$name of $profile, cut at " . @lengths . ' places');
    }
    return;
}

my $seed = srand($ENV{SEED} // 20091);
note("SEED=$seed");
is_cut_well($_, slurp($small{$_}), \&places)        for sort keys %small;
is_cut_well($_, slurp($large{$_}), \&random_places) for sort keys %large;
is_deeply([sort keys %programs], [sort { $a cmp $b } converters()], 'no program is left out');

# Profiles of memory and of samples that stop before they say what they measure, or after it: a program says what is wrong, or
# writes text, with each option whose words depend on that.
my %options = (
    'nytp-tree' => [['--table'], ['--table', '--unit=KiB'], ['--table', '--unit=ms'], ['--labels=span'], ['--json']],
    'nytp-table'      => [[], ['--format=markdown'], map { ["--by=$_"], ["--by=$_", '--format=json'] } qw(subs lines requests queries findings)],
    nytprofcalls      => [[], ['--calls'], ['--kinds'], ['--unit=ms'], ['--unit=KiB']],
    nytprofcg         => [['-o', '-']],
    nytprofcsv        => [map { ['-o', '-', "--table=$_"] } qw(subs calls files lines kinds durations processes spans)],
    nytprofhtml       => [['-o', '-', '--no-source']],
    'nytp-dot'        => [['--begin']],
    'nytp-speedscope' => [[], ['--timeline']],
    'nytp-diff'       => [[$cut], ['--csv', $cut], ['--json', $cut]],
);
my %of_kind = small_of_each_kind();

# Returns what is wrong with what a program writes for a profile that is cut.
sub wrong_text {
    my ($name, $bytes, $length, $options) = @_;
    my $got = run([build_dir() . "/bin/$name", @$options, spew($cut, substr $bytes, 0, $length)]);
    return if $got->{status} <= ($name eq 'nytp-diff' ? 3 : 1) && $got->{signal} == 0 && $got->{err} =~ /\A(?:$name: .+\n)*\z/
        && ($length < index($bytes, 'ticks_per_sec=') || $bytes !~ /^:unit=bytes/m || $got->{out} !~ /Seconds|ExclSec/)
        && $got->{out} !~ /[^\x20-\x7E\x80-\xFF\r\n\t]/ && utf8::decode(my $text = $got->{out});
    return "@$options, cut at $length: status $got->{status}, signal $got->{signal}: $got->{err}";
}

my $cuts = $ENV{EXHAUSTIVE} ? 50 : 15;
for my $name (sort keys %options) {
    my $all = $options{$name};
    for my $kind (qw(memory samples)) {
        my $size   = length $of_kind{$kind};
        my @places = fewer(3, map { int($size * $_ / $cuts) } 1 .. $cuts);
        my @wrong  = map { wrong_text($name, $of_kind{$kind}, $places[$_], $all->[$_ % @$all]) } 0 .. $#places;
        is("@wrong", '', "$name of $kind, cut at " . @places . ' places');
    }
}

done_testing();
