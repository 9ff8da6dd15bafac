/* The end of the filters: gives what they pass on to the functions that read a run, or else keeps it as
 * chunks until it is read. A chunk or a part of a call that is passed on in a run is kept, and what follows
 * it. */
#pragma once

#include "events/filter.h"

#include <glib.h>

typedef struct nytp_filter_queue {
    nytp_filter filter;
    bool in_run;
    nytp_on_statement_fn *on_statement; /* these three during a run */
    nytp_on_return_fn *on_return;       /* may be NULL */
    void *context;
    uint32_t wanted;     /* tags of the chunks that the reader wants */
    GArray *chunks;      /* those that are kept */
    GStringChunk *texts; /* of attributes */
    guint next;          /* index of the one to deliver */
    uint64_t offset;     /* of the chunk that the filters take */
} nytp_filter_queue;

/* The filter's next one stays NULL. The caller must call nytp_filter_queue_clear(). */
nytp_filter_queue nytp_filter_queue_new(void);
void nytp_filter_queue_clear(nytp_filter_queue *queue);

/* Forgets the chunks. wanted: tags of those that the reader wants from here on. */
void nytp_filter_queue_empty(nytp_filter_queue *queue, uint32_t wanted);

/* Whether there are chunks, read or not. */
static inline bool nytp_filter_queue_has_some(const nytp_filter_queue *queue)
{
    return queue->chunks->len > 0;
}

/* Whether all of them were delivered. */
static inline bool nytp_filter_queue_is_read(const nytp_filter_queue *queue)
{
    return queue->next == queue->chunks->len;
}

/* Whether statements and calls are given to the functions of a run. */
static inline bool nytp_filter_queue_gives(const nytp_filter_queue *queue)
{
    return queue->in_run && !nytp_filter_queue_has_some(queue);
}

/* Sets *chunk to the next one, which is there. */
void nytp_filter_queue_deliver(nytp_filter_queue *queue, nytp_chunk *chunk);
