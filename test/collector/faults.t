# If the collector is refused memory, threads, reads and writes, the program does not notice, and the profiles that
# were written can be read.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env command exhaustive need_collector nytprof_value);
use Faults qw(can_fault each_fault);
use NYTPTest qw(build_dir run scratch_dir slurp top_dir valgrind);
use Test::More;

need_collector();
plan skip_all => 'sanitizers' if !can_fault();

my $dir     = scratch_dir();
my $file    = "$dir/nytprof.out";
my $library = build_dir() . '/perl5/auto/Devel/NYTProf/NYTProf.so';
my @program = (top_dir() . '/test/scripts/troubled.pl', exhaustive() ? 30_000 : valgrind() ? 300 : 3_000);
my $records = record_keeping();
my $plain   = run([$^X, @program], env => { clean_env() });

# The functions that keep names and sums in memory cannot go on without memory: they print a message and end the
# program, as perl does. The functions that write the file can. Returns where the former are in the library, as pairs of
# addresses.
sub record_keeping {
    my @symbols = map { [/^0*(\w+) (?:t|T) \S+\s*(\S*)/] } grep { / [tT] / } split /\n/,
        run(['nm', '-nl', $library])->{out};
    my @parts;
    for my $source (qr{/xs/basics/alloc\.c:}, qr{/lib/base/stringtable\.c:}) {
        my @own = grep { $symbols[$_][1] =~ $source } 0 .. $#symbols;
        die "$source: no functions in $library\n" if !@own;
        push @parts, $symbols[$own[0]][0], $symbols[$own[-1] + 1][0];
    }
    return join ' ', @parts;
}

# The profiles that cannot be read. An empty file, to which nothing could be written, does not count.
sub unreadable {
    return grep { run([build_dir() . '/bin/nytprofcalls', $_])->{status} != 0 } grep { -s } glob "$file*";
}

sub complaint {
    my ($got) = @_;
    return "signal $got->{signal}, status " . ($got->{status} // 'none') . ": $got->{err}"
        if $got->{signal} != $plain->{signal} || $got->{status} != $plain->{status};
    return "printed $got->{out}" if $got->{out} ne $plain->{out};
    my @said = grep { !/^Devel::NYTProf: / } split /\n/, $got->{err};
    return "said @said" if @said;
    return map { "cannot be read: $_" } unreadable();
}

my @options = ({ calls => 2 });
push @options, { compress => 0, addpid => 1, blocks => 1 }, { log => "$dir/log", trace => 1 } if exhaustive();
for my $options (@options) {
    my @command = (command('ours'), '-d:NYTProf', @program);
    my %env = (clean_env(), FAULT_EXCEPT => $records, NYTPROF => nytprof_value(file => $file, %$options));
    my (@wrong, %count);
    each_fault('NYTProf.so', \@command, { env => \%env, before => sub { unlink glob "$dir/*" } }, sub {
        my ($fault, $got) = @_;
        $count{ $fault =~ s/ .*//r }++;
        push @wrong, map { "$fault: $_" } complaint($got);
    });
    my $faults = join ', ', map { "$count{$_} of $_" } sort keys %count;
    my $name   = nytprof_value(%$options);
    ok($count{write} && $count{mmap} && $count{close} && $count{malloc} && $count{pthread_create}, "$name: $faults");
    is(join("\n", @wrong), '', "$name: no harm");
}

done_testing();
