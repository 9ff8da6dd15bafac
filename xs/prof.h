/* The collector: what `perl -d:NYTProf` loads. Every file here uses only files above it in this list:
 *
 *   alloc.c       memory, and tables of strings
 *   clock.c       the clock
 *   outfile.c     the file of a profile and its descriptor
 *   outencoder.c  chunks of any kind, as bytes
 *   outthread.c   the thread that compresses blocks and writes them
 *   output.c      blocks of chunks, filled by the interpreter's thread
 *   options.c     the NYTPROF variable
 *   paths.c       absolute paths, and the directories from which perl loads modules
 *   ops.c         replacing perl's op handlers
 *   symbols.c     names of subs, and their lines, as perl has them, and its shared strings
 *   labels/values.c     what a value says, without running code
 *   labels/sqltext.c    SQL without its literals
 *   labels/handles.c    handles of DBI, and what they say
 *   labels/rules.c      which labels are wanted
 *   labels/labeltext.c  labels as texts
 *   labels/commandtext.c  commands without their arguments
 *   labels/urltext.c    URLs without what is private
 *   labels/dsntext.c    data source names of DBI without what is private
 *
 *   context.h     the state of one interpreter: a struct with a member for each of the files below
 *   hot.h         inline functions that run for every statement or call
 *
 *   contexts.c    the contexts of the process, by interpreter
 *   messages.c    messages to the user
 *   probe.c       what is recorded at the moment, and the time that the profiler itself takes
 *   files.c       fids, and the source that perl has kept
 *   places.c      the fid and line of each COP
 *   cvkeys.c      numbers of subs by package and name
 *   subs.c        subs, by number
 *   labels/labels.c     subs with labels, by text
 *   arcs.c        sums of calls by caller, called sub and line
 *   callsites.c   the arc of each call, by COP, and callers that are not profiled
 *   host.c        programs that embed perl
 *   blocks.c      blocks=1: the blocks around a statement
 *   statements.c  statements, and the ops that begin them
 *   packages.c    the file of each package
 *   subinfo.c     SUB_INFO
 *   frames.c      calls that have not returned
 *   leaves.c      the ops that leave statements and subs
 *   coroutines.c  the frames of each coroutine
 *
 *   session.c     a recording, from opening the file to its last chunk
 *   process.c     the end of the process, and forked children
 *   checkpoint.c  what is done every 0.4 s
 *   control.c     DB::enable_profile() and the like
 *   phases.c      start=, the end of the program, signals
 *   entersub.c    calls of subs
 *   builtins.c    built-ins that are recorded as subs, with require and do FILE
 *   labels/labelsubs.c  subs that are recorded with labels, by rules
 *   labels/patternops.c  regular expressions with labels
 *   labels/fileops.c    files, commands and hosts with labels
 *   labels/spans.c      DB::begin_span(): frames that the program names
 *   goto.c        goto &sub
 *   syscalls.c    exec and syscall()
 *   life.c        the life of a context: loading, threads
 *   NYTProf.xs    what perl code can call, with Devel::NYTProf::Test
 *
 * test/whole/architecture.t checks that there are no cycles of calls. statements.c and others need
 * checkpoint.c, too; they call it through a pointer in the context (probe.h).
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
