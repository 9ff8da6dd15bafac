package Devel::NYTProf;

our ($VERSION, $errno);

# Before anything else is compiled: perl -d has set bits that make calls go through DB::sub.
BEGIN {
    $errno   = 0 + $!;
    $^P      = 0x310;
    $VERSION = '6.12';
}

use strict;
use Devel::NYTProf::Core;

Devel::NYTProf::Core::prepare();
$SIG{$_} ||= \&Devel::NYTProf::Core::exit_on_signal for split ' ', Devel::NYTProf::Core::signals();

# Last, for from here on everything is profiled.
Devel::NYTProf::Core::begin($errno);
__END__

=encoding utf8

=head1 NAME

Devel::NYTProf - profiler for statements, subroutines and slow built-ins

=head1 SYNOPSIS

    perl -d:NYTProf program.pl              # writes nytprof.out
    nytprofcalls > stacks.folded            # for flamegraph.pl
    nytprofcg                               # for KCachegrind

    # a whole service, a file for each process
    NYTPROF=addpid=1:file=/tmp/prof.out PERL5OPT=-d:NYTProf service

More under L</HOW TO>.

=head1 DESCRIPTION

Once loaded, this module times every statement that perl executes, every call of a subroutine, and every
built-in that may be slow. It writes what it measures to a file while the program runs. The program does what
it does without: same output, same exit status, same C<$!>, C<$@> and C<caller>.

It takes the command lines, the options and the functions of the Devel::NYTProf 6.12 on CPAN, and writes the same
kind of file, so what reads one profile reads the other.

=head2 What is recorded

=over

=item *

For every execution of a statement the time until the next one begins, by file and line; with C<blocks=1> also by
the first line of the block and of the sub around it.

=item *

For every pair of a calling line and a called sub how often it was called, the inclusive time (with all that
it called), the exclusive time (without that), and how deep it recursed. Inclusive time counts for the
outermost call alone when a sub calls itself.

=item *

For every call its depth, inclusive and exclusive time, from which call trees and flame graphs are made.

=item *

The same for built-ins that do I/O, ask the system, wait, or use regular expressions, sort or pack. They are shown
as subs, C<main::CORE:print> for a C<print> in C<main>.

=item *

Where each sub is defined, and the source of the program, so a report needs no other file.

=back

Time is wall clock time, in ticks of 100 ns. What the profiler itself takes is measured too and left out. Every
time in the profile is as it was measured.

=head2 Ways to load it

    perl -d:NYTProf program.pl
    PERL5OPT=-d:NYTProf program.pl              # this perl, and those that it starts
    PERL5DB='use Devel::NYTProf' perl -d program.pl
    perl -MDevel::NYTProf program.pl

A program with C<-T> in its first line, as many daemons have it, ignores C<PERL5OPT> and C<PERL5LIB>; start it so:

    perl -T -I/path/to/perl5 -d:NYTProf /usr/sbin/spamd

Only code that is compiled after the module was loaded is profiled; of what was there before, calls that such
code makes to it are seen. That is why C<-d> or C<-M> is the way, and a C<use> within the program a poor one. C<perl -c>
profiles the compilation.

=head1 HOW TO

=head2 Profile a script

    perl -d:NYTProf program.pl
    nytprofcg                       # then: kcachegrind nytprof.callgrind

If it runs for long and only a part matters, leave the rest out:

    NYTPROF=start=no perl -d:NYTProf program.pl

where the program says which part:

    DB::enable_profile() if defined &DB::enable_profile;
    work();
    DB::finish_profile() if defined &DB::finish_profile;

=head2 Profile a test-suite

Each test file is a program of its own, and so has a file of its own; one in which all of them are added up is made of
these:

    mkdir profiles
    NYTPROF=addpid=1:file=$PWD/profiles/out HARNESS_PERL_SWITCHES=-d:NYTProf prove t
    nytprofmerge -o all.out profiles/out.*

With C<PERL5OPT=-d:NYTProf> in the place of C<HARNESS_PERL_SWITCHES>, prove itself and all that the tests start is
profiled as well.

=head2 Profile one request

Run the server with C<start=no>, and put what serves a request between two calls:

    my $requests = 0;
    sub profiled_request {
        my ($serve, @arguments) = @_;
        return $serve->(@arguments) if !defined &DB::enable_profile;
        DB::enable_profile('/tmp/request' . ++$requests);
        my $answer = $serve->(@arguments);
        DB::finish_profile();
        return $answer;
    }

In a worker that was forked the file is F</tmp/request1.PID>.

