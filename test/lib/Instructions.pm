package Instructions;

# Counts instructions with callgrind, each thread apart. Unlike seconds they are nearly the same in every run.
#
# An event, such as a call of an empty sub, is counted by a program that does it ten times in each of N iterations. The
# difference between a long and a short run is divided by the number of events that the long run has more, so start and
# end drop out.
#
#   my $plain = counts_of_events(['perl'], $_) and my $ours = counts_of_events(['perl', "-I$build/perl5",
# '-d:NYTProf'], $_) for events();
#   $ours->{program} - $plain->{program};    # instructions that the collector adds to the program's thread for each
# event

use strict;
use warnings;

use CollectorRun qw(clock_library nytprof_value preload);
use Config;
use Exporter 'import';
use NYTPTest qw(build_dir run scratch_dir slurp spew);

our @EXPORT_OK = qw(clock_in_use counts_of_events events count_instructions have_callgrind instructions_of_events
    instructions_of_phases platform program_of_event);

my $PER_ITERATION = 10;

# A statement of 104 bytes, with rows for ever.
my $FETCHES =
    q{use DBI; my $sth = DBI->connect('dbi:SQLite:dbname=:memory:')->prepare('WITH RECURSIVE c (id, name) AS (SELECT 1, 2 UNION ALL SELECT id + 1, name FROM c) SELECT id, name FROM c'); $sth->execute;};
my $REQUESTS = 'BEGIN { package NYTProf::Span; *start = defined &DB::start_request ? \&DB::start_request : sub { bless [] };'
    . ' *wrap = defined &DB::wrap_for_request ? \&DB::wrap_for_request : sub { $_[1] } }';
my $SPANS = 'BEGIN { *span = defined &DB::begin_span ? \&DB::begin_span : sub { } }';

# name => { before, event: source text; more: how many more iterations the long run has; labels: the option }
my @EVENTS = (
    ['a statement'                  => { before => 'my $x = 0;',                          event => '$x++;' }],
    ['a call of an empty sub'       => { before => 'sub f { }',                           event => 'f();' }],
    ['a call of three statements'   => { before => 'sub g { my $y = 1; $y++; $y } ',      event => 'g();' }],
    ['a method call'                => { before => 'sub m { } my $o = bless {};',         event => '$o->m;' }],
    ['an xsub'                      => { before => 'use List::Util ();',
        event => 'List::Util::max(1, 2);' }],
    ['a built-in of slowops'        => { before => 'my $s = "text";',                     event => '$s =~ /x/;' }],
    ['a sort with a block'          => { before => 'my @s = (2, 1);',
        event => 'my @t = sort { my $d = $a <=> $b; $d } @s;', more => 200 }],
    ['a string eval'                => { before => '',                                    event => 'eval "1";',
        more => 30 }],
    ['a pattern with a label'       => { before => 'my $s = "text";',                     event => '$s =~ /x/;',
        labels => 'regex' }],
    ['an xsub with a label'         => { before => 'use List::Util ();',
        event => 'List::Util::max(1, 2);', labels => 'List::Util::max=0' }],
    ['an xsub without a rule'       => { before => 'use List::Util ();',
        event => 'List::Util::max(1, 2);', labels => 'List::Util::first=0' }],
    ['a perl sub with a label'      => { before => 'sub f { }',                           event => 'f("x");',
        labels => 'main::f=0' }],
    ['a fetch'                      => { before => $FETCHES,                              event => '$sth->fetch;',
        more => 200 }],
    ['a fetch with a label'         => { before => $FETCHES,                              event => '$sth->fetch;',
        more => 200, labels => 'sql' }],
    ['a label that is new'          => { before => 'use Scalar::Util (); my $k = 1e7;',
        event => 'Scalar::Util::blessed("INSERT INTO t (id, name) VALUES (" . ++$k . ", \'text\')");', more => 200,
        labels => 'Scalar::Util::blessed=0sql' }],
    (map { ["a labelled recursion $_ deep" =>
        { before => 'no warnings; sub r { my (undef, $d) = @_; r($d % 2, $d - 1) if $d }', event => "r(0, $_);",
        labels => 'main::r=0', more => 2000 / $_ }] } 100, 1000),
    ['a span'                       => { before => $SPANS,
        event => '{ my $s = span("GET /x") }', more => 200 }],
    ['a request'                    => { before => $REQUESTS,
        event => '{ my $r = NYTProf::Span->start("GET /x") }', more => 200 }],
    ['a callback of a request'      => { before => "$REQUESTS my \$r; sub f { } sub s { \$r = NYTProf::Span->start('GET /x') } main::s();",
        event => '$r->wrap(\&f)->();', more => 200 }],
    ['a span with ids'              => {
        before => "$SPANS my (\$t, \$s) = ('a' x 32, 'b' x 16); DB::on_span(sub { (\$t, \$s) }) if defined &DB::on_span;",
        event => '{ my $s = span("GET /x") }', more => 200 }],
);

