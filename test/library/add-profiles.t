# Adding profiles up with the library gives the same profile as reading what nytprofmerge makes of them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP ();
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use RandomProfile qw(random_profile);
use ReportPage;
use Test::More;

my $scratch = scratch_dir();

# The lines that sum-profiles prints of one profile, or of the sum of several.
sub lines_of {
    my (@files) = @_;
    my $got = run([build_dir() . '/test/sum-profiles', @files]);
    die "sum-profiles @files: status $got->{status}, $got->{err}" if $got->{status} != 0;
    return sort split /\n/, $got->{out};
}

# The differences between the sum of the profiles and what nytprofmerge makes of them.
sub ways_differ {
    my (@files) = @_;
    my $got = run([build_dir() . '/bin/nytprofmerge', '-o', "$scratch/merged", @files]);
    die "nytprofmerge: $got->{err}" if $got->{status} != 0;
    my %merged = map { $_ => 1 } lines_of("$scratch/merged");
    my %added  = map { $_ => 1 } lines_of(@files);
    return (
        (map { "nytprofmerge alone: $_" } grep { !$added{$_} } sort keys %merged),
        map { "the library alone: $_" } grep { !$merged{$_} } sort keys %added
    );
}

subtest 'random profiles with evals that define subs again' => sub {
    my $rounds = $ENV{EXHAUSTIVE} ? 1000 : 25;
    my $seed   = $ENV{SEED} // 1;
    my @wrong;
    for my $round (1 .. $rounds) {
        my @files = map {
            spew("$scratch/in$_",
                random_profile($seed * 3 + $_, ticks_per_sec => [1e7], redefined => 1, compress => $_ % 2))
        } 1 .. 3;
        my @differ = ways_differ(@files);
        push @wrong, "SEED=$seed:", @differ if @differ;
        last if @wrong;
        $seed++;
    }
    is(join("\n", @wrong), '', "$rounds sums of three profiles");
};

subtest 'recorded profiles' => sub {
    my $shapes = record('shapes-default', ['test/scripts/shapes.pl']);
    my $evals  = record('evals', ['test/scripts/evals.pl'], calls => 2, nameevals => 1);
    my $calls  = record('calls', ['test/scripts/calls.pl'], calls => 2, slowops => 2, blocks => 1);
    my $copy   = spew("$scratch/copy", slurp($evals));
    is(join("\n", ways_differ($shapes, $evals, $copy)), '', 'a program with evals, twice');
    is(join("\n", ways_differ($evals,  $calls, $copy)), '', 'with another program in between');
};

