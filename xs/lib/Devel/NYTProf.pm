package Devel::NYTProf;

our ($VERSION, $errno);

# This must come before anything else is compiled: perl -d has set bits that send calls through DB::sub.
BEGIN {
    $errno   = 0 + $!;
    $^P      = 0x310;
    $VERSION = '6.12';
}

use strict;
use Devel::NYTProf::Core;

Devel::NYTProf::Core::prepare();
$SIG{$_} ||= \&Devel::NYTProf::Core::exit_on_signal for split ' ', Devel::NYTProf::Core::signals();

# This comes last, because from here on everything is profiled.
Devel::NYTProf::Core::begin($errno);
__END__

=encoding utf8

=head1 NAME

Devel::NYTProf - profiler for statements, subroutines and slow built-ins

=head1 SYNOPSIS

    perl -d:NYTProf program.pl              # writes nytprof.out
    nytprofhtml                             # the report: nytprof/index.html
    nytprofcalls > stacks.folded            # for flamegraph.pl
    nytprofcg                               # for KCachegrind

    # a whole service, a file for each process
    NYTPROF=addpid=1:file=/tmp/prof.out PERL5OPT=-d:NYTProf service

See L</HOW TO> for more.

=head1 DESCRIPTION

This module measures the time of every statement that perl executes, of every call of a subroutine, and of every built-in
that may be slow. It writes the measurements to a file while the program runs. The program does the same as without the
module: it has the same output, the same exit status, and the same C<$!>, C<$@> and C<caller>.

The command lines, options and functions are those of Devel::NYTProf 6.12 on CPAN, which is called the stock module below. The
file has the same format, so programs that read one kind of profile read the other. L</DIFFERENCES FROM 6.12> lists what differs.

=head2 What is recorded

=over

=item *

For every execution of a statement: its file and line, and the time until the next statement begins. With C<blocks=1>, also the
first line of the block and of the sub around it.

=item *

For every line that calls a sub: how often it called the sub, the inclusive time of these calls (with everything that the sub
called), their exclusive time (without that), and the depth of recursion.

=item *

For every call: its depth, and its inclusive and exclusive time. Call trees and flame graphs are made from these.

=item *

The same for built-ins that do I/O, ask the system, wait, use regular expressions, sort or pack. They are recorded as subs:
a C<print> in package C<main> is C<main::CORE:print>.

=item *

Where each sub is defined, and the source of the program, so that a report needs no other file.

=back

Times are wall clock times, in ticks of 100 ns. The profiler measures its own time as well, and subtracts it.

=head2 Ways to load it

    perl -d:NYTProf program.pl
    PERL5OPT=-d:NYTProf program.pl              # this perl, and those that it starts
    PERL5DB='use Devel::NYTProf' perl -d program.pl
    perl -MDevel::NYTProf program.pl

A program with C<-T> in its first line, such as many daemons, ignores C<PERL5OPT> and C<PERL5LIB>. Start it like this:

    perl -T -I/path/to/perl5 -d:NYTProf /usr/sbin/spamd

Only code that is compiled after the module was loaded is profiled. If profiled code calls older code, the call is recorded, but
not what happens inside it. So load the module with C<-d> or C<-M>, not with a C<use> in the program. With C<perl -c>, the
compilation is profiled.

=head1 HOW TO

=head2 Profile a script

    perl -d:NYTProf program.pl
    nytprofhtml                     # then open nytprof/index.html in a browser
    nytprofcg                       # or: kcachegrind nytprof.callgrind

If the program runs for long and only a part of it matters, leave out the rest:

    NYTPROF=start=no perl -d:NYTProf program.pl

The program says where the part begins and ends:

    DB::enable_profile() if defined &DB::enable_profile;
    work();
    DB::finish_profile() if defined &DB::finish_profile;

=head2 Profile a test suite

Each test file is a program of its own and writes a profile of its own. Merge them:

    mkdir profiles
    NYTPROF=addpid=1:file=$PWD/profiles/out HARNESS_PERL_SWITCHES=-d:NYTProf prove t
    nytprofmerge -o all.out profiles/out.*

With C<PERL5OPT=-d:NYTProf> instead of C<HARNESS_PERL_SWITCHES>, prove itself and all programs that the tests start are
profiled, too.

=head2 Profile one request

