/* Processes that were looked at and cannot be sampled. They are not looked at again until they execute
 * something else. */
#ifndef RECORD_REJECTED_H
#define RECORD_REJECTED_H

#include "interpreter.h"
#include "process.h"

typedef struct record_rejected record_rejected;

record_rejected *record_rejected_new(void);
void record_rejected_free(record_rejected *rejected);

typedef struct record_rejection {
    enum record_found found;
    const char *why;
} record_rejection;

/* What was found when the process was rejected, valid until something is added; NULL: it was not, or executes
 * something else by now. exe is what /proc/PID/exe leads to. now_ns never goes back. */
const record_rejection *record_rejected_find(record_rejected *rejected, const record_process *process,
                                             const char *exe, int64_t now_ns);

/* Adds a process in which found was found, and copies why. exe was read before that. Does nothing where
 * another look may find a perl: where its interpreter has not started, or the process could not be read. What
 * is not a perl counts as rejected when it still executes exe a second after the first look, because it may
 * not have mapped its libraries then. */
void record_rejected_add(record_rejected *rejected, const record_process *process, const char *exe,
                         enum record_found found, const char *why, int64_t now_ns);

/* Ends a look at all processes: forgets those that were not looked for since the last one, as they are gone.
 */
void record_rejected_end_look(record_rejected *rejected);

#endif
