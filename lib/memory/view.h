/* Views of the memory that a profile of time has samples of (heap=1): what was live at a moment, what came
 * between two, and so on. A view is a profile of memory. */
#pragma once

#include "nytprof.h"

#include "events/filters.h"
#include "memory/history.h"

/* Reads what --memory says:
 *
 *     live          when the program ended, or at the last sample of one that was killed
 *     peak          when most was live
 *     alloc         all that was allocated
 *     temporary     of that, what was freed within 1 ms
 *     held          what was live when the program ended, by the variables that hold it
 *     held=NAME     the same of a moment that the program has named
 *     at=MOMENT     what was live then
 *     grown=A..B    what is live at B and was not at A, less what went; either may be missing
 *
 * A moment is a time since the first process began, such as 3.2s, or the name that the program has given it
 * by DB::heap_snapshot(). The peak is that of each process; that of all of them together is their peak in the
 * range that nytp_memory_history_peak() returns. Names in the view are interned, and so never freed. Returns
 * NULL, or what is wrong. */
const char *nytp_memory_view_read(const char *text, nytp_memory_view *view);

/* As --memory has them, and the attribute memory_of. */
extern const char *const nytp_memory_of_names[];

/* Returns the view of a whole run. */
nytp_memory_view nytp_memory_view_of(enum nytp_memory_of of);

/* Returns whether it is of moments of its own. */
bool nytp_memory_view_has_moments(const nytp_memory_view *view);

/* Returns a source of the view of the profile that the reader gives, of which it takes no ownership; NULL
 * with a message in err if there is no such view. With a range of the filters, in which there are no shares,
 * it is of what happened within it: live is what was live at its end. */
nytp_source *nytp_memory_view_source(nytp_reader *reader, const nytp_memory_view *view,
                                     const nytp_filter_options *filters, const char *name, nytp_error *err);

/* Adds the processes of another profile to a history; filters as above. */
void nytp_memory_history_read(nytp_memory_history *history, nytp_reader *reader,
                              const nytp_filter_options *filters);

/* Adds their parts: the holders, or the peaks, which are those in the range of the filters. */
void nytp_memory_history_read_parts(nytp_memory_history *history, nytp_records *parts, nytp_reader *reader,
                                    const nytp_filter_options *filters);