=head2 Profile a daemon

From start to end:

    NYTPROF=file=/tmp/daemon.out:sigexit=TERM perl -d:NYTProf daemon.pl

C<sigexit> is for one that a signal ends without a word; one with a handler for it that exits needs nothing. A
process that goes on in the background is a child, and appends its number: F</tmp/daemon.out.PID>. What a killed
daemon leaves can be read as well, up to its last second.

For a minute in the middle of its life, start it with C<NYTPROF=start=no>, let it set

    my $part = 0;
    $SIG{USR1} = sub { DB::enable_profile('/tmp/daemon' . ++$part) };
    $SIG{USR2} = sub { DB::finish_profile() };

and send it USR1, and a minute later USR2. A second USR1 instead completes F</tmp/daemon1> and begins F</tmp/daemon2>
at once, so a profile can be had at any time without an end to profiling. The calls that are under way then are in both, each with its
part of the time.

Apache: see L<Devel::NYTProf::Apache>. Starman and other servers in perl that fork their workers:

    mkdir /tmp/profiles
    NYTPROF=file=/tmp/profiles/out PERL5OPT=-d:NYTProf starman app.psgi &
    nytprofmerge -o app.out /tmp/profiles/out.*

Waiting in C<accept> is no time at all; waiting in C<select>, as for the next request on a connection that is kept alive, is
shown as C<CORE:sselect>.

=head2 Read the numbers

=over

=item *

I<Exclusive> time is what a sub spent in its own statements and in built-ins that are not shown as subs; I<inclusive>
time has what it called, too. Look at exclusive time first: it tells where the time goes. Inclusive time tells by which way it
got there.

=item *

The time of a line is that of its statements alone. A line that calls a sub has the time of the call and
of the return, and not what happens inside, which is on the lines of the sub.

=item *

Times are wall clock times. A sub that waits, for a disk, a lock, another process or a processor, has that time too. What
waits is mostly a built-in and shown as one (C<CORE:sysread>, C<CORE:wait>, C<CORE:sleep>). With C<clock=2> there is only
processor time.

=item *

What profiling itself takes is left out as well as it can be measured, to some ten nanoseconds for each event. So numbers of
a statement or sub that runs in less than a microsecond, a million times, are the least sure. Compare such things by
running them with and without a change, not by their share.

=item *

The first call of something may load, compile or connect, and cost more than a thousand others. C<BEGIN@12> is
what a C<use> at line 12 cost; C<start=init> leaves all of them out.

=item *

Counts are exact. They tell often more than times: a sub that is called 100,000 times for 100 records has a loop too many
around it.

=item *

The inclusive time of a sub that calls itself is that of its outermost calls.

=back

=head2 Know what it costs

Times as long as without profiling, and KiB of the file, as C<test/bench/options> of the sources prints them, of

    perl /usr/bin/pod2man perlop.pod perlop.man     # an application
    perl -e 'sub add { ... } sub fib { ... } fib(22)'   # 85,969 calls of two small subs, and nothing else

the times medians of 15 runs, on two processors of a host that others use too:

                              pod2man                  fib
                        time      KiB        time      KiB
    defaults            1.26     1695        1.96      398
    stmts=0             1.10      751        1.90      256
    blocks=1            1.48     2134        2.34      429
    leave=0             1.25     1521        1.97      359
    use_db_sub=1        1.38     1542        2.34      342
    subs=0              1.15      920        1.49      106
    slowops=0           1.10     1261        1.82      399
    calls=0             1.36      937        1.80      106
    calls=2             1.18     1778        2.01      399
    savesrc=0           1.20     1514        2.08      393
    compress=0          1.30    10953        1.72     3415
    compress=1          1.24     1742        1.87      394
    compress=9          5.75     1263       23.66      144

Differences of a tenth are chance.

A processor to spare takes the compression; without one, C<compress=0> is the way to spend less. To load
the profiler takes some milliseconds.

=head1 OPTIONS

The environment variable C<NYTPROF> holds pairs, with colons between them:

    NYTPROF=start=init:compress=1:file=/tmp/my\:profile.out

A backslash takes the next character as it is. An option that is not known is complained about and left out.
Defaults are in brackets.

=head2 The file

=over

=item file [nytprof.out]

A name, absolute or seen from the directory that is current when profiling begins. A file of that name is removed
first, unless another process is still writing a profile there: then the process number is appended to the new
one's name. A name under F</dev/> is opened as it is.

=item addpid [0], addtimestamp [0]

Append the process number, then the time in seconds since 1970, to the name. Process numbers come again, in
containers as soon as the next one starts: with both, no profile takes the place of an older one.