Run the server with C<start=no>, and serve a request between two calls:

    my $requests = 0;
    sub profiled_request {
        my ($serve, @arguments) = @_;
        return $serve->(@arguments) if !defined &DB::enable_profile;
        DB::enable_profile('/tmp/request' . ++$requests);
        my $answer = $serve->(@arguments);
        DB::finish_profile();
        return $answer;
    }

In a forked worker the file is F</tmp/request1.PID>.

=head2 Profile a daemon

From start to end:

    NYTPROF=file=/tmp/daemon.out:sigexit=TERM perl -d:NYTProf daemon.pl

C<sigexit> is needed if the daemon has no handler for the signal that ends it. A process that goes to the background is a
child, so its number is appended to the name: F</tmp/daemon.out.PID>. The file of a daemon that was killed can be read as well,
up to its last second.

A daemon that is running without the profiler can be sampled from outside: see L<nytp-record(1)>.

To profile one minute in the middle of its life, start the daemon with C<NYTPROF=start=no> and let it set

    my $part = 0;
    $SIG{USR1} = sub { DB::enable_profile('/tmp/daemon' . ++$part) };
    $SIG{USR2} = sub { DB::finish_profile() };

Send it USR1, and a minute later USR2. If you send a second USR1 instead, F</tmp/daemon1> is completed and F</tmp/daemon2> is begun
at once. So you can get a profile at any time while profiling goes on. Calls that have not returned at that moment are in both
files, each with its part of the time.

For Apache, see L<Devel::NYTProf::Apache>. For Starman and other servers in Perl that fork their workers:

    mkdir /tmp/profiles
    NYTPROF=file=/tmp/profiles/out PERL5OPT=-d:NYTProf starman app.psgi &
    nytprofmerge -o app.out /tmp/profiles/out.*

The time in which C<accept> waits is not counted, but time lines and ranges have it. The time in which C<select> waits, for example for the next request on a
connection that is kept alive, is the time of C<CORE:sselect>.

=head2 Profile memory

    NYTPROF=heap=1 perl -d:NYTProf program.pl

also follows one allocation in 64 KiB until it is freed, with the calls, the line and what it is for: strings, arrays, hashes, code and
so on. Code belongs to the file that perl compiles, below the C<BEGIN> blocks that load it. All programs show memory in place of time with
one of these:

=over

=item C<--memory=live>

What was live at the end: when the last statement of the program had run, or C<exit> or a C<die> that nothing catches was called, before
perl clears variables and runs C<END> blocks. After an error of perl's own, such as a method that does not exist, or a C<die> in
a handler of a signal, they are cleared. After C<DB::finish_profile()>: what was live then. Of a process that was killed: what was live 0.3 s
before or later.

=item C<--memory=peak>

What was live when the process held most.

=item C<--memory=alloc>, C<--memory=temporary>

All that was ever allocated; of that, what was freed within a millisecond.

=item C<--memory=held>, C<--memory=held=NAME>

What was live at the end, or when C<DB::heap_snapshot()> was called, by the variables that hold it, such as
C<my %sessions{*}{user}{history}[*]>. Needs C<heap_holders=1>.

=item C<--memory=at=3.2s>, C<--memory=grown=3.2s..>

What was live then; what came since then and stays. C<DB::heap_snapshot()> gives moments names.

=back

Also without C<heap=1>, F<nytprof.out> says some 20 times a second how much memory the process has in RAM, and how many values perl has. The
report's strip of time and nytp-trace show it, and C<nytp-tree --findings> names requests that leave memory each time.

So

    nytprofhtml                     # a report with a view of memory over time
    nytp-tree --memory=live

show which code holds the memory, and what each module costs. See C<heap> in L</OPTIONS> and
F<doc/numbers.md> of the sources for what the numbers mean.

=head2 Read the numbers

=over

=item *

The I<exclusive> time of a sub is the time of its own statements, and of built-ins that are not recorded as subs. Its
I<inclusive> time also contains the time of the subs that it called. Look at exclusive time first: it shows where the time goes.
Inclusive time shows how the program got there.

=item *

Times are wall clock times. If a sub waits for a disk, a lock, another process or a processor, that time is in it. What waits is
usually a built-in and recorded as one (C<CORE:sysread>, C<CORE:wait>, C<CORE:sleep>). With C<clock=2> only processor time
counts.

=item *

