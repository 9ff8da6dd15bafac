# nytprofcg over many profiles: what must hold for every callgrind file
# (CallgrindCheck), what callgrind_annotate makes of it, and input, output and failures.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CallgrindCheck qw(callgrind_complaints kcachegrind_inclusive);
use CallgrindFile;
use CollectorRun qw(clock_library collector preload profiled);
use List::Util qw(sum sum0);
use MadeCalls qw(made_calls);
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir fails_cleanly record run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use Sampled qw(may_sample recorder sampled_perl);
use Test::More;
use Written qw(rows_of);

my $nytprofcg = build_dir() . '/bin/nytprofcg';
my $scratch   = scratch_dir();

# Callgrind text of a profile that must be converted without a message.
sub converted {
    my ($name, $profile, @options) = @_;
    my $got = run([$nytprofcg, @options, '-o', '-', $profile]);
    is($got->{status}, 0, "$name: done");
    is($got->{err}, '', "$name: no message");
    return $got->{out};
}

sub holds {
    my ($name, $bytes, @more) = @_;
    my @complaints = callgrind_complaints($bytes, @more);
    splice @complaints, 10, @complaints, '...' if @complaints > 10;
    return ok(!@complaints, "$name: invariants hold") || diag(join "\n", @complaints);
}

# callgrind_annotate must read it without a complaint, and find the same total.
sub annotates {
    my ($name, $bytes) = @_;
    my $path = spew("$scratch/annotate.callgrind", $bytes);
    my $got  = run(['callgrind_annotate', '--inclusive=yes', '--tree=both', '--auto=yes', $path]);
    is($got->{status}, 0, "$name: callgrind_annotate reads it");
    is($got->{err}, '', "$name: and says nothing on stderr");
    my $report = $got->{out} =~ s/^-- Auto-annotated source:.*//msr;    # from there on it quotes programs
    unlike($report, qr/^\W*(?:warning|error)/mi, "$name: nor in its report");
    my ($total) = $bytes =~ /^totals: (\d+)/m;
    my ($shown) = $got->{out} =~ /^([\d,]+) .*PROGRAM TOTALS/m;
    is(($shown // '') =~ tr/,//dr, $total, "$name: with the same total") if $total > 0;
    return;
}

sub examine {
    my ($name, $profile) = @_;
    my $bytes = converted($name, $profile);
    holds($name, $bytes, $profile);
    ok($bytes eq run([$nytprofcg, '-o', '-', $profile])->{out}, "$name: the same bytes again");
    annotates($name, $bytes);
    my $apart = converted("$name, evals apart", $profile, '--no-merge-evals');
    holds("$name, evals apart", $apart, $profile) if $apart ne $bytes;
    return $bytes;
}

subtest 'real programs' => sub {
    examine("$_->{name}", $_->{path}) for recordings();
};

# ---- the options of the collector ----

my %matrix = (
    'default'   => {},
    'subs=0'    => { subs => 0 },
    'stmts=0'   => { stmts => 0 },
    'blocks=1'  => { blocks => 1 },
    'leave=0'   => { leave => 0 },
    'savesrc=0' => { savesrc => 0 },
    (map { ("calls=$_" => { calls => $_ }) } 0 .. 2),
    (map { ("slowops=$_" => { slowops => $_ }) } 0 .. 2),
);
my %shapes;
subtest 'every option of the collector' => sub {
    for my $options (sort keys %matrix) {
        my $name = 'shapes-' . ($options =~ tr/=//dr);
        $shapes{$options} = record($name, ['test/scripts/shapes.pl'], %{ $matrix{$options} });
        examine($name, $shapes{$options});
    }
};

subtest 'a program on one line' => sub {
    my $code    = 'sub f { g() if $_[0] } sub g { my $x = 1 } my $n; while ($n < 20000) { f($n++ % 2) } $n = "$n" x 9';
    my $profile = record('one-line', ['-e', $code]);
    my $file    = CallgrindFile->parse(examine('one line', $profile));
    my $root    = $file->{functions}{'main::RUNTIME'};
    is($root->{file}, '-e', 'the root is in -e');
    cmp_ok($root->{self}{1}[0], '>', $file->{totals}[0] / 20, 'it has the time of the line that is not in subs');
};

# ---- what is shown ----

subtest 'evals' => sub {
    my $merged = CallgrindFile->parse(converted('merged', $shapes{default}));
    my $apart  = CallgrindFile->parse(converted('apart', $shapes{default}, '--no-merge-evals'));
    my $number = sub { scalar grep { /^main::RUNTIME \(eval \d+\)\[test\/scripts\/shapes\.pl:$_[1]\]$/ }
            keys %{ $_[0]{functions} } };
    is($number->($merged, 16), 1,   'more than 200 different ones become one');
    is($number->($apart,  16), 220, 'or stay apart');
    is($number->($merged, 17), 1,   'equal ones become one');
    is($number->($apart,  17), 30,  'or stay apart');
    is($number->($merged, 18), 5,   'some different ones stay apart');
    is($merged->{functions}{'main::RUNTIME (eval 0)[test/scripts/shapes.pl:16]'}{file},
        'test/scripts/shapes.pl.eval-0@16', 'the file has no colon');
    my $nested = 'main::RUNTIME (eval 0)[(eval 0)[test/scripts/shapes.pl:19]:1]';
    ok($merged->{functions}{$nested}, 'evals within evals are merged too');
};

subtest 'file scope' => sub {
    my $file = CallgrindFile->parse(converted('shapes', $shapes{default}));
    my $scope = 'Scope::(file scope of Scope.pm)';
    ok($file->{functions}{$scope}, 'of a used file has its package as class')
        or diag(join "\n", grep { /scope/ } sort keys %{ $file->{functions} });
    my ($begin) = grep { /^main::BEGIN@\S+ \(loads Scope\.pm\)$/ } keys %{ $file->{functions} };
    ok($begin, 'the BEGIN block that loads it says so') or return;
    my $loader = $file->{functions}{$begin};
    is_deeply([map { $_->{count} } grep { $_->{to} eq $scope } @{ $loader->{calls} }], [1], 'and which calls it once');
    like($file->{functions}{$scope}{file}, qr{/test/scripts/lib/Scope\.pm$}, 'it is in that file');
    my ($call) = grep { $_->{to} eq 'Scope::helper' && $_->{line} == 7 } @{ $file->{functions}{$scope}{calls} };
    is($call->{count}, 20, 'with the calls made there');
    my @late = grep { $_->{to} eq 'Late::(file scope of Late.pm)' } @{ $file->{functions}{'main::loads'}{calls} };
    is(scalar @late, 1, 'of a required file is run by the sub that required it');
    ok($file->{functions}{$_}, "'$_' is there") for 'main::with\nnew; line\t', 'main::(1) looks like an id',
        "main::gr\xc3\xb6\xc3\x9fe";
    my ($far) = grep { m{/far%3Aaway\.tt$} } map { $_->{file} } values %{ $file->{functions} };
    ok($far, 'a colon in a file name is escaped');
};

# slowops=3: the exclusive time of a require is that of compiling the file, and of its statements outside of subs.
subtest 'file scope of what require loads' => sub {
    my $profile = spew("$scratch/require.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 10_000_000], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 2, 0, 0, '/prog.pl'], [NEW_FID => 2, 0, 0, 2, 0, 0, '/lib/Calls.pm'],
        [NEW_FID => 3, 0, 0, 2, 0, 0, '/lib/Silent.pm'],
        [TIME_LINE => 10, 1, 1], [TIME_LINE => 700, 2, 5], [TIME_LINE => 50, 2, 2], [TIME_LINE => 300, 3, 1],
        [TIME_LINE => 20, 1, 2],
        [SUB_INFO => 2, 'Calls::f', 2, 2], [SUB_INFO => 3, 'Silent::g', 9, 9],
        [SUB_INFO => 3, 'Silent::CORE:require', 0, 0],
        (map { [SUB_CALLERS => 0, 0, '', 0, 0, 0, 0, 0, $_] } 'Calls::CORE:require', 'Silent::CORE:require'),
        [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 75e-6, 70e-6, 0, 0, 'Calls::CORE:require'],
        [SUB_CALLERS => 2, 5, 'Calls::CORE:require', 1, 5e-6, 5e-6, 0, 0, 'Calls::f'],
        [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 30e-6, 30e-6, 0, 0, 'Silent::CORE:require'], [PID_END => 7, 2.5]));
    my $bytes = examine('require', $profile);
    my $file  = CallgrindFile->parse($bytes);
    is_deeply($file->{totals}, [108_000, 5, 108_000], 'no time is counted twice');
    my $scope = $file->{functions}{'Calls::(file scope of Calls.pm)'};
    is_deeply($scope->{self}, { 5 => [70_000, 1, 70_000] }, 'its statements are in the file');
    is_deeply([map { $_->{to} } @{ $scope->{calls} }], ['Calls::f'], 'with their calls');
};

subtest 'objects say whose code it is' => sub {
    my %object_of = ('main::mine' => 'own code', 'Mojo::Base::new' => 'Mojo (installed)', 'Moose::has' => 'Moose (installed)',
        'strict::import' => "perl's modules", 'Mojo::Util::in_eval' => 'Mojo (installed)', 'Mine::f' => 'own code',
        'List::Util::sum' => 'xsubs', 'main::CORE:sort' => 'built-ins', 'main::nowhere' => 'unknown files',
        'main::RUNTIME' => 'own code', 'Moo::(file scope of Moo.pm)' => 'Moo (installed)');
    my %file_of = ('main::mine' => 1, 'Mojo::Base::new' => 2, 'Moose::has' => 3, 'strict::import' => 4, 'Mojo::Util::in_eval' => 6,
        'Mine::f' => 7);
    my @paths = (qw(/srv/app/x.pl /usr/share/perl5/Mojo/Base.pm /usr/lib/perl5/Moose.pm /usr/share/perl/strict.pm
        /usr/share/perl5/Mojo/Util.pm), '(eval 1)[/usr/share/perl5/Mojo/Util.pm:3]', qw(/srv/app/lib/Mine.pm /usr/share/perl5/Moo.pm));
    my $profile = spew("$scratch/objects.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 10_000_000],
        [ATTRIBUTE => privlib => '/usr/share/perl'], [ATTRIBUTE => vendorlib => '/usr/share/perl5'],
        [ATTRIBUTE => vendorarch => '/usr/lib/perl5'], [ATTRIBUTE => inc => '/srv/app/lib:/usr/share/perl5:/usr/share/perl'],
        [PID_START => 7, 1, 1.5],
        (map { [NEW_FID => $_ + 1, $_ == 5 ? (5, 3) : (0, 0), 2, 0, 0, $paths[$_]] } 0 .. $#paths),
        [SUB_INFO => 3, 'List::Util::sum', 0, 0], (map { [SUB_INFO => $file_of{$_}, $_, 1, 9] } sort keys %file_of),
        (map { [SUB_CALLERS => 0, 0, '', 0, 0, 0, 0, 0, $_] } qw(List::Util::sum main::CORE:sort)),
        [SUB_CALLERS => 1, 20, 'main::RUNTIME', 1, 1e-5, 1e-5, 0, 0, 'main::nowhere'],
        (map { [SUB_CALLERS => 1, 20, 'main::RUNTIME', 1, 1e-5, 1e-5, 0, 0, $_] } sort(keys %file_of), qw(List::Util::sum main::CORE:sort)),
        [TIME_LINE => 10, 8, 5], [PID_END => 7, 2.5]));
    my $file = CallgrindFile->parse(examine('objects', $profile));
    is_deeply({ map { $_ => $file->{functions}{$_}{object} } keys %{ $file->{functions} } }, \%object_of, 'of all functions');
};

subtest 'without subs every statement is in the root or its parts' => sub {
    my $file = CallgrindFile->parse(converted('subs=0', $shapes{'subs=0'}));
    is_deeply([ grep { !/^main::RUNTIME(?: \(|$)|::\(file scope of [^,]*$/ } keys %{
        $file->{functions} } ], [], 'nothing else is there');
    is($file->{totals}[0], $file->{totals}[2], 'and all time is statement time');
};

# ---- cycles ----

# The subs that are on a stack twice, with others in between.
sub recurring {
    my (@stacks) = @_;
    my %recurs;
    for my $stack (@stacks) {
        my ($subs, %at) = ($stack->[0]);
        for my $i (0 .. $#$subs) {
            my $before = $at{ $subs->[$i] };
            $recurs{ $subs->[$i] } = 1 if defined $before && $before < $i - 1;
            $at{ $subs->[$i] } = $i;
        }
    }
    return \%recurs;
}

# The functions that a stack stands for: a sub may have one for its calls that lead to the next one below that has none.
sub functions_of_stack {
    my ($functions, @subs) = @_;
    my ($to, @names);
    for my $sub (reverse @subs) {
        my $way = defined $to ? "$sub (to $to)" : '';
        push @names, $functions->{$way} ? $way : $sub;
        $to = $sub if !$functions->{$way};
    }
    return @names;
}

# How long each function is on the stack, going by nytprofcalls: { name => ns }, and how many subs recur. text: a callgrind
# file, whose names they have.
sub time_on_stack {
    my ($profile, $text) = @_;
    my $folded    = run([build_dir() . '/bin/nytprofcalls', '--root', '--unit=ns', $profile])->{out};
    my @stacks    = map { /^(.*) (-?\d+)$/ ? [[split /;/, $1], $2] : () } split /\n/, $folded;
    my %functions = map { s/ \(loads [^()]*\)//gr => 1 } keys %{ CallgrindFile->parse($text // '')->{functions} };
    my %time;
    for my $stack (@stacks) {
        my ($subs, $ns) = @$stack;
        my %on = map { $_ => 1 } functions_of_stack(\%functions, @$subs);
        $time{$_} += $ns for keys %on;
    }
    return (\%time, scalar keys %{ recurring(@stacks) });
}

# The functions that KCachegrind shows with more than 1 % of the total too much or too little.
sub far_off {
    my ($text, $time) = @_;
    my $file  = CallgrindFile->parse($text);
    my $shown = kcachegrind_inclusive($file);
    my %ns    = map { s/ \(loads [^()]*\)//gr => $shown->{$_} } keys %$shown;
    return map { "$_: $ns{$_} of $time->{$_} ns" }
        grep { defined $ns{$_} && abs($ns{$_} - $time->{$_}) > $file->{totals}[0] / 100 } sort keys %$time;
}

# The cost of calls by caller and callee: subs, of which parts are a part.
sub costs_of_calls {
    my ($text, $event) = @_;
    my $file = CallgrindFile->parse($text);
    my ($column) = grep { $file->{events}[$_] eq $event } 0 .. $#{ $file->{events} };
    my %sum;
    for my $name (keys %{ $file->{functions} }) {
        my ($sub) = $name =~ /^([^ ]+)/;
        my @calls = grep { $_->{to} !~ / / } @{ $file->{functions}{$name}{calls} };
        $sum{"$sub -> $_->{to}"} += $_->{costs}[$column] for @calls;
    }
    return \%sum;
}

subtest 'a wrapper with the name of what it wraps' => sub {
    my $code = 'use Sub::Util "set_subname"; sub has { my $x = 0; $x += $_ for 1 .. 20000; $x } my $real = \&has; '
        . 'my $wrap = set_subname("main::has", sub { $real->(@_) }); $wrap->() for 1 .. 20';
    my $profile = record('wrapper', ['-e', $code]);
    my $calls   = costs_of_calls(examine('wrapper', $profile), 'Time');
    is($calls->{'main::has -> main::has'}, 0, 'the calls of the wrapper are recursive');
    my ($time) = time_on_stack($profile);
    is($calls->{'main::RUNTIME -> main::has'}, $time->{'main::has'}, 'and the sub takes as long as it is on the stack');
    my ($row) = grep { $_->{sub} eq 'main::has' } rows_of('subs', $profile);
    is(sprintf('%.0f', $row->{inclusive_s} * 1e9), $time->{'main::has'}, 'in tables, too');
};

# Two kinds of events go through one dispatcher, which a handler calls again; the handlers work, by a clock that a sleep moves
# on at once.
my $dispatcher = <<'EOT';
sub work { select undef, undef, undef, 2e-6 * $_[0] } sub emit { my ($name, @args) = @_; handler($name)->(@args) }
sub handler { my ($name) = @_; return \&$name } sub on_read { work(3); emit('on_request'); work(1) }
sub on_request { work(2); emit('on_log', 5) if $n++ % 2; around(\&action, 4) } sub on_log { work($_[0]) }
sub around { my ($next, @args) = @_; $next->(@args) } sub action { around(\&work, $_[0]); around(sub { around(\&on_log, 2) }) }
our $n = 0; sub loop { emit('on_read') for 1 .. 300; emit('on_timer') for 1 .. 20 } sub on_timer { work(9); eval 'on_log(3)' }
sub direct { my ($n) = @_; work(1); direct($n - 1) if $n } loop(); direct(30);
EOT

subtest 'cycles' => sub {
    local $ENV{LD_PRELOAD} = preload(clock_library('told-clock'));
    my $profile = record('dispatcher-told', ['-e', $dispatcher], clock => 0, slowops => 0);
    delete $ENV{LD_PRELOAD};
    my $text    = examine('dispatcher', $profile);
    my $whole   = converted('--no-split', $profile, '--no-split');
    holds('--no-split', $whole, $profile);
    my ($time) = time_on_stack($profile);
    cmp_ok(scalar(far_off($whole, $time)), '>', 3, 'as a cycle, KCachegrind shows wrong times');
    my ($split, $recurring) = time_on_stack($profile, $text);
    is($recurring, 2, 'two subs recur indirectly');
    is(join("\n", far_off($text, $split)), '', 'split, it shows how long functions are on the stack');
    my $functions = CallgrindFile->parse($text)->{functions};
    my ($read) = grep { $_->{to} eq 'main::on_read' } @{ $functions->{'main::emit (to main::on_read)'}{calls} };
    is($read->{count}, 300, 'the calls that lead to a function have its number');
    is_deeply([ grep { /direct/ } sort keys %$functions ], ['main::direct'], 'direct recursion stays one function');
    unlike($whole, qr/\(to /, '--no-split leaves subs whole');
    my $evals = CallgrindFile->parse(examine('evals', record('evals-of-recurring', ['-e', "sub emit { my (\$f) = \@_; "
        . "return eval q(\$f->()) if \$f == \\&deep;\neval q(\$f->()) } sub deep { emit(\\&leaf) } sub leaf { } "
        . "emit(\\&deep) for 1 .. 30; emit(\\&leaf) for 1 .. 5"])));
    my @calls = grep { $_->{to} =~ /^main::emit \(to main::emit \(eval/ } @{ $evals->{functions}{'main::RUNTIME'}{calls} };
    is_deeply([ sort { $a <=> $b } map { $_->{count} } @calls ], [5, 30], 'so have those that lead to an eval, each their number');
};

# emit() sleeps itself if slowly() calls it; on_fast() sleeps, to which emit() leads.
subtest 'waits of calls that are told apart' => sub {
    my $code = 'our $slow; sub emit { my ($f) = @_; my $x = 0; $x += $_ for 1 .. 9e4; select undef, undef, undef, 0.02 if $slow; $f->() } '
        . 'sub on_slow { local $slow = 0; my $x = 0; $x += $_ for 1 .. 2e6; emit(sub { }) } sub slowly { local $slow = 1; emit(\&on_slow) } '
        . 'sub on_fast { select undef, undef, undef, 0.1; emit(sub { }) } sub fast { emit(\&on_fast) } slowly(), fast() for 1 .. 3';
    my ($profile) = @{ profiled(collector(), ['-e', $code], options => { slowops => 0 })->{files} };
    my $file = CallgrindFile->parse(examine('waits of cycles', $profile));
    # Both, as the kernel may count a sleep as queued (doc/numbers.md).
    my @waits = grep { $file->{events}[$_] =~ /^(?:Asleep|Queued)$/ } 0 .. $#{ $file->{events} };
    my %waited = map { $_->{to} => sum(@{ $_->{costs} }[@waits]) } @{ $file->{functions}{'main::RUNTIME'}{calls} };
    cmp_ok($waited{'main::slowly'}, '>', 55e6, 'who calls a sub that sleeps has its sleep');
    cmp_ok($waited{'main::fast'}, '>', 295e6, 'and who calls what it leads to has that');
};

subtest 'cycles that cannot be split' => sub {
    my $profile = record('dispatcher-calls0', ['-e', $dispatcher], calls => 0);
    my $text    = examine('calls=0', $profile);
    like($text, qr/^desc: Cycles: not split, as the profile has no calls one by one$/m, 'the file says so');
    unlike(converted('calls=0, --no-split', $profile, '--no-split'), qr/^desc: Cycles/m, 'unless it was asked for');
    unlike(converted('no cycles', record('no-cycles', ['-e', 'sub f { 1 } f()'], calls => 0)), qr/^desc: Cycles/m,
        'or there are none');
};

# first() calls second() in one stack, and second() first() in another one: none recurs. over() and under() recur, and have
# nothing below that does not: each is told apart where it leads to the other.
subtest 'cycles that no stack has' => sub {
    my @inner   = ['main::over', 1, 0.0001, ['main::under', 1, 0.0004]];
    my $profile = "$scratch/halves.out";
    made_calls(
        $profile,
        ['main::first',  50,  0,      ['main::work', 1, 0.003], ['main::second', 1, 0, ['main::work', 1, 0.002]]],
        ['main::second', 100, 0,      ['main::work', 1, 0.002], ['main::first',  1, 0, ['main::work', 1, 0.003]]],
        ['main::over',   50,  0.0001, ['main::under', 1, 0.0004, @inner]],
        ['main::under',  50,  0.0004, @inner],
    );
    my $text    = examine('halves', $profile);
    my ($time)  = time_on_stack($profile);
    cmp_ok(scalar(far_off(converted('--no-split', $profile, '--no-split'), $time)), '>', 2, 'as cycles, KCachegrind shows wrong times');
    is(join("\n", far_off($text, (time_on_stack($profile, $text))[0])), '', 'broken, it shows how long functions are on the stack');
    my @ways = grep { /^main::(?:first|second) \(/ } sort keys %{ CallgrindFile->parse($text)->{functions} };
    is_deeply(\@ways, ['main::first (to main::second)'], 'the one that takes less time is told apart');
};

# Stacks go around over() and under() before they lead to work(), most of them in one order.
subtest 'cycles of calls that are told apart' => sub {
    my $profile = "$scratch/around.out";
    my $around  = sub { my ($count, $one, $other) = @_; return [$one, $count, 0, [$other, 1, 0, [$one, 1, 0, [$other, 1, 0, ['main::work', 1, 0.001]]]]] };
    made_calls($profile, $around->(1000, 'main::over', 'main::under'), $around->(5, 'main::under', 'main::over'));
    my $text = examine('around', $profile);
    is(join("\n", far_off($text, (time_on_stack($profile, $text))[0])), '', 'what takes least time is left out');
};

# Each file loads the next one through the same two subs. They lead to file scopes, which are not in stacks: what a file alone
# calls says which of them it is.
subtest 'file scopes that one sub runs within another' => sub {
    my @files = qw(Aa Bb Cc Dd);
    for my $i (0 .. $#files) {
        my $next = $i < $#files ? "main::with('$files[$i + 1]');" : '';
        spew("$scratch/$files[$i].pm", "package $files[$i]; sub own { main::work(9) } own(); main::work(9); $next 1;\n");
    }
    local $ENV{LD_PRELOAD} = preload(clock_library('told-clock'));
    my ($profile) = @{ profiled(collector(), ["-I$scratch", '-e', 'sub work { select undef, undef, undef, 2e-6 * $_[0] } '
        . 'sub load { my ($n) = @_; require "$n.pm" } sub with { load(@_) } with("Aa")'], options => { clock => 0, slowops => 0 })->{files} };
    delete $ENV{LD_PRELOAD};
    my $ns   = kcachegrind_inclusive(CallgrindFile->parse(examine('scopes', $profile)));
    my %took = map { $_ => $ns->{"$_\::(file scope of $_.pm)"} } @files;
    is($ns->{"main::load (to $_\::(file scope of $_.pm))"}, $took{$_}, "$_.pm is what a way leads to") for @files;
    cmp_ok($took{ $files[$_] } - $took{ $files[$_ + 1] }, '>', 36_000, "$files[$_].pm takes what it does, and the next file") for 0 .. 2;
};

# What recurs is shown by where it leads, which may be a file scope.
subtest 'cycles of real programs' => sub {
    plan(skip_all => 'takes long; EXHAUSTIVE=1') if !$ENV{EXHAUSTIVE};
    my %programs = (
        Mojolicious => 'use Mojolicious::Lite; get "/" => { text => 1 }; get "/w" => sub { my $c = shift; '
            . 'Mojo::IOLoop->timer(0.01 => sub { $c->render(text => 2) }); $c->render_later }; use Test::Mojo; '
            . 'my $t = Test::Mojo->new; $t->get_ok("/")->get_ok("/w") for 1 .. 40',
        Moose => 'package P; use Moose; has n => (is => "rw", isa => "Int"); sub f { $_[0]->n(7) } '
            . 'package Q; use Moose; extends "P"; around f => sub { my ($o, $s) = @_; $s->$o }; '
            . 'package main; Q->new(n => $_)->f for 1 .. 900',
        'Moose, many classes' => 'for my $i (1 .. 12) { my $j = $i - 1; eval "package My::Role$i; use Moose::Role; requires q(go); has r$i => (is => q(rw), '
            . 'isa => q(ArrayRef[Int]), traits => [q(Array)], default => sub { [] }, handles => { add$i => q(push), n$i => q(count) }); '
            . 'around go => sub { my (\$o, \$s) = \@_; \$s->\$o }; package My::Class$i; use Moose; " . ($j ? "extends q(My::Class$j);" : "") . '
            . '"has b$i => (is => q(rw), isa => q(HashRef[Num]), trigger => sub { 1 }); sub go$j { } around go$j => sub { }; sub go { 7 } '
            . 'with q(My::Role$i); 1" or die $@ } for (1 .. 20) { my $o = My::Class12->new; $o->add5(1); $o->n5; $o->go }',
    );
    for my $name (sort keys %programs) {
        my $profile = record('cycles-' . $name =~ tr/A-Za-z//cdr, ['-e', $programs{$name}]);
        my ($time)  = time_on_stack($profile);
        my @before  = far_off(converted("$name --no-split", $profile, '--no-split'), $time);
        my $text    = examine($name, $profile);
        delete @$time{ map { /^(.*?) \(to / } keys %{ CallgrindFile->parse($text)->{functions} } };
        my @off = far_off($text, $time);
        note("$name: ", scalar @before, ' -> ', scalar @off);
        cmp_ok(scalar @before, '>', 9, "$name: many functions are far off");
        cmp_ok(scalar @off, '<=', 1, "$name: but for one, none is, if they are split") or diag(join "\n", @off);
    }
};

# ---- waiting ----

subtest 'waiting' => sub {
    my $code = 'sub nap { select undef, undef, undef, 0.001 } sub work { my $x = 0; $x += $_ for 1 .. 99; nap() } '
        . 'sub again { my ($n) = @_; nap(); again($n - 1) if $n; work() } '
        . 'again(3); work(); eval q{work(); nap()}; system "true"';
    my $profile = record('waits', ['-e', $code]);
    my $text    = examine('waits', $profile);
    my ($time, $waiting) = map { costs_of_calls($text, $_) } qw(Time Waiting);
    my $work  = costs_of_calls(converted('--no-wait', $profile, '--no-wait'), 'Time');
    my @calls = grep { $waiting->{$_} } sort keys %$waiting;
    cmp_ok(scalar @calls, '>=', 8, 'many calls wait');
    my @wrong = grep { abs($time->{$_} - $waiting->{$_} - ($work->{$_} // 0)) > 200 } @calls;
    is("@wrong", '', 'the rest of their time is that of --no-wait, but for two ticks');
    my ($process) = rows_of('processes', $profile);
    is(CallgrindFile->parse($text)->{totals}[3], sprintf('%.0f', $process->{waiting_s} * 1e9),
        'nytprofcsv has the same sum');
    is(run([$nytprofcg, '-o', '-', '-'], stdin => slurp($profile))->{out}, $text, 'from stdin, too');
};

# Of 100 us, 34 are asleep and 16 queued: 30 and 10 of readline, 5 queued of f, the rest outside of subs.
subtest 'waiting is measured' => sub {
    my $path = spew("$scratch/measured.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 1e7],
        [PID_START => 7, 1, 1.5], [ATTRIBUTE => waits => 1], [NEW_FID => 1, 0, 0, 2, 0, 0, '/a.pl'],
        [ATTRIBUTE => waited => '2 300 100'], [SUB_RETURN => 2, 600, 600, 'main::CORE:readline'],
        [ATTRIBUTE => waited => '1 0 50'], [SUB_RETURN => 1, 800, 200, 'main::f'], [TIME_LINE => 900, 1, 2],
        [ATTRIBUTE => waited => '0 40 10'], [TIME_LINE => 100, 1, 3], [SUB_INFO => 1, 'main::f', 5, 6],
        [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 8e-5, 2e-5, 0, 0, 'main::f'],
        [SUB_CALLERS => 1, 5, 'main::f', 1, 6e-5, 6e-5, 0, 0, 'main::CORE:readline'], [PID_END => 7, 2.5]));
    my $text = converted('measured', $path);
    holds('measured', $text, $path);
    annotates('measured', $text);
    my $file = CallgrindFile->parse($text);
    is("@{ $file->{events} }", 'Time Stmts StmtTime Work Queued Asleep', 'the parts of the time are events');
    is("@{ $file->{totals} }", '100000 2 100000 50000 16000 34000', 'with the right sums');
    my ($f) = grep { $_->{to} eq 'main::f' } @{ $file->{functions}{'main::RUNTIME'}{calls} };
    is("@{ $f->{costs} }", '80000 0 0 35000 15000 30000', 'calls have them, too');
    like($text, qr/^event: Queued : Queued for a processor in subs \(ns\)$/m, 'and long names');
    is_deeply($file->{computed}, undef, 'nothing is left to be computed');
};

# Of ten samples a built-in has six, and the sub that calls it three.
subtest 'samples of built-ins' => sub {
    my $path = spew("$scratch/of-built-ins.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 1e7],
        [ATTRIBUTE => sampled_hz => 100_000], [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 2, 0, 0, '/a.pl'],
        [TIME_LINE => 100, 1, 2], (map { [SUB_ENTRY => 1, $_] } 2, 5), ([TIME_LINE => 100, 1, 5]) x 6,
        [SUB_RETURN => 2, 600, 600, 'main::CORE:sleep'], ([TIME_LINE => 100, 1, 5]) x 3, [SUB_RETURN => 1, 900, 300, 'main::f'],
        [SUB_INFO => 1, 'main::f', 5, 6], [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 9e-5, 3e-5, 0, 0, 'main::f'],
        [SUB_CALLERS => 1, 5, 'main::f', 1, 6e-5, 6e-5, 0, 0, 'main::CORE:sleep'], [PID_END => 7, 2.5]));
    my $text = converted('samples', $path);
    holds('samples', $text, $path);
    my $file = CallgrindFile->parse($text);
    my ($column) = grep { $file->{events}[$_] eq 'Samples' } 0 .. $#{ $file->{events} };
    my %own = map { my $name = $_; $name => sum0(map { $_->[$column] } values %{ $file->{functions}{$name}{self} }) } keys %{ $file->{functions} };
    is_deeply(\%own, { 'main::RUNTIME' => 1, 'main::f' => 3, 'main::CORE:sleep' => 6 }, 'are not those of the line that calls them');
    is_deeply([map { map { $_->{count} } @{ $_->{calls} } } @{ $file->{functions} }{'main::RUNTIME', 'main::f'}], [9, 6], 'and calls= counts them');
};

# ---- statements of calls ----

# f(N) runs 4 statements, and one for each turn. Short statements take no tick of the clock.
my $calls_of_f = <<'EOT';
sub f {
    my ($n) = @_;
    my $x = 0;
    for my $i (1 .. $n) {
        $x += $i;
    }
    return $x;
}
sub once {
    f(1);
}
sub often {
    f(1000);
}
sub back {
    my ($f, @args) = @_;
    $f->(@args);
}
sub again {
    my ($n) = @_;
    again($n - 1) if $n;
    f(2);
}
sub dies {
    f(3);
    die;
}
sub empty { }
once() for 1 .. 20;
often() for 1 .. 3;
back(\&f, 10);
back(\&empty);
again(4);
eval { dies() };
eval 'f(5)';
f(6);
EOT

subtest 'statements that calls ran' => sub {
    my $script   = spew("$scratch/statements.pl", $calls_of_f);
    my %f        = map { $_ => $_ + 4 } 1, 2, 3, 5, 6, 10, 1000;
    my %expected = (
        'main::once -> main::f'        => 20 * $f{1},
        'main::often -> main::f'       => 3 * $f{1000},
        'main::back -> main::f'        => $f{10},
        'main::again -> main::f'       => 5 * $f{2},
        'main::dies -> main::f'        => $f{3},
        'main::RUNTIME -> main::f'     => $f{5} + $f{6},
        'main::RUNTIME -> main::once'  => 20 * (1 + $f{1}),
        'main::RUNTIME -> main::often' => 3 * (1 + $f{1000}),
        'main::RUNTIME -> main::again' => 5 * (3 + $f{2}),
        'main::RUNTIME -> main::dies'  => 2 + $f{3},
        'main::back -> main::empty'    => 1,
    );
    for my $calls (1, 2) {
        my ($profile) = @{ profiled(collector(), [$script], options => { calls => $calls })->{files} };
        my $text = examine("calls=$calls", $profile);
        unlike($text, qr/^desc: Statements/m, "calls=$calls: they are measured");
        my $got = costs_of_calls($text, 'Stmts');
        is_deeply({ map { $_ => $got->{$_} } keys %expected }, \%expected, "calls=$calls: each call has its own");
    }
    for my $option ('calls', 'leave') {
        my $text = examine("$option=0", record("statements-${option}0", [$script], $option => 0));
        like($text, qr/^desc: Statements: divided among calls in proportion to their time$/m,
            "$option=0: the file says that they are divided by time");
    }
};

my $loops = <<'EOT';
sub one_line {
    for my $i (1 .. 10) {
        $x += $i;
    }
}
sub two_on_a_line {
    for my $i (1 .. 10) {
        $x += $i; $y += $i;
    }
}
sub with_next {
    for my $i (1 .. 10) {
        next if $i > 5;
        $x += $i;
    }
}
sub with_last {
    for my $i (1 .. 10) {
        last if $i > 5;
        $x += $i;
    }
    $x++;
}
sub with_redo {
    my $again = 3;
    for my $i (1 .. 10) {
        $x += $i;
        redo if $again-- > 0;
    }
}
sub recurs {
    my ($n) = @_;
    for my $i (1 .. 2) {
        $x += $i;
        recurs($n - 1) if $n;
    }
}
sub calls_back {
    my ($code) = @_;
    for my $i (1 .. 10) {
        $code->($i);
    }
}
sub dies {
    for my $i (1 .. 10) {
        $x += $i;
        die if $i == 4;
    }
}
sub nested {
    for my $i (1 .. 3) {
        for my $k (1 .. 4) {
            $x += $k;
        }
    }
}
sub counts {
    for (my $i = 0; $i < 10; $i++) {
        $x += $i;
    }
}
sub shift_off {
    my @list = (1 .. 10);
    while (defined(my $i = shift @list)) {
        $x += $i;
    }
}
sub following {
    my ($iterator) = @_;
    return $iterator->{n}++ < 10;
}
sub iterates {
    my $iterator = { n => 0 };
    while (following($iterator)) {
        $x += 1;
    }
}
sub no_loop {
    if ($x) {
        my $z = 1;
        $x += $z;
    }
    my $ok = eval {
        $x += 1;
        1;
    };
    return $ok;
}
one_line();
two_on_a_line();
with_next();
with_last();
with_redo();
recurs(2);
calls_back(sub { $x += $_[0] });
eval { dies() };
nested();
counts();
shift_off();
iterates();
no_loop();
EOT

# From what line to what line each sub turns, and how often. redo is no turn, and ends no block.
subtest 'loops' => sub {
    my $script   = spew("$scratch/loops.pl", $loops);
    my %expected = (
        one_line      => '3 -> 3: 9',
        two_on_a_line => '8 -> 8: 9',
        with_next     => '13 -> 13: 4, 14 -> 13: 5',
        with_last     => '20 -> 19: 5',
        with_redo     => '28 -> 27: 9',
        recurs        => '35 -> 34: 7',
        calls_back    => '41 -> 41: 9',
        dies          => '47 -> 46: 3',
        nested        => '53 -> 52: 2, 53 -> 53: 9',
        counts        => '59 -> 59: 9',
        shift_off     => '65 -> 65: 9',
        iterates      => '75 -> 75: 9',
    );
    for my $calls (1, 2) {
        my ($profile) = @{ profiled(collector(), [$script], options => { calls => $calls })->{files} };
        my $text = examine("calls=$calls", $profile);
        my $file = CallgrindFile->parse($text);
        my %got;
        for my $name (sort keys %{ $file->{functions} }) {
            my @jumps = map { "$_->{line} -> $_->{to}: $_->{count}" } @{ $file->{functions}{$name}{jumps} };
            $got{ $name =~ s/^main:://r } = join ', ', @jumps if @jumps;
        }
        is_deeply(\%got, \%expected, "calls=$calls: the turns of each loop are counted");
        unlike(converted('none', $profile, '--jumps=none'), qr/^jump=/m, 'or left out');
    }
    my ($profile) = @{ profiled(collector(), ['-MText::Wrap', '-e', 'print wrap("", "", ("a few words") x 9)'])->{files} };
    my ($own, $all) = map { scalar(() = converted("jumps=$_", $profile, "--jumps=$_") =~ /^jump=/mg) } 'own', 'all';
    is($own, 0, "perl's modules are not own code");
    cmp_ok($all, '>', 0, 'whose loops are shown as well, if that is asked for');
    for my $option (qw(calls leave stmts)) {
        ($profile) = @{ profiled(collector(), [$script], options => { $option => 0 })->{files} };
        unlike(converted("$option=0", $profile, '--jumps=all'), qr/^jump=/m, "$option=0: they are not known");
    }
};

subtest 'what is known to wait' => sub {
    my ($sleep, $sort) = ('main::CORE:sleep', 'main::CORE:sort');
    for (['a wait', $sleep, 1, '6000 1 6000 5000'], ['without stacks', $sleep, 0, '6000 1 6000'],
        ['work', $sort, 1, '6000 1 6000']) {
        my ($name, $sub, $returns, $totals) = @$_;
        my $path = spew("$scratch/known.out", profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.5],
            [NEW_FID => 1, 0, 0, 2, 0, 0, '/a.pl'], ([SUB_RETURN => 1, 50, 50, $sub]) x $returns,
            [TIME_LINE => 60, 1, 2], [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 5e-6, 5e-6, 0, 0, $sub],
            [PID_END => 7, 2.5]));
        my $text = converted($name, $path);
        like($text, qr/^totals: \Q$totals\E$/m, "$name: the totals");
        is($text =~ /^event: Work = Time - Waiting : Work/m ? 4 : 3, split(/ /, $totals) + 0,
            "$name: KCachegrind computes work if something waits");
    }
};

# ---- profiles that are not whole ----

subtest 'frames that never returned' => sub {
    my $code = 'use POSIX (); sub leaf { 1 } sub open_ended { leaf() for 1 .. 9; unfinished($_[0] - 1) if $_[0]; '
        . 'POSIX::_exit(0) } sub unfinished { open_ended(@_) } open_ended(2)';
    my $profile = record('unreturned', ['-e', $code]);
    my $file    = CallgrindFile->parse(examine('unreturned', $profile));
    my ($call)  = grep { $_->{to} eq 'main::leaf' } @{ $file->{functions}{'main::RUNTIME'}{calls} };
    ok($call, 'what they called is called by the root');
};

# Of a clock of 1 Hz nine of the longest statements are 613 years.
subtest 'times beyond 63 bits of nanoseconds are ticks' => sub {
    for ([4, 'ns', 4 * 0x7FFF_FFFF * 1_000_000_000], [9, 'ticks of 1/1 s', 9 * 0x7FFF_FFFF]) {
        my ($statements, $unit, $ticks) = @$_;
        my $file = converted($unit,
            spew("$scratch/slow.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 1],
            [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 2, 0, 0, '/a.pl'],
            map({ [TIME_LINE => 0x7FFF_FFFF, 1, $_] } 1 .. $statements), [PID_END => 7, 2.5])));
        like($file, qr/^event: Time : Time in subs \(\Q$unit\E\)$/m, "$unit: the header names the unit");
        like($file, qr/^totals: $ticks $statements $ticks$/m, "$unit: the sum is right");
        annotates($unit, $file);
    }
};

subtest 'a call that goes on' => sub {
    my $profile = spew("$scratch/parts.out", profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 2, 0, 0, '/a.pl'], [TIME_LINE => 60, 1, 2],
        [SUB_CALLERS => 1, 2, 'main::RUNTIME', 0, 5e-6, 2e-6, 0, 0, 'main::goes_on'],
        [SUB_CALLERS => 1, 3, 'main::goes_on', 2, 3e-6, 3e-6, 0, 0, 'main::leaf'], [PID_END => 7, 2.5]));
    my $text = converted('parts', $profile);
    holds('parts', $text);
    annotates('parts', $text);
    my $file = CallgrindFile->parse($text);
    is_deeply($file->{totals}, [6000, 1, 6000], 'has its time');
    my @calls = map { @{ $file->{functions}{$_}{calls} } } qw(main::RUNTIME main::goes_on);
    is_deeply([map { "$_->{count} $_->{costs}[0]" } @calls], ['1 5000', '2 3000'], 'and is one call');
};

subtest 'killed' => sub {
    my $profile = record('killed-long',
        ['-e', 'sub f { my $x = $_[0] } f($_) for 1 .. 500000; kill KILL => $$; sleep 9']);
    my $got = run([$nytprofcg, '-o', '-', $profile]);
    is($got->{status}, 0, 'done');
    like($got->{err}, qr/^nytprofcg: warning: \Q$profile\E(?:: it was cut|: \d+ process(?:es)? killed or still running); what is there is used\n\z/, 'one warning');
    holds('killed', $got->{out});
    annotates('killed', $got->{out});
    cmp_ok(CallgrindFile->parse($got->{out})->{totals}[1], '>', 1000, 'the result has what is in the profile');
    $got = run([$nytprofcg, '--strict', '-o', "$scratch/strict", $profile]);
    is($got->{status}, 1, '--strict: failed');
    like($got->{err}, qr/cut short/, 'and says why');
    ok(!-e "$scratch/strict", 'without output');
};

subtest 'merged by stock' => sub {
    my $merged = "$scratch/merged.out";
    my $other  = record('calls', ['test/scripts/calls.pl'], calls => 2, slowops => 2, blocks => 1);
    my $got    = run(['nytprofmerge', '--out', $merged, $shapes{default}, $other], dir => $scratch);
    is($got->{status}, 0, 'nytprofmerge: done') or diag($got->{err});
    examine('merged', $merged);
};

# The same total as that of the call tree, within one unit for each number that was rounded. Where calls took more than
# statements, main::RUNTIME of the tree is less than 0, and that of callgrind is 0.
sub agrees_with_tree {
    my ($name, $profile) = @_;
    my $file = CallgrindFile->parse(examine($name, $profile));
    my $tree = run([build_dir() . '/bin/nytprofcalls', '--root', '--unit=ns', $profile])->{out};
    my @ns   = $tree =~ s/^(main::RUNTIME) -\d+$/$1 0/mr =~ /(\S+)$/mg;
    cmp_ok(abs($file->{totals}[0] - sum0(@ns)), '<=', 100 * (@ns + 1),
        "$name: the total is that of nytprofcalls --root");
    return;
}

sub merged {
    my ($name, @profiles) = @_;
    my $merged = "$scratch/$name.out";
    my $got    = run([build_dir() . '/bin/nytprofmerge', '-o', $merged, @profiles]);
    is($got->{status}, 0, "$name: merged") or diag($got->{err});
    agrees_with_tree($name, $merged);
    return $merged;
}

subtest 'a program without a name' => sub {
    unlike(converted('no name',
        spew("$scratch/no-name.out",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => application => ''],
                [ATTRIBUTE => ticks_per_sec => 10_000_000],
        [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 2, 0, 0, '/a.pl'], [TIME_LINE => 9, 1, 1],
        [PID_END => 7, 2.5]))), qr/^(?:cmd|desc: Perl):/m, 'is not named');
};

subtest 'processes' => sub {
    my @profiles = record('shapes-forks', ['test/scripts/forks.pl'], addpid => 1, calls => 1);
    cmp_ok(scalar @profiles, '>', 1, 'one file each');
    examine("process $_", $profiles[$_]) for 0 .. $#profiles;
    merged('forks', @profiles);
    merged('others', @profiles, $shapes{'calls=1'}, record('calls', ['test/scripts/calls.pl'], calls => 1));
    merged('itself', $profiles[0], spew("$scratch/again.out", slurp($profiles[0])));
};

# Modules that make no calls are file scopes that a BEGIN block ran.
subtest 'samples' => sub {
    my $why_not = may_sample();
    plan(skip_all => $why_not) if $why_not;
    my $n    = 0;
    my $code = 'use POSIX; use Text::Wrap; sub f { my $x = 0; $x += $_ for 1 .. 30000; $x } f() for 1 .. 60 * %d; '
        . 'my $y = 0; $y += $_ for 1 .. 1e6';
    my $record = sub {
        my ($program) = @_;
        my $profile = "$scratch/sampled-" . $n++ . '.out';
        my $got     = run([recorder(), '-r', 1000, '--children', '-o', $profile, '--', sampled_perl(), '-e', $program]);
        is($got->{status}, 0, "$program is sampled") or diag($got->{err});
        # a child may end before it is sampled
        return grep { run([build_dir() . '/bin/nytprofcalls', '--root', $_])->{out} =~ /[1-9]$/m } glob "$profile*";
    };
    # on a busy machine the sampler may come too late: the program then does four times as much
    my $sampled = sub {
        my ($program) = @_;
        for my $times (1, 4, 16, 64) {
            my @all = $record->(sprintf $program, $times) or next;
            agrees_with_tree("samples of $program", $_) for @all;
            return @all;
        }
        BAIL_OUT("no sample of $program");
    };
    my @one   = $sampled->($code);
    my @forks = $sampled->("fork for 1, 2; $code; 1 while wait > 0");
    like(converted('samples', $one[0]), qr/^desc: Calls: those of samples, as calls were not counted$/m, 'the file says what calls= is');
    merged('sampled-forks', @forks);
    merged('sampled-both', @one, @forks);
    merged('sampled-itself', $one[0], spew("$scratch/again.out", slurp($one[0])));
};

# ---- input, output, failures ----

my $profile  = $shapes{default};
my $expected = run([$nytprofcg, '-o', '-', $profile])->{out};

subtest 'input and output' => sub {
    my %ways = (
        'positional'       => [$profile],
        '-f'               => ['-f', $profile],
        '--file='          => ["--file=$profile"],
        '-file, one dash'  => ['-file', $profile],
        'options last'     => [$profile, '--verbose'],
    );
    for my $way (sort keys %ways) {
        my $got = run([$nytprofcg, @{ $ways{$way} }], dir => $scratch);
        is($got->{status}, 0, "$way: done");
        ok(slurp("$scratch/nytprof.callgrind") eq $expected, "$way: nytprof.callgrind");
        unlink "$scratch/nytprof.callgrind";
    }
    spew("$scratch/nytprof.out", slurp($profile));
    is(run([$nytprofcg, '-out', 'elsewhere'], dir => $scratch)->{status}, 0, 'nytprof.out is the default');
    ok(slurp("$scratch/elsewhere") eq $expected, 'written where -out says');
    my $got = run([$nytprofcg, '-o', '-', '-'], stdin => slurp($profile));
    ok($got->{out} eq $expected, 'from stdin to stdout');
    like(run([$nytprofcg, '-v', '-o', '-', $profile])->{err}, qr/^nytprofcg: \d+ statements, \d+ calls/m, '--verbose');
};

subtest 'failures' => sub {
    my $bytes = slurp($profile);
    fails_cleanly($nytprofcg, 'missing', 1, qr/^nytprofcg: .*missing.*No such file/, "$scratch/missing");
    fails_cleanly($nytprofcg, 'directory', 1, qr/^nytprofcg: .*directory/i, $scratch);
    fails_cleanly($nytprofcg, 'not a profile', 1, qr/not a Perl profile/, spew("$scratch/text", "hello\n"));
    fails_cleanly($nytprofcg, 'cut and --strict', 1, qr/cut short/, '--strict',
        spew("$scratch/cut", substr $bytes, 0, 9000));
    substr($bytes, 9000, 400) = "\xff" x 400;
    my $damaged = spew("$scratch/damaged", $bytes);
    fails_cleanly($nytprofcg, 'damaged', 1, qr/^nytprofcg: \Q$damaged\E: .*offset \d+/m, $damaged);
    fails_cleanly($nytprofcg, 'bad option', 2, qr/unrecognized option.*\n.*--help/, '--nonsense', $profile);
    my $got = run([$nytprofcg, '--salvage', '-o', '-', $damaged]);
    is($got->{status}, 0, '--salvage: done');
    like($got->{err}, qr/what precedes it is used/, 'with a warning');
    holds('salvaged', $got->{out});
    $got = run([$nytprofcg, '-o', "$scratch/no/such/place", $profile]);
    is($got->{status}, 1, 'output in no directory: failed');
    $got = run([$nytprofcg, '-o', '/dev/full', $profile]);
    is($got->{status}, 1, 'disk full: failed');
    like($got->{err}, qr/No space left/, 'in the words of the system');
};

subtest 'help and version' => sub {
    for my $option (qw(--help -h -help)) {
        my $got = run([$nytprofcg, $option]);
        is("$got->{status}$got->{err}", '0', "$option: done");
        like($got->{out}, qr/^usage: nytprofcg .*\n.*kcachegrind/s, "$option: usage with an example");
        cmp_ok($got->{out} =~ tr/\n//, '<=', 24, "$option: fits a screen");
    }
    like(run([$nytprofcg, '--version'])->{out}, qr/^nytprofcg \d+\.\d+\.\d+\n\z/, '--version');
};

done_testing();
