/* Marks: attributes that say something of the place where they stand, or of its process (doc/format.md). The
 * value of one is numbers with blanks between them, the last of which may be missing; some have words after
 * them.
 *
 * Chunks have marks as text. Whoever uses one reads it, and says in a switch what becomes of each kind.
 *
 * A new kind is a row of NYTP_MARKS() and the list of its numbers, by which nytprofmerge scales ticks and
 * changes fids, and the filter of string evals changes depths.
 */
#pragma once

#include "nytprof.h"

#include <stdbool.h>

/* What each number is: TICKS of the profile's clock, the DEPTH of a call, how many calls are OPEN, a FID, a
 * LINE, a CHANGE, which may be below 0, or another NUMBER. Numbers that are missing are 0. */
#define NYTP_MARK_NUMBERS_clock(X)                                                                           \
    X(TICKS, passed_ticks) X(TICKS, idle_ticks) X(TICKS, off_ticks) X(OPEN, depth) X(TICKS, counted_ticks)
#define NYTP_MARK_NUMBERS_coroutine(X) X(NUMBER, number)
#define NYTP_MARK_NUMBERS_parts(X)     X(NUMBER, count)
#define NYTP_MARK_NUMBERS_state(X)     X(NUMBER, run_ns) X(NUMBER, wait_ns) X(NUMBER, sleep_ns)
#define NYTP_MARK_NUMBERS_waits(X)     X(NUMBER, are_measured)
#define NYTP_MARK_NUMBERS_waited(X)                                                                          \
    X(DEPTH, depth) X(TICKS, asleep_ticks) X(TICKS, queued_ticks) X(NUMBER, of_process)
#define NYTP_MARK_NUMBERS_request(X)        X(NUMBER, id) X(TICKS, begin_ticks) X(TICKS, end_ticks)
#define NYTP_MARK_NUMBERS_trace_context(X)  X(DEPTH, depth)
#define NYTP_MARK_NUMBERS_memory(X)         X(NUMBER, blocks) /* nytp_memory_read() is stricter */
#define NYTP_MARK_NUMBERS_memory_at(X)      X(TICKS, ticks) X(NUMBER, rss_bytes) X(NUMBER, values)
#define NYTP_MARK_NUMBERS_eval_begin(X)     X(OPEN, depth) X(FID, fid) X(LINE, line)
#define NYTP_MARK_NUMBERS_eval_end(X)       X(OPEN, depth) X(TICKS, ticks) X(NUMBER, is_part)
#define NYTP_MARK_NUMBERS_wait_for_cpu(X)   X(NUMBER, seconds)
#define NYTP_MARK_NUMBERS_process_cpu_s(X)  X(NUMBER, seconds)
#define NYTP_MARK_NUMBERS_process_cut(X)    X(NUMBER, is_cut)
#define NYTP_MARK_NUMBERS_sampled_lost_s(X) X(NUMBER, seconds)
#define NYTP_MARK_NUMBERS_kept(X)           X(CHANGE, own_values) X(CHANGE, values)
#define NYTP_MARK_NUMBERS_left(X)           X(CHANGE, values)
#define NYTP_MARK_NUMBERS_heap_records(X)   X(TICKS, ticks) /* of the first record; the words: heap.h */
#define NYTP_MARK_NUMBERS_heap_file(X)      X(FID, fid) X(NUMBER, file)
#define NYTP_MARK_NUMBERS_heap_mark(X)      X(TICKS, ticks)

/* All kinds: the name, the key, whether words follow the numbers, and whether it is of a moment: the
 * collector writes such a mark between any two events. Others are of what comes next. */
#define NYTP_MARKS(X)                                                                                        \
    X(CLOCK, clock, false, true)                                                                             \
    X(COROUTINE, coroutine, false, false)                                                                    \
    X(PARTS, parts, false, false)                                                                            \
    X(STATE, state, false, false)                                                                            \
    X(WAITS, waits, false, false)                                                                            \
    X(WAITED, waited, false, true)                                                                           \
    X(REQUEST, request, false, true)                                                                         \
    X(TRACE_CONTEXT, trace_context, true, false)                                                             \
    X(MEMORY, memory, true, false)                                                                           \
    X(MEMORY_AT, memory_at, false, true)                                                                     \
    X(EVAL_BEGIN, eval_begin, false, true)                                                                   \
    X(EVAL_END, eval_end, false, true)                                                                       \
    X(WAIT_FOR_CPU, wait_for_cpu, false, true)                                                               \
    X(PROCESS_CPU, process_cpu_s, false, false)                                                              \
    X(PROCESS_CUT, process_cut, false, false)                                                                \
    X(SAMPLED_LOST, sampled_lost_s, false, false)                                                            \
    X(KEPT, kept, false, false)                                                                              \
    X(LEFT, left, false, false)                                                                              \
    X(HEAP_RECORDS, heap_records, true, true)                                                                \
    X(HEAP_FILE, heap_file, false, true)                                                                     \
    X(HEAP_MARK, heap_mark, true, true)

#define NYTP_MARK_KIND(name, key, has_words, is_of_moment) NYTP_MARK_##name,
enum nytp_mark_kind { NYTP_NO_MARK, NYTP_MARKS(NYTP_MARK_KIND) };
#undef NYTP_MARK_KIND

enum nytp_mark_number {
    NYTP_MARK_NUMBER,
    NYTP_MARK_CHANGE,
    NYTP_MARK_TICKS,
    NYTP_MARK_DEPTH,
    NYTP_MARK_OPEN,
    NYTP_MARK_FID,
    NYTP_MARK_LINE
};

enum { NYTP_MARK_MOST_NUMBERS = 5 };

typedef struct nytp_mark {
    enum nytp_mark_kind kind;
    unsigned count; /* of the numbers that are there */
    union {
        double numbers[NYTP_MARK_MOST_NUMBERS];
#define MEMBER(type, name) double name;
#define STRUCT(name, key, has_words, is_of_moment)                                                           \
    struct {                                                                                                 \
        NYTP_MARK_NUMBERS_##key(MEMBER)                                                                      \
    } key;
        NYTP_MARKS(STRUCT)
#undef STRUCT
#undef MEMBER
    };
    nytp_str words; /* with the blank before them; of the chunk that was read */
} nytp_mark;

/* A mark as a chunk. */
typedef struct nytp_mark_text {
    nytp_chunk chunk; /* points into text */
    char text[4608];  /* for the longest words: records of memory */
} nytp_mark_text;

/* Returns which mark a chunk is; NYTP_NO_MARK if it is none. */
enum nytp_mark_kind nytp_mark_kind(const nytp_chunk *chunk);

/* Sets *mark to what the chunk says. Returns false if it is not a mark or makes no sense: only the kind of
 * *mark is set then. */
bool nytp_mark_read(const nytp_chunk *chunk, nytp_mark *mark);

/* Makes a chunk of a mark. */
void nytp_mark_write(const nytp_mark *mark, nytp_mark_text *text);

/* Returns whether two marks of one kind have the same numbers. */
bool nytp_mark_is_same(const nytp_mark *a, const nytp_mark *b);

/* Returns what a number of that kind of mark is, counted from 0. */
enum nytp_mark_number nytp_mark_number(enum nytp_mark_kind kind, unsigned number);

/* Returns whether the mark is of a moment, not of what comes next. */
bool nytp_mark_is_of_moment(enum nytp_mark_kind kind);
