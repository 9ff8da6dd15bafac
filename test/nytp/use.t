# nytp: verbs are the programs beside it, and nytp run makes one profile and a report of a script and its children.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(as_users);
use File::Basename qw(basename);
use IO::Handle;
use NYTPTest qw(build_dir record run scratch_dir slurp spew until_true);
use Test::More;

my ($build, $dir) = (build_dir(), scratch_dir());
my $nytp = "$build/bin/nytp";
mkdir $_ or die "$_: $!" for "$dir/bin", "$dir/a:b", "$dir/elsewhere";

# Says which page it was to show.
spew("$dir/bin/browse", "#!/bin/sh\necho \"\$@\" >>$dir/browsed\n");
spew("$dir/bin/man",    "#!/bin/sh\necho \"man \$@\"\n");
chmod 0755, "$dir/bin/browse", "$dir/bin/man";
my %env = (as_users("$dir/bin"), TMPDIR => "$dir/a:b", BROWSER => undef, SSH_CONNECTION => undef, NYTPROF => undef,
    PERL5OPT => undef);

sub nytp {
    my ($arguments, %more) = @_;
    return run([$nytp, @$arguments], dir => $dir, env => { %env, %more });
}

my @programs = grep { $_ ne 'nytp' } map { basename($_) } glob "$build/bin/*";

my @tables = qw(summary subs lines requests queries processes findings);