sub events { return map { $_->[0] } @EVENTS }

sub have_callgrind { return run(['valgrind', '--tool=callgrind', '--version'])->{status} == 0 }

# The collector reads the processor's counter if the kernel does, and calls clock_gettime() otherwise.
sub clock_in_use {
    my $source = eval { slurp('/sys/devices/system/clocksource/clocksource0/current_clocksource') } // '';
    return $source =~ /^(?:tsc|arch_sys_counter)$/ ? 'counter' : 'clock_gettime()';
}

# What the figures depend on: perl, the compiler of the collector, libc, the processor's architecture, and whether
# the collector is optimised as a whole.
sub platform {
    my $comment = run(['readelf', '-p', '.comment', build_dir() . '/perl5/auto/Devel/NYTProf/NYTProf.so'])->{out};
    my ($compiler) = $comment =~ /\]\s+(\S.*\S)\s*$/m;
    my $libc = run(['getconf', 'GNU_LIBC_VERSION'])->{out} =~ s/\s+\z//r;
    return join ', ', "perl $Config{version} $Config{archname}", $compiler // 'compiler unknown', $libc,
        slurp(build_dir() . '/flags') =~ /-flto/ ? () : 'without LTO';
}

# Addresses, the order of hashes and the variants of libc's functions are the same in every run.
my %ENVIRONMENT = (
    PERL_HASH_SEED => 0, PERL_PERTURB_KEYS => 0, PERL5LIB => undef, PERL5OPT => undef, LC_ALL => 'C',
        NYTP_MEMORY_MIB => undef,
    GLIBC_TUNABLES => 'glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-AVX512F,-AVX512VL,-EVEX,-ERMS,-FSRM',
);

my $told_clock;

