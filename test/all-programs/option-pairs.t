# An option that changes the result alone, and nothing beside another option, is refused there, or a warning says so.
# The options are those that programs list for completions; the table has arguments for them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(profiled);
use Digest::MD5 qw(md5_hex);
use List::Util qw(any);
use NYTPTest qw(build_dir fewer run scratch_dir slurp spew);
use Test::More;

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();

# Something of everything: stacks, recursion, built-ins, waiting, string evals, anonymous subs, labels, code outside of
# subs.
my $code = <<'END';
use strict; use warnings; use Text::Wrap;
sub leaf { my $x = shift; $x += $_ for 1 .. 20; return $x }
sub twice { my $s = 'a' x 50; $s =~ s/a+?b?//g; return leaf($_[0]) + leaf(1) }
sub fib { my $n = shift; leaf($n) if $n == 3; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
sub pause { leaf(2); twice(1); select undef, undef, undef, 0.005 }
sub Shop::price { my $sum = shift; my $each = sub { twice($_[0]) }; $each->($_) for 1 .. 5; return $sum }
sub work { Shop::price($_) for 1 .. 20; fib(8); pause(); eval 'sub { leaf(3) }->()' for 1 .. 3; -e '/etc/passwd' for 1 .. 400; wrap('', ' ', 'word ' x 40) }
my $y = 0; $y += $_ for 1 .. 5000;
work() for 1 .. 3;
END

sub recorded {
    my ($name, $more, %options) = @_;
    my $got = profiled('ours', ['-e', $code . $more], options => { calls => 2, labels => 'file,regex', %options });
    return spew("$scratch/$name.out", slurp($got->{files}[0]));
}
my $new = recorded('new', '');
my $old = recorded('old', 'work() for 1 .. 2;');

# By program: operands, arguments of options (several: a pair has an effect if it has one with some of them; undef:
# tried elsewhere), groups of options of which one is chosen, options that say what is so without them, and pairs for
# which the profile is too small.
my %both = (
    process => undef,
    memory  => undef,
    range   => ['..80%', '1ms..2ms'],    # on a slow machine, too, the first one has what is compiled, and most calls
    span    => ['main::work', 'main::BEGIN@1'],
    slowest => undef,
    kinds   => undef,
    unit    => 'ms',
    depth   => [1, 2, 5],
    min     => [0.01, 1, 10, 40],
);
my %programs = (
    # What was asleep is measured, so no call goes away. In ms, small stacks do.
    'nytprofcalls' => { of => [$new], spared => { map { $_ => qr/^calls\z/ } 'no-wait', 'work' }, with => { diff => undef, 'diff-scale' => undef, unit => 'ns' } },
    'nytprofcg'    => { of => ['-o', '-', $new], with => { jumps => ['none', 'all'], sources => undef } },
    'nytprofmerge' => { of => ['-o', '-', $new], with => { compress => 0, jobs => undef, 'from-file' => undef } },
    # The heaviest arrow to each box stays.
    'nytp-dot'     => { of => [$new],
        spared => { begin => qr/^span\z/, 'min-edge' => qr/^(?:collapse|depth|no-wait|to|from)\z/, 'no-labels' => qr/^no-builtins\z/ },
        with => { 'min-edge' => [0, 5, 30], 'max-nodes' => [2, 5, 9], from => ['main::work', 'Shop', 'main::BEGIN@1'],
            to => ['main::leaf', 'main', 'strict::import'], focus => ['leaf', 'Shop', 'BEGIN'],
            ignore => ['twice', 'Text'], diff => $old, collapse => 'package', cluster => 'package',
            'color-by' => 'self', theme => 'gray', url => 'x://{sub}' } },
    'nytp-diff'    => { of => [$old, $new],
        with => { by => ['files', 'packages'], value => ['calls', 'per-call'], sort => 'name', rows => 2,
            'fail-over' => 900, 'fail-calls' => 900, of => 'main::work', mixed => undef, format => ['markdown', 'csv', 'json'] } },
    'nytp-pprof'   => { of => [$new], with => { time => 'now' } },
    'nytp-speedscope' => { of => [$new] },
    'nytp-trace'   => { of => [$new], with => { min => ['1ms', '10us'] } },
    'nytprofcsv'   => { of => ['-o', '-', $new], first => ['--table=subs'], spared => { 'no-labels' => qr/^table\z/ },
        with => { table => 'lines', delim => 'tab', out => undef, delete => undef, stock => undef } },
    'nytprofhtml'  => { of => ['-o', '-', $new],
        with => { lib => undef, out => undef, url => 'x://{file}', 'trace-url' => 'x://{trace_id}', title => 'T', open => undef, delete => undef,
            diff => undef, 'no-source-files' => undef, cover => undef } },
    'nytp-tree'    => { of => [$new],
        with => { from => ['main::work', 'Shop::price'], to => ['main::leaf', 'main::pause', 'main::CORE:subst'], rows => [2, 30], color => 'always',
            focus => ['leaf', 'twice', 'subst', 'BEGIN'], ignore => ['leaf', 'Shop', 'Text', 'BEGIN'], format => undef } },
    'nytp-dprofpp' => { of => [$new],
        with => { columns => 'p50', callers => ['main::leaf', 'main::pause', 'main::CORE:sselect', 'main::CORE:subst'],
            rows => [2, 30], from => ['main::work', 'Shop::price'], filter => ['leaf', 'work', '.'],
            group => ['leaf', 'fib|work', '.'], labels => ['regex', 'file'], color => 'always' },
        # Of 15 rows the evals are the last one by inclusive time, or come after it. On a busy machine, waiting may not
        # be among the findings.
        spared => { evals => qr/^(?:by-name|inclusive|reverse-order|unsorted)\z/,
            map { $_ => qr/^(?:findings|folded|sequence)\z/ } 'no-wait', 'work' },
        one_of => [[qw(merged sequence folded table json markdown)],
            [qw(by-time by-average by-calls by-name unsorted)], [qw(real system user)], [qw(inclusive exclusive)],
            [qw(merged callers)]],
        is_so => [qw(by-time exclusive table)] },
);

# What concerns how a file is read, and what is said.
my %apart = map { $_ => 1 } qw(output file strict salvage verbose help help-dprofpp version help-values o f v h d V);

# The long names of a program's options, with arguments.
sub options_of {
    my ($program) = @_;
    my %with = (%both, %{ $programs{$program}{with} // {} });
    my %options;
    for (split /\n/, run(["$bin/$program", '--help-values'])->{out}) {
        my ($name, $takes, $words) = /^--([\w-]+)(=?)\t(.*)/ or next;
        next if $apart{$name};
        next if exists $with{$name} && !defined $with{$name};    # tried elsewhere
        next if grep { $_ eq $name } @{ $programs{$program}{is_so} // [] };
        fail("$program: there is no argument for --$name") if $takes && !exists $with{$name};
        $options{$name} = $takes ? [map { "--$name=$_" } ref $with{$name} ? @{ $with{$name} } : $with{$name}]
            : ["--$name"];
    }
    return %options;
}

my (%outcomes, $runs);
sub outcome {
    my ($program, @options) = @_;
    return $outcomes{"$program @options"} //= do {
        my $got = run(["$bin/$program", @{ $programs{$program}{first} // [] }, @options, @{ $programs{$program}{of} }]);
        my ($refused, $warned) = ($got->{status} == 2, $got->{err} =~ /warning:/);
        $runs++;
        { out => md5_hex("$got->{status} $got->{out}"), said => $refused || $warned, err => $got->{err},
        status => $got->{status} };
    };
}

# What --no-wait leaves out, --work does, too.
sub is_choice {
    my ($program, @names) = @_;
    return grep { my %of = map { $_ => 1 } @$_;
        @names == grep { $of{$_} } @names } ['no-wait', 'work'], @{ $programs{$program}{one_of} // [] };
}

# The outcome has an effect beside the other one, or is refused.
sub shows {
    my ($program, $option, $other) = @_;
    my $both = outcome($program, sort $option, $other);
    return $both->{said} || $both->{out} ne outcome($program, $other)->{out};
}

# Returns what is without effect beside another option, with all arguments.
sub vain_pairs {
    my ($program) = @_;
    my %options   = options_of($program);
    my $spared    = $programs{$program}{spared} // {};
    my $plain     = outcome($program)->{out};
    my (%effective, @found);
    for my $name (keys %options) {
        my @some = grep { !outcome($program, $_)->{said}
            && outcome($program, $_)->{out} ne $plain } @{ $options{$name} };
        $effective{$name} = \@some if @some;
    }
    for my $one (fewer(4, sort keys %effective)) {
        for my $other (fewer(6, grep { $_ ne $one && !is_choice($program, $one, $_)
            && !($spared->{$one} && /$spared->{$one}/) } sort keys %effective)) {
            my @pairs = map { my $option = $_; map { [$option, $_] } @{ $effective{$other} } } @{ $effective{$one} };
            push @found, "--$one beside --$other" if !any { shows($program, @$_) } @pairs;
        }
    }
    return @found;
}

# The same with other recordings: what is shown depends on the times of the program, too.
sub always_vain_pairs {
    my ($program) = @_;
    my @vain = vain_pairs($program);
    for (1 .. 3) {
        last if !@vain;
        recorded('new', '');
        %outcomes = ();
        my %again = map { $_ => 1 } vain_pairs($program);
        @vain = grep { $again{$_} } @vain;
    }
    return @vain;
}

for my $program (sort keys %programs) {
    is(outcome($program)->{status}, 0, "$program: can be run") or diag(outcome($program)->{err});
    is(join("\n", always_vain_pairs($program)), '',
        "$program: each option has an effect beside each other one, or is refused");
}
note("$runs runs");

done_testing();
