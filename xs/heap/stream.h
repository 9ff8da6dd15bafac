/* The stream of samples: what becomes of each, in the order in which it did, as records in attributes
 * `heap_records` of FILE (doc/format.md has their form). A process has one, in the FILE of the interpreter
 * that owns it: the first one of a program, and in a forked child the one that runs.
 *
 * Records are put together here, by any thread, and written by the owner's thread, at its first event some
 * milliseconds later. So a killed process loses few of them, but for those of other threads while the owner's
 * has no events.
 */
#pragma once

#include "nytprof.h"

#include "base/calibrate.h"
#include "heap/addresses.h"
#include "heap/sites.h"

/* The functions of this part are called with the lock (addresses.h). */

/* Returns whether there is a stream. */
bool prof_stream_is_on(void);

/* Begins the stream of the context, instead of the one that there was. */
void prof_stream_begin(prof *owner);
void prof_stream_end(void);

/* Whether the context has the stream. */
bool prof_stream_is_of(const prof *p);

/* Declare what samples have in common. Return numbers in the stream; that of the root is 0. */
uint32_t prof_stream_file(const char *name);
uint32_t prof_stream_node(const prof *p, uint32_t parent, uint32_t arc);
uint32_t prof_stream_site(uint32_t node, const char *kind, prof_heap_place place);

/* A sample is live from here on. Returns its slot. */
uint32_t prof_stream_alloc(const prof_sample *sample);

/* How sparse samples are to be (prof_sample), so that their records take at most some 50 KB in a second. */
unsigned prof_stream_sparser(void);

/* The sample is about to be freed. */
void prof_stream_free(uint32_t slot);

/* A walk over perl's values begins (holders.h): what was said of holders is over. Holders are numbered from 1
 * on in each, in the order in which they are declared. Of a walk that is not whole, nothing is said. */
void prof_stream_walk(bool is_whole);
void prof_stream_holder(uint32_t parent, nytp_str step);
void prof_stream_held(uint32_t slot, uint32_t holder);

/* A sample without a record is live from here on, or is no longer: it was live at the begin, or taken while
 * nothing was recorded. What they have together is in the stream, so that all samples add up. */
void prof_stream_add_other(const nytp_sampled *amount);
void prof_stream_remove_other(const nytp_sampled *amount);

/* The functions below take the lock, and do nothing for a context that does not own the stream. now: the
 * count of its clock. */

/* Writes the records since the last call. Writes NEW_FID, too, for files that FILE does not have yet.
 * perl_lives: as for prof_session_close(). */
void prof_stream_write(pTHX_ prof *p, uint64_t now, bool perl_lives);

/* Does that, and notes that the program is at the moment of that name. */
void prof_stream_mark(pTHX_ prof *p, const char *name, uint64_t now);
