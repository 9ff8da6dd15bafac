# nytprofhtml: what is in the file, against Devel::NYTProf::Data and the other programs; where it goes; options of
# stock's.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use Encode ();
use Digest::SHA qw(sha256_base64);
use IO::Uncompress::Gunzip ();
use NYTPTest qw(build_dir record run scratch_dir slurp spew top_dir valgrind);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;

use lib build_dir() . '/perl5';

preloaded();
require Devel::NYTProf::Data;

my $tool = build_dir() . '/bin/nytprofhtml';
my $dir  = scratch_dir();

sub page_of {
    my ($profile, @options) = @_;
    my $got = run([$tool, '-o', '-', @options, $profile]);
    is("$got->{status} $got->{err}", '0 ', "@options: written");
    return ReportPage->new($got->{out});
}

sub near { my ($got, $expected) = @_; return abs($got - $expected) <= 2e-6 + 1e-6 * abs $expected }

my $profile = record('report', ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1, slowops => 2);
my $data    = Devel::NYTProf::Data->new({ filename => $profile, quiet => 1 });
my $page    = page_of($profile, '--no-mergeevals');

subtest 'numbers' => sub {
    my ($core, $rate) = ($page->{core}, $page->{core}{about}{ticks_per_s});
    is($core->{totals}{statements},
        $data->attributes->{total_stmts_measured} - $data->attributes->{total_stmts_discounted}, 'statements');
    is($core->{totals}{calls}, $data->attributes->{total_sub_calls}, 'calls');
    my ($subs, $map) = ($page->subs, $data->subname_subinfo_map);
    my @wrong = grep {
        my ($got, $is) = ($subs->{$_}, $map->{$_});
        !$got || $got->{calls} != $is->calls || !near($got->{incl} / $rate, $is->incl_time)
            || !near($got->{excl} / $rate, $is->excl_time)
    } grep { $map->{$_}->calls } keys %$map;
    is_deeply(\@wrong, [], 'subs');
    my @bad;
    for my $file ($data->all_fileinfos) {
        my $times = $data->{fid_line_time}[$file->fid] or next;
        my $number = $page->file_number($file->filename) // (push(@bad, $file->filename), next);
        my %sum;
        for my $row ($page->lines_of($number)) { $sum{ $row->[0] }[0] += $row->[2] / $rate;
            $sum{ $row->[0] }[1] += $row->[1] }
        push @bad, map { $file->filename . ":$_" } grep { $times->[$_]
            && !($sum{$_} && near($sum{$_}[0], $times->[$_][0]) && $sum{$_}[1] == $times->[$_][1]) } 0 .. $#$times;
    }
    is_deeply(\@bad, [], 'lines');
    my $lines = $core->{lines};
    for my $level (qw(block sub)) {
        my (@sum, @differ);
        my $row = 0;
        for my $file (0 .. $#{ $lines->{count} }) {
            for (1 .. $lines->{count}[$file]) {
                $sum[$file]{ $lines->{$level}[$row] }[$_->[0]] += $lines->{ $_->[1] }[$row] for [0, 'ticks'],
                    [1, 'calls'];
                $row++;
            }
        }
        for my $file ($data->all_fileinfos) {
            my $times = $data->{"fid_${level}_time"}[$file->fid] or next;
            my $got = $sum[$page->file_number($file->filename)];
            push @differ,
                map { $file->filename . ":$_" } grep { $times->[$_]
                    && !($got->{$_} && near($got->{$_}[0] / $rate, $times->[$_][0])
                        && $got->{$_}[1] == $times->[$_][1]) } 0 .. $#$times;
        }
        is_deeply(\@differ, [], "by $level");
    }
};