The profiler subtracts its own time as well as it can measure it, to about ten nanoseconds for each event. So the least certain
times are those of statements and subs that run a million times for less than a microsecond each. To compare such code, run the
program without the profiler, with and without your change.

=item *

The first call of a sub may load, compile or connect, and take longer than a thousand others. C<BEGIN@12> is the time of a
C<use> in line 12; C<start=init> leaves all of these out.

=item *

Counts are exact, and often say more than times: a sub that is called 100,000 times for 100 records is inside one loop too
many.

=item *

The inclusive time of a sub that calls itself is that of its outermost calls.

=back

=head2 Make it faster

The programs in the table below take 1.3 and 2 times as long with the profiler. If yours takes longer, try these, in this order:

=over

=item 1.

Profile only the part that matters, with C<start=no> and C<DB::enable_profile()>, or with C<start=init>.

=item 2.

If you need only calls (flame graphs, call graphs), set C<stmts=0>. If you need only statements, set C<subs=0>.

=item 3.

Set C<slowops=0> if the program calls many short built-ins, regular expressions for example.

=item 4.

On a single processor set C<compress=0>: another thread compresses, and has no processor of its own. The file is then several
times as large.

=item 5.

If the program forks often, set C<savesrc=0>: otherwise each child writes the source of the whole program.

=item 6.

In a virtual machine, see L</Clocks and virtual machines>.

=back

These are times, as multiples of the time without profiling, and sizes of files in KiB:

    perl /usr/bin/pod2man perlop.pod perlop.man     # an application
    perl -e 'sub add { ... } sub fib { ... } fib(22)'   # 85,969 calls of two small subs, and nothing else

                              pod2man                  fib
                        time      KiB        time      KiB
    defaults            1.26     1903        1.96      443
    stmts=0             1.10      823        1.90      280
    blocks=1            1.48     2192        2.34      503
    leave=0             1.25     1654        1.97      393
    use_db_sub=1        1.38     1762        2.34      396
    subs=0              1.15     1040        1.49      147
    slowops=0           1.10     1441        1.82      441
    calls=0             1.36     1099        1.80      144
    calls=2             1.18     2024        2.01      453
    savesrc=0           1.20     1712        2.08      440
    compress=0          1.30    10952        1.72     3415
    compress=1          1.24     1920        1.87      439
    compress=9          5.75     1389       23.66      132

Times are medians of 15 runs on two processors of a shared host, where a difference of a tenth can be chance. Loading the profiler
takes some milliseconds.

=head1 WHAT THE PROFILE SHOWS

=head2 The rest of a line after a call

A statement that calls a sub is interrupted by the statements of the sub. When the sub returns, the time that follows belongs to
the calling statement again, and is added to its line without counting another execution. So the time of a line is that of its
statements alone: with the time of the call and of the return, without the time inside the sub, which is on the sub's own lines.
The same holds after blocks, loops, evals and C<sort> blocks. With C<leave=0> this time stays with the last statement of the sub.

=head2 goto &sub

C<goto &other> ends the sub that runs, and its caller calls C<other>. So C<other> appears beside the sub that it replaces, not
under it: called by the same caller, at the line of the C<goto>. Time before the C<goto> belongs to the first sub.

=head2 String evals and anonymous subs

A string eval is a file of its own, named after its number and the place of the C<eval>: C<(eval 7)[lib/Foo.pm:42]>. Numbers
rise with every eval that is compiled, so an eval in a loop makes many files. Subs that it defines have their usual names.

An anonymous sub is C<Foo::__ANON__[lib/Foo.pm:42]>: the line is that of its last line, where perl names it. All closures that are
made at one place are one sub. In an eval, the place has the eval's number.

nytprofcg shows the evals of one place as one if they have the same text; with C<--no-merge-evals> it shows each. nytprofcalls writes
0 for their numbers. nytprofmerge keeps evals apart, each with its source. C<nameevals=0> and C<nameanonsubs=0> have perl name evals
by their number alone, and anonymous subs C<__ANON__>.

=head2 Calls from xsubs and built-ins

If an xsub or a recorded built-in calls Perl code, it is the caller of that code. So C<List::Util::first> calls its block,
C<CORE:sort> calls the subs in a C<sort> block, and C<CORE:print> calls the method of a tied handle. The line of the call is that of
the statement that is running. Perl itself calls some code, for example C<DESTROY> and overloaded operators; its caller is the
sub that is running.

