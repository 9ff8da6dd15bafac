/* Where a profile's bytes go: blocks that the interpreter's thread fills, and a
 * thread that compresses and writes them. No perl in here.
 *
 * The interpreter's thread asks for room, writes whole chunks with lib/'s
 * primitives and publishes how far it came. The writing thread takes what is
 * published: whole blocks as they fill, and at least every 0.3 s whatever
 * there is, so that a killed process loses no more than that.
 */
#ifndef PROF_OUTPUT_H
#define PROF_OUTPUT_H

#include "chunks.h"

#include <stdatomic.h>
#include <sys/types.h>

enum {
    PROF_EVENT_ROOM = 256,       /* bytes that prof_output_room() promises */
    PROF_OUTPUT_MOST_BLOCKS = 16 /* that are filled or waiting */
};

typedef struct prof_output {
    _Atomic(unsigned char *) at; /* end of what is published; only the interpreter's thread stores */
    unsigned char *limit;        /* from here on less than PROF_EVENT_ROOM is left in the block */
    struct prof_output_rest *rest;
} prof_output;

/* Creates path: an existing file is unlinked first and the new one created
 * exclusively, mode as open(2) makes it; what is under /dev/, but not in /dev/shm/,
 * is opened as it is. Where path is being written (that holds a lock), ".PID" is appended. The
 * descriptor is close-on-exec; soon after prof_output_begin() it is in the thread's own
 * table only, where the system has that (Linux 5.9), so that the program cannot
 * close it; elsewhere it is high up, and looked at before each write. level 0: not compressed. NULL: *why is
 * a static or strerror() text. */
prof_output *prof_output_open(const char *path, int level, const char **why);

/* The path as it was opened, absolute. */
const char *prof_output_path(const prof_output *output);

/* Header chunks, before prof_output_begin(); any binary chunk of any size afterwards too,
 * and text of up to 64 KiB.
 * One that no reader could read (a newline in an attribute, a string of more
 * than 32 MiB) is left out. Not for the hot path. */
void prof_output_chunk(prof_output *output, const nytp_chunk *chunk);

/* The header is complete: START_DEFLATE follows if level asks for it, and the
 * thread starts. Where there can be none, blocks are written in line. */
void prof_output_begin(prof_output *output);

/* Gets a block with room; waits for the writing thread if that is far behind. */
unsigned char *prof_output_next_block(prof_output *output);

/* A place for PROF_EVENT_ROOM bytes of whole chunks. */
static inline unsigned char *prof_output_room(prof_output *output)
{
    unsigned char *at = atomic_load_explicit(&output->at, memory_order_relaxed);
    return at <= output->limit ? at : prof_output_next_block(output);
}

/* What was written from prof_output_room()'s result up to end may go to the file. */
static inline void prof_output_publish(prof_output *output, unsigned char *end)
{
    atomic_store_explicit(&output->at, end, memory_order_release);
}

/* All that is published is in the file when this returns, in a state that a reader can read up to there. */
void prof_output_sync(prof_output *output);

/* The writing thread ends; what is published is written in line from now on. */
void prof_output_go_alone(prof_output *output);

/* Ends the file: all of it is written, complete and readable when this returns. What is published
 * afterwards is lost. prof_output_failed() may still be asked. */
void prof_output_finish(prof_output *output);

/* The same if need be, and frees. */
void prof_output_close(prof_output *output);

/* Before exec: remember() notes how far the file is; end_for_now() ends it there and then, whole and
 * readable, with what was written since. When exec fails, resume() takes back what was written since
 * remember(), and goes on. What is published before that waits; when it cannot wait any longer, the end is
 * taken back for it. What is under /dev/ cannot be taken back: that is a failure then. */
void prof_output_remember(prof_output *output);
void prof_output_end_for_now(prof_output *output);
void prof_output_resume(prof_output *output);

/* In the child after a fork: the thread is not there, what was not written is the
 * parent's. Closes the child's descriptor and frees, touching nothing else. */
void prof_output_abandon(prof_output *output);

/* Around fork(), for every output of the process (pthread_atfork). */
void prof_output_before_fork(prof_output *output);
void prof_output_after_fork_in_parent(prof_output *output);

/* Whether writing has failed (disk full, ...). The first time it has, *message is
 * what to tell, once (then NULL); nothing more is written. Lives as long as output. */
bool prof_output_failed(prof_output *output, const char **message);

#endif
