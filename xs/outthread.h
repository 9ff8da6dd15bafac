/* What the interpreter's thread and the writing thread of an output share. */
#ifndef PROF_OUTTHREAD_H
#define PROF_OUTTHREAD_H

#include "output.h"
#include "outfile.h"
#include "wire.h"

#include <pthread.h>

typedef struct block {
    struct block *next;
    unsigned char *written; /* up to here it went to the writer; only who writes looks at it */
    unsigned char *end;     /* of a full one */
    unsigned char bytes[];
} block;

/* What the interpreter's thread asks for, and waits until it is done with all that is published. */
enum prof_output_task {
    PROF_OUTPUT_NOTHING,
    PROF_OUTPUT_SYNC,
    PROF_OUTPUT_REMEMBER,
    PROF_OUTPUT_END_FOR_NOW,
    PROF_OUTPUT_RESUME,
    PROF_OUTPUT_LEAVE,  /* the thread ends; that is what is waited for */
    PROF_OUTPUT_FINISH, /* it does, and so does the file */
};

/* Nothing that the writing thread does allocates or frees: what a fork's child finds can be freed at any
 * time. */
struct prof_output_rest {
    prof_outfile file;
    nytp_writer *writer;  /* the thread's, once there is one */
    nytp_writer *encoder; /* makes bytes of chunks; they come back through append() */
    bool encoding, deaf;  /* deaf: append() is to do nothing */
    int level;
    pid_t pid; /* who made it */

    /* only who writes looks at these */
    bool dirty; /* the writer has what was not flushed */
    bool ended; /* for now: before anything else is written, the end is taken back */
    off_t remembered_bytes;
    nytp_deflate_mark mark;

    _Atomic bool failed;    /* nothing more is written; set by who writes */
    const char *why_failed; /* set before failed is; NULL: the writer's error tells */
    bool told, finished;
    int shared_fd; /* the descriptor in the program's table; -1 when it is in the thread's alone */
    pthread_t thread;
    pid_t thread_id; /* the kernel's, set by the thread */
    bool threaded;

    pthread_mutex_t mutex; /* for what follows, and for at's moving to another block */
    pthread_cond_t work;   /* for the thread: a block is full, or somebody waits */
    pthread_cond_t done;   /* for the interpreter's thread */
    block *current;        /* that at points into; NULL: waiting for one */
    block *first_full, **last_full;
    block *writing; /* taken from the full ones */
    block *unused;
    int blocks; /* how many there are */
    enum prof_output_task task;
};

/* ---- for who writes: the thread, or the interpreter's where there is none ---- */

static inline unsigned char *prof_output_published(prof_output *o)
{
    return atomic_load_explicit(&o->at, memory_order_acquire);
}

/* What is in the block up to end. */
void prof_output_write_bytes(struct prof_output_rest *r, block *b, unsigned char *end);
void prof_output_flush(struct prof_output_rest *r);
void prof_output_do(struct prof_output_rest *r, enum prof_output_task task);

static inline bool prof_output_ends_thread(enum prof_output_task task)
{
    return task == PROF_OUTPUT_FINISH || task == PROF_OUTPUT_LEAVE;
}

/* threaded tells whether there is one now. */
void prof_output_start_thread(prof_output *o);
/* It was told to end. When this returns, it has: for the kernel, too. */
void prof_output_join_thread(struct prof_output_rest *r);

#endif