subtest 'stacks' => sub {
    my $core = $page->{core};
    my (@path, %got);
    for my $i (0 .. $#{ $core->{stacks}{sub} }) {
        my ($sub, $depth, $calls) = map { $core->{stacks}{$_}[$i] } qw(sub depth calls);
        splice @path, $depth;
        push @path, $core->{subs}{name}[$sub];
        $got{ join ';', @path } = $calls;
    }
    my $folded = run([build_dir() . '/bin/nytprofcalls', '--calls', '--no-merge-evals', $profile])->{out};
    my %expected = $folded =~ /^(.*) (\d+)$/mg;
    is_deeply(\%got, \%expected, 'those of nytprofcalls');
    my $calls = $core->{calls};
    is($calls->{all}, $core->{totals}{calls}, 'the time line has been told of all calls');
    my @sticks_out;
    my @open;
    for my $i (0 .. $#{ $calls->{sub} }) {
        my ($depth, $begin, $end) = ($calls->{depth}[$i], $calls->{begin}[$i],
            $calls->{begin}[$i] + $calls->{ticks}[$i]);
        @open = grep { $_->[0] < $depth } @open;
        push @sticks_out, $i if @open && ($begin < $open[-1][1] - 2 || $end > $open[-1][2] + 2);
        push @open, [$depth, $begin, $end];
    }
    is_deeply(\@sticks_out, [], 'and no call of it is longer than its caller');
};

subtest 'source' => sub {
    is($page->source_of('/usr/bin/podchecker'), slurp('/usr/bin/podchecker'), 'as it is');
    my $without = page_of($profile, '--no-source');
    is_deeply($without->{source}, [], '--no-source: none');
    like($without->{core}{about}{no_source}, qr/left out of this report/, 'which the page knows');
    my $copy = "$dir/copy.pl";
    spew($copy, "sub f { return 1 }\nf() for 1 .. 3;\n");
    my $unsaved = record('report-unsaved', [$copy], savesrc => 0);
    is(page_of($unsaved)->source_of($copy), slurp($copy), 'not saved: read from where it was');
    unlink $copy;
    is(page_of($unsaved)->source_of($copy), undef, 'which it is no more');
    run(['mkdir', '-p', "$dir/lib$dir"]);
    spew("$dir/lib$copy", "# kept\n");
    is(page_of($unsaved, "--lib=$dir/lib")->source_of($copy), "# kept\n", '--lib: looked for there');
};

