/* libnytprof: read, fold and write Perl profiles (nytprof.out, formats 5.0 and 4.0; tmon.out is read too).
 *
 * How a profile is read:
 *
 *   1. Choose where the bytes come from: nytp_source_file(), _fd(), _memory()
 *      or _callback(). They fail for want of memory only: what else goes wrong
 *      sticks to the source and comes out of the first read.
 *   2. Make a reader over it: nytp_reader_new(). It owns the source from now on.
 *   3. Pull chunks: nytp_reader_next() until it returns something other than
 *      NYTP_OK. Strings in a chunk stay valid until the next call.
 *   4. Look at the end: NYTP_END, all was there; NYTP_CUT, the profile stops
 *      early and what came is good; negative, an error: nytp_reader_error().
 *   5. nytp_reader_free().
 *
 * What a reader yields can be folded, one chunk at a time, into
 *
 *   6. a call tree: nytp_calltree_*, one node per distinct stack;
 *   7. a profile: nytp_profile_*, files, lines, subs and call arcs.
 *
 * Writing goes the other way: nytp_sink_*, then nytp_writer_chunk().
 *
 * One convention for all functions that return int: negative is an error
 * (enum nytp_status), 0 is success, positive is an end. Errors stick to the
 * handle. Nothing here prints, exits or installs signal handlers. A handle is
 * used by one thread at a time; different handles are independent.
 */
#ifndef NYTPROF_H
#define NYTPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined __GNUC__
#pragma GCC visibility push(default)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* the union of nytp_chunk is C11: to C++ and C99 it is an extension */
#endif

#define NYTP_VERSION_STRING "0.1.0"

/* ---- status and errors ------------------------------------------------- */

enum nytp_status {
    NYTP_OK = 0,
    NYTP_END = 1,              /* the profile is complete */
    NYTP_CUT = 2,              /* the profile stops early: killed, still written, truncated */
    NYTP_ERR_IO = -1,          /* the system refused; message has its words */
    NYTP_ERR_FORMAT = -2,      /* not a profile, or a corrupt one */
    NYTP_ERR_UNSUPPORTED = -3, /* a profile of a kind this library cannot read */
    NYTP_ERR_MEMORY = -4,
    NYTP_ERR_ARGUMENT = -5 /* a chunk that cannot be written: newline in an attribute, ... */
};

typedef struct nytp_error {
    int code;          /* enum nytp_status */
    int tag;           /* tag byte of the chunk concerned, 0 if none */
    uint64_t offset;   /* byte in the chunk stream, counted after inflating */
    char message[512]; /* whole sentence: file, offset, what was expected */
} nytp_error;

/* ---- chunks -------------------------------------------------------------- */

/* The values are the tag bytes of the stream, but for NYTP_VERSION (the header line). */
typedef enum nytp_tag {
    NYTP_VERSION = 'N',
    NYTP_COMMENT = '#',
    NYTP_ATTRIBUTE = ':',
    NYTP_OPTION = '!',
    NYTP_START_DEFLATE = 'z',
    NYTP_PID_START = 'P',
    NYTP_PID_END = 'p',
    NYTP_NEW_FID = '@',
    NYTP_TIME_LINE = '+',
    NYTP_TIME_BLOCK = '*',
    NYTP_DISCOUNT = '-',
    NYTP_SUB_ENTRY = '>',
    NYTP_SUB_RETURN = '<',
    NYTP_SUB_INFO = 's',
    NYTP_SUB_CALLERS = 'c',
    NYTP_SRC_LINE = 'S'
} nytp_tag;

/* Flags of a file (fid). */
enum nytp_fid_flag {
    NYTP_FID_IS_PMC = 0x001,
    NYTP_FID_VIA_STMT = 0x002,
    NYTP_FID_VIA_SUB = 0x004,
    NYTP_FID_IS_AUTOSPLIT = 0x008,
    NYTP_FID_HAS_SRC = 0x010,
    NYTP_FID_SAVE_SRC = 0x020,
    NYTP_FID_IS_ALIAS = 0x040,
    NYTP_FID_IS_FAKE = 0x080,
    NYTP_FID_IS_EVAL = 0x100
};

/* Bytes, not NUL-terminated; may hold any byte. utf8 tells how perl saw them. */
typedef struct nytp_str {
    const char *bytes;
    size_t length;
    bool utf8;
} nytp_str;