With C<findcaller=1> the caller is looked up on perl's own stack, which does not show xsubs and built-ins; this is slower.

=head2 main::RUNTIME and main::NULL

If a call is not made by a sub, its caller is C<main::RUNTIME>, the main program. While perl compiles, before the program runs, and
while it destroys objects, after the program has ended, the caller is C<main::NULL>.

=head2 BEGIN blocks and use

A C<use> is a call of a sub C<BEGIN@LINE> in the package that has the C<use>. What loading the module takes is under it: C<require>,
the file's own statements, and C<import>.

=head2 Coroutines

Each coroutine of L<Coro> has its own callers, and its calls do not contain the time in which other coroutines run. A call that
waits while others run is written in parts, each with its part of the time. It counts once, and its duration is that of all parts; stock's
programs count each part in stacks. The statement that switches has the time until the next statement of the other coroutine begins.
A sub of L<Future::AsyncAwait> that goes on after C<await> is a part of its call, below the code that resumes it.

=head2 Clocks and virtual machines

By default time is CLOCK_MONOTONIC. If Linux keeps it by the processor's counter (C<tsc> in
F</sys/devices/system/clocksource/clocksource0/current_clocksource>), the profiler reads the counter itself, in about 10 ns. In some
virtual machines Linux uses another source, such as C<hpet> or C<acpi_pm>, each reading of which may take a microsecond and more.
Profiling is then many times slower, and short times are less exact; give the machine a better clock, or set C<stmts=0>.

The clock stands still while the machine is suspended. If the counter leaps because the machine is moved or resumed, the times
around that are taken from CLOCK_MONOTONIC. A virtual machine does not notice when it waits for a processor of its host. That time
belongs to the statement that was running.

C<clock=2> measures the processor time of the process instead. The stock module once had C<usecputime> for that, which is not
available any more.

=head1 OPTIONS

The environment variable C<NYTPROF> holds options, with colons between them:

    NYTPROF=start=init:compress=1:file=/tmp/my\:profile.out

A backslash takes the next character as it is. An unknown option, and one without a value, is ignored with a warning. A number that
is out of range becomes the nearest one that is not, with a warning. Options for which no other numbers are described take 0 and 1.
Defaults are in brackets.

=head2 The file

=over

=item file [nytprof.out]

The name of the file, absolute or as seen from the directory that is current when the module is loaded. A file of that name is
removed first, unless another process is still writing a profile there; then the process number is appended to the new name. In a
program that runs one interpreter after the other, the first has the name, and later ones have those of threads. A
name under F</dev/> is opened as it is.

=item addpid [0], addtimestamp [0]

Append the process number, and the time in seconds since 1970, to the name. Process numbers are reused, in a container as soon as
the next one starts. With both options no profile replaces an older one.

=item compress [6]

0 writes plain data. 1 is the fastest level: it compresses with isa-l if the collector was built with it, and otherwise with zlib. 2 to 5
and 7 to 9 are zlib's levels of that number, which make smaller files and take ten times as long or more. 6 changes its level: another thread
compresses as strongly as it can, with zlib or libdeflate, while it keeps up with the program and a processor is free for it, and otherwise
as level 1 does. Then profiles are 0.9 to 1.3 times as large as those of the stock module, or up to 1.6 times if the collector was built
without libdeflate. Since a thread compresses, the levels up to 6 cost the program little as long as there is an idle processor; with one
processor 6 is as 1, and so it is in a container, or another control group, that may use less than two.
Less than 3,000 bytes are stored as they are, as for a short child: the file takes one block of the file system all the same.

=item savesrc [1; 0 with heap]

1 saves the source of the program. 0 saves only that of string evals, of C<-e> and of standard input, which is in no file. The
profile of each forked child has the source of the whole program again.

=item waits [1]

Measures how long the program was off its processor: asleep, as it waited for a pipe, a socket, a disk, a lock or a child, or queued, as it
could run and others did. Statements and calls that take 12.8 microseconds or more look; their cost is 0.3 microseconds, and 1 to 6 if the
program did wait. What the collector itself waits is not the program's.

0 measures nothing; programs then go by the names of subs that wait. That is also so with a C<clock> of processor time, which does not pass
while a program waits. If a library replaces the clock, as libfaketime does, waiting is still measured by the system's, so use 0 there.