subtest 'evals' => sub {
    my $evals = record('report-evals', ['-e', 'for my $i (1 .. 300) { eval q{sub { 1 }->(); } . ($i % 2) }'],
        calls => 2);
    my $merged = page_of($evals);
    my @files = grep { /^\(eval/ } @{ $merged->{core}{files}{name} };
    is(scalar @files, 2, 'of each text one');
    is($merged->{core}{totals}{evals}, 300, 'all are counted');
    my $apart = page_of($evals, '--no-mergeevals');
    is(scalar(grep { /^\(eval/ } @{ $apart->{core}{files}{name} }), 300, '--no-mergeevals: all');
    my $sum = sub { my $n = 0; $n += $_ for @{ $_[0]{core}{stacks}{calls} }; return $n };
    is($sum->($merged), $sum->($apart), 'with the same calls in stacks');
    is_deeply([grep { !$merged->subs->{ $merged->{core}{subs}{name}[$_] } } @{ $merged->{core}{stacks}{sub} }], [],
        'of subs that have arcs');
    my $same = record('report-eval', ['-e', 'for my $i (1 .. 3) { eval q{sub { 1 }->()} }'], calls => 2);
    my ($file, $sub) = ('(eval 0)[-e:1]', 'main::__ANON__[(eval 0)[-e:1]:1]');
    $merged = page_of($same);
    ok(defined $merged->file_number($file) && $merged->subs->{$sub}, 'one text: the name has no number');
    for my $other (['nytprofcalls'], ['nytp-speedscope'], ['nytp-pprof', '--lines'], ['nytprofcsv', '--table=subs'],
        ['nytp-dot', '--min=0'], ['nytprofcg']) {
        my ($program, @options) = @$other;
        run([build_dir() . "/bin/$program", @options, '-o', "$dir/named", $same]);
        IO::Uncompress::Gunzip::gunzip("$dir/named" => \my $text, Transparent => 1);
        ok(index($text, $sub) >= 0 && $text !~ /eval [1-9]/, "... as in $program");
    }
};

subtest 'the page' => sub {
    my $html = $page->{html};
    my ($script) = $html =~ m{<script>(.*)</script>\n</body>}s;
    my ($allowed) = $html =~ /script-src 'sha256-([^']+)'/;
    my $hash = sha256_base64($script);
    $hash .= '=' while length($hash) % 4;
    is($allowed, $hash, 'its policy allows its script');
    unlike($html =~ s/<script.*?<\/script>//gsr, qr{(?:src|href)="?(?:https?:)?//}i, 'and it asks for nothing');
    unlike($script, qr/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
        'data cannot become markup');
    is(run([$tool, '-o', '-', '--no-mergeevals', $profile])->{out}, $html, 'the same profile gives the same bytes');
    my $static = $page->static;
    like($static, qr/[\d,]+ statements and [\d,]+ calls in \d+ files and \d+ string evals/,
        'numbers of the profile');
    like($static, qr/, recorded by stock&#39;s Devel::NYTProf \d/, 'what has recorded it');
    like($static,
        qr{Subs by self time.*<td class="n">[\d.]+ m?s</td><td class="n">[\d.]+ m?s</td><td class="n">[\d,]+</td><td class="name" title="(Pod::[^"]+)">\1<.*Hottest lines}s, 'plain tables');
    like($static, qr{<td class="name" title="/[^"]+(/[^"/]+/[^"/]+\.pm:\d+)">(??{ quotemeta substr $1, 1 })<}, 'with short paths');
};

# One line takes half, a sub that waits takes a fifth, and the name of the file is HTML.
subtest 'what stands out' => sub {
    my $made = spew("$dir/findings.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1e7], [PID_START => 1, 1, 5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop/lib/a<b>.pl'], [TIME_LINE => 500, 1, 7],
        (map { [TIME_LINE => 100, 1, 10 + $_] } 1 .. 5),
        [SUB_INFO => 1, 'main::CORE:sleep', 0, 0], [SUB_INFO => 1, 'X::throw', 20, 30],
        [SUB_CALLERS => 1, 11, 'main::RUNTIME', 1, 2e-5, 2e-5, 0, 0, 'main::CORE:sleep'],
        [SUB_CALLERS => 1, 12, 'main::RUNTIME', 4, 1e-5, 1e-5, 0, 0, 'X::throw'],
        [PID_END => 1, 6]));
    my @found = page_of($made)->static =~
        m{<li data-rule="([^"]+)"><span class="share">(?:(\d+) %)?</span> <span ([^>]*?) title="([^"]+)">([^<]+)</span></li>}g;
    my @rows;
    push @rows, [splice @found, 0, 5] while @found;
    is_deeply([map { $_->[0] } @rows], [qw(hot-line exceptions waiting)],
        'those of nytp-tree --findings, those with most work first') or diag(explain(\@rows));
    is_deeply([map { $_->[1] } @rows], [63, 13, undef], 'with their shares of the work');
    is_deeply([map { $_->[2] } @rows], ['data-file="0" data-line="7"', 'data-sub="1"', 'data-file="0" data-line="11"'],
        'and where they lead');
    is(Encode::decode('UTF-8', $rows[0][4]),
        "lib/a&lt;b&gt;.pl:7 is a hot line, which ran 1 time: 50.0 \x{B5}s",
        'in words, escaped, with a short path and the units of the page');
    like($rows[0][3], qr{/srv/shop/lib/a&lt;b&gt;\.pl:7.*, 63 % of the work}, 'the whole sentence is a hint');
    like($rows[2][4], qr/, 20 % of all time\z/, 'and another share is in the sentence, with what it is of');
    my $many = spew("$dir/many-findings.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1e7], [PID_START => 1, 1, 5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/a.pl'], (map { [TIME_LINE => 2_000_000, 1, $_] } 1 .. 3),
        [SUB_INFO => 1, 'main::CORE:match', 0, 0],
        (map { [SUB_CALLERS => 1, $_, 'main::RUNTIME', 4, 0.1, 0.1, 0, 0, 'main::CORE:match'] } 2, 5, 6),
        [PID_END => 1, 160.4]));
    my $static = page_of($many)->static;
    is_deeply([$static =~ /<li data-rule="([^"]+)".*?data-line="(\d)"/g],
        ['hot-line', 1, 'hot-line', 3, 'slow-pattern', 2, 'slow-pattern', 5, 'slow-pattern', 6],
        'at most five, and no line of which another says why');
    like($static, qr{<h1>srv/a\.pl:1 is a hot line, which ran 1 time: 200 ms, 33 % of the work</h1>}, 'the first one is the headline');
    like($static, qr{many-findings\.out: 600 ms work\.}, 'and how long it lasted');
    unlike(page_of(record('tiny-plain', ['test/scripts/tiny.pl'], calls => 2, compress => 0, savesrc => 0, subs => 0,
        stmts => 0))->static, qr/What stands out/, 'without time nothing does');
};

