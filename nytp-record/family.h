/* The recorders of a process and its descendants, which become one profile in the end if that is wanted, and
 * what is said of them. */
#pragma once

#include "output.h"
#include "recorder.h"

/* The profiles of the processes of a recording, which become one file in the end. Until then each is a
 * complete profile of its own, so nothing is lost if this program is killed. */

typedef struct record_parts record_parts;

record_parts *record_parts_new(void);
void record_parts_free(record_parts *parts);

/* Notes a profile that was begun. The first one gets what all have. */
void record_parts_add(record_parts *parts, const record_outfile *outfile);

/* Merges the profiles into the first one, removes the others, and converts the result. complete: all of them
 * are. Returns 0, or -1 after saying what went wrong and where the profiles are. */
int record_parts_end(record_parts *parts, enum record_format format, bool complete);

typedef struct record_family record_family;

/* above: the process whose descendants are wanted, too: root, or this process, which gets those that root
 * leaves; pid 0: none are. options stay the caller's. */
record_family *record_family_new(sampler_process_id root, sampler_process_id above,
                                 const record_options *options);
void record_family_free(record_family *family);

/* Looks at the root process and the descendants that are wanted, and attaches to what is a perl and new.
 * After a profile could not be written, as on a full disk, it attaches to none. */
void record_family_look(record_family *family);

/* Samples all. Completes the profiles of those that ended. */
void record_family_sample(record_family *family);

/* Calls a function of recorder.h for all that are sampled. */
void record_family_each(const record_family *family, void (*call)(record_recorder *recorder));

/* How many are sampled, and how many ever were. */
size_t record_family_count(const record_family *family);
size_t record_family_total(const record_family *family);

/* Returns the processor time of children that the processes have waited for, without that of those that were
 * sampled; after record_family_finish(). If this process has started the root, the processor time of its own
 * children is to be added. */
double record_family_reaped_s(const record_family *family);

/* Returns whether none is sampled, and none will be, because a profile could not be written. */
bool record_family_has_ended(const record_family *family);

/* Sums over all that ever were. */
record_counts record_family_counts(const record_family *family);

/* How long to go on looking, from the start, as long as no process could be sampled. 0: none will come. The
 * root may have executed a perl just now, and does not look like one before it has mapped its libraries. */
int64_t record_family_patience_ns(const record_family *family);

/* Returns whether a profile could not be written, which was said. */
bool record_family_failed(const record_family *family);

/* Why there is none; "" if that is not known. */
const char *record_family_why(const record_family *family);

/* Why a process of another user could not be read; NULL if all could. */
const char *record_family_hidden(const record_family *family);

/* Returns the name of the first profile, or NULL if there is none or with --push. */
const char *record_family_file(const record_family *family);

/* Completes all profiles, and makes one of them if that is wanted. Returns 0, or -1 after saying what could
 * not be written. */
int record_family_finish(record_family *family);

typedef struct record_progress {
    bool on_terminal, shown;
} record_progress;

/* beside_command: a command that this program has started may write to the terminal at any time, so nothing
 * is written in between. */
void record_progress_begin(record_progress *progress, bool beside_command);
void record_progress_show(record_progress *progress, const record_family *family, double seconds);
void record_progress_end(record_progress *progress); /* wipes the line */

/* Says what was recorded, and which program shows it. file: of the first process; NULL
 * with --push. with_children: the descendants of the first process are sampled, too. */
void record_progress_sum(const record_counts *counts, const record_options *options, size_t processes,
                         const char *file, double seconds, bool with_children);
