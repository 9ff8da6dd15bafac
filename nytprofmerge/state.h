/* The state of a merge, which merge.c and placement.c share. */
#pragma once

#include "merge.h"

#include "base/pids.h"
#include "format/marks.h"
#include "format/writer.h"
#include "merge/fid_map.h"
#include "merge/merged_settings.h"
#include "merge/sub_map.h"
#include "model/names.h"
#include "model/records.h"

#include <glib.h>

typedef struct merge_arcs merge_arcs;

merge_arcs *merge_arcs_new(nytp_names *names); /* names stays the caller's */
void merge_arcs_free(merge_arcs *arcs);        /* not NULL */

/* Adds a SUB_CALLERS whose fid is the merged fid of the file that shows it. kept: the mark before it, without
 * numbers if there was none. origin_fid is the merged fid of
 * the file where the call was made. They differ if the line has moved to the first eval of its place. */
void merge_arcs_add(merge_arcs *arcs, const nytp_chunk *sub_callers, const nytp_mark *kept,
                    uint32_t origin_fid);

/* Calls each for the arcs, in order of first sight. An arc with more calls than fit into a chunk comes in
 * several chunks, the first of which has all of its time and values. kept is NULL if these are not known. */
typedef void merge_arc_fn(void *context, const nytp_chunk *sub_callers, const nytp_mark *kept,
                          uint32_t origin_fid);
void merge_arcs_each(const merge_arcs *arcs, merge_arc_fn *each, void *context);

size_t merge_arcs_count(const merge_arcs *arcs);

typedef struct merge_output {
    nytp_writer *writer;
    bool no_calls;     /* leave out the single calls */
    bool header_ended; /* everything that follows is compressed */
    bool failed;       /* an error was reported */
} merge_output;

/* Returns an output into out, which stays the caller's and is not flushed. level: of compression, which runs
 * on that many threads; 0: none. name: for messages. Says so and sets failed when out of memory. */
merge_output merge_output_new(FILE *out, const char *name, int level, unsigned threads, bool no_calls);
void merge_output_clear(merge_output *output);

/* The first of these functions that fails reports the error and sets failed; after that they do nothing.
 * Before the end of the header only settings and comments may be put. */
void merge_output_begin(merge_output *output, const nytp_merged_settings *settings);
void merge_output_end_header(merge_output *output);
void merge_output_put(merge_output *output, const nytp_chunk *chunk);
void merge_output_put_setting(merge_output *output, const nytp_chunk *chunk);
void merge_output_origin(merge_output *output, uint32_t fid); /* annotates the next chunk */
void merge_output_sub(merge_output *output, nytp_sub_map *subs, uint32_t range);
void merge_output_relay(merge_output *output, nytp_reader *reader, nytp_relay *events);
void merge_output_end(merge_output *output, nytp_sub_map *subs, const merge_arcs *arcs,
                      const nytp_merged_settings *settings);

/* Profiles that an earlier run left: FILE.PID among those that are merged, whose last process ended before
 * the first one of FILE began. */

typedef struct merge_earlier merge_earlier;

/* For this number of inputs. */
merge_earlier *merge_earlier_new(size_t inputs);
void merge_earlier_free(merge_earlier *earlier);

/* Note that a process of an input begins, or ends. Seconds since 1970. */
void merge_earlier_begin(merge_earlier *earlier, size_t input, double start_s);
void merge_earlier_end(merge_earlier *earlier, size_t input, double end_s);

/* Says so if there are such profiles. */
void merge_earlier_warn(const merge_earlier *earlier, const merge_inputs *inputs);

/* The last text of a source line: every input has the same ones. */
typedef struct merge_source_text {
    uint32_t fid, line;
    uint64_t hash; /* of 64 bits: texts with the same one are taken for the same */
} merge_source_text;

/* The start of a process of the current input that has not ended. */
typedef struct merge_open_process {
    double start_s;
    int64_t ticks_before; /* of all statements of the input that come before it */
} merge_open_process;

typedef struct merge_said merge_said;