# Runs a command under callgrind. Returns { program, writing, functions }: instructions of the first thread and of all
# others, and those of the first thread by function.
sub count_instructions {
    my ($command, %run) = @_;
    my $dir = scratch_dir();
    my $got = run(['setarch', '-R', 'valgrind', '--quiet', '--tool=callgrind', '--separate-threads=yes',
        "--callgrind-out-file=$dir/out", @$command],
        %run, env => { %ENVIRONMENT, %{ $run{env} // {} } });
    die "@$command: $got->{err}\n" if ($got->{status} // -1) != 0;
    my %functions;
    my ($first, @others) = sort glob "$dir/out-*";
    my $program = _sum($first, \%functions);
    my $writing = 0;
    $writing += _sum($_) for @others;
    return { program => $program, writing => $writing, functions => \%functions };
}

# How many instructions the first thread of a program takes from each getppid() to the next, in order, after the collector
# has called it. The clock is told. It is libc's: perl's own functions have no names on Debian 13.
sub instructions_of_phases {
    my ($command, %options) = @_;
    my $dir = scratch_dir();
    my $got = run(['setarch', '-R', 'valgrind', '--quiet', '--tool=callgrind', '--separate-threads=yes',
        '--dump-before=getppid', "--callgrind-out-file=$dir/out", @$command],
        env => { %ENVIRONMENT, NYTPROF => nytprof_value(file => "$dir/nytprof.out", clock => 0, %options),
        LD_PRELOAD => preload($told_clock //= clock_library('told-clock')) });
    die "@$command: $got->{err}\n" if ($got->{status} // -1) != 0;
    my %part = map { /out\.(\d+)-01\z/ ? ($1 => $_) : () } glob "$dir/out.*";
    my @sums = map { _sum($part{$_}) } sort { $a <=> $b } keys %part;
    shift @sums;
    return @sums;
}

# The same number as `program` of counts_of_events() with told => 1 and compress => 1, of several events in one run: perl
# and valgrind take longer to start than to run the events. Each loop is between two calls of getppid(). Returns event =>
# instructions.
sub instructions_of_events {
    my ($perl, @names) = @_;
    my $dir  = scratch_dir();
    my $path = "$dir/program.pl";
    my @programs = map { [program_of_event($_, $dir, 1)] } @names;
    spew($path, join "\n", map { "{ $_->[0] }" } @programs);
    my ($labels) = map { $_->[1]{labels} // () } @programs;
    my @phases = instructions_of_phases([@$perl, $path], compress => 1, $labels ? (labels => $labels) : ());
    my @loops  = @phases[grep { ($#phases - $_) % 2 == 0 } 0 .. $#phases];
    @loops = @loops[-2 * @names .. -1];
    return map { $names[$_] => ($loops[2 * $_ + 1] - $loops[2 * $_]) / ($programs[$_][1]{more} * $PER_ITERATION) } 0 .. $#names;
}

# The sum of a callgrind file. Adds what each function takes itself to %$functions.
sub _sum {
    my ($file, $functions) = @_;
    my ($sum, $function, %names, $inclusive) = (0, '');
    for (split /\n/, slurp($file)) {
        if (/^[+*-]?\d* (\d+)$/) {
            next if $inclusive && !($inclusive = 0);
            $sum += $1;
            $functions->{$function} += $1 if $functions;
        } elsif (/^calls=/) {
            $inclusive = 1;    # the next line is what the call took
        } elsif (my ($callee, $id, $name) = /^(c?)fn=\((\d+)\)(?: (.*))?/) {
            $names{$id} = $name =~ s/'\d+\z//r if defined $name;
            $function = $names{$id}              if !$callee;
        }
    }
    return $sum;
}

# A program that does an event ten times in each of N iterations, and the event. N is its argument, and the program is
# written to $dir/program.pl; or, if it is a part of one, there are a short and a long loop.
sub program_of_event {
    my ($name, $dir, $is_part) = @_;
    my ($event) = map { { more => 2000, per_iteration => $PER_ITERATION, %{ $_->[1] } } } grep { $_->[0] eq $name } @EVENTS;
    my $loop = "for my \$i (1 .. \$n) { " . $event->{event} x $PER_ITERATION . ' }';
    my $short = $event->{more} / 10;
    return ("$event->{before}\nfor my \$n ($short, " . ($short + $event->{more}) . ") { getppid; $loop getppid }", $event)
        if $is_part;
    return (spew("$dir/program.pl", "my \$n = shift; $event->{before}\n$loop\n"), $event);
}

# Counts one of events(): { program, writing, functions } for each event. perl: the command, to which a program is
# added.
#
# Under valgrind a statement takes some microseconds, and how many depends on what else the machine does: some times need
# more bytes, and some are so long that the collector asks whether the thread waited. With told => 1 the collector reads
# told-clock.c, in which each reading is a tick after the one before: then the program's thread takes the same number in
# every run. The writing thread takes too few, because all times are the same. Without it the collector does not ask
# whether a thread waited (waits=0). compress => LEVEL: with 1 the program's thread does not start the codecs of level 6,
# which it does once, when there are 512 KB of chunks.
sub counts_of_events {
    my ($perl, $name, %how) = @_;
    my $dir = scratch_dir();
    my ($path, $event) = program_of_event($name, $dir);
    my $more = $event->{more};
    my $is_ours = grep { index($_, build_dir()) >= 0 } @$perl;
    my %options = (file => "$dir/nytprof.out", $event->{labels} ? (labels => $event->{labels}) : (),
        $how{told} ? (clock => 0) : $is_ours ? (waits => 0) : (), $how{compress} ? (compress => $how{compress}) : ());
    my %env     = (NYTPROF => nytprof_value(%options),
        $how{told} ? (LD_PRELOAD => preload($told_clock //= clock_library('told-clock'))) : ());
    my ($short, $long) = map { count_instructions([@$perl, $path, $_], env => \%env) } $more / 10, $more / 10 + $more;
    my $per = sub { my ($a, $b) = @_; return (($b // 0) - ($a // 0)) / ($more * $PER_ITERATION) };
    return {
        program   => $per->($short->{program}, $long->{program}),
        writing   => $per->($short->{writing}, $long->{writing}),
        functions => { map { $_ => $per->($short->{functions}{$_},
            $long->{functions}{$_}) } keys %{ $long->{functions} } },
    };
}

1;
