package ThreeWays;

# Runs tests that are not ours in three ways: without a debugger, under our collector, and under a debugger that does
# nothing but set the same flags. A file must give the same results under the collector as in one of the other ways, and
# leave profiles that our programs read. With cover, it is Devel::NYTProf::Cover that takes the place of our collector, with
# recordings that nytp-cover reads, and Fcntl, another module in C, that of the empty debugger.
#
#   use ThreeWays qw(compare_files keep_in);
#   keep_in("$build/some-tests", build => $build);   # logs/ there has the output of each file and way
#   exit compare_files([@files], sub {               # prints what differs, and returns 1 if something does
#       my ($file, $dir) = @_;                       # $dir: empty, only for this run
#       return { path => $path, in => "$dir/tree", file => 't/a.t', env => { ... } };
#   });
#
# path: the test, whose first line may ask for -T; in: where perl starts; file: how perl is given the test.

use strict;
use warnings;

use CollectorRun qw(clean_env finish nytprof_value start);
use Exporter 'import';
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);
use NYTPTest qw(slurp spew);
use Storable qw(retrieve store);

our @EXPORT_OK = qw(compare_files keep_in);

my $JOBS    = 2;
my $LIMIT_S = 600;
my $TRIES   = 3;

my ($kept, $build, $covers, %options, %ways);
my $empty = 'an empty debugger';