typedef struct merge_state {
    const merge_inputs *inputs;
    const merge_options *options;
    const nytp_common_options *common;
    nytp_names *names; /* of subs, in sub_map and arcs */
    nytp_fid_map *fid_map;
    nytp_sub_map *sub_map;
    merge_said *said;
    merge_arcs *arcs;
    nytp_merged_settings *settings;
    nytp_records source_texts; /* merge_source_text */
    merge_output out;
    double ticks_per_sec;
    uint64_t processes;
    nytp_names *seen_processes; /* the pid, parent and start of each, as bytes */
    uint32_t earlier_processes; /* how many of them the files before the current one have */
    uint32_t application;       /* number of the one that was written last; 0: none */
    merge_earlier *earlier;
    bool warned_of_twice; /* a warning has said that a process came twice */
    bool failed;          /* an error was reported */

    size_t input;           /* number of the current file */
    uint32_t profile;       /* number of the current profile in that file */
    nytp_reader *ahead;     /* reads the file ahead of that; NULL: not needed yet */
    uint32_t ahead_profile; /* number of the profile in which it is */

    /* of the current profile, which is an input to fid_map */
    double scale;         /* how many ticks of the merged profile are one tick of the input */
    double rounded_ticks; /* of its statements, so scaled, what rounding has left out */
    bool was_merged;      /* it is a merged profile: its comments may be annotations */
    bool placed;          /* all its subs are known */
    uint32_t sub_infos;   /* how many of them, and of later definers, were read */
    bool discount;        /* a DISCOUNT was read, and its statement has not come yet */
    nytp_mark kept;       /* of the SUB_CALLERS that comes next, which has numbers if it was read */
    uint32_t origin;      /* from an annotation: fid of the eval that the next chunk comes from; 0: none */
    GArray *definers;     /* from annotations: uint32_t, fids of the evals that define the next sub */
    nytp_pids open_pids;
    GArray *open_processes; /* merge_open_process, by index in open_pids */
    int64_t ticks;          /* of its statements that were read */
    bool is_cut;            /* reading has ended before its end */
    uint64_t taken_bytes;   /* of the file, when reading ended */
} merge_state;

/* Puts the statements, arcs and source lines of an input into the files in which the merged profile shows
 * them.
 *
 * For an eval that is not the first of its place, that depends on all subs of the input (merge/fid_map.h).
 * When the first chunk of such an eval comes, the input is read ahead for its subs alone: a statement that
 * waited for them would have its time after the calls and marks that follow it.
 */

/* Returns the file with that fid, which is one of the chunk's. Returns NULL for fid 0, and, after reporting
 * an error, for a fid that has no NEW_FID. */
const nytp_mapped_file *merge_named_file(merge_state *m, const nytp_chunk *chunk, uint32_t fid);

/* Adds a NEW_FID. Returns false after reporting an error if its fid had another name. */
bool merge_add_file(merge_state *m, const nytp_chunk *chunk);

/* Put a statement, an arc or a source line in its file. */
void merge_place_time(merge_state *m, const nytp_chunk *chunk);
void merge_place_sub_callers(merge_state *m, const nytp_chunk *chunk);
void merge_place_src_line(merge_state *m, const nytp_chunk *chunk);

/* Adds a SUB_INFO, and an annotation that names more evals that define a sub. */
void merge_place_sub_info(merge_state *m, const nytp_chunk *chunk);
void merge_place_later_definers(merge_state *m, nytp_str text);

/* Finds out where the subs of the input are shown. Call it when all of them were added. */
void merge_place_subs(merge_state *m);

/* Reads the current profile, which was cut, again with its calls, and adds the arcs that it lacks: those of
 * the last calls, which it has not summed up. */
void merge_add_missing_arcs(merge_state *m);

/* What subs are, said where the input says it: before the calls from which readers conclude when something
 * happened (events/clock.h). What no event of its input follows is said at the end: readers of the input did
 * not know it either. */

merge_said *merge_said_new(void);
void merge_said_free(merge_said *said); /* NULL is fine */

/* Note a range of a sub (its number in m->sub_map), and a SUB_CALLERS that marks an xsub. */
void merge_note_range(merge_state *m, uint32_t range);
void merge_note_xsub(merge_state *m, const nytp_chunk *mark);

/* Returns whether something is noted that was not said. */
bool merge_has_unsaid(const merge_said *said);

/* Says what is noted. Call it before an event. */
void merge_say_noted(merge_state *m);

/* Leaves what is noted to the end of the merged profile, since the input has ended. */
void merge_leave_noted(merge_said *said);

/* Says what was left, in the order in which it was noted: a report of the merged profile has subs in the
 * order of one of its inputs. */
void merge_say_left(merge_state *m);
