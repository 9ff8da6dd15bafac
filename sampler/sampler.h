/* The sampler: reads from outside what a perl executes that is already running. It never writes to the
 * process.
 *
 * Every file uses only files above it in this list, and nytp-record and nytp-top include this header alone.
 *
 *   process/           processes, perl or not
 *     process.c        /proc/PID, children; a process is known by its pid and its start time
 *     activity.c       whether a thread runs, waits for a processor or sleeps, and for how long
 *     priority.c       when the sampler itself gets a processor
 *     permission.c     why a process may not be read
 *     remote.c         the memory of another process
 *     budget.c         the same, as much as a sample may read
 *     pages.c          its memory by pages, which are read once for a sample
 *     root.c           files as a process sees them
 *     unit.c           its systemd unit, or its container
 *     symtab.c         symbols of a statically linked program, by its file
 *     symbols.c        addresses of perl's variables, by the symbol tables of the program and its libraries
 *     pthreads.c       threads, and what each has for a key
 *
 *   perl/              what perl's structures mean
 *     layout.c         where the members of perl's structures are: a table
 *     layouts.c        finds the table of a perl
 *     offsets_dir.c    where the tables are installed
 *     interpreter.h    an interpreter: its process, its variables and its layout
 *     names.c          heads of SVs; names of globs and stashes
 *     recent.c         a hash table that forgets
 *     optypes.c        types of ops; built-ins by name
 *     stackinfo.c      a stack of contexts: perl's PERL_SI
 *     interpreter.c    finds the interpreter in a process
 *     contexts.c       contexts: what they call
 *     statements.c     COPs, by address
 *     subs.c           CVs, by address
 *     xsubs.c          xsubs, by the op that calls and the stack of values
 *
 *   sample/            taking a sample
 *     pace.c           when
 *     account.c        the time of a sample, by what the thread does
 *     reading.c        one system call: what runs, and the stacks of contexts
 *     snapshot.c       the calls of a sample, as addresses
 *     prefetch.c       a second call: the bytes of their statements and subs
 *     scope.c          the code that a statement is part of
 *     known_callers.c  which statements were seen to call which subs
 *     fit.c            makes the calls those of the moment when the statement that runs was read
 *     consistency.c    checks what was read at different moments
 *     resolve.c        the calls by name
 *     meter.c          the time of a sample of a thread
 *     values.c         the arguments of subs
 *     evals.c          string evals by where they are done
 *     target.c         a process whose stacks are taken again and again
 *     threads.c        which threads have interpreters
 *     rejected.c       processes that cannot be sampled
 *     hunt.c           finds the processes and threads that are wanted
 *
 *   offsets/           the tables for released perls, and what makes them
 *
 * How a sample is taken: CONTRIBUTING.md, "The sampler". test/whole/architecture.t checks the order of the
 * folders.
 *
 * What is kept between samples. A statement or sub is kept by its address, which perl reuses. Each look-up
 * has a number, its generation. An entry is valid if the look-up that checked it last (`checked`) is not
 * before the last one that met a new PL_cop_seqmax (`valid_from`), since perl has compiled nothing in
 * between. A closure may come at the address of another at any time, so closures are checked in each sample.
 * `planned` is the last look-up that has asked for the bytes of an entry, so that none is read twice. Only
 * prefetch.c sets planned, and only consistency.c and scope.c set checked; both are members of the entries to
 * save another table.
 *
 * Words:
 *
 *   around       the code that a statement or a call is part of, and its sub: a sampler_scope
 *   outer, within  of calls: nearer to the main program; made by the call or by one that it made
 *   candidate    a statement that may be the one that runs: read before or after the calls, or a caller of
 *                calls that have ended
 *   sure         of calls: outer ones, which cannot have ended while they were read
 *   short-lived  of subs: closures, and subs without a name
 *   paged        of an interpreter: read by way of pages.c
 *   torn         of a sample: what was read does not fit together
 */
#pragma once

#include "sampler/perl/offsets_dir.h"
#include "sampler/perl/recent.h"
#include "sampler/process/process.h"
#include "sampler/sample/evals.h"
#include "sampler/sample/hunt.h"
#include "sampler/sample/meter.h"
#include "sampler/sample/target.h"
#include "sampler/sample/values.h"
