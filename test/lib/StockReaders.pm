package StockReaders;

# Stock's programs and modules read profiles with labels, whose names have blanks, quotes and whatever a program was
# called with. They show each name, and none becomes a tag or a script in their pages.
#
#   use StockReaders qw(read_by_stock);
#   read_by_stock('DBI', [$path, ...]);                  # tests; with EXHAUSTIVE=1 each profile by itself, otherwise
# their sum
#   read_by_stock('DBI', [$path, ...], html => 0);       # without the report, which takes longest

use strict;
use warnings;

use Collapsed qw(stock_program);
use CollectorRun qw(exhaustive tool);
use Exporter 'import';
use NYTPTest qw(run scratch_dir slurp);
use StockModules ();
use SubTable qw(calls_and_attributes);
use Test::More;

our @EXPORT_OK = qw(read_by_stock);

# Calls by name, of those that have a label or are spans.
my $PRINTS_CALLS = <<'END';
use Devel::NYTProf::Data;
my %calls;
for my $path (@ARGV) {
    my $subs = Devel::NYTProf::Data->new({ filename => $path, quiet => 1 })->subname_subinfo_map;
    $calls{$_} += $subs->{$_}->calls for keys %$subs;
}
print map { "$calls{$_} $_\n" } sort grep { /^[\w:]+ ./ && $calls{$_} } keys %calls;
END

# The same, of the chunks of profiles.
sub _labelled {
    my ($paths) = @_;
    my %sum;
    for my $calls (map { (calls_and_attributes($_))[0] } @$paths) {
        $sum{$_} += $calls->{$_} for grep { /^[\w:]+ ./ } keys %$calls;
    }
    return \%sum;
}

sub read_by_stock {
    my ($name, $paths, %how) = @_;
    my $why_not = StockModules::why_not()
        // (eval { stock_program('nytprofhtml') } ? undef : 'libdevel-nytprof-perl is not there');
    return note("not read by stock: $why_not") if $why_not;
    subtest "$name: stock's programs" => sub {
        _read_sum($_, %how) for exhaustive() ? map { [$_] } @$paths : $paths;
        done_testing();
    };
    return;
}

sub _stock_runs {
    my ($program, @arguments) = @_;
    my $got = run([stock_program($program), @arguments], env => { PERL5LIB => undef, PERL_UNICODE => undef });
    return is($got->{status}, 0, $program) ? $got->{out} : diag(substr $got->{err}, -1000);
}

# Stock's programs write the characters of UTF-8 as Latin-1 if they can.
sub _shows_each {
    my ($text, @names) = @_;
    my @missing = grep { my $latin1 = $_;
        index($text, $_) < 0
            && !(utf8::decode($latin1) && utf8::downgrade($latin1, 1) && index($text, $latin1) >= 0) } @names;
    return is_deeply([sort @missing], [], '... shows each');
}

sub _read_sum {
    my ($paths, %how) = @_;
    my ($dir, $calls) = (scratch_dir(), _labelled($paths));
    cmp_ok(scalar keys %$calls, '>', 0, 'there are labels');
    # Stock's nytprofmerge reads them. What it writes is not read here: it divides attributes where stock's reader loses
    # them.
    _stock_runs('nytprofmerge', '--out', "$dir/by_stock", @$paths);
    my $merged = run([tool('nytprofmerge'), '-o', "$dir/merged", @$paths]);
    is($merged->{status}, 0, 'our nytprofmerge') or diag($merged->{err});
    my $path = @$paths > 1 ? "$dir/merged" : $paths->[0];

    my $read = run([StockModules::command(), '-CO', '-e', $PRINTS_CALLS, "$dir/merged"], env => { PERL5LIB => undef });
    # all programs are named -e, so several have subs of one name
    is($read->{err} =~ s/^Sub .* already defined!\n//gmr, '', 'Devel::NYTProf::Data');
    is_deeply({ map { reverse /^(\d+) (.*)/ } split /\n/, $read->{out} }, $calls, '... counts the calls of each');

    my $stacks = _stock_runs('nytprofcalls', $path);
    _shows_each($stacks, grep { !/\(eval \d+\)/ } keys %$calls);    # it leaves out the numbers of evals
    _stock_runs('nytprofcg', '--file', $path, '--out', "$dir/cg");
    _shows_each(slurp("$dir/cg"), keys %$calls);
    _stock_runs('nytprofcsv', '--file', $path, '--out', "$dir/csv");
    my @tables = glob "$dir/csv/*.csv";
    cmp_ok(scalar @tables, '>', 0, '... writes tables');
    _check_report($dir, $path, $calls) if $how{html} // 1;
    return;
}

# Names are in the pages as they are, and in strings of JavaScript in the flame graph.
sub _check_report {
    my ($dir, $path, $calls) = @_;
    _stock_runs('nytprofhtml', '--file', $path, '--out', "$dir/html");
    my $html   = join '', map { slurp($_) } glob "$dir/html/*.html";
    my @labels = map { s/^\S+ //r } sort keys %$calls;
    _shows_each($html, @labels);
    is_deeply([grep { /<[a-z\/!?]/i } @labels], [], '... in which none begins a tag');
    my $svg = -e "$dir/html/all_stacks_by_time.svg" ? slurp("$dir/html/all_stacks_by_time.svg") : '';
    is_deeply([grep { !/^s\('(?:[^'\\]|\\.)*'\)\z/s } $svg =~ /<g class="func_g" onmouseover="(s\([^"]*)"/g], [],
        '... or leaves a string of JavaScript');
    return;
}

1;