=item thread [1]

0 starts no thread that compresses and writes: the program does that itself, up to three times a second, which takes its time. The
kernel counts the thread for C<RLIMIT_NPROC> and for F<pids.max> of a control group, and lets no process with several threads enter a
user namespace. A program that is killed loses what it did since it last executed a statement or call that began 0.4 seconds after
what was written before, instead of the last 0.3 seconds.

=item strict [0]

With 1, the program dies if the file cannot be written, when it begins or in C<DB::enable_profile()>. With 0, a message says why, and
the program goes on without a profile. A forked child and a thread always go on.

=back

=head2 When

=over

=item start [begin]

C<begin>: when the module is loaded. C<init>: when the program is compiled, like an C<INIT> block. C<end>: before the first C<END>
block that was known when the program was compiled. (If there is one, an object in C<$@> is destroyed before that block is
called, not by its call.) C<no>: when C<DB::enable_profile()> is called. Any other value is fatal.

=item forkdepth [-1]

The number of generations of child processes that are profiled: 0 none, -1 all.

=back

=head2 What

=over

=item stmts [1]

Record statements. 0 makes much smaller profiles, of calls alone.

=item blocks [0]

1 records the first lines of the enclosing block and sub with every statement. Needs C<stmts=1>.

=item leave [1]

When a sub, block or loop is left, add the time that follows to the statement to which control returns. With 0 it stays with the
last statement inside.

=item subs [1]

Record calls of subs.

=item slowops [2]

Built-ins: 0 records none, 1 one sub for each (C<CORE::print>), 2 one sub for each in each package (C<main::CORE:print>). Needs
C<subs=1>.

3 also records each C<require> and C<do FILE>, with the time of finding, compiling and running the file. The name says what is
loaded: C<Foo::Bar::CORE:require> is C<require Foo::Bar>, and F<conf.pl::CORE:dofile> is C<do "conf.pl">. It is the caller of what
the file's own statements call, and the C<BEGIN> block of a C<use> calls it. So a call tree of the program's start has a node for each
module, and the view I<Modules> of C<nytprofhtml> shows the time that each took. A C<require> of a module that is already loaded is
a short call. C<require 5.010> is not recorded. If the name of the file comes from a tied or overloaded value, the name has the
package of the caller (C<main::CORE:require>).

=item heap [0]

1 also profiles memory, see L</Profile memory>: one allocation in 64 KiB, or fewer while there would be more than some 7,000 in a second. A larger number is how many bytes there are
between two samples on average, at least 4096. A sum of B bytes in small blocks is known within sqrt(RATE / B): with 1, 1 MB within 26 %, 10 MB within 8 %
and 100 MB within 3 %, in two of three runs. With C<heap=4096> these are 6, 2 and 0.6 %, and there are 16 times as many samples.

All of malloc() and its like is seen, also that of libraries in C. What perl takes from memory that it had before is not new: see
F<doc/numbers.md>. C<mmap()>, the stacks of threads, and what handlers of signals allocate while they interrupt C are not in it. Needs Linux with glibc on x86-64 or arm64, and a perl that uses the
malloc() of the system; otherwise a message says so, and time is profiled.

The profile of a process has the memory of all its threads. A forked child begins at 0.

C<savesrc> is 0 then, unless it is given: what perl keeps for it would be a large part of the program's memory. The samples take time,
about 1 %, which is in the profile of time.

=item heap_holders [0]

1, with C<heap>: at each moment that C<DB::heap_snapshot()> names, and at the end of the program, finds the variable that holds each sample. It
visits all of perl's values, which takes 0.2 us and, meanwhile, 24 bytes for each.

=item labels [none]

Which calls are recorded with what they were called with. C<NYTPROF=labels=regex> makes each pattern a sub of its own:
C<main::CORE:match /^\d+$/>. Kinds, with commas between them:

    sql         the statement, of methods of DBI; of DBI->connect, the driver, the host,
                the port and the database, if they stand as host=NAME and so on
    regex       the pattern, of matches, substitutions and qr//
    file        the path, of open, stat, -X, opendir, mkdir, rename, unlink and so on
    command     the program, of system, backticks and pipes, with the next word if that looks
                like a subcommand or a file: git status; the seconds, of sleep
    host        the address, of connect, and the name, of gethostbyname
    http        method and URL, of HTTP::Tiny, LWP::UserAgent and Mojo::UserAgent
    template    the name of the template, of Template Toolkit
    all         all of these

