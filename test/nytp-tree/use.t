# nytp-tree as its user meets it: forms, options, inputs and messages, on profiles that are made up here.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP ();
use NYTPTest qw(build_dir record run scratch_dir slurp spew top_dir);
use ProfileBytes qw(profile_bytes simple_profile);
use Test::More;

my $ours    = build_dir() . '/bin/nytp-tree';
my $scratch = scratch_dir();

# Depth, exclusive ticks, name; 10,000,000 ticks a second. Returns, as in the stream.
my @request = (
    [3, 120_000, 'Parser::token'],
    [3, 80_000,  'Parser::token'],
    [2, 300_000, 'Parser::parse'],
    [3, 900_000, 'DBI::execute'],
    [2, 210_000, 'Store::lookup'],
    [3, 5_000,   'Log::debug'],
    [3, 60_000,  'Template::render'],
    [2, 150_000, 'Template::render'],
    [1, 25_000,  'main::request'],
    [1, 3_000,   'Log::debug'],
);
my %path = (
    shop  => simple_profile([(@request) x 2]),
    empty => simple_profile([]),
    many  => simple_profile([map { [1, 10 + $_, "main::f$_"] } 1 .. 20]),
);
$path{$_} = spew("$scratch/$_.out", $path{$_}) for keys %path;

sub output_of {
    my (@arguments) = @_;
    my $got = run([$ours, @arguments], dir => $scratch);
    is("$got->{status} $got->{err}", '0 ', join(' ', map { s{.*/}{}r } @arguments) . ': done');
    return $got->{out};
}

# ---- forms ----

my $tree = <<"END";
main::request x 2  \t370.0000ms = (5.0000 + 365.0000)ms
  Store::lookup x 2  \t222.0000ms = (42.0000 + 180.0000)ms
    DBI::execute x 2  \t180.0000ms
  Parser::parse x 2  \t100.0000ms = (60.0000 + 40.0000)ms
    Parser::token x 4  \t40.0000ms
  Template::render x 2  \t43.0000ms = (30.0000 + 13.0000)ms
    Template::render x 2  \t12.0000ms
    Log::debug x 2  \t1.0000ms
Log::debug x 2  \t0.6000ms
END