# Options: build; options, those of the collector; cover.
sub keep_in {
    my ($dir, %how) = @_;
    ($kept, $build, $covers, %options) = ($dir, @how{qw(build cover)}, %{ $how{options} // {} });
    remove_tree(map { "$kept/$_" } qw(logs runs));
    make_path(map { "$kept/$_" } qw(logs runs));
    if ($covers) {
        $empty = 'Fcntl';
        return %ways = (plain => [], empty => ["-I$build/perl5", '-MFcntl'], ours => ["-I$build/perl5", '-MDevel::NYTProf::Cover']);
    }
    _write_empty_debugger("$kept/empty");
    %ways = (
        plain => [],
        empty => ["-I$kept/empty", '-d:Empty'],
        ours  => ["-I$build/perl5", '-d:NYTProf'],
    );
    return;
}

# A module for `perl -d:Empty`, with the flags that our collector sets.
sub _write_empty_debugger {
    my ($dir) = @_;
    my $got = finish(start([$^X, "-I$build/perl5", '-d:NYTProf', '-e', 'print $^P'],
        env => { clean_env(), NYTPROF => nytprof_value(%options, file => "$kept/flags.out") }));
    die "our collector does not run: $got->{err}" if $got->{out} !~ /\A\d+\z/;
    make_path("$dir/Devel");
    spew("$dir/Devel/Empty.pm", "package Devel::Empty;\nBEGIN { \$^P = $got->{out} }\nsub DB::DB { }\n1;\n");
    return;
}

# ---- one file ------------------------------------------------------------------

# perl takes all switches from the first line of a script, but for -T.
sub _switches {
    my ($path) = @_;
    return slurp($path) =~ /\A#!.*perl.*\s-\w*([tT])/ ? "-$1" : ();
}

# What a run had to say: { NUMBER => 'ok', 'not ok' or the like }, the plan, and how it ended. How far a run comes
# within the limit is chance.
sub _results {
    my ($got) = @_;
    return (end => "no end in $LIMIT_S s") if $got->{timeout};
    my ($number, %said) = (0);
    for (split /\n/, $got->{out}) {
        if (/^1\.\.(\d+)/) { $said{plan} = $_ }
        next if !/^((?:not )?ok)\b *(\d+)?(?:.*?# *(skip|todo)\b)?/i;
        $number = $2 // $number + 1;
        $said{$number} = join ', ', $said{$number} // (), $1 . ($3 ? " # \L$3" : '');
    }
    $said{end} = $got->{signal} ? "signal $got->{signal}" : "status $got->{status}";
    return %said;
}

# What is wrong with the profiles of a run; nothing, if there are some of time, and our programs read them. Processes that
# were killed at once may leave empty ones, and others a file that was not complete yet. With heap=1 there are profiles of
# memory beside them, which no program reads together with those of time, nor live memory with allocated.
sub _complaint_about {
    my %profiles;
    for my $path (grep { -s } @_) {
        my ($part) = basename($path) =~ /\A(.*?)nytprof\.out/;
        push @{ $profiles{$part // ''} }, $path if ($part // '') !~ /\Atmp\./;
    }
    return 'none' if !$profiles{''};
    for my $part (sort keys %profiles) {
        my $got = finish(start(["$build/bin/nytprofcalls", '-o', '/dev/null', @{ $profiles{$part} }]));
        return $got->{err} if ($got->{status} // 'none') ne '0';
    }
    return;
}

# Files that a test writes change between recordings.
sub _complaint_about_cover {
    my ($dir) = @_;
    return 'none' if !glob "$dir/*";
    my $got = finish(start(["$build/bin/nytp-cover", '--json=/dev/null', $dir]));
    return ($got->{status} // 'none') eq '0' || $got->{err} =~ /was changed between|nothing was recorded/ ? undef : $got->{err};
}

# With -T, perl ignores PERL5OPT.
sub _run_in {
    my ($way, $name, $prepare) = @_;
    my $dir = "$kept/runs/$$";
    make_path("$dir/profiles");
    my $test     = $prepare->($name, $dir);
    my @switches = _switches($test->{path});
    my %env = (clean_env(), %{ $test->{env} // {} },
        NYTPROF => $covers ? "cover_file=$dir/profiles/cover:cover_addpid=1:cover_dir=/"
            : nytprof_value(%options, file => "$dir/profiles/nytprof.out", addpid => 1));
    $env{PERL5OPT} = join ' ', @{ $ways{$way} } if @{ $ways{$way} };
    my $job = start([$^X, @switches, @switches ? @{ $ways{$way} } : (), $test->{file}], dir => $test->{in},
        env => \%env, timeout_s => $LIMIT_S);
    my $got = finish($job);
    kill KILL => -$job->{pid}; # what the test has left running
    my %said      = _results($got);
    my $complaint = $way ne 'ours' ? undef : $covers ? _complaint_about_cover("$dir/profiles") : _complaint_about(glob "$dir/profiles/*");
    $said{profiles} = $complaint if defined $complaint;
    spew("$kept/logs/" . $name =~ tr{/}{-}r . ".$way", "$got->{out}\n---- stderr\n$got->{err}");
    remove_tree($dir);
    return \%said;
}

# The names of the results that differ, in order.
sub _differences {
    my ($one, $other) = @_;
    my @all = sort { "$a$b" =~ /\A\d+\z/ ? $a <=> $b : $a cmp $b } keys %{ { %$one, %$other } };
    return grep { ($one->{$_} // 'nothing') ne ($other->{$_} // 'nothing') } @all;
}

sub _alike {
    my ($some, $others) = @_;
    for my $one (@$some) {
        return 1 if grep { !_differences($one, $_) } @$others;
    }
    return 0;
}

sub _fails { my ($said) = @_; return $said->{end} ne 'status 0' || scalar grep { /^not ok(?! # todo)/ } values %$said }

sub _said_differently {
    my @ways = @_;
    return map {
        my $result = $_;
        my ($is, $was, $with_empty) = map { $_->{$result} // 'nothing' } @ways;
        chomp $is;
        "$_: $is; plain: $was; with $empty: $with_empty";
    } _differences(@ways[0, 1]);
}

# Compares the ways; again, if our results are in neither of the others, because those of some tests vary.
sub _compare {
    my ($name, $prepare) = @_;
    my %seen;
    for my $try (1 .. $TRIES) {
        push @{ $seen{ours} }, _run_in('ours', $name, $prepare);
        for my $way (qw(plain empty)) {
            push @{ $seen{$way} }, _run_in($way, $name, $prepare);
            my $endless = $seen{ours}[-1]{end} =~ /^no end/;
            return { like => $way, tries => $try, endless => $endless, fails => _fails($seen{plain}[0]) }
                if _alike($seen{$way}, $seen{ours});
        }
    }
    my @last = map { $_->[-1] } @seen{qw(ours plain empty)};
    return { like => 'none', tries => $TRIES, fails => _fails($seen{plain}[0]),
        differences => [_said_differently(@last)] };
}

# ---- all files -----------------------------------------------------------------

my (%result_of, %file_of); # by file; by process

sub _wait_for_one {
    my $pid  = wait;
    my $file = delete $file_of{$pid} // die "wait: $!\n";
    die "$file: its comparison ended with status $?\n" if $? != 0;
    $result_of{$file} = retrieve("$kept/runs/$pid.result");
    unlink "$kept/runs/$pid.result";
    return;
}

sub compare_files {
    my ($files, $prepare) = @_;
    my $before = '';
    for my $file (@$files) {
        print "  PERL    ", dirname($file), "\n" if dirname($file) ne $before;
        $before = dirname($file);
        _wait_for_one() if keys %file_of >= $JOBS;
        my $pid = fork // die "fork: $!\n";
        if ($pid == 0) {
            srand; # for names of files: no two processes may use the same
            store(_compare($file, $prepare), "$kept/runs/$$.result");
            exit 0;
        }
        $file_of{$pid} = $file;
    }
    _wait_for_one() while %file_of;
    return _summary(@$files);
}

sub _summary {
    my @files = @_;
    my $those = sub { my ($which) = @_; return grep { $which->($result_of{$_}) } @files };
    my %like  = map { my $way = $_; ($way => [$those->(sub { $_[0]{like} eq $way })]) } qw(plain empty none);
    for my $file (@{ $like{none} }) {
        my @found = @{ $result_of{$file}{differences} };
        print "$file\n", map { "    $_\n" } @found[0 .. ($#found < 20 ? $#found : 20)];
    }
    my @again = $those->(sub { $_[0]{like} ne 'none' && $_[0]{tries} > 1 });
    print "not at the first try: @again\n" if @again;
    my @endless = $those->(sub { $_[0]{endless} });
    print "no end in $LIMIT_S s: @endless\n" if @endless;
    print "as with $empty: @{ $like{empty} }\n" if @{ $like{empty} };
    printf "%d of the files fail without a debugger, too\n", scalar $those->(sub { $_[0]{fails} });
    printf "%d files: same, %d as with $empty, %d differ\n",
        map { scalar @{ $like{$_} } } qw(plain empty none);
    return @{ $like{none} } ? 1 : 0;
}

1;