typedef struct nytp_chunk {
    nytp_tag tag;
    uint64_t offset; /* of the chunk's first byte in the chunk stream */
    union {
        struct {
            uint32_t major, minor;
        } version;
        struct {
            nytp_str text;
        } comment; /* without its newline */
        struct {
            nytp_str key, value;
        } attribute; /* OPTION too */
        struct {
            uint32_t pid, parent;
            double time_s;
        } pid_start; /* epoch */
        struct {
            uint32_t pid;
            double time_s;
        } pid_end;
        struct {
            uint32_t fid, eval_fid, eval_line, flags;
            uint32_t size, mtime; /* bytes; epoch, s */
            nytp_str name;
        } new_fid;
        struct {
            int32_t ticks;
            uint32_t fid, line;
            uint32_t block_line, sub_line; /* TIME_BLOCK only, else 0 */
        } time;
        struct {
            uint32_t fid, line; /* of the caller */
            nytp_str name;      /* of the sub entered, from a tmon.out; a nytprof.out does not tell: empty */
        } sub_entry;
        struct {
            uint32_t depth; /* 1: called from outside any profiled sub */
            double incl_ticks, excl_ticks;
            nytp_str name;
        } sub_return;
        struct {
            uint32_t fid;
            nytp_str name;
            uint32_t first_line, last_line;
        } sub_info;
        struct {
            uint32_t fid, line; /* of the call */
            nytp_str caller;
            uint32_t count;
            double incl_s, excl_s, reci_s; /* reci: inclusive time of recursive calls */
            uint32_t max_depth;
            nytp_str called;
        } sub_callers;
        struct {
            uint32_t fid, line;
            nytp_str text;
        } src_line;
    };
} nytp_chunk;

/* "SUB_RETURN" and the like; "unknown" for a byte that is no tag. */
const char *nytp_tag_name(int tag);

/* The bit of a tag in a set of tags; NYTP_ALL_TAGS holds every one. */
uint32_t nytp_tag_bit(nytp_tag tag);
#define NYTP_ALL_TAGS UINT32_MAX

/* ---- sources --------------------------------------------------------------- */

typedef struct nytp_source nytp_source;

/* Reads up to size bytes into buffer. Returns how many, 0 at the end, or -errno. */
typedef ptrdiff_t nytp_read_fn(void *context, void *buffer, size_t size);

/* Each returns a new source, or NULL when out of memory. name is copied; it
 * opens every error message. */
nytp_source *nytp_source_file(const char *path);       /* "-" is standard input */
nytp_source *nytp_source_file_named(const char *path, const char *name); /* "-" is a file */
nytp_source *nytp_source_fd(int fd, const char *name); /* fd stays the caller's */
nytp_source *nytp_source_memory(const void *data, size_t size,
                                const char *name); /* data stays the caller's */
/* The function may be called on another thread, by one at a time; nytp_reader_free() waits for it to return.
 */
nytp_source *nytp_source_callback(nytp_read_fn *read, void *context, const char *name);
void nytp_source_free(nytp_source *source); /* NULL is fine; not for one that a reader owns */

/* ---- reader ---------------------------------------------------------------- */

typedef struct nytp_reader nytp_reader;

/* Takes ownership of source, also when it fails; NULL source or no memory: NULL. */
nytp_reader *nytp_reader_new(nytp_source *source);
void nytp_reader_free(nytp_reader *reader); /* NULL is fine */

/* Inflate on a thread that works ahead, or on up to four where a file is one that our writer compressed; AUTO,
 * the default: from 1 MiB on, and where the size is not known. Only before the first read. */
enum nytp_threads { NYTP_THREADS_AUTO, NYTP_THREADS_NEVER, NYTP_THREADS_ALWAYS };
void nytp_reader_set_threads(nytp_reader *reader, enum nytp_threads when);

/* Deliver only chunks whose tag is in the set (of nytp_tag_bit()s); the others
 * are decoded and checked, but passed over. Default NYTP_ALL_TAGS. */
void nytp_reader_set_wanted(nytp_reader *reader, uint32_t tags);

/* The most that may be held of the stream at a time: chunks are whole in memory, and so are the processes that
 * have not ended. base_bytes, and so many more for each byte of the file taken; a profile that wants more is
 * NYTP_ERR_MEMORY. For files that others made; by default there is no such bound. */
void nytp_reader_set_memory(nytp_reader *reader, uint64_t base_bytes, uint32_t bytes_per_byte);