In SQL, C<?> stands in the place of each literal, and C<?+> in that of a list of them. Of URLs, host and path are recorded, with C<*> for
parts that may be numbers or keys. A handle or the buffer of the last C<stat> has no label, nor have names in references. B<Literals of SQL, passwords, names of users and the queries of URLs are never recorded.> SQL that
servers may read in different ways ends with C<...>.

A rule records what any other sub, in Perl or XS, is called with: C<My::Cache::get=1> by argument 1, where 0 is the invocant. After the
number, C<{key}> and C<[0]> lead into hashes and arrays, C<$> to the scalar that a reference points to, and C<url>, C<sql> or C<dsn>
normalise the text as above. C<+> joins several arguments; C<port> and C<path> join those of a URL that is in parts to the host before
them:

    NYTPROF=labels=sql,My::Cache::get=1:file=my.out perl -d:NYTProf my.pl
    NYTPROF='labels=LWP::UserAgent::request=1{_method}+1{_uri}$url' perl -d:NYTProf my.pl

Up to 4 arguments of a sub can be joined. A call whose argument is missing, undefined, a reference, tied or overloaded has no label. Keys
that are data of users stay what they are: think of that before you write a rule.

The programs that read profiles show such subs like others. C<nytp-tree --labels=sql> shows a table of them, and C<--no-labels> makes
the profile that would have been recorded without labels. No code of the program runs to find what it was called with. B<A pattern
that is made at run time may have data of users in it>: think of that before you give such a profile to others.

=item labelmax [200], labellen [150]

How many labels a sub has at most, and how many bytes (20 to 190) a label has. Patterns that are constant in the program do not count.
Further ones are called C<(others)>. A label that is cut ends with a number, C<~6dcf0775>; the attribute C<label_6dcf0775> of the
profile has up to 1,000 bytes of the whole text.

=item calls [1]

1 writes the end of every call, for call trees and flame graphs. 2 writes its beginning as well, 0 neither.

=item findcaller [0]

1 looks up the caller of each call on perl's own stack, instead of taking the sub that was called last and has not returned.

=item use_db_sub [0]

1 records statements from C<DB::DB>, as a debugger does, instead of replacing perl's ops for statements. It is slower and implies
C<leave=0>.

=item optimize [1], optimise [1]

0 tells perl not to optimize (bit 0x04 of C<$^P>), so that some statements have their own times again.

=item nameevals [1], nameanonsubs [1]

0 keeps perl from putting file and line into the names of string evals and anonymous subs.

=back

=head2 The clock

=over

=item clock [-1]

The number of a POSIX clock. -1 is the monotonic clock, read from the processor's counter if possible. 2 is the processor time of the
process, without waiting. If the system does not have the clock, a warning says so, and the real-time clock is used.

=back

=head2 The end

A profile is finished after the program's last C<END> block. These options are for programs that do not get there.

=over

=item sigexit [0]

Signals that finish the profile and exit with status 1: names with commas between them, or 1 for INT, HUP, PIPE, BUS and SEGV.
Handlers that the program sets, and signals that are ignored, stay as they are.

=item posix_exit [0]

1 finishes the profile in C<POSIX::_exit>. With C<subs=1> that is done without this option, too, as long as profiling is
enabled. Then the profile is also complete if another xsub of the name C<_exit>, such as C<Coro::Util::_exit>, ends the process.

=item endatexit [0]

1 has perl run C<END> blocks when the interpreter is destroyed, for programs that embed perl and would not run them.

=back

=head2 Diagnostics

=over

=item trace [0], log [standard error]

A number above 0 prints what the profiler does. C<log> is a file that messages are appended to.

=back

C<expand>, C<perldb> and C<evals> are recorded in the profile and have no other effect, which a warning says. C<libcexit> has none
either: the profile is always finished when C code calls C<exit()>. C<usecputime> prints a warning; use C<clock=2>. There is also a
warning of options that others leave without effect, such as C<blocks=1> with C<stmts=0>.

=head1 RUN-TIME CONTROL

These functions exist as soon as the module is loaded. The first three return 1 if the program was being profiled before, otherwise
0.

=over

=item DB::enable_profile([FILE])