=item compress [6]

0 writes plain data. 1 to 6 compress fast, with isa-l where the collector was built with it, else with zlib: files of
programs are up to one and a half times as large as those of Debian's collector, and those of one-line loops several times:
the last digit of a short time is chance, which cannot be compressed. 7 to 9 are zlib's levels of that number: small files at many times the
cost. Another thread does it, which costs the program little as long as there is a processor to spare.

=item savesrc [1]

Save the source. With 0 only that of string evals, of C<-e> and of standard input is saved, for it is nowhere
else to be found. The file of each child has the source of the whole program again: of a server that forks for every
request, C<savesrc=0> makes files a fraction of the size, in half the time.

=back

=head2 When

=over

=item start [begin]

C<begin>: when the module is loaded. C<init>: when the program is compiled (as an C<INIT> block). C<end>:
before the first C<END> block that was known when the program was compiled (where there is one, an object in C<$@> is
destroyed before that block is called, not by its call). C<no>: when
C<DB::enable_profile()> is called. Any other value is fatal.

=item forkdepth [-1]

How many generations of child processes are profiled: 0 none, -1 all.

=back

=head2 What

=over

=item stmts [1]

Statements. 0 makes profiles of calls that are much smaller.

=item blocks [0]

1 tells the first lines of the enclosing block and sub with every statement. Needs C<stmts=1>.

=item leave [1]

When a sub, block or loop is left, give the time that follows to the statement to which control returns. With 0 the last
statement inside has it.

=item subs [1]

Calls of subs.

=item slowops [2]

Built-ins: 0 none, 1 one sub for each (C<CORE::print>), 2 one sub for each in each package (C<main::CORE:print>).
Needs C<subs=1>.

=item calls [1]

1 writes the end of every call, as call trees and flame graphs need it. 2 writes its beginning as well, 0 neither.

=item use_db_sub [0]

1 times statements from C<DB::DB>, as a debugger would, instead of replacing perl's ops for them. It is slower
and implies C<leave=0>.

=item optimize [1], optimise [1]

0 tells perl not to optimize (bit 0x04 of C<$^P>), which gives some statements their own times again.

=item nameevals [1], nameanonsubs [1]

0 keeps perl from putting file and line into the names of string evals and anonymous subs.

=back

=head2 The clock

=over

=item clock [-1]

The number of a POSIX clock. 2 is the processor time of the process, which leaves out waiting. -1 is the monotonic
clock, read from the processor's counter where the kernel keeps time by that too; it stands still while the machine is
suspended. A clock that there is not becomes the real-time clock.

=back

=head2 The end

A profile is finished after the program's last C<END> block. These are for programs that do not get there.

=over

=item sigexit [0]

Signals that finish the profile and exit with status 1: names with commas between them, or 1 for INT, HUP, PIPE, BUS
and SEGV. Handlers that the program sets, and signals that are ignored, stay as they are.

=item posix_exit [0]

1 finishes the profile in C<POSIX::_exit>. With C<subs=1> that is done anyway while the program is profiled, but not after
C<DB::disable_profile()>.

=item endatexit [0]

1 has perl run C<END> blocks when the interpreter is destroyed, for programs that embed perl and
would not.

=back

=head2 Diagnostics

=over

=item trace [0], log [standard error]

A number above 0 tells what the profiler does, and C<log> a file to append that to.

=back

With C<findcaller=1> the caller of a sub is looked for on perl's own stack for each call, instead of being the
sub that was called last and has not returned; which is slower. C<expand>, C<perldb> and C<evals> are taken and
told in the profile, and do nothing else; nor does C<libcexit>, for the profile is always finished when a library calls
C<exit()>.

=head1 RUN-TIME CONTROL

These are there as soon as the module is loaded, and give the former state: 1 when the program was being
profiled, 0 when not.

=over

=item DB::enable_profile([FILE])

Begins, or goes on. With another name than the current one the current file is completed and a new one begun.

=item DB::disable_profile()

Pauses. Calls that have begun are completed when they return.

=item DB::finish_profile()

Completes the file, which can be read at once. C<DB::enable_profile()> begins a new one, in the place of the
old one if no other name is given.

=item DB::set_option(NAME, VALUE)

Changes an option. For those that matter while loading it is too late: C<start>, C<clock>, C<leave>, C<slowops>,
C<use_db_sub>, C<optimize>, C<savesrc>, names, ends. The profile may tell the new value all the same.

=back

A program that should also run without the profiler asks first:

    DB::enable_profile() if defined &DB::enable_profile;