subtest 'verbs' => sub {
    my $list = nytp([]);
    is($list->{status}, 0, 'without arguments: lists them');
    is(nytp([$_])->{out}, $list->{out}, "... and so does $_") for qw(help --help -h);
    my %verbs = map { s/^nytp-|^nytprof//r =~ s/^html$/report/r => $_ } @programs;
    for my $verb (sort keys %verbs) {
        like($list->{out}, qr/^(?:\S.{23}| {24})(?:\w+ )*\Q$verb\E(?:  | \w|\n)/m, "$verb is listed");
        like(nytp([$verb, '--version'])->{out}, qr/^\Q$verbs{$verb}\E \d/, "... and is $verbs{$verb}");
        like(nytp(['help', $verb])->{out}, qr{^man \Q$build\E/bin/\.\./man/\Q$verbs{$verb}\E\.1$},
            '... whose manual page help shows');
    }
    is_deeply([grep { nytp([$_, '--version'])->{out} !~ /^nytp-table \d/ || nytp(['help', $_])->{out} !~ m{/nytp-table\.1$} }
        @tables], [], 'tables are verbs');
    like(nytp(['help', $_])->{out}, qr{/man/nytp\.1$}, "help $_ shows the page of nytp") for 'run', 'help';
    like(nytp(['help', 'filters'])->{out}, qr{/man/nytprof-filters\.7$}, 'help filters shows the page of filters');
    unlink "$dir/bin/man";
    my $without = nytp(['help', 'tree'], PATH => "$dir/bin");
    like($without->{out}, qr/^usage: nytp-tree /, 'without man: --help');
    for my $wrong (['nosuch'], ['help', 'nosuch'], ['help', 'tree', 'dot'], ['--nosuch'], ['run'], ['run', '--nosuch', 'x'],
        ['run', '-o', '', 'x']) {
        my $got = nytp($wrong);
        is("$got->{status} $got->{out}", '2 ', "@$wrong: wrong usage");
        like($got->{err}, qr/^nytp(?: run)?: .*\nTry 'nytp(?: run)? --help'\.\n\z/, '... and says so');
    }
    my $profile = record('tiny-plain', ['test/scripts/tiny.pl'], calls => 2, compress => 0, savesrc => 0);
    is_deeply(nytp(['tree', '--table', $profile]), run(["$build/bin/nytp-tree", '--table', $profile]),
        'arguments reach the program');
    is_deeply(nytp([$_, $profile]), run(["$build/bin/nytp-table", "--by=$_", $profile]), "$_ is a table") for @tables;
    is_deeply(nytp([$profile]), nytp(['summary', $profile]), 'a file alone: its summary');
    like(nytp([$_->[0]])->{err}, qr/^nytp: no verb '$_->[0]': $_->[1]\?\n/, "$_->[0] is nearly $_->[1]")
        for ['tre', 'tree'], ['repotr', 'report'], ['querys', 'queries'];
    is(nytp(['nothing-like-it'])->{err}, "nytp: no verb 'nothing-like-it'\nTry 'nytp --help'.\n", '... and others are like none');
    is(nytp(['diff', '--fail-over=0.001%', $profile, $profile])->{status}, 0, '... and its status comes back');
    is(nytp(['tree', "$dir/missing.out"])->{status}, 1, '... of a failure, too');
};

spew("$dir/family.pl", <<'PERL');
sub parent { my $sum = 0; $sum += $_ for 1 .. 2000; return $sum }
sub forked { return parent() }
parent();
defined(my $pid = fork) or die;
if ($pid == 0) { forked(); exit 0 }
waitpid $pid, 0;
system $^X, '-e', 'sub started { 1 } started() for 1 .. 5';
chdir 'elsewhere';
print join(',', @ARGV), "\n";
exit 7;
PERL

# The calls of each sub.
sub calls_of {
    my ($profile) = @_;
    my $table = run(["$build/bin/nytprofcsv", '--table=subs', '-o', '-', $profile])->{out};
    return { map { /^(main::\w+),(?:[^,]*,){6}(\d+),/ ? ($1 => $2) : () } split /\n/, $table };
}

subtest 'run' => sub {
    my $got = nytp(['run', '-o', 'out', 'family.pl', '--its', '-o', 'options'], BROWSER => 'nosuch:browse --page %s');
    is($got->{status}, 7, 'the exit status of the script') or diag($got->{err});
    is($got->{out}, "--its,-o,options\n", '... which has its arguments, and standard output to itself');
    is($got->{err}, "nytp run: the report is $dir/out/index.html, the profile $dir/out/nytprof.out\nnytp run: next: nytp $dir/out/nytprof.out\n",
        'says where they are');
    is(slurp("$dir/browsed"), "--page $dir/out/index.html\n", 'the report is shown in $BROWSER');
    like(slurp("$dir/out/index.html"), qr/^<!DOCTYPE html>.*main::started/s, '... and has the subs');
    my $calls = calls_of("$dir/out/nytprof.out");
    is_deeply([@$calls{qw(main::parent main::forked main::started)}], [2, 1, 5], 'the profile has all processes');
    is_deeply([map { basename($_) } glob "$dir/out/{*,.[!.]*}"], [qw(index.html nytprof.out)],
        'and nothing else is left');
    is_deeply([glob "$dir/nytp*"], [], '... nor where the script ran');
};

subtest 'what perl is given' => sub {
    my $got = nytp(['run', '--no-open', '-I', "$dir/lib", '-e', 'print "$INC[0] $ENV{PERL5OPT} @ARGV"', '--', '-h'],
        PERL5OPT => '-Mstrict', BROWSER => 'browse');
    is($got->{status}, 0, 'options and -e') or diag($got->{err});
    is($got->{out}, "$dir/lib -d:NYTProf -Mstrict -h", '... and PERL5OPT of the user');
    is(slurp("$dir/browsed") =~ tr/\n//, 1, '--no-open');
    my $where = 'print "$INC{q(Devel/NYTProf.pm)} $INC[0]"';
    is(nytp(['run', '--no-open', '-e', $where], PERL5LIB => undef)->{out}, "$build/perl5/Devel/NYTProf.pm $build/perl5",
        'without PERL5LIB: the collector that was built with it');
    is(nytp(['run', '--no-open', '-e', $where], PERL5LIB => "$dir/lib")->{out}, "$build/perl5/Devel/NYTProf.pm $dir/lib",
        '... behind what PERL5LIB has');
    my ($page) = $got->{err} =~ /the report is (.*), the profile/;
    is($page, "$dir/nytprof/index.html", 'in a directory that all programs find');
    ok(-s $page, '... is the report');
    is(run(["$build/bin/nytp-table"], dir => $dir)->{out}, run(["$build/bin/nytp-table", 'nytprof/nytprof.out'], dir => $dir)->{out},
        '... whose profile is read where none is named');
    rename "$dir/nytprof/nytprof.out", "$dir/moved.out" or die $!;
    $got = nytp(['run', '--no-open', '-e', '1']);
    my $said = qr{\Anytp run: nytprof is not of an earlier run, so the report goes below \Q$dir\E/a:b\n};
    like($got->{err}, qr{${said}nytp run: the report is \Q$dir\E/a:b/nytp-\w+/index\.html, .*\n.*: next: nytp .*\n\z}, 'a directory of that name that another program has made stays as it is');
    ok(!-e "$dir/nytprof/nytprof.out", '... without a profile');
    utime 1, 1, "$dir/moved.out";
    rename "$dir/moved.out", "$dir/nytprof/nytprof.out" or die $!;
    my $here = spew("$dir/nytprof.out", slurp("$dir/nytprof/nytprof.out"));
    like(run(["$build/bin/nytp-tree", '--help'], dir => $dir)->{out}, qr/default nytprof\.out,/, 'the newer profile is read');
    unlink $here;
    my $tainted = 'sub tainted { 1 } tainted(); print ${^TAINT}';
    $got = nytp(['run', '--no-open', '-o', 'taint', '-I', "$build/perl5", '-e', $tainted], PERL5OPT => ' -T');
    is("$got->{status} $got->{out}", '0 1', 'PERL5OPT=-T') or diag($got->{err});
    is(calls_of("$dir/taint/nytprof.out")->{'main::tainted'}, 1, '... is profiled');
    spew("$dir/bin/in-path", "#!perl\nsub of_it { 1 } of_it(); kill 'TERM', \$\$; sleep 100\n");
    chmod 0755, "$dir/bin/in-path";
    $got = nytp(['run', '--no-open', '-o', 'path', '-S', 'in-path'], NYTPROF => 'sigexit=TERM:addpid=0:file=not-this');
    is($got->{status}, 1, '-S, with options of the collector') or diag($got->{err});
    is(calls_of("$dir/path/nytprof.out")->{'main::of_it'}, 1, '... is profiled');
    ok(!-e "$dir/not-this", 'the name of the file is ours');
    is(nytp(['run', '--no-open', 'missing.pl'])->{status}, 2, 'no such script: the status of perl');
    like(nytp(['run', '--no-open', 'in-path'])->{err}, qr/^nytp run: in-path is in PATH: nytp run -S in-path\n/m,
        'a program in PATH needs -S');
    my $none = nytp(['run', '--no-open', '-e', '1'], NYTPROF => 'start=no', PATH => "$dir/empty");
    is($none->{status}, 127, 'no perl');
    like($none->{err},
        qr/^nytp run: perl: cannot execute: No such file or directory\nnytp run: no perl has written a profile\n\z/,
        '... says so');
    is(nytp(['run', '--no-open', '-o', '/dev/null/x', '-e', 'print "ran"'])->{out}, '',
        'without a place for the profile nothing runs');
};

subtest 'memory' => sub {
    my $got = nytp(['run', '--no-open', '-o', 'memory', '-e', 'my @x = map { "x" x 1000 } 1 .. 5000; my $child = fork; '
        . '@x = map { "x" x 1000 } 1 .. 5000; waitpid $child, 0 if $child'], NYTPROF => 'heap=1');
    is($got->{status}, 0, 'NYTPROF=heap=1') or diag($got->{err});
    like(slurp("$dir/memory/index.html"), qr/id="memory"/, 'the report has its memory');
    is($got->{err}, "nytp run: the report is $dir/memory/index.html, the profile $dir/memory/nytprof.out\nnytp run: next: nytp $dir/memory/nytprof.out\n",
        '... and no more is said than without them');
};

# Ctrl-C reaches all processes of the terminal, kill(1) nytp alone. Both end the script, and then the report is made.
subtest 'signals' => sub {
    spew("$dir/waits.pl", <<'PERL');
sub works { my $sum = 0; $sum += $_ for 1 .. 1000; return $sum }
works() for 1 .. 3;
DB::finish_profile();
open my $file, '>', "$ARGV[0].new" or die;
print {$file} getppid;
close $file;
rename "$ARGV[0].new", $ARGV[0];
sleep 1000 while 1;
PERL
    my %end = (
        INT  => sub { my ($terminal) = @_; print {$terminal} "\cC"; return },
        TERM => sub { my ($terminal, $pid) = @_; kill 'TERM', $pid; return },
    );
    my %status = (INT => 130, TERM => 143);
    local @ENV{ keys %env } = values %env;
    delete @ENV{ grep { !defined $env{$_} } keys %env };
    for my $signal (sort keys %end) {
        my $script = open my $terminal, '|-', 'script', '-qec',
            "cd $dir && nytp run --no-open -o of-$signal waits.pl $signal 2>$signal.err", '/dev/null' or die $!;
        $terminal->autoflush;
        ok(until_true(sub { -e "$dir/$signal" }, $script), "SIG$signal: the script runs");
        $end{$signal}->($terminal, slurp("$dir/$signal"));
        close $terminal;
        is($? >> 8, $status{$signal}, '... and is ended');
        like(slurp("$dir/$signal.err"), qr{^nytp run: the report is \Q$dir/of-$signal/index.html\E},
            '... and there is a report');
        is(calls_of("$dir/of-$signal/nytprof.out")->{'main::works'}, 3, '... of what was profiled');
    }

    # The end of a terminal reaches the leader of its session alone.
    my $script = open my $terminal, '|-', 'script', '-qec',
        "cd $dir && exec nytp run --no-open -o of-end waits.pl end 2>end.err", '/dev/null' or die $!;
    ok(until_true(sub { -e "$dir/end" }, $script), 'nytp leads the session');
    kill 'KILL', $script;
    close $terminal;
    ok(until_true(sub { slurp("$dir/end.err") =~ m{\n\z} }, slurp("$dir/end")), 'the terminal is closed: the script is ended')
        or kill 'TERM', slurp("$dir/end");
    like(slurp("$dir/end.err"), qr{^nytp run: the report is \Q$dir/of-end/index.html\E}, '... and there is a report');
};

done_testing;