Begins or resumes profiling. If FILE is another name than the current one, the current file is completed and a new one begun.

=item DB::disable_profile()

Pauses profiling. Calls that have begun are completed when they return.

=item DB::finish_profile()

Completes the file, which can be read at once. C<DB::enable_profile()> begins a new one, which replaces the old one unless
another name is given.

=item DB::heap_snapshot(NAME)

With C<heap=1>: gives this moment a name, which does not begin with a digit, and counts perl's values. Returns 1, or 0 without C<heap=1>, in a
thread, and while there is no profile. C<nytp-tree --memory=at=NAME> shows what was live, and C<--memory=grown=A..B> what has grown in between:

    my $number; $SIG{USR2} = sub { DB::heap_snapshot("usr" . ++$number) };

=item DB::set_option(NAME, VALUE)

Changes an option. For some it is too late when the module is loaded: C<start>, C<clock>, C<leave>, C<use_db_sub>, C<optimize>,
C<savesrc>, C<nameevals>, C<nameanonsubs>, C<labels> and the options of the end. C<stmts>, C<subs> and C<slowops> can be switched off, and on
again if they were on at the start. If an option cannot have the value, it keeps the old one, and a warning says so.

=item DB::begin_span(NAME), DB::name_span(NAME)

Name a part of the program, such as a request. They return a guard, and nothing; L<NYTProf::Span> describes them, and has functions that
do nothing without the profiler, and the requests of event loops. L<NYTProf::Span::Plack> and L<NYTProf::Span::Mojolicious> make a span of
each request.

=item DB::on_span(CODE), DB::trace_span(TRACE, SPAN)

Give spans the ids of a trace, in 32 and 16 lower-case hexadecimal digits, as W3C's trace context has them. CODE is called when a span has
begun, and returns the two ids; if it returns anything else, the span has none. If CODE dies, perl warns where warnings are on.
C<DB::on_span(undef)> stops the calls of CODE. C<DB::trace_span()> sets the ids of the innermost open span.
L<NYTProf::Span::OpenTelemetry> uses both functions.

=back

A program that should also run without the profiler asks first:

    DB::enable_profile() if defined &DB::enable_profile;

=head1 PROCESSES AND THREADS

=over

=item fork

A child writes a file of its own, with its process number appended, which begins with the child. A child that only calls exec
writes none. C<forkdepth> limits the generations that are profiled.

=item exec

The file is completed before. If exec fails, profiling goes on in the same file. In a process with threads only the file of the
thread that calls exec is completed; the others end where their threads are.

If a perl that takes the place of the process is profiled too, as when a daemon restarts itself on a SIGHUP, its file has the same
name and replaces the old one. With C<addtimestamp=1> both stay, unless they begin in the same second.

=item chroot, another user

Open files stay open. Files of children that are forked later are created inside, and by the new user. There must be such a
directory, which that user may write to (C<mkdir -m 1777>), or C<DB::enable_profile()> must name another one.

=item system, backticks, pipes

These are built-ins. A perl that is started by one of them is profiled as well if C<PERL5OPT> says so. It does not touch the file
of its parent.

=item threads

Each thread has a file of its own, with the process and thread number appended (F<nytprof.out.123.t1>).

=item kill, crash

The file of a process that was killed can be read. It lacks about the last second. The counts of calls by line and caller may lack
more, the last 64th part of the time, for example the last ten seconds after eleven minutes: they are large, so they are written less
and less often. Statements and, with C<calls=1>, single calls are complete. From these the programs complete the counts by caller; the
lines of the last calls are not known. It has no profile of memory.

=item full disk

One message is printed, and the program goes on without the profiler.

=back

=head1 DIFFERENCES FROM 6.12

=over

=item *

If the file cannot be written, the program goes on without a profile; the stock module dies. C<strict=1> dies, too.

=item *

Names of subs and files may have any length, and UTF-8 names stay UTF-8.

=item *

Statements and calls of more than 214 seconds have their true times.

=item *

Programs that use threads, or tied and overloaded code references, are profiled without being changed.

=item *

Each coroutine of Coro has its own callers.

=item *

The levels of C<compress> are mapped as described above. C<nameevals=0> and C<nameanonsubs=0> clear their own bit of C<$^P> and no
other. Options without a value and numbers out of range are warned of.

=item *

The file is written all the time, so that the file of a killed process can be read.

=item *

