/* The ids of traces that spans belong to: the attribute `trace_context`, "DEPTH TRACE SPAN". It stands where
 * the span at that depth has begun; without ids, the span has none. */
#pragma once

#include "format/marks.h"
#include "format/runs.h"
#include "model/names.h"

#include <glib.h>

enum { NYTP_TRACE_DIGITS = 32, NYTP_SPAN_DIGITS = 16 };

typedef struct nytp_trace {
    char trace[NYTP_TRACE_DIGITS + 1], span[NYTP_SPAN_DIGITS + 1]; /* hexadecimal */
} nytp_trace;

typedef struct nytp_traces {
    uint32_t deepest;   /* depth of the innermost open span that has ids; 0 if none has */
    uint32_t coroutine; /* number of the one that runs; 0 if none has a number */
    GArray *open;       /* spans of that coroutine that have ids, by depth */
    GArray *others;     /* those of other coroutines */
    nytp_trace left;    /* of the span that returned last */
    bool names_subs;    /* with their ids */
    uint32_t named;     /* how many subs it has named */
    GString *name;
} nytp_traces;

nytp_traces nytp_traces_new(void);
void nytp_traces_clear(nytp_traces *traces);

/* Notes what that attribute says. */
void nytp_traces_note(nytp_traces *traces, const nytp_mark *mark);

/* That coroutine of Coro runs from here on. Each has spans of its own. */
void nytp_traces_switch(nytp_traces *traces, uint32_t coroutine);

/* Forgets the open spans. */
void nytp_traces_forget(nytp_traces *traces);

/* Returns the ids of a call that returns at most at the deepest depth; NULL if it has none. Valid until
 * another returns. */
const nytp_trace *nytp_traces_leave(nytp_traces *traces, const nytp_return *returned);

/* For the span that nytp_traces_leave() has returned the ids of. If names_subs is true, returns the number of
 * its name with the ids, which nytp_trace_of_name() takes off it, so that spans with ids are subs of their
 * own. Those after the first 20,000 are not. */
uint32_t nytp_traces_sub(nytp_traces *traces, nytp_names *names, uint32_t sub);

/* Takes the ids off a name. Returns false if it has none. */
bool nytp_trace_of_name(nytp_str *name, nytp_str *trace, nytp_str *span);