/* How to read a tmon.out, which is what Devel::DProf writes; nothing else heeds it. */
enum nytp_clock { NYTP_CLOCK_USER_SYSTEM, NYTP_CLOCK_REAL, NYTP_CLOCK_USER, NYTP_CLOCK_SYSTEM };
typedef struct nytp_dprof_options {
    enum nytp_clock clock;
    bool with_overhead; /* leave in the times what the profiler itself took */
    bool number_anons;  /* keep anonymous subs of a package apart: main::__ANON__(1f), with their ids */
} nytp_dprof_options;

/* Only before the first read; the default is all zeros.
 *
 * A tmon.out is read as a profile of format 5.0 with one process, numbered 1, and one file, fid 1, in
 * which nobody knows lines. Ticks are of the clock chosen, dprof_hz of them in a second, and whole only
 * with_overhead. Each `$name=value;` of its header is an attribute dprof_name. A goto
 * is a return and an entry at the same depth. Calls without an exit mark return when their callers
 * do, or at the end; they make NYTP_CUT of it, with a message that names them. */
void nytp_reader_set_dprof(nytp_reader *reader, const nytp_dprof_options *options);

/* NYTP_OK and a chunk, NYTP_END, NYTP_CUT, or a negative error; the last three
 * for every further call too. */
int nytp_reader_next(nytp_reader *reader, nytp_chunk *chunk);

/* A TIME chunk without what only blocks=1 has, and the DISCOUNT before it. */
typedef struct nytp_statement {
    uint32_t fid, line;
    int32_t ticks;
    uint32_t executions; /* 1, or 0: goes on after a call, and was counted before */
} nytp_statement;

/* A faster way to get statements, which come by the million: as many of them as follow next, and at most
 * room, whether TIME chunks are wanted or not. Chunks of calls that are not wanted are passed over. 0: nytp_reader_next() has something else, or
 * the end. */
size_t nytp_reader_statements(nytp_reader *reader, nytp_statement *statements, size_t room);

/* What ended the stream. After NYTP_CUT it tells where, and which processes
 * have no end; before any end, code is NYTP_OK. Valid while reader lives. */
const nytp_error *nytp_reader_error(const nytp_reader *reader);

/* Lines that were skipped because they made no sense; first: the first one's message, or NULL. */
uint32_t nytp_reader_warnings(const nytp_reader *reader, const char **first);

/* From the attribute ticks_per_sec; 10,000,000 until it was seen. */
double nytp_reader_ticks_per_sec(const nytp_reader *reader);

/* How many chunks nytp_reader_next() came by so far, with those of a nytprof.out that were not wanted. */
uint64_t nytp_reader_chunks(const nytp_reader *reader);

/* Of a tmon.out, so far: what the profiler took itself, in ticks of the clock chosen; else 0. */
double nytp_reader_dprof_overhead(const nytp_reader *reader);

/* For progress: bytes of the file taken so far, and its size or 0 when unknown. */
void nytp_reader_position(const nytp_reader *reader, uint64_t *taken_bytes, uint64_t *size_bytes);

/* ---- sinks and writer --------------------------------------------------------- */

typedef struct nytp_sink nytp_sink;

/* Writes all of size bytes; 0, or -errno. */
typedef int nytp_write_fn(void *context, const void *data, size_t size);

/* Each returns a new sink, or NULL when out of memory. name is copied. */
nytp_sink *nytp_sink_fd(int fd, const char *name); /* fd stays the caller's */
nytp_sink *nytp_sink_callback(nytp_write_fn *write, void *context, const char *name);
void nytp_sink_free(nytp_sink *sink); /* not for one that a writer owns */

typedef struct nytp_writer nytp_writer;

/* Takes ownership of sink, also when it fails (NULL). level, 1 to 9, is how hard
 * to compress from a START_DEFLATE chunk on, on zlib's scale. */
nytp_writer *nytp_writer_new(nytp_sink *sink, int level);

/* Appends one chunk, as the reader would deliver it (offset is not looked at).
 * 0 or a negative error, which sticks. NYTP_VERSION comes first. */
int nytp_writer_chunk(nytp_writer *writer, const nytp_chunk *chunk);

/* Everything given so far reaches the sink, in a state that a reader can read up to here. */
int nytp_writer_flush(nytp_writer *writer);

/* Ends the compressed part, if one was begun, and flushes. No chunk may follow. */
int nytp_writer_finish(nytp_writer *writer);