subtest 'where it goes' => sub {
    run(['cp', $profile, "$dir/nytprof.out"]);
    my $in = sub { run([$tool, @_], dir => $dir) };
    is($in->()->{status}, 0, 'without arguments');
    ok(-s "$dir/nytprof/index.html", 'into nytprof/');
    is($in->('-o', 'other/place', '-f', 'nytprof.out')->{status}, 0, '-o DIR -f FILE');
    is(slurp("$dir/other/place/index.html"), slurp("$dir/nytprof/index.html"), 'DIR/index.html');
    is($in->('-o', 'one.html')->{status}, 0, '-o X.html');
    ok(-f "$dir/one.html", 'that file');
    is($in->(qw(--out nytprof -d -m --flamewidth 900 --debug --profself))->{status}, 0,
        'all options of stock are taken');
    is($in->('--no-flame', '-o', 'flat.html')->{status}, 0, '--no-flame');
    is_deeply(ReportPage->new(slurp("$dir/flat.html"))->{core}{stacks}{sub}, [], 'has no stacks');

    my $names = sub { join ' ', map { s{.*?/old/}{}r } glob "$dir/old/*" };
    run(['mkdir', '-p', "$dir/old/js/jit"]);
    my $stock = "<!--\nThis file was generated by Devel::NYTProf version 6.12\n-->\n";
    spew("$dir/old/$_", $stock) for qw(index.html index-subs-excl.html t-pl-1-line.html);
    spew("$dir/old/$_", 'x') for qw(style.css js/jquery-min.js js/jit/jit.js all_stacks_by_time.svg);
    spew("$dir/old/$_", "digraph {\ngraph [overlap=false]\n}\n") for qw(subs-callgraph.dot t-pl.dot);
    is(run(['sh', '-c', 'ulimit -f ' . (valgrind() ? 1 : 0) . '; exec "$@"', 'sh', $tool, '-d', '-o', "$dir/old", $profile])->{status}, 1,
        '-d, but no room');
    is(() = glob("$dir/old/*"), 8, 'removes nothing');
    is(run(['sh', '-c', 'ulimit -f ' . (valgrind() ? 1 : 0) . '; exec "$@"', 'sh', $tool, '-o', "$dir/not/there", $profile])->{status}, 1,
        'no room in a new directory');
    ok(!-e "$dir/not", '... which is not left');
    is($in->('-d', '-o', 'old')->{status}, 0, '-d over a report of stock');
    is($names->(), 'index.html', 'removes that');
    is($in->('-d', '-o', 'old')->{status}, 0, '-d over a report of ours');
    for my $case (['mine.txt', 'mine'], ['style.css', 'mine'], ['mine.dot', "digraph { a -> b }\n"],
        ['mine-1-line.html', '<p>mine</p>'], ['mine-1-line.html', $stock]) {
        my ($name, $text) = @$case;
        spew("$dir/old/$name", $text);
        my $got = $in->('-d', '-o', 'old');
        like("$got->{status} $got->{err}", qr/^1 .*\Q$name\E: this is not from a report, so -d removes nothing/,
            "-d where there is $name: says so");
        is($names->(), join(' ', sort 'index.html', $name), 'and removes nothing');
        unlink "$dir/old/$name";
    }
    spew("$dir/old/$_", 'mine') for qw(index.html style.css);
    is($in->('-d', '-o', 'old')->{status}, 1, '-d where index.html is not from a report');
    is(slurp("$dir/old/$_"), 'mine', "$_ is as it was") for qw(index.html style.css);
    spew("$dir/old/index.html", $stock);
    symlink '/etc/passwd', "$dir/old/t-1-line.html";
    is($in->('-d', '-o', 'old')->{status}, 1, 'nor does it remove a link');
    like(run([$tool, '--open', '-o', 'one.html'], dir => $dir, env => { SSH_CONNECTION => '1 2 3 4' })->{err},
        qr/scp .*one\.html/, '--open over ssh says how to fetch it');
    mkdir "$dir/bin" or die $!;
    for my $opener (qw(xdg-open sensible-browser open)) {
        spew("$dir/bin/$opener", "#!/bin/sh\necho 'no such browser' >&2\nexit 3\n");
        chmod 0755, "$dir/bin/$opener";
    }
    my $got = run([$tool, '--open', '-o', 'two.html'], dir => $dir,
        env => { SSH_CONNECTION => undef, PATH => "$dir/bin:$ENV{PATH}" });
    is($got->{err}, "nytprofhtml: --open: no browser could be started; open file://$dir/two.html\n",
        '--open without a browser says that in one line');
    is("$got->{status} " . (-s "$dir/two.html" > 1000), '0 1', 'and the report is there');
    like($in->('-o', 'none.html', 'missing.out')->{err}, qr/missing\.out: cannot open/, 'a missing profile');
    spew("$dir/empty.out", '');
    is($in->('-o', 'none', 'empty.out')->{status}, 1, 'an empty profile');
    ok(!-e "$dir/none", 'without a report there is no directory');
    ok(!-e "$dir/none.html", 'makes no report');
};