subtest 'the merged tree' => sub {
    is(output_of('--unit=ms', $path{shop}), $tree, 'by inclusive time');
    is(output_of('-S', '--unit', 'ms', $path{shop}), $tree, '-S');
    like(output_of('-S', $path{shop}), qr/^main::request x 2  \t0\.3700000s = \(0\.0050000 \+ 0\.3650000\)s\n/,
        'seconds, to the tick');
    like(output_of('--unit=us', $path{shop}), qr/\t370000\.0us = /, 'microseconds');
    like(output_of('--unit=ns', $path{shop}), qr/\t370000000ns = /, 'nanoseconds');
    like(output_of('--unit=ticks', $path{shop}), qr/\t3700000 ticks = /, 'ticks');
    is(output_of('-S', '-a', '--unit=ms', '--depth=1', $path{shop}), <<"END", 'by name, one level');
Log::debug x 2  \t0.6000ms
main::request x 2  \t370.0000ms = (5.0000 + 365.0000)ms
END
    is(join(' ', output_of('-Sd', '--depth=2', $path{shop}) =~ /^ *([\w:]+)/gm),
        'Log::debug main::request Template::render Parser::parse Store::lookup', 'reversed');
    is(output_of('--min=20', '--unit=ms', $path{shop}), <<"END", 'what took less is left out, and nothing else changes');
main::request x 2  \t370.0000ms = (5.0000 + 365.0000)ms
  Store::lookup x 2  \t222.0000ms = (42.0000 + 180.0000)ms
    DBI::execute x 2  \t180.0000ms
  Parser::parse x 2  \t100.0000ms = (60.0000 + 40.0000)ms
END
    is(output_of('--unit=ms', '--unicode', '--min=2', $path{shop}), <<"END", 'with lines');
main::request x 2  \t370.0000ms = (5.0000 + 365.0000)ms
  ├─ Store::lookup x 2  \t222.0000ms = (42.0000 + 180.0000)ms
  │  └─ DBI::execute x 2  \t180.0000ms
  ├─ Parser::parse x 2  \t100.0000ms = (60.0000 + 40.0000)ms
  │  └─ Parser::token x 4  \t40.0000ms
  └─ Template::render x 2  \t43.0000ms = (30.0000 + 13.0000)ms
     └─ Template::render x 2  \t12.0000ms
END
    is(output_of('--unit=ms', $path{shop}, $path{shop}) =~ s/ x \d+.*//gr, $tree =~ s/ x \d+.*//gr, 'of two files');
};

my $calls = <<'END';
main::request
   Parser::parse
      Parser::token
      Parser::token
   Store::lookup
      DBI::execute
   Template::render
      Log::debug
      Template::render
Log::debug
END

subtest 'every call' => sub {
    is(output_of('-T', $path{shop}), $calls x 2, 'in order');
    is(output_of('--calls', '--depth=2', $path{shop}), ($calls =~ s/^ {6}.*\n//gmr) x 2, 'two levels');
    is(output_of('-t', $path{shop}), ($calls =~ s/(token\n) +Parser.*\n/$1/r =~ s/token/token (2x)/r) x 2, 'folded');
    is(output_of('-T', '-g', 'Template::render', $path{shop}), <<'END' x 2, 'below a sub');
Template::render
   Log::debug
   Template::render
END
    is(output_of('-T', '-f', 'parse|Log', $path{shop}), <<'END' x 2, 'what was called takes the place of what is left out');
main::request
   Parser::token
   Parser::token
   Store::lookup
      DBI::execute
   Template::render
      Template::render
END
};

subtest 'the table' => sub {
    my $table = output_of('--table', $path{shop});
    is($table, <<'END', 'by exclusive time');
Total Elapsed Time =        1 Seconds
      Time in Subs =   0.3706 Seconds
371 ms work
Exclusive Times; %Time of those in subs
%Time ExclSec CumulS #Calls sec/call Csec/c  Name
 48.6   0.180  0.180      2   0.0900 0.0900  DBI::execute
 16.2   0.060  0.100      2   0.0300 0.0500  Parser::parse
 11.3   0.042  0.222      2   0.0210 0.1110  Store::lookup
 11.3   0.042  0.043      4   0.0105 0.0107  Template::render
 10.8   0.040  0.040      4   0.0100 0.0100  Parser::token
 1.35   0.005  0.370      2   0.0025 0.1850  main::request
 0.43   0.002  0.002      4   0.0004 0.0004  Log::debug
END
    my $names = sub { join ' ', $_[0] =~ /\d  ([\w:]+)$/gm };
    is($names->(output_of('-I', '-q', '-O', 3, $path{shop})), 'main::request Store::lookup DBI::execute', '-I -q -O');
    is($names->(output_of('-l', '-O', 3, $path{shop})), 'Parser::token Template::render Log::debug', '-l');
    is($names->(output_of('-a', '-O', 2, $path{shop})), 'DBI::execute Log::debug', '-a');
    for (['-O0', 15], ['-O-1', 20], ['--rows=0', 20], ['--rows=3', 3], ['--rows=-1', 20]) {
        my ($option, $rows) = @$_;
        is(() = output_of('--table', '-q', $option, $path{many}) =~ /\n/g, $rows, "$option: $rows rows");
    }
    is($names->(output_of('-ad', '-O', 2, $path{shop})), 'main::request Template::render', '-a -d');
    is($names->(output_of('-U', '-O', 2, $path{shop})), 'main::request Parser::parse', '-U: as they come');
    is($names->(output_of('-z', '--min=50', $path{shop})), 'Store::lookup main::request', '--min');
    like(output_of('-z', '--unit=ms', $path{shop}),
        qr/^%Time Excl ms Cum\.ms.*\n 48\.6   180\.0 180\.00      2   90\.000 90\.000  DBI/m, '--unit');
};

subtest 'JSON' => sub {
    my $json = JSON::PP::decode_json(output_of('--json', $path{shop}));
    is($json->{ticks_per_second}, 10_000_000, 'ticks');
    my $rooted = JSON::PP::decode_json(output_of('--json', '--root', $path{shop}));
    is($json->{total_ticks}, $rooted->{total_ticks}, '100 % are the same with a root');
    my $lines;
    $lines = sub {
        my ($call, $indent) = @_;
        my ($incl, $excl) = map { $call->{"${_}_ticks"} / 10_000 } qw(inclusive exclusive);
        my $rest = @{ $call->{children} } ? sprintf ' = (%.4f + %.4f)ms', $excl, $incl - $excl : '';
        $rest =~ s/^$/ms/;
        return sprintf("%s%s x %d  \t%.4fms%s\n", $indent, $call->{name}, $call->{calls}, $incl, $rest =~ s/^ms$//r)
            . join '', map { $lines->($_, "$indent  ") } @{ $call->{children} };
    };
    is(join('', map { $lines->($_, '') } @{ $json->{tree} }), $tree, 'the same tree');
};

subtest 'callers' => sub {
    is(output_of('--callers=Template::render', '--unit=ms', $path{shop}), <<"END", 'with those of recursive calls');
Template::render x 4  \t43.0000ms = (42.0000 + 1.0000)ms
  main::request x 2  \t31.0000ms = (30.0000 + 1.0000)ms
  Template::render x 2  \t12.0000ms
    main::request x 2  \t12.0000ms
END
    is(output_of('--callers=Log::debug', '--depth=1', '--unit=ms', $path{shop}), "Log::debug x 4  \t1.6000ms\n",
        '--depth');
};

subtest 'subs' => sub {
    is(output_of('-g', 'Store::lookup', '--unit=ms', $path{shop}), <<"END", '-g');
Store::lookup x 2  \t222.0000ms = (42.0000 + 180.0000)ms
  DBI::execute x 2  \t180.0000ms
END
    is(output_of('-S', '-G', '^Parser', '--min=20', '--unit=ms', $path{shop}), <<"END", '-G');
main::request x 2  \t370.0000ms = (5.0000 + 365.0000)ms
  Store::lookup x 2  \t222.0000ms = (42.0000 + 180.0000)ms
    DBI::execute x 2  \t180.0000ms
  ^Parser x 2  \t100.0000ms = (60.0000 + 40.0000)ms
END
    is(output_of('--table', '-q', '-P', '-G', '^(?i:parser)', $path{shop}), <<'END', '-G -P');
Option G Grouping: [^(?i:parser)]
Grouping [^(?i:parser)] Calls: [6]
Grouping [^(?i:parser)] Times: [1000000]
Grouping [^(?i:parser)] IncTimes: [1000000]
 73.0   0.271  0.371     14   0.0193 0.0265  other
 27.0   0.100  0.100      6   0.0167 0.0167  ^(?i:parser)
END
    is(output_of('-S', '-G', "Parser|\t\n\xFF", '--min=20', '--unit=ms', $path{shop}) =~ /^  (Parser.*?) x/m && $1,
        "Parser|\\t\\n\xC3\xBF", '-G with what no name has');
    is(output_of('-f', 'lookup|Parser|Template|debug', '--unit=ms', $path{shop}), <<"END", '-f');
main::request x 2  \t370.0000ms = (5.0000 + 365.0000)ms
  DBI::execute x 2  \t180.0000ms
END
};

subtest 'older names' => sub {
    my %now = ('--calls' => '--sequence', '--reverse --by-name' => '--reverse-order --by-name',
        '--root=Parser::parse' => '-gParser::parse');
    is(output_of(split(' ', $_), $path{shop}), output_of(split(' ', $now{$_}), $path{shop}), $_) for sort keys %now;
    is(output_of('--rev', $path{shop}), output_of('-d', $path{shop}), 'and shortened');
};

# ---- messages ----

subtest 'wrong usage' => sub {
    my %wrong = (
        '--unit=h'           => qr/--unit=h: expected s, ms, us, ns, ticks, B, KiB, MiB or GiB/,
        '--min=101'          => qr/--min=101: expected a percentage/,
        '--depth=0'          => qr/--depth=0: expected a whole number from 1 to 2147483647/,
        '--color=red'        => qr/--color=red: expected auto, always or never/,
        '-O x'               => qr/-O x: expected a whole number/,
        '-G ('               => qr/-G \(: .*missing/,
        '-f ['               => qr/-f \[: /,
        '-T --min=1'         => qr/--min has no effect with -T/,
        '-T --callers=a'     => qr/--callers is a tree/,
        '--json --unit=ms'   => qr/--unit has no effect with --json/,
        '-T --root'          => qr/--root has no effect with -T and -t/,
        '--nothing'          => qr/unrecognized option/,
        '-X'                 => qr/invalid option/,
    );
    for my $arguments (sort keys %wrong) {
        my $got = run([$ours, split(' ', $arguments), $path{shop}]);
        is("$got->{status}$got->{out}", '2', "$arguments: exit status 2");
        like($got->{err}, qr/\Anytp-tree: .*$wrong{$arguments}.*^Try 'nytp-tree --help'\.$/ms, '... and what is wrong');
    }
};

subtest 'what is not there' => sub {
    my $got = run([$ours, '-S', $path{empty}]);
    is("$got->{status}$got->{out}", '0', 'no calls');
    like($got->{err}, qr/\Anytp-tree: warning: the profile has no calls/, '... and why that may be');
    for my $arguments (['-g', 'main::nobody'], ['-T', '--root=main::nobody'], ['--callers=main::nobody']) {
        $got = run([$ours, @$arguments, '-o', "$scratch/nobody", $path{shop}]);
        is("$got->{status} $got->{err}", "1 nytp-tree: no calls of 'main::nobody'\n", "@$arguments");
        ok(!-e "$scratch/nobody", '... and no output');
    }
    my ($short) = run([$ours, '-S', $path{shop}])->{out} =~ /main::(\w+) x/;
    $got = run([$ours, "--callers=$short", $path{shop}]);
    is($got->{err}, "nytp-tree: no calls of '$short': main::$short?\n", 'whose name would do');
    $got = run([$ours, "$scratch/nothing.out"]);
    is($got->{status}, 1, 'no such file');
    like($got->{err}, qr/nothing\.out: cannot open: No such file/, '... named');
    $got = run([$ours, $scratch]);
    is($got->{status}, 1, 'a directory');
    like($got->{err}, qr/Is a directory/, '... is reported');
};

subtest 'colours' => sub {
    unlike(output_of($path{shop}), qr/\e/, 'none into a file');
    like(output_of('-S', '--color', $path{shop}), qr/^\e\[1;31mmain::request\e\[0m x 2/, '--color: much');
    like(output_of('-S', '--color=always', $path{shop}), qr/^\e\[2mLog::debug\e\[0m/m, 'little');
    unlike(output_of('--color=never', $path{shop}), qr/\e/, '--color=never');
};

subtest 'help and version' => sub {
    my $text = output_of('--help');
    like($text, qr/^usage: nytp-tree .*--rows=40/s, 'usage with an example');
    cmp_ok($text =~ tr/\n//, '<=', 24, 'fits a screen');
    is_deeply([grep { length > 100 } split /\n/, $text], [], 'and its width');
    like(output_of('--version'), qr/^nytp-tree \d+\.\d+\.\d+\n\z/, '--version');
};

done_testing();