const nytp_error *nytp_writer_error(const nytp_writer *writer);
void nytp_writer_free(nytp_writer *writer); /* does not finish: the profile stays cut */

/* ---- call tree ------------------------------------------------------------------ */

/* Every call folded into one node per distinct stack. Memory grows with the
 * number of distinct stacks, not of calls. Like everything below it aborts
 * when memory runs out (GLib). */
typedef struct nytp_calltree nytp_calltree;

/* Gives the name to show for a sub; called once for each distinct raw name.
 * Returns bytes from malloc(), which the tree takes, and their number. Subs
 * with equal shown names become one. */
typedef char *nytp_rename_fn(void *context, nytp_str raw, size_t *length);

/* rename NULL: names are shown as they are. */
nytp_calltree *nytp_calltree_new(nytp_rename_fn *rename, void *context);
void nytp_calltree_free(nytp_calltree *tree); /* NULL is fine */

/* Takes SUB_RETURN and PID_START, looks at no other chunk. A return at depth d
 * adopts the finished calls that wait at depth d+1. */
void nytp_calltree_add(nytp_calltree *tree, const nytp_chunk *chunk);

/* The tags it takes, for nytp_reader_set_wanted(). */
uint32_t nytp_calltree_wanted(void);

/* Ticks of the chunks to come are multiplied by this (1 at first): to sum files
 * with different ticks_per_sec. */
void nytp_calltree_set_scale(nytp_calltree *tree, double scale);

/* The stack ends here: calls whose parents have not returned hang off the
 * root. PID_START does this too; call it at the end of each file. */
void nytp_calltree_end_stack(nytp_calltree *tree);

typedef struct nytp_call {
    uint32_t sub;   /* dense number of the shown name */
    uint32_t depth; /* 0 for calls from outside any profiled sub */
    nytp_str name;  /* shown name */
    uint64_t calls;
    double excl_ticks, incl_ticks; /* times scale; incl = excl + that of all below */
    bool has_children;
} nytp_call;

/* Called for a node before its children; false: do not descend. */
typedef bool nytp_call_fn(void *context, const nytp_call *call);

/* Depth first, siblings in byte order of their names. Ends the stack first. */
void nytp_calltree_walk(nytp_calltree *tree, nytp_call_fn *visit, void *context);

/* Folds stacks of less inclusive time than min_ticks (times scale), and those deeper
 * than max_depth (1: calls from outside), into their callers, so that every sum is
 * kept. What is called from outside goes to one call of the name other. */
void nytp_calltree_prune(nytp_calltree *tree, double min_ticks, uint32_t max_depth, const char *other);

/* The tree turned over, for the caller to free: each stack from callee to
 * caller, with its calls and self time on the outermost caller, or on the last
 * one within max_depth (1: the callees alone). */
nytp_calltree *nytp_calltree_reverse(nytp_calltree *tree, uint32_t max_depth);

/* Sums over the whole tree. */
void nytp_calltree_totals(const nytp_calltree *tree, uint64_t *calls, double *excl_ticks);

/* Numbers of distinct stacks and of distinct shown names. */
void nytp_calltree_size(const nytp_calltree *tree, size_t *stacks, size_t *subs);

/* ---- profile ---------------------------------------------------------------------- */

/* What a profile says, summed up: files, statements by line, subs, and arcs
 * from caller to callee. Memory grows with what is distinct, not with events.
 *
 * Times are in ticks, of which there are nytp_profile_ticks_per_sec() in a
 * second. The stream tells those of arcs in seconds, rounded here to the whole
 * ticks that they were. Times can be negative: clocks step back.
 *
 * Whatever a function below returns belongs to the profile, strings too, and is
 * valid until the profile is added to, has its evals merged, or is freed. */
typedef struct nytp_profile nytp_profile;

nytp_profile *nytp_profile_new(void);
void nytp_profile_free(nytp_profile *profile); /* NULL is fine */

/* Takes the chunks of nytp_profile_wanted(), and looks at no other. */
void nytp_profile_add(nytp_profile *profile, const nytp_chunk *chunk);
uint32_t nytp_profile_wanted(void); /* for nytp_reader_set_wanted() */

/* Takes all that the reader still has, or a good part of it: NYTP_OK, call it again; else the reader's end.
 * Faster than a loop over chunks. */
int nytp_profile_read(nytp_profile *profile, nytp_reader *reader);

