/* What the interpreter's thread and the writing thread of an output share. */
#pragma once

#include "bytes/deflate.h"
#include "output/outencoder.h"
#include "output/outfile.h"
#include "output/output.h"

#include <pthread.h>

typedef struct prof_block {
    struct prof_block *next;
    unsigned char *written; /* end of what was passed to the writer; only the thread that writes uses it */
    unsigned char *end;     /* end of the chunks in a full block */
    unsigned char bytes[];
} prof_block;

/* What the interpreter's thread asks the writing thread to do, after writing all that is published. */
typedef enum prof_output_task {
    PROF_OUTPUT_NOTHING,
    PROF_OUTPUT_SYNC,
    PROF_OUTPUT_MARK,
    PROF_OUTPUT_END_FOR_EXEC,
    PROF_OUTPUT_RESUME,
    PROF_OUTPUT_STOP_THREAD, /* the thread ends */
    PROF_OUTPUT_FINISH       /* the thread ends, and so does the file */
} prof_output_task;

/* The writing thread neither allocates nor frees anything of this, so the child of a fork() can free all of
 * it in any state. */
typedef struct prof_output_private {
    prof_outfile file;
    nytp_writer *writer;  /* used by the thread that writes */
    prof_encoder encoder; /* used by the interpreter's thread */
    int level;
    pid_t pid; /* of the process that opened the output */

    /* used only by the thread that writes */
    bool dirty;                       /* the writer holds bytes that were not flushed */
    nytp_deflate_effort has_time_for; /* to compress what it writes next */
    nytp_effort effort;
    bool ended; /* the file was completed for an exec: before more is written, the end must be cut off */
    off_t mark_bytes;
    nytp_deflate_mark mark;

    _Atomic bool failed;    /* nothing more is written; set by the thread that writes */
    const char *why_failed; /* set before failed is; NULL if the writer's error has the reason */
    bool failure_reported, finished;
    int shared_fd; /* the descriptor in the program's table; -1: only the writing thread's table has one */
    pthread_t thread;
    pid_t thread_id; /* the kernel's number, set by the thread */
    bool threaded;   /* there is a writing thread */

    /* For text chunks (format/writer.h): used by the interpreter's thread. */
    bool deflates;
    uint64_t at_begin;     /* where the current block begins in the stream; may be below 0, modulo 2^64 */
    uint64_t marked_bytes; /* where the mark is */

    pthread_mutex_t mutex;     /* protects what follows, and the move of at to another block */
    pthread_cond_t work_ready; /* a block is full, a task is set, or there is a hurry */
    pthread_cond_t work_done;  /* a block or a task is done */
    prof_block *current;       /* the block that at points into; NULL while waiting for one */
    prof_block *first_full, **last_full;
    prof_block *writing; /* taken from the full ones */
    prof_block *unused;
    int block_count;
    bool may_be_strong; /* the writer is prepared to compress with more than the lowest effort */
    prof_output_task task;
    bool hurries; /* what is published is to be in the file soon, but nobody waits for it */
} prof_output_private;

static inline unsigned char *prof_output_published(prof_output *o)
{
    return atomic_load_explicit(&o->at, memory_order_acquire);
}

static inline bool prof_output_ends_thread(prof_output_task task)
{
    return task == PROF_OUTPUT_FINISH || task == PROF_OUTPUT_STOP_THREAD;
}

/* The next three are for the thread that writes: the writing thread, or the interpreter's if there is none.
 */

/* Writes the chunks in the block up to end. */
void prof_output_write_block(prof_output_private *priv, prof_block *b, unsigned char *end);

/* Flushes the writer, so that readers see everything that was written. */
void prof_output_flush(prof_output_private *priv);

/* Runs a task. All published chunks must have been written. */
void prof_output_run_task(prof_output_private *priv, prof_output_task task);

/* The next two are for the interpreter's thread. */

/* Sets priv->threaded if the thread could be started. */
void prof_output_start_thread(prof_output *o);

/* Waits for a thread that was asked to end. When this returns, the kernel no longer counts the thread, unless
 * it takes unusually long. */
void prof_output_join_thread(prof_output_private *priv);