subtest 'options of ours' => sub {
    like(page_of($profile, '--title=<i>"A" & B</i>')->static, qr{<title>&lt;i&gt;&quot;A&quot; &amp; B&lt;/i&gt; - Perl profile</title>},
        '--title, escaped');
    is(page_of($profile, '--url=vscode://file{file}:{line}')->{core}{about}{url}, 'vscode://file{file}:{line}',
        '--url');
    for my $wrong ('javascript:alert(1)', 'x{nothing}', 'https://x/') {
        my $got = run([$tool, "--url=$wrong", '-o', '-', $profile]);
        is($got->{status}, 2, "--url=$wrong: wrong usage");
    }
    my @filters = ('--range=0..90%', '--span=Pod::Checker::BEGIN@489', '--slowest=3', '--no-wait');
    my ($shown) = page_of($profile, @filters)->static =~ m{<p id="filters"[^>]*>(.*?)</p>};
    is($shown, 'Filtered by <code>--range=0..90% --span=&#39;Pod::Checker::BEGIN@489&#39; --slowest=3 --no-wait</code>: '
        . 'the rest of the profile is not in this report.', 'filters are named');
    unlike($page->static, qr/id="filters"/, '... if there are any');
    my ($all, $some) = map { scalar @{ page_of($profile, @$_)->{core}{stacks}{sub} } } [], ['--min=1'];
    cmp_ok($some, '<', $all / 5, '--min leaves stacks out');
};