=head1 PROCESSES AND THREADS

=over

=item fork

A child writes a file of its own, with its process number appended, which begins where it was born. Children that do
nothing but exec leave none. C<forkdepth> says how many generations are profiled.

=item exec

The file is completed before. If exec fails, profiling goes on and the file with it. Of a process with threads, that is
the file of the one that calls exec; the others' end where their threads are.

A perl that takes the process's place and is profiled too, as when a daemon starts itself anew on a SIGHUP, has the same name
for its file and replaces what was there. With C<addtimestamp=1> both stay.

=item chroot, another user

Files that are open stay open. Those of children that are forked later are made inside, and as the new user: there has to
be such a directory, which that user may write to (C<mkdir -m 1777>), or C<DB::enable_profile()> has to name another.

=item system, backticks, pipes

are built-ins. A perl that is started so is profiled too if C<PERL5OPT> says so; it does not touch its parent's file.

=item threads

Each thread has a file of its own, with its process and thread number appended (F<nytprof.out.123.t1>).

=item kill, crash

A process that is killed leaves a file that holds all but about the last second, and what is needed to make sense of it.
How often subs were called from where is in the file more than once, and is written less often as time goes by: that may lack
what came in the last 64th part of the time, eleven minutes and more after the beginning another ten seconds. Statements
and, with C<calls=1>, the single calls are there.

=item full disk

One message, and the program goes on without the profiler.

=back

=head1 DIFFERENCES FROM 6.12

=over

=item *

Names of subs and files have no limit in length, and those in UTF-8 stay UTF-8.

=item *

Statements and calls of more than 214 seconds have their true times.

=item *

Programs that use threads, or tied and overloaded code references, are profiled, and not changed by it.

=item *

C<compress> is mapped as told above, and a level that does not exist becomes the nearest one. C<nameevals=0> and
C<nameanonsubs=0> clear their own bit of C<$^P> and no other. An option without a value is left out with a warning.

=item *

Progress is on disk all the time; a file of a killed process can be read.

=item *

With C<stmts=0>, too, every sub that was called has its place and source; with C<start=end> every child has a file.

=item *

Programs that read profiles find L<Devel::NYTProf::ReadStream> and L<Devel::NYTProf::Data> here; the latter has the data of
the stock module, and few of its methods. F<nytprofhtml> and the other programs and modules of the stock distribution
load what they need from there, as long as it is installed behind this one in C<@INC>. They cannot be profiled with this
module.

=back

=head1 LIMITS

=over

=item *

Perl 5.26 or newer, with numbers of 8 bytes.

=item *

Profiling makes a program slower, the more so the less it does in each statement and call. Shares of the time are
more telling than seconds.

=item *

Time spent in an xsub or built-in that ends in C<die> goes to its caller.

=item *

Under any debugger or profiler perl makes each anonymous sub anew when it gets there, also one that uses no variables from
outside. A program that takes two of them for one notices, and to assign such a sub to a name twice warns that it is
redefined.

=item *

Code that other modules run behind perl's back, with runloops or ops of their own, is seen only as far as it uses
perl's.

=item *

The profiler has a thread of its own in the process. What the kernel refuses to processes of several threads fails where
a module does it in C: to enter or leave a user namespace (C<unshare> and C<setns> of C<CLONE_NEWUSER>). Where a program
uses C<syscall> for that, the thread ends before.

=item *

A child that is made behind the C library's back, as by C<syscall>, has a profile that begins up to half a second late.

=item *

A storm of signals whose handlers run at once, with C<PERL_SIGNALS=unsafe> or C<POSIX::sigaction> without C<safe>, can
crash a program, with the profiler sooner than without: such a handler may come amid its work as amid perl's. One in some
dozens, where perl code is busy, damages the profile from there on, unless its handler dies.

=item *

A C<#line> of some thousands of millions ends the program with "Out of memory!", for perl keeps the source by
the numbers of its lines. With C<savesrc=0> it does not.

=back

=head1 SEE ALSO

L<nytprofcalls(1)>, L<nytprofcg(1)>, L<nytprofmerge(1)>, L<nytp-dot(1)>, L<nytp-tree(1)>, L<Devel::NYTProf::ReadStream>, L<Devel::NYTProf::Data>,
L<Devel::NYTProf::Apache>, L<Devel::NYTProf::Test>, L<perlvar/"$^P">, L<perldebguts>.

=head1 COPYRIGHT AND LICENCE

The same terms as Perl itself: L<perlartistic> or L<perlgpl>.

=cut
