/* The collector: what `perl -d:NYTProf` loads. Every file here uses only files above it in this list, and
 * every folder only folders above it:
 *
 *   basics/
 *     alloc.c       memory, and tables of strings
 *     clock.c       the clock
 *     usage.c       how long the thread ran, waited for a processor and was asleep
 *     options.c     the NYTPROF variable
 *     paths.c       absolute paths, and the directories from which perl loads modules
 *     ops.c         replacing perl's op handlers
 *     symbols.c     names of subs, and their lines, as perl has them, and its shared strings
 *   output/
 *     outfile.c     the file of a profile and its descriptor
 *     outencoder.c  chunks of any kind, as bytes
 *     outthread.c   the thread that compresses blocks and writes them
 *     output.c      blocks of chunks, filled by the interpreter's thread
 *   labels/         what calls are labelled with: texts, without perl (*text.c) or without running its code
 *     sqltext.c     SQL without its literals
 *     values.c      what a value says, and a handle of DBI
 *     rules.c       which labels are wanted
 *     labeltext.c   labels as texts
 *     privatetext.c URLs, data source names of DBI and commands without what is private
 *
 *   context.h       the state of one interpreter: a struct with a member for each of the files below
 *   hot.h           inline functions that run for every statement or call
 *
 *   state/
 *     contexts.c    the contexts of the process, by interpreter
 *     messages.c    messages to the user
 *     signals.c     what a signal has interrupted, and handlers that perl runs at once
 *     probe.c       what is recorded at the moment, and the time that the profiler itself takes
 *   names/          what the profile gives numbers and names
 *     files.c       fids, and the source that perl has kept
 *     places.c      the fid and line of each COP
 *     cvkeys.c      numbers of subs by package and name
 *     subs.c        subs, by number
 *     labels.c      subs with labels, by text
 *     packages.c    the file of each package
 *     subinfo.c     SUB_INFO
 *   record/         events, and what they change
 *     arcs.c        sums of calls by caller, called sub and line
 *     callsites.c   the arc of each call, by COP, and callers that are not profiled
 *     waits.c       where the program was off its processor
 *     statements.c  statements, the blocks around them, and the ops that begin them
 *     evals.c       string evals that run
 *     requests.c    spans that outlive the call that began them
 *     frames.c      calls that have not returned
 *     leaves.c      the ops that leave statements and subs
 *     coroutines.c  the frames of each coroutine
 *   heap/           memory: allocations that are followed (heap=)
 *     imports.c     the slots in which loaded objects have the addresses of functions
 *     kinds.c       kinds of memory, by function and object
 *     addresses.c   samples by address, and the lock of this folder
 *     threads.c     how many bytes each thread was given, and has returned
 *     callers.c     the kind of an allocation, from the C functions that asked for it
 *     sites.c       stacks, places and kinds
 *     stream.c      what becomes of each sample, in FILE
 *     samples.c     which allocations are samples
 *     wrappers.c    what takes the place of malloc() and its like
 *     heap.c        the start, objects that are loaded later, and the end of the program
 *   session/
 *     marks.c       how much time has passed, and how much memory there is, at some places of the stream
 *     session.c     a recording, from opening the file to its last chunk
 *     process.c     the end of the process, forked children, and what is done every 0.4 s
 *     control.c     DB::enable_profile() and the like
 *     phases.c      start=, the end of the program, signals
 *   ops/            the other ops that are replaced
 *     entersub.c    calls of subs
 *     builtins.c    built-ins that are recorded as subs, with require and do FILE
 *     labelsubs.c   subs that are recorded with labels, by rules
 *     patternops.c  regular expressions with labels
 *     fileops.c     files, commands and hosts with labels
 *     spans.c       DB::begin_span(): frames that the program names
 *     requests.c    NYTProf::Span->start(): spans that outlive the call that began them
 *     goto.c        goto &sub
 *     syscalls.c    exec and syscall()
 *   life.c          the life of a context: loading, threads
 *   NYTProf.xs      what perl code can call, with Devel::NYTProf::Test
 *
 * test/whole/architecture.t checks that there are no cycles of calls, and that no folder calls a later one.
 * record/ needs process.c, too; it calls it through a pointer in the context (state/probe.h).
 */
#pragma once

#define PERL_NO_GET_CONTEXT
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The state of the collector in one interpreter: context.h. */
typedef struct prof prof;

/* The interpreter that runs. */
#ifdef PERL_IMPLICIT_CONTEXT
#define PROF_PERL aTHX
#else
#define PROF_PERL PL_curinterp
#endif

/* How code finds a variable of its thread. glibc keeps space beside those of the program for objects that are
 * loaded later, so the variable is at a fixed distance from the thread's pointer. musl has no such space and
 * does not load an object that says so; there, each use calls __tls_get_addr(). */
#ifdef __GLIBC__
#define PROF_TLS_MODEL __attribute__((tls_model("initial-exec")))
#else
#define PROF_TLS_MODEL
#endif