# Names of inputs are bytes, in the page, its data and what it says about damage.
subtest 'odd names of inputs' => sub {
    my $odd = "$dir/in\xFF\xE2\x80\xAE\e<b>.out";
    spew($odd, substr slurp($profile), 0, 5000);
    for my $options ([], ["--title=t\xE2\x80\xAE"]) {
        my $got  = run([$tool, '-o', '-', @$options, $odd, $odd]);
        my $html = $got->{out};
        ok(utf8::decode($html), 'the page is UTF-8');
        unlike($html =~ s/<script>.*//sr, qr/[\x{202E}\e]/, 'without controls');
        my $about = ReportPage->new($got->{out})->{core}{about};
        like($_, qr{/in\xFF\xE2\\x80\xAE\\x1b<b>\.out}, 'shown as Latin-1') for @{ $about->{inputs} };
        unlike(join('', @{ $about->{problems} }, $about->{title}), qr/\x{202E}|\e/, 'problems and title, too');
    }
};

subtest 'profiles that lack something' => sub {
    my $whole = slurp($profile);
    my $cut = page_of_cut(substr $whole, 0, length($whole) / 2);
    like($cut->static, qr/class="banner"[^>]*>This profile is not whole: .*cut short/, 'a cut one says so in the page');
    spew("$dir/skipped.out",
        "NYTProf 5 0\n:no value\n"
        . substr slurp(record('tiny-plain', ['test/scripts/tiny.pl'], calls => 2, compress => 0, savesrc => 0)),
        length "NYTProf 5 0\n");
    like(ReportPage->new(run([$tool, '-o', '-', "$dir/skipped.out"])->{out})->static,
        qr/class="banner"[^>]*>A line of this profile was skipped: /, 'a line that makes no sense, too');
    my $tmon = page_of(tmon_of($profile));
    is($tmon->{core}{about}{kind}, 'tmon', 'a tmon.out');
    like($tmon->static, qr/has calls only/, 'says what is missing');
    cmp_ok(scalar @{ $tmon->{core}{arcs}{callee} }, '>', 10, 'and has callers and callees');
    my $bare = page_of(record('report-bare', ['-e', 'f() for 1 .. 3; sub f { 1 }'], subs => 0));
    like($bare->static, qr/No calls of subs were recorded/, 'without subs');
    like($bare->static, qr{: .*[\d.]+ \S+ work and waiting}, '... of which waiting is not known');
    my $no_lines = page_of(record('report-no-lines', ['-e', 'f() for 1 .. 3; sub f { 1 }'], stmts => 0));
    like($no_lines->static, qr/No statements were recorded/, 'without statements');
    my @sums = ([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1e7], [PID_START => 1, 1, 5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'], [TIME_LINE => 1000, 1, 3], [SUB_INFO => 1, 'main::CORE:sleep', 0, 0],
        [SUB_CALLERS => 1, 3, 'main::RUNTIME', 2, 6e-5, 6e-5, 0, 0, 'main::CORE:sleep']);
    like(page_of(spew("$dir/sums.out", profile_bytes(@sums, [PID_END => 1, 6])))->static,
        qr{100 \S+ = 40\.0 \S+ work \+ 60\.0 \S+ asleep \(by names\)}, 'without single calls: the sums say what waited');
};

# A program that has nothing is not one that was recorded without it.
subtest 'programs that have little' => sub {
    my @head = ([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1e7], [OPTION => 'subs', 1], [OPTION => 'stmts', 1],
        [OPTION => 'calls', 1], [PID_START => 1, 1, 5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl']);
    my $empty = page_of(spew("$dir/nothing.out", profile_bytes(@head, [PID_END => 1, 6])));
    is_deeply([$empty->static =~ /class="banner" role="note">([^<]+)</g],
        ['The program ran no statement while it was profiled.'], 'not even a statement');
    my $one = page_of(spew("$dir/one.out", profile_bytes(@head, [TIME_LINE => 7, 1, 1], [PID_END => 1, 6])));
    unlike($one->static, qr/class="banner" role="note"/, 'a statement');
};

subtest 'several profiles' => sub {
    my @paths = record('report-forks', ['test/scripts/forks.pl'], addpid => 1, calls => 2);
    cmp_ok(scalar @paths, '>', 2, 'of several processes');
    my $got = run([$tool, '-o', '-', @paths]);
    is("$got->{status} $got->{err}", '0 ', 'added up');
    my $sum = ReportPage->new($got->{out});
    is(run([build_dir() . '/bin/nytprofmerge', '-o', "$dir/merged.out", @paths])->{status}, 0, 'as nytprofmerge does');
    my $merged = page_of("$dir/merged.out");
    is_deeply($sum->subs, $merged->subs, 'subs');
    is_deeply($sum->{core}{$_}, $merged->{core}{$_}, $_) for qw(totals files lines stacks processes calls);
    is_deeply([map { $sum->source_of($_) } @{ $sum->{core}{files}{name} }],
        [map { $merged->source_of($_) } @{ $merged->{core}{files}{name} }], 'source');
};

# The second eval of the line defines the sub of the first one, so its line 1 is shown there. Its text stays.
subtest 'the source of evals in several profiles' => sub {
    my @paths = map {
        my $pid = $_;
        spew("$dir/evals$pid.out",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1e7], [PID_START => $pid, 1, 5],
            [NEW_FID => 1, 0, 0, 0x12, 0, 0, 't.pl'],
            (map { [NEW_FID => $_ + 1, 1, 3, 0x102, 0, 0, "(eval $_)[t.pl:3]"] } 1, 2),
            (map { [TIME_LINE => 10, $_, 1] } 1 .. 3), [PID_END => $pid, 6],
            (map { [SUB_INFO => $_, 'main::f', 1, 1] } 2, 3),
            map { ([SRC_LINE => $_ + 1, 1, "sub f { 1 }\n"], [SRC_LINE => $_ + 1, 2, "# number $_\n"]) } 1, 2))
    } 1, 2;
    my $got = run([$tool, '-o', '-', @paths]);
    is("$got->{status} $got->{err}", '0 ', 'added up');
    my $sum = ReportPage->new($got->{out});
    is($sum->source_of("(eval $_)[t.pl:3]"), "sub f { 1 }\n# number $_\n", "eval $_") for 1, 2;
};

sub page_of_cut {
    my ($bytes) = @_;
    my $got = run([$tool, '-o', '-', spew("$dir/cut.out", $bytes)]);
    is($got->{status}, 0, 'a cut profile');
    like($got->{err}, qr/warning: .*(?: was cut|killed or still running);/, 'with a warning');
    return ReportPage->new($got->{out});
}

sub tmon_of {
    my ($from) = @_;
    is(run([build_dir() . '/bin/nytp-dprof', '-o', "$dir/tmon.out", $from])->{status}, 0, 'a tmon.out of it');
    return "$dir/tmon.out";
}

# ---- several programs ----

{
    my $process = sub {
        my ($program, $pid, $start_s, $ended, $cpu_s) = @_;
        return spew("$dir/$program-$pid",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => application => "/t/$program"],
                [ATTRIBUTE => ticks_per_sec => 10_000_000],
            [PID_START => $pid, 1, $start_s], [NEW_FID => 1, 0, 0, 0x12, 0, 0, "/t/$program"],
            [TIME_LINE => 100_000, 1, 2],
            defined $cpu_s ? [ATTRIBUTE => process_cpu_s => $cpu_s] : (),
            $ended ? [PID_END => $pid, $start_s + 1.5] : ()));
    };
    my @profiles = map { $process->(@$_) } ['a<b>.t', 11, 100, 1, 0.25], ['b.t', 12, 102, 1],
        ['a<b>.t', 13, 104.25, 1, 0.25], ['b.t', 14, 106, 1, '0.000000'];
    is(run([build_dir() . '/bin/nytprofmerge', '-o', "$dir/suite.out", @profiles])->{status}, 0, 'a merged suite');
    for my $inputs (["$dir/suite.out"], \@profiles) {
        my $html = run([$tool, '-o', '-', @$inputs])->{out};
        like($html, qr{<title>2 programs: a&lt;b&gt;\.t, b\.t - Perl profile</title>}, 'its title has the programs');
        my ($table) = $html =~ m{<h2>Processes</h2>(.*?)</table>}s;
        my @rows = map { [m{<t[dh][^>]*>(.*?)</t[dh]>}g] } $table =~ m{<tr>.*?</tr>}sg;
        is_deeply(\@rows,
            [[qw(Program Pid Parent Began Lasted Time Work), 'Asleep (by names)', qw(Processor End)],
            ['a&lt;b&gt;.t', 11, 1, 0, '1.50 s', '10.0 ms', '10.0 ms', 0, '250 ms', 'ended'],
            ['b.t', 12, 1, '2.00 s', '1.50 s', '10.0 ms', '10.0 ms', 0, '',       'ended'],
            ['a&lt;b&gt;.t', 13, 1, '4.25 s', '1.50 s', '10.0 ms', '10.0 ms', 0, '250 ms', 'ended'],
            ['b.t', 14, 1, '6.00 s', '1.50 s', '10.0 ms', '10.0 ms', 0, 0, 'ended']],
            '... and there is a row for each process');
    }
    my $html = run([$tool, '-o', '-', "$dir/b.t-12"])->{out};
    like($html, qr{<title>b\.t - Perl profile</title>}, 'one program is the title itself');
    unlike($html, qr{<h2>Processes}, '... without a table');
    unlike(run([$tool, '-o', '-', map { $process->("$_.t", 30 + $_, 300, 1) } 1, 2])->{out}, qr{>Processor<},
        'processor time is a column only where it is known');
    my @many = map { $process->("$_.t", 20 + $_, 200 + $_, 1) } 1 .. 6;
    like(run([$tool, '-o', '-', @many])->{out}, qr{<title>6 programs: 1\.t, 2\.t, 3\.t, 4\.t, … - Perl profile</title>},
        'of many programs, the first are named');
}

done_testing();