# Rows of a table by columns, as text.
sub rows_of {
    my ($table) = @_;
    my @columns = grep { ref $table->{$_} } sort keys %$table;
    return map { my $i = $_;
        join ' ', map { "$_=" . ($table->{$_}[$i] // '') } @columns } 0 .. $#{ $table->{ $columns[0] } };
}

# What a page has. The order of subs and arcs, and where text lies, do not matter.
sub page_of {
    my (@files) = @_;
    my $page = ReportPage->new(run([build_dir() . '/bin/nytprofhtml', '-o', '-', '--title=', @files])->{out});
    my $core = $page->{core};
    my ($text, $from, $names) = (join('', @{ $page->{source} }), $core->{files}{from}, $core->{subs}{name});
    $core->{files}{from} =
        [map { $from->[$_] < 0 ? '' : substr $text, $from->[$_], $core->{files}{bytes}[$_] } 0 .. $#$from];
    $_ = [map { $names->[$_] } @$_] for @{ $core->{arcs} }{qw(callee caller)}, $core->{stacks}{sub},
        $core->{calls}{sub};
    my $explained = $core->{explained};
    $core->{explained} = { map { $names->[$explained->{sub}[$_]] => $explained->{text}[$_] } 0 .. $#{ $explained->{sub} } };
    $core->{subs}{package} = [map { $core->{packages}{name}[$_] } @{ $core->{subs}{package} }];
    $core->{packages}{name} = [sort @{ $core->{packages}{name} }];
    $core->{$_} = [sort(rows_of($core->{$_}))] for qw(subs arcs);
    $core->{$_} = [rows_of($core->{$_})] for qw(files lines);
    delete $core->{about}{inputs};
    # nytprofmerge writes statements of equal evals once, so its file has shorter pauses between calls
    delete $core->{calls}{begin};
    return $core;
}

sub tables_of {
    return join '',
        map { run([build_dir() . '/bin/nytprofcsv', '-o', '-', "--table=$_", @_])->{out} } qw(subs calls files lines);
}

# Programs that add up their inputs, and merge their evals.
sub programs_differ {
    my (@files) = @_;
    my $got = run([build_dir() . '/bin/nytprofmerge', '-o', "$scratch/merged", @files]);
    die "nytprofmerge: $got->{err}" if $got->{status} != 0;
    return (
        (tables_of(@files) eq tables_of("$scratch/merged") ? () : "nytprofcsv @files"),
        map { "nytprofhtml @files: $_" } different_pages(page_of(@files), page_of("$scratch/merged")),
    );
}

sub different_pages {
    my ($page, $other) = @_;
    my $json = JSON::PP->new->canonical;
    return grep { $json->encode($page->{$_}) ne $json->encode($other->{$_}) } sort keys %$page;
}

subtest 'programs show the same of several profiles and of what nytprofmerge makes of them' => sub {
    my %path = (
        (map { $_->{name} => $_->{path} } recordings()),
        shapes      => scalar record('shapes-default', ['test/scripts/shapes.pl']),
        'csv-evals' => scalar record('csv-evals', ['test/scripts/equal-evals.pl'], calls => 2),
    );
    my @names = sort keys %path;
    my @pairs = $ENV{EXHAUSTIVE} ? (map { my $i = $_; map { [@names[$i, $_]] } 0 .. $i } 0 .. $#names)
        : ((map { [$_, $_] } qw(evals shapes csv-evals)), [qw(evals evals-bare)], [qw(calls evals)],
            [qw(csv-evals shapes)]);
    my @wrong;
    for my $pair (@pairs) {
        my ($one, $two) = @path{@$pair};
        push @wrong, programs_differ($one, $one eq $two ? spew("$scratch/copy", slurp($two)) : $two);
    }
    is(join("\n", @wrong), '', @pairs . ' pairs');
    @wrong = map {
        my $seed = $_;
        my @files = map { spew("$scratch/in$_",
            random_profile($seed * 3 + $_, ticks_per_sec => [1e7], redefined => 1)) } 1 .. 3;
        ways_differ(@files) || tables_of(@files) ne tables_of("$scratch/merged") ? "seed $seed" : ();
    } 1 .. ($ENV{EXHAUSTIVE} ? 200 : 10);
    is(join("\n", @wrong), '', 'made-up profiles');
};

# The evals are those of the example in fid_map.h.
my @twice = ([NEW_FID => 1, 0, 0, 0x12, 0, 0, 't.pl'],
    map { [NEW_FID => $_ + 1, 1, 3, 0x102, 0, 0, "(eval $_)[t.pl:3]"] } 1, 2);
my @run   = (@twice, (map { [TIME_LINE => 10 * $_, $_, 1], [TIME_LINE => $_, $_, 2] } 2, 3), [PID_END => 7, 6]);

sub example {
    my ($name, $ticks_per_sec, @lines_of_f) = @_;
    return spew("$scratch/$name", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $ticks_per_sec],
        [PID_START => 7, 1, 5], @run, map { [SUB_INFO => $_->[0], 'main::f', $_->[1], $_->[1]] } @lines_of_f));
}

subtest 'two evals of one line' => sub {
    my $same = example('same', 1e7, [2, 1], [3, 1]);
    my @got  = lines_of($same, example('again', 1e7, [2, 1], [3, 1]));
    is_deeply([grep { /^sub / } @got], ['sub main::f 0 2:1-1'], 'their sub is in the first one');
    is_deeply([grep { /^line / } @got],
        ['line 2:1 4 100', 'line 2:2 1 2', 'line 3:2 1 3', 'line 4:2 1 2', 'line 5:2 1 3'],
        '... with its statements, and the others stay');
    my @apart = lines_of($same, example('apart', 1e7, [2, 1], [3, 2]));
    is_deeply([grep { /^sub / } @apart], ['sub main::f 0 2:1-1 5:2-2'], 'a sub at another line stays in its eval');
    my @turned = (example('turned', 1e7, [3, 2], [2, 1]), $same);
    is((grep { $_ eq 'sub main::f 0 2:1-1 2:2-2 4:1-1 5:1-1' } lines_of(@turned)), 1,
        'the lines that come first count, not those of the first eval');
    is(join("\n", ways_differ(@turned)), '', '... as in nytprofmerge');
};

subtest 'ticks' => sub {
    my @files = (example('slow', 1e6, [2, 1], [3, 1]), example('fast', 1e7, [2, 1], [3, 1]));
    my @got   = lines_of(@files);
    is_deeply([grep { /^(line 2:1|setting : ticks)/ } @got], ['line 2:1 4 550', 'setting : ticks_per_sec 10000000'],
        'the faster clock comes second: what was added is scaled up');
    my @reverse = lines_of(reverse @files);
    is_deeply([grep { /^(line 2:1|setting : ticks)/ } @reverse], ['line 2:1 4 550', 'setting : ticks_per_sec 10000000'],
        '... or first');
};

done_testing();