/* Makes one file of string evals that were done at the same place and have the
 * same text, or are more than 200 different ones there; for evals within evals
 * too. The first stays; its name replaces the others' in the names of subs, and
 * subs whose names become the same become one. Call it when all chunks were added;
 * numbers of subs and indexes of arcs change. */
void nytp_profile_merge_evals(nytp_profile *profile);

double nytp_profile_ticks_per_sec(const nytp_profile *profile);

/* Attributes and options, each key once with its last value, in order of first sight. */
typedef struct nytp_setting {
    nytp_tag tag; /* NYTP_ATTRIBUTE or NYTP_OPTION */
    nytp_str key, value;
} nytp_setting;

const nytp_setting *nytp_profile_settings(const nytp_profile *profile, size_t *count);
const nytp_setting *nytp_profile_setting(const nytp_profile *profile, nytp_tag tag,
                                         const char *key); /* NULL: none */

typedef struct nytp_process {
    uint32_t pid, parent;
    double start_s, end_s; /* epoch */
    bool ended;            /* false: there was no PID_END, and end_s means nothing */
} nytp_process;

const nytp_process *nytp_profile_processes(const nytp_profile *profile, size_t *count);

/* Files have dense numbers, from 0 in order of first sight, besides the fids of the stream. */
typedef struct nytp_file {
    uint32_t fid, number;
    nytp_str name;                /* empty: the stream never named it */
    uint32_t eval_fid, eval_line; /* of a string eval: where it was done; else 0 */
    uint32_t flags;               /* enum nytp_fid_flag */
    uint32_t size_bytes, mtime_s;
    uint64_t source_bytes, source_hash; /* of the text, for string evals that it was saved of; else 0 */
    uint32_t merged_into;               /* fid of the eval that has its lines and subs now; else 0 */
} nytp_file;

size_t nytp_profile_file_count(const nytp_profile *profile);
const nytp_file *nytp_profile_file(const nytp_profile *profile, size_t number);    /* NULL: no such number */
const nytp_file *nytp_profile_find_fid(const nytp_profile *profile, uint32_t fid); /* NULL: no such fid */

/* What the statement profiler saw at a line. */
typedef struct nytp_line {
    uint32_t line;
    uint64_t count; /* statements executed */
    int64_t ticks;
} nytp_line;

/* Gives the first line from *from on that ran and moves *from behind it; false when there is none:
 *     for (uint64_t from = 0; nytp_profile_next_line(profile, fid, &from, &line);) */
bool nytp_profile_next_line(const nytp_profile *profile, uint32_t fid, uint64_t *from, nytp_line *line);

/* Subs have dense numbers too. main::RUNTIME and main::NULL, who call where no sub does, are among them. */
enum nytp_sub_kind {
    NYTP_SUB_PERL,
    NYTP_SUB_XSUB,
    NYTP_SUB_OPCODE /* a built-in: main::CORE:print */
};

/* Where a sub is. A sub that several string evals define has several. */
typedef struct nytp_range {
    uint32_t fid;
    uint32_t first_line, last_line; /* 0 and 0: an xsub or built-in, of a package in that file */
} nytp_range;

typedef struct nytp_sub {
    nytp_str name;
    enum nytp_sub_kind kind;
    size_t range_count; /* 0: the stream does not tell where it is */
    const nytp_range *ranges;
} nytp_sub;

uint32_t nytp_profile_sub_count(const nytp_profile *profile);
bool nytp_profile_sub(const nytp_profile *profile, uint32_t number,
                      nytp_sub *sub); /* false: no such number */

/* All calls of a sub from one place by one caller. */
typedef struct nytp_arc {
    uint32_t caller, callee; /* numbers of subs */
    uint32_t fid, line;      /* of the call */
    uint64_t count;
    int64_t incl_ticks; /* of outermost calls only */
    int64_t excl_ticks; /* of all calls */
    int64_t reci_ticks; /* inclusive, of recursive calls */
    uint32_t max_depth; /* of the recursion */
} nytp_arc;

size_t nytp_profile_arc_count(const nytp_profile *profile);
const nytp_arc *nytp_profile_arc(const nytp_profile *profile, size_t index); /* NULL: no such index */

/* Sums over all lines and all arcs. */
typedef struct nytp_totals {
    uint64_t statements, calls;
    int64_t statement_ticks, excl_ticks;
} nytp_totals;

nytp_totals nytp_profile_totals(const nytp_profile *profile);

#if defined __GNUC__
#pragma GCC diagnostic pop
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
