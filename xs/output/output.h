/* The output of a profile: the interpreter's thread fills blocks with chunks, and a writing thread compresses
 * the blocks and writes them to the file. This module knows nothing of perl.
 *
 * The interpreter's thread reserves space, encodes whole chunks there with the primitives of lib/, and
 * publishes them. The writing thread writes full blocks at once, and everything that is published every 0.2
 * s, at the begin and after prof_output_hurry() more often. So a killed process loses no more than the last
 * 0.3 s, even on a busy machine, and no more than a part of what it recorded.
 */
#pragma once

#include "format/chunks.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

enum {
    PROF_EVENT_MAX = 256,       /* bytes that prof_output_reserve() guarantees */
    PROF_OUTPUT_BLOCKS_MAX = 16 /* blocks of one output: the current one, full ones and unused ones */
};

typedef struct prof_output {
    _Atomic(unsigned char *) at; /* end of the published chunks; only the interpreter's thread stores it */
    unsigned char *limit;        /* past it, less than PROF_EVENT_MAX bytes are left in the block */
    struct prof_output_private *priv;
} prof_output;

/* Creates the file at path, which is absolute (paths.h), as base/newfile.h describes: an existing file is
 * unlinked first, a device is opened as it is, and ".PID" is appended if another process is writing path. The
 * new file has the mode of open(2). The descriptor is close-on-exec. Soon after prof_output_begin() it is in
 * the descriptor table of the writing thread only, where the system can do that (Linux 5.9), so that the
 * program cannot close it; elsewhere it is moved to a high number and checked before each write. level 0: not
 * compressed. Returns NULL on failure; *why is then a static text or one of strerror(). */
prof_output *prof_output_open(const char *path, int level, const char **why);

/* Returns the path that was opened. */
const char *prof_output_path(const prof_output *output);

/* Writes a chunk. Before prof_output_begin(): the chunks of the header. After it: any binary chunk of any
 * size, and text of up to 64 KiB. Leaves out a chunk that no reader could read (a newline in an attribute, a
 * string of more than 32 MiB). Not for the hot path. */
void prof_output_chunk(prof_output *output, const nytp_chunk *chunk);

void prof_output_attribute(prof_output *output, const char *key, nytp_str value);

/* Writes an attribute whose value is 1 to 4 numbers, each an int64_t as its bits, after prof_output_begin().
 */
void prof_output_numbers(prof_output *output, const char *key, const uint64_t *numbers, int count);

/* Ends the header: writes START_DEFLATE if level asks for it, and starts the writing thread, if there is to
 * be one. Without one, the interpreter's thread writes full blocks, and the rest in prof_output_keep_up(). */
void prof_output_begin(prof_output *output, bool with_thread);

/* Call it from time to time: writes all that is published if there is no writing thread. */
void prof_output_keep_up(prof_output *output);

/* Has all that is published be in the file soon. The interpreter's thread does not wait for the writing
 * thread, but writes itself if there is none. */
void prof_output_hurry(prof_output *output);

/* Moves on to an empty block and returns its start. Waits for the writing thread if that has too many blocks
 * to write. */
unsigned char *prof_output_next_block(prof_output *output);

/* Returns space for PROF_EVENT_MAX bytes of whole chunks. */
static inline unsigned char *prof_output_reserve(prof_output *output)
{
    unsigned char *at = atomic_load_explicit(&output->at, memory_order_relaxed);
    return at <= output->limit ? at : prof_output_next_block(output);
}

/* Publishes what was written from the result of prof_output_reserve() up to end. */
static inline void prof_output_publish(prof_output *output, unsigned char *end)
{
    atomic_store_explicit(&output->at, end, memory_order_release);
}

/* For other threads: returns whether the interpreter's thread waits in prof_output_next_block(). */
bool prof_output_waits(prof_output *output);

/* Writes all that is published, and flushes: when this returns, the file can be read up to there. */
void prof_output_sync(prof_output *output);

/* Ends the writing thread. From here on the interpreter's thread writes the blocks. */
void prof_output_stop_thread(prof_output *output);

/* Completes the file: when this returns, all that is published is written and the file is closed. What is
 * published afterwards is lost. prof_output_failed() may still be called. */
void prof_output_finish(prof_output *output);

/* Finishes the output, unless that was done, and frees it. */
void prof_output_close(prof_output *output);

/* Before exec: mark() remembers how long the file is, and end_for_exec() completes it with all that was
 * published. If exec fails, resume() cuts the file back to the mark, and the output goes on. What is
 * published between end_for_exec() and resume() is kept in memory; if it fills a block, the file is cut back
 * at that moment. A device cannot be cut; then the output fails. */
void prof_output_mark(prof_output *output);
void prof_output_end_for_exec(prof_output *output);
void prof_output_resume(prof_output *output);

/* In a child after fork(): closes the child's copy of the descriptor and frees the output, without writing
 * anything. The writing thread and what was not written belong to the parent. */
void prof_output_abandon(prof_output *output);

/* For pthread_atfork(): called for each output of the process. */
void prof_output_before_fork(prof_output *output);
void prof_output_after_fork_in_parent(prof_output *output);

/* Whether writing has failed, because the disk is full for example; nothing more is written then. *message is
 * the reason in the first call that returns true, and NULL in later ones. It lives as long as output. */
bool prof_output_failed(prof_output *output, const char **message);