With C<stmts=0>, too, every called sub has its place and source. With C<start=end> every child has a file.

=item *

A file that C<DB::enable_profile(FILE)> begins after C<DB::disable_profile()> has only the calls that were made since. The stock
module writes the calls of the file before once more.

=item *

An xsub or built-in of a package that has subs in files is said to be in one of these: the one with most of its subs. With the stock
module the order of a hash decides, and the xsub may be in no file.

=item *

If a program has no C<END> block and ends with an object in C<$@>, the object is destroyed after the end of the profile, as without a
profiler it is destroyed last. The stock module has an C<END> block, before which perl clears C<$@>, so that C<DESTROY> runs earlier
and is in the profile.

=item *

A child for which C<forkdepth> leaves no profile has one when it calls C<DB::enable_profile()>, as with the stock module.

=item *

L<Devel::NYTProf::ReadStream> and L<Devel::NYTProf::Data> are included for programs that read profiles. The latter has the data of the
stock module and few of its methods. F<nytprofhtml> and the other programs and modules of the stock distribution load what they
need from there, if that is installed after this one in C<@INC>. They cannot be profiled with this module.

=back

=head1 LIMITS

=over

=item *

Perl 5.26 or newer.

=item *

Profiling slows a program down, most of all if its statements and calls are short. Shares of the time are more reliable than seconds.

=item *

The time in an xsub or built-in that ends in C<die> goes to its caller.

=item *

Under any debugger or profiler, perl makes a new sub each time it executes C<sub {}>, even if the sub uses no outer variables. A program
that compares two of them sees a difference, and one that assigns them to the same name twice gets a warning about a redefined sub.

=item *

If a module executes code with a runloop or ops of its own, only what it does with perl's ops is recorded.

=item *

The profiler has a thread of its own in the process. The kernel does not let a process with several threads enter or leave a user
namespace (C<unshare> and C<setns> with C<CLONE_NEWUSER>). So that fails if a module does it in C; C<thread=0> helps. If a program
does it with C<syscall>, the profiler ends its thread first. The kernel counts the thread for limits of processes, too.

=item *

A handler that perl calls at once, with C<PERL_SIGNALS=unsafe> or by C<POSIX::sigaction> without C<safe(1)>, does not interrupt malloc()
or the profiler: it runs after the op that called them. malloc() takes a lock once a process has had several threads, and the handler
would wait for it for ever.

=item *

If a module ends the process by calling C<_exit()> of C, in an xsub of another name than C<_exit>, the profile has what was written
before: all but the last 0.3 seconds, and in a process that lives shorter, about half of it.

=item *

Strict seccomp (C<prctl(PR_SET_SECCOMP, 1)>) switches the processor's counter off, which the profiler reads. The kernel then kills the
process. C<DB::finish_profile()> before it helps.

=item *

A child that is made without the C library, by C<syscall> for example, has a profile that begins up to half a second late.

=item *

Perl keeps the source of the program and of its evals for C<savesrc=1>. Modules that count a program's values, such as Test::LeakTrace,
count that, too; with C<savesrc=0> they count as without the profiler.

=item *

A C<#line> directive with a number of several billion, such as C<# line 4294967290>, ends the program with "Out of memory!", because
perl indexes the source by line number. With C<savesrc=0> it does not.

=item *

If memory is exhausted, the program ends with status 1, as without the profiler, and its profile is whole unless it needs more than
the 8 MiB of addresses that are kept for its end.

=back

=head1 SEE ALSO

Reports and other output: L<nytprofhtml(1)>, L<nytprofcalls(1)>, L<nytprofcg(1)>, L<nytp-dot(1)>, L<nytp-tree(1)>, L<nytprofcsv(1)>,
L<nytp-speedscope(1)>, L<nytp-pprof(1)>, L<nytp-trace(1)>, L<nytp-dprof(1)>. Many profiles: L<nytprofmerge(1)>. Programs that are
already running: L<nytp-record(1)>, L<nytp-top(1)>.

L<Devel::NYTProf::ReadStream>, L<Devel::NYTProf::Data>, L<Devel::NYTProf::Apache>, L<Devel::NYTProf::Test>, L<perlvar/"$^P">,
L<perldebguts>.

=head1 COPYRIGHT AND LICENCE

The same terms as Perl itself: L<perlartistic> or L<perlgpl>.

=cut
