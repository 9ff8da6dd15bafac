/* libnytprof: read, fold and write Perl profiles (nytprof.out, formats 5.0 and 4.0; tmon.out is read too).
 *
 * How a profile is read:
 *
 *   1. Choose where the bytes come from: nytp_source_file(), _follow(), _fd(),
 *      _memory() or _callback(). They return NULL only when out of memory; a file that
 *      cannot be opened is an error of the first nytp_reader_next().
 *   2. Make a reader over it: nytp_reader_new(). It owns the source from now on.
 *   3. Pull chunks: nytp_reader_next() until it returns something other than
 *      NYTP_OK. Strings in a chunk stay valid until the next call.
 *   4. Look at how it ended: NYTP_END, the profile is complete; NYTP_CUT, it stops
 *      early, and what came before is good; negative, an error. For the last two,
 *      nytp_reader_error() has the message.
 *   5. nytp_reader_free().
 *
 * Chunks can be summed up instead of handled one by one, in
 *
 *   6. a profile, nytp_profile_*: files, lines, subs and call arcs;
 *   7. a call tree, nytp_calltree_*: one node for each distinct stack.
 *
 * To write a profile: a sink, nytp_sink_*; a writer over it, nytp_writer_new();
 * nytp_writer_chunk() for each chunk, and nytp_writer_finish().
 *
 * All functions that return int follow one convention: negative is an error
 * (enum nytp_status), 0 is success, positive is an end. An error sticks to its
 * handle: later calls return it again. Nothing here prints or installs signal
 * handlers. Nothing here exits, except profiles and call trees when memory runs out.
 * Use a handle from one thread at a time; different handles are independent.
 *
 * doc/format.md in the sources describes the chunks and their order, and
 * doc/glossary.md the words: fid, tick, arc, exclusive time.
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
#pragma GCC diagnostic ignored "-Wpedantic" /* nytp_chunk has a C11 union, in C++ and C99 an extension */
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
    NYTP_ERR_ARGUMENT = -5 /* a chunk that cannot be written: a newline in an attribute, ... */
};

typedef struct nytp_error {
    int code;          /* enum nytp_status */
    int tag;           /* tag byte of the chunk where it happened; 0: none */
    uint64_t offset;   /* in bytes of the chunk stream, that is, after inflating */
    char message[512]; /* complete: file, offset, what was expected */
} nytp_error;

/* ---- chunks -------------------------------------------------------------- */

/* The kinds of chunks. Values are the tag bytes of the stream; NYTP_VERSION stands for the header line. */
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

/* Flags of a NEW_FID. A fid is the number of a file in the stream. */
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

/* Bytes without a terminating NUL; any byte may be among them. With utf8, perl had a string of characters,
 * which is encoded in UTF-8 here; without it, they are bytes or Latin-1. bytes may be NULL if length is 0. */
typedef struct nytp_str {
    const char *bytes;
    size_t length;
    bool utf8;
} nytp_str;

typedef struct nytp_chunk {
    nytp_tag tag;
    uint64_t offset; /* of its first byte in the chunk stream */
    union {
        struct {
            uint32_t major, minor;
        } version;
        struct {
            nytp_str text; /* without the newline */
        } comment;
        struct { /* of ATTRIBUTE and OPTION */
            nytp_str key, value;
        } attribute;
        struct {
            uint32_t pid, parent;
            double time_s; /* since 1970 */
        } pid_start;
        struct {
            uint32_t pid;
            double time_s; /* since 1970 */
        } pid_end;
        struct {
            uint32_t fid;
            uint32_t eval_fid, eval_line; /* of a string eval: where it was called; else 0 */
            uint32_t flags;               /* enum nytp_fid_flag */
            uint32_t size, mtime;         /* bytes; seconds since 1970 */
            nytp_str name;
        } new_fid;
        struct { /* of TIME_LINE and TIME_BLOCK */
            int32_t ticks;
            uint32_t fid, line;
            uint32_t block_line, sub_line; /* only in TIME_BLOCK: where block and sub begin */
        } time;
        struct {
            uint32_t fid, line; /* of the caller */
            nytp_str name;      /* of the sub that is entered; only from a tmon.out, else empty */
        } sub_entry;
        struct {
            uint32_t depth; /* 1: called from outside of all profiled subs */
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
            double incl_s, excl_s, reci_s; /* as nytp_arc's, in seconds */
            uint32_t max_depth;
            nytp_str called;
        } sub_callers;
        struct {
            uint32_t fid, line;
            nytp_str text;
        } src_line;
    };
} nytp_chunk;

/* Returns "SUB_RETURN" or the like; "unknown" if there is no such tag. */
const char *nytp_tag_name(int tag);

/* The bit of a tag. A set of tags is the bits of its tags, joined by |. */
uint32_t nytp_tag_bit(nytp_tag tag);
#define NYTP_ALL_TAGS UINT32_MAX

/* ---- sources --------------------------------------------------------------- */

typedef struct nytp_source nytp_source;

/* Reads up to size bytes into buffer. Returns how many, 0 at the end, or a negated errno. More than size is
 * an error. */
typedef ptrdiff_t nytp_read_fn(void *context, void *buffer, size_t size);

/* Each of these functions returns a new source, or NULL when out of memory. name is copied; every error
 * message begins with it. */
nytp_source *nytp_source_file(const char *path); /* "-" is standard input */

/* The file at path, even if that is "-". */
nytp_source *nytp_source_file_named(const char *path, const char *name);

/* The file at path, which may still be growing. At its end the source waits until the process that writes it
 * has closed it or ended: the collector and nytp-record hold flock(2) on their files until then. A file that
 * nobody has locked is read as it is, and so is a pipe. If the writing process fails to exec, it may
 * continue a file that this source already reported as ended. nytp_reader_next_profile() waits,
 * too.
 *
 * While it waits, the source calls wait (which may be NULL) about every 0.1 s. It does so on the thread that
 * reads, which is the caller's after nytp_reader_set_threads(reader, NYTP_THREADS_NEVER). If wait returns
 * false, the source ends. */
typedef bool nytp_wait_fn(void *context);
nytp_source *nytp_source_follow(const char *path, nytp_wait_fn *wait, void *context);

/* The descriptor or memory stays the caller's, and must live as long as the source. */
nytp_source *nytp_source_fd(int fd, const char *name);
nytp_source *nytp_source_memory(const void *data, size_t size, const char *name);

/* read may be called on another thread, but never on two at a time, and not after nytp_reader_free(). */
nytp_source *nytp_source_callback(nytp_read_fn *read, void *context, const char *name);

void nytp_source_free(nytp_source *source); /* NULL is fine. Not for a source that a reader owns */

/* ---- reader ---------------------------------------------------------------- */

typedef struct nytp_reader nytp_reader;

/* Takes ownership of source, also when it fails. Returns NULL when out of memory, or if source is NULL. */
nytp_reader *nytp_reader_new(nytp_source *source);
void nytp_reader_free(nytp_reader *reader); /* NULL is fine */

/* Whether to inflate on threads: on one that reads ahead, or on up to four if our writer made the file. AUTO
 * is the default: it does so for files of at least 1 MiB, and if the size is not known. Call it before the
 * first read. */
enum nytp_threads { NYTP_THREADS_AUTO, NYTP_THREADS_NEVER, NYTP_THREADS_ALWAYS };
void nytp_reader_set_threads(nytp_reader *reader, enum nytp_threads when);

/* Delivers only chunks whose tag is in the set, by default NYTP_ALL_TAGS. Other chunks are decoded and
 * checked, and then skipped, which is much faster. */
void nytp_reader_set_wanted(nytp_reader *reader, uint32_t tags);

/* Limits the memory that the reader itself may take: base_bytes, and bytes_per_byte for each byte of the file
 * that was read. A profile that needs more, for one huge chunk or for millions of processes that do not end,
 * ends with NYTP_ERR_MEMORY. base_bytes 0, the default: there is no limit. */
void nytp_reader_set_memory(nytp_reader *reader, uint64_t base_bytes, uint32_t bytes_per_byte);

/* How to read a tmon.out, which is what Devel::DProf writes. A nytprof.out is read as it is. */
enum nytp_clock { NYTP_CLOCK_USER_SYSTEM, NYTP_CLOCK_REAL, NYTP_CLOCK_USER, NYTP_CLOCK_SYSTEM };
typedef struct nytp_dprof_options {
    enum nytp_clock clock;
    bool with_overhead; /* times include the profiler's own */
    bool number_anons; /* anonymous subs of a package stay apart, named after their ids: main::__ANON__(1f) */
} nytp_dprof_options;

/* Call it before the first read; the default is all zeros.
 *
 * A tmon.out is read as a profile of format 5.0 with one process, pid 1, and one file, fid 1. It has no line
 * numbers: they are 0. Ticks are those of the chosen clock, dprof_hz in a second; they are not whole numbers
 * after the overhead was subtracted. Each `$name=value;` of the header becomes an attribute dprof_name. A
 * goto becomes a return and an entry at the same depth. Calls without an exit mark return when their callers
 * do, or at the end; the profile then ends with NYTP_CUT and a message that names them. */
void nytp_reader_set_dprof(nytp_reader *reader, const nytp_dprof_options *options);

/* Returns NYTP_OK with a chunk; or NYTP_END, NYTP_CUT or a negative error, and the same for every further
 * call. */
int nytp_reader_next(nytp_reader *reader, nytp_chunk *chunk);

/* Call it after NYTP_END or NYTP_CUT, to continue with the next profile of a source that has several, one
 * after the other, as `cat a b` writes them. Returns NYTP_OK if there is one: nytp_reader_next() then gives
 * its chunks, and *offset (offset may be NULL) is where it begins in the file. Returns NYTP_END if there is
 * none, or a negative error: NYTP_ERR_ARGUMENT if the profile before was not read to its end. Bytes after a
 * profile that are not another one are skipped with a warning, except for the comment that ends a compressed
 * profile. Warnings and the error are those of the new profile from here on. */
int nytp_reader_next_profile(nytp_reader *reader, uint64_t *offset);

/* What ended the stream after an error or NYTP_CUT; for the latter it also names the processes that have no
 * end. Otherwise its code is NYTP_OK. Valid while reader lives. */
const nytp_error *nytp_reader_error(const nytp_reader *reader);

/* Returns how many lines were skipped because they made no sense. *first (first may be NULL): a message for
 * the first of them. */
uint32_t nytp_reader_warnings(const nytp_reader *reader, const char **first);

/* The attribute ticks_per_sec; 10,000,000 until that was seen. */
double nytp_reader_ticks_per_sec(const nytp_reader *reader);

/* How many chunks were read. Includes those that were not wanted, except in a tmon.out. */
uint64_t nytp_reader_chunks(const nytp_reader *reader);

/* How many processes began and have not ended; 0 for a tmon.out. */
uint32_t nytp_reader_open_processes(const nytp_reader *reader);

/* For a tmon.out: the time that the profiler itself has taken, in ticks of the chosen clock. 0 for a
 * nytprof.out. */
double nytp_reader_dprof_overhead(const nytp_reader *reader);

/* For progress: how many bytes of the file were read, and its size, or 0 if that is unknown. */
void nytp_reader_position(const nytp_reader *reader, uint64_t *taken_bytes, uint64_t *size_bytes);

/* ---- sinks and writer --------------------------------------------------------- */

typedef struct nytp_sink nytp_sink;

/* Writes all of size bytes. Returns 0, or a negated errno. */
typedef int nytp_write_fn(void *context, const void *data, size_t size);

/* Each returns a new sink, or NULL when out of memory. name is copied. */
nytp_sink *nytp_sink_fd(int fd, const char *name); /* fd stays the caller's */
nytp_sink *nytp_sink_callback(nytp_write_fn *write, void *context, const char *name);
void nytp_sink_free(nytp_sink *sink); /* NULL is fine. Not for a sink that a writer owns */

typedef struct nytp_writer nytp_writer;

/* Takes ownership of sink, also when it fails. Returns NULL when out of memory, or if sink is NULL. Chunks
 * after a START_DEFLATE are compressed at that level: 1 to 9, as in zlib. */
nytp_writer *nytp_writer_new(nytp_sink *sink, int level);

/* Appends a chunk, as a reader would deliver it; its offset is ignored. NYTP_VERSION must come first. Returns
 * 0, or a negative error; so do the next two. */
int nytp_writer_chunk(nytp_writer *writer, const nytp_chunk *chunk);

/* Writes everything to the sink, so that a reader can read up to here. */
int nytp_writer_flush(nytp_writer *writer);

/* Ends the compressed part, if there is one, and flushes. No chunk may follow. */
int nytp_writer_finish(nytp_writer *writer);

const nytp_error *nytp_writer_error(const nytp_writer *writer);

/* NULL is fine. Does not finish the profile: it is cut, unless nytp_writer_finish() was called. */
void nytp_writer_free(nytp_writer *writer);

/* ---- deflating -------------------------------------------------------------- */

/* Raw deflate (RFC 1951), as in web pages and archives. level is 1 to 9, as in zlib. write gets the
 * compressed bytes. Functions that return int return 0, or what write returned when it failed first; it is
 * not called again after that. */
typedef struct nytp_raw_deflate nytp_raw_deflate;
nytp_raw_deflate *nytp_raw_deflate_new(int level, nytp_write_fn *write, void *context); /* NULL: no memory */
int nytp_raw_deflate_write(nytp_raw_deflate *deflate, const void *data, size_t size);
int nytp_raw_deflate_finish(nytp_raw_deflate *deflate); /* nothing may be written afterwards */
void nytp_raw_deflate_free(nytp_raw_deflate *deflate);  /* NULL is fine */

/* ---- call tree ------------------------------------------------------------------ */

/* All calls, with one node for each distinct stack. Memory grows with the number of distinct stacks, not of
 * calls. Like everything below, it ends the program when memory runs out, as GLib does.
 *
 *     nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
 *     nytp_reader_set_wanted(reader, nytp_calltree_wanted());
 *     while ((rc = nytp_calltree_read(tree, reader)) == NYTP_OK) {
 *     }
 *     nytp_calltree_end_profile(tree);
 *     ... the same for more profiles, or:
 *     nytp_calltree_walk(tree, print_call, NULL);
 */
typedef struct nytp_calltree nytp_calltree;

/* Returns the name to show for a sub, as bytes from malloc(), which the tree frees, and sets *length to their
 * number. Called once for each distinct raw name. Subs with the same shown name become one. */
typedef char *nytp_rename_fn(void *context, nytp_str raw, size_t *length);

/* rename may be NULL: names are shown as they are. */
nytp_calltree *nytp_calltree_new(nytp_rename_fn *rename, void *context);
void nytp_calltree_free(nytp_calltree *tree); /* NULL is fine */

/* The tags that a tree without a root needs, for nytp_reader_set_wanted(). */
uint32_t nytp_calltree_wanted(void);

/* Makes main::RUNTIME the caller of all calls from outside, so that it is the root of all stacks. It has one
 * call for each process. Its exclusive time is that of the code outside of all subs: the time of all
 * statements less the exclusive time of all calls; 0 for a profile without statements, such as a tmon.out.
 * Call it before the first chunk. */
void nytp_calltree_show_root(nytp_calltree *tree);

/* The tags that this tree needs: those of nytp_calltree_wanted() and, if it shows a root, those of
 * statements. */
uint32_t nytp_calltree_tags(const nytp_calltree *tree);

/* Reads some thousands of chunks into the tree, faster than a loop over nytp_reader_next(). Returns NYTP_OK
 * if it must be called again, otherwise what nytp_reader_next() returned at the end. */
int nytp_calltree_read(nytp_calltree *tree, nytp_reader *reader);

/* Adds one chunk. A chunk whose tag is not in nytp_calltree_tags() is ignored. A sub that returns at depth d
 * becomes the caller of the calls that have returned at depth d + 1 and have no caller yet. */
void nytp_calltree_add(nytp_calltree *tree, const nytp_chunk *chunk);

/* Call it after each profile. Calls whose callers have not returned then count as called from outside. */
void nytp_calltree_end_profile(nytp_calltree *tree);

/* The ticks of the tree, to which those of every profile are converted: by default those of the first
 * profile. Set it before the first chunk. */
void nytp_calltree_set_ticks_per_sec(nytp_calltree *tree, double ticks_per_sec);
double nytp_calltree_ticks_per_sec(const nytp_calltree *tree);

typedef struct nytp_call {
    uint32_t sub;      /* number of the shown name, counted from 0 */
    uint32_t depth;    /* 0: called from outside of all profiled subs */
    nytp_str name;     /* as shown */
    uint64_t calls;    /* of a profile made of samples: samples without those of the nodes below it */
    double excl_ticks; /* ticks of the tree */
    double incl_ticks; /* of the node and all nodes below it */
    bool has_children;
} nytp_call;

/* Called for a node before its children, which are left out if it returns false. */
typedef bool nytp_call_fn(void *context, const nytp_call *call);

/* Ends the profile, then calls visit for all nodes, depth first, siblings in byte order of their names. */
void nytp_calltree_walk(nytp_calltree *tree, nytp_call_fn *visit, void *context);

/* Folds nodes with less inclusive time than min_ticks (ticks of the tree), and nodes deeper than max_depth
 * (1: only calls from outside are left), into their callers, so that sums do not change. Calls from outside
 * are folded into one call of the name `other`. */
void nytp_calltree_prune(nytp_calltree *tree, double min_ticks, uint32_t max_depth, const char *other);

/* Returns a new tree with each stack reversed, callee first; the caller frees it. Calls and exclusive time of
 * a stack are those of its last node: its outermost caller, or the last one within max_depth (1: there are no
 * callers). */
nytp_calltree *nytp_calltree_reverse(nytp_calltree *tree, uint32_t max_depth);

/* Sums over all calls that were added. */
void nytp_calltree_totals(const nytp_calltree *tree, uint64_t *calls, double *excl_ticks);

/* How many distinct stacks there are, and how many distinct shown names. */
void nytp_calltree_size(const nytp_calltree *tree, size_t *stacks, size_t *subs);

/* ---- profile ---------------------------------------------------------------------- */

/* A profile summed up: files, statements by line, subs, and arcs from caller to callee. Memory grows with
 * what is distinct, not with events.
 *
 *     nytp_profile *profile = nytp_profile_new();
 *     nytp_reader_set_wanted(reader, nytp_profile_wanted());
 *     while ((rc = nytp_profile_read(profile, reader)) == NYTP_OK) {
 *     }
 *     if (rc < 0)
 *         ... nytp_reader_error(reader); the profile has what came before
 *     nytp_profile_merge_evals(profile);
 *
 * Times are in ticks; nytp_profile_ticks_per_sec() of them are a second. The stream has times of arcs in
 * seconds; here they are the whole ticks that were measured. Times can be negative, because clocks step back.
 *
 * The profile owns everything that the functions below return, strings included. It is valid until something
 * is added to the profile, its evals are merged, or it is freed. */
typedef struct nytp_profile nytp_profile;

nytp_profile *nytp_profile_new(void);
void nytp_profile_free(nytp_profile *profile); /* NULL is fine */

/* The tags that the profile needs, for nytp_reader_set_wanted(). */
uint32_t nytp_profile_wanted(void);

/* Reads some thousands of chunks into the profile, faster than a loop over nytp_reader_next(). Returns
 * NYTP_OK if it must be called again, otherwise what nytp_reader_next() returned at the end. */
int nytp_profile_read(nytp_profile *profile, nytp_reader *reader);

/* The same into a profile and a call tree at once; the reader must want the tags of both. */
int nytp_profile_read_with_calls(nytp_profile *profile, nytp_calltree *tree, nytp_reader *reader);

/* Adds one chunk. A chunk whose tag is not in nytp_profile_wanted() is ignored. */
void nytp_profile_add(nytp_profile *profile, const nytp_chunk *chunk);

/* Merges the string evals that were called at the same line and have the same text into one file. If a line
 * called evals with more than 200 different texts, all of them are merged. Evals within evals are treated in
 * the same way. The first eval stays, with the lines and subs of all. If no other eval of its line is left,
 * it is renamed "(eval 0)[t.pl:26]". Its name replaces those of the others in names of subs, and subs whose
 * names become the same become one. Call it when all chunks were added. Numbers of subs and indexes of arcs
 * change. */
void nytp_profile_merge_evals(nytp_profile *profile);

/* Adds a profile to a sum. The sum is the same profile as nytprofmerge would write for all the profiles that
 * were added. Files with the same name become one. Each run of a string eval stays a file of its own, but a
 * sub that several evals of one line define is in the first of them, with its statements. So the sum has fids
 * of its own. Numbers of subs and indexes of arcs may change.
 *
 *     nytp_profile *sum = nytp_profile_new();
 *     for (each path) {
 *         nytp_profile *one = nytp_profile_new();
 *         ...; read it
 *         nytp_profile_add_profile(sum, one);
 *         nytp_profile_free(one);
 *     }
 *     nytp_profile_merge_evals(sum);
 *
 * The sum has the most ticks per second of all profiles, and times of the others are rounded to its ticks. If
 * values of a setting differ, it has the first one, with these exceptions: basetime is the earliest,
 * cumulative_overhead_ticks is the sum, application lists all of them, and the directories are those of all.
 * A call tree needs no such function, because it can read several profiles.
 *
 * Returns false, and adds nothing, if the two are the same, if the sum has chunks that were added one by one,
 * or if nytp_profile_merge_evals() was called for one of the two. */
bool nytp_profile_add_profile(nytp_profile *sum, const nytp_profile *added);

/* For data that are kept outside of profiles: returns the fid of the sum that has that line of a file of the
 * last profile that was added. With line 0 it returns the fid of the file itself, which keeps the source
 * text. Returns 0 if the profile had no such fid. */
uint32_t nytp_profile_added_fid(const nytp_profile *sum, uint32_t fid, uint32_t line);

double nytp_profile_ticks_per_sec(const nytp_profile *profile);

/* Attributes and options in order of first sight, each key once, with its last value. */
typedef struct nytp_setting {
    nytp_tag tag; /* NYTP_ATTRIBUTE or NYTP_OPTION */
    nytp_str key, value;
} nytp_setting;

const nytp_setting *nytp_profile_settings(const nytp_profile *profile, size_t *count);
const nytp_setting *nytp_profile_setting(const nytp_profile *profile, nytp_tag tag,
                                         const char *key); /* NULL: none */

typedef struct nytp_process {
    uint32_t pid, parent;
    double start_s, end_s; /* since 1970 */
    bool ended;            /* false: there was no PID_END; end_s is 0 */
} nytp_process;

const nytp_process *nytp_profile_processes(const nytp_profile *profile, size_t *count);

/* Files are numbered from 0 in order of first sight, besides the fids that the stream has for them. */
typedef struct nytp_file {
    uint32_t fid, number;
    nytp_str name;                /* empty: the stream never named it */
    uint32_t eval_fid, eval_line; /* of a string eval: where it was called; else 0 */
    uint32_t flags;               /* enum nytp_fid_flag */
    uint32_t size_bytes, mtime_s;
    uint64_t source_bytes, source_hash; /* of a string eval's text, if that was saved; else 0 */
    uint32_t merged_into; /* after nytp_profile_merge_evals(): fid of the eval that has its lines
                           * and subs now; else 0 */
} nytp_file;

size_t nytp_profile_file_count(const nytp_profile *profile);
const nytp_file *nytp_profile_file(const nytp_profile *profile, size_t number);    /* NULL: no such number */
const nytp_file *nytp_profile_find_fid(const nytp_profile *profile, uint32_t fid); /* NULL: no such fid */

/* The file with that fid, or the eval that it was merged into; NULL: no such fid. */
const nytp_file *nytp_profile_survivor(const nytp_profile *profile, uint32_t fid);

/* What the statement profiler saw at a line. */
typedef struct nytp_line {
    uint32_t line;
    uint64_t count; /* statements executed */
    int64_t ticks;
} nytp_line;

/* Sets *line to the first line of the file that ran, at or after *from, and *from to the line after it.
 * Returns false if there is none.
 *
 *     for (uint64_t from = 0; nytp_profile_next_line(profile, fid, &from, &line);)
 */
bool nytp_profile_next_line(const nytp_profile *profile, uint32_t fid, uint64_t *from, nytp_line *line);

/* With blocks=1 the profiler records for each statement where the innermost block and the sub around it
 * begin. A profile that keeps levels has a record for each combination of a line, its block and its sub,
 * numbered from 0 in order of first sight. Call nytp_profile_keep_levels() before the first chunk. */
typedef struct nytp_level {
    uint32_t fid, line;
    uint32_t block_line, sub_line;
    uint64_t count; /* statements executed */
    int64_t ticks;
} nytp_level;

void nytp_profile_keep_levels(nytp_profile *profile);
size_t nytp_profile_level_count(const nytp_profile *profile);
const nytp_level *nytp_profile_level(const nytp_profile *profile, size_t index); /* NULL: no such index */

/* Calls on_line for each line of source text as it is added, since the profile does not keep text. The string
 * is valid during the call. Set it before the first chunk is added. */
typedef void nytp_source_line_fn(void *context, uint32_t fid, uint32_t line, nytp_str text);
void nytp_profile_on_source(nytp_profile *profile, nytp_source_line_fn *on_line, void *context);

/* Subs are numbered from 0, too. Among them are main::RUNTIME and main::NULL, the callers of calls from
 * outside of all profiled subs. */
enum nytp_sub_kind {
    NYTP_SUB_PERL,
    NYTP_SUB_XSUB,
    NYTP_SUB_OPCODE /* a built-in: main::CORE:print */
};

/* Where a sub is. A sub that several string evals define is in several places. */
typedef struct nytp_range {
    uint32_t fid;
    uint32_t first_line, last_line; /* both 0: an xsub or built-in of a package in that file */
} nytp_range;

typedef struct nytp_sub {
    nytp_str name;
    enum nytp_sub_kind kind;
    size_t range_count;       /* 0: the profile does not say where it is */
    const nytp_range *ranges; /* sorted; those with lines come first */
} nytp_sub;

uint32_t nytp_profile_sub_count(const nytp_profile *profile);
bool nytp_profile_sub(const nytp_profile *profile, uint32_t number,
                      nytp_sub *sub); /* false: no such number */

/* Returns where a sub is, in the first eval if several define it; NULL if the profile does not say. */
const nytp_range *nytp_sub_home(const nytp_sub *sub);

/* Whether it is main::RUNTIME or main::NULL. These stand for code outside of all subs, and nothing calls
 * them. */
bool nytp_sub_is_root(const nytp_sub *sub);

/* Returns a name in the form to show: valid UTF-8, on one line. Bytes that are not UTF-8 are taken for
 * Latin-1; control characters, those of writing direction, and a blank at the start become escapes. Blanks at
 * the end are left out. The caller must free() it. */
char *nytp_name_clean(nytp_str name);

/* All calls of a sub from one place by one caller. */
typedef struct nytp_arc {
    uint32_t caller, callee; /* numbers of subs */
    uint32_t fid, line;      /* of the call */
    uint64_t count;
    int64_t incl_ticks; /* inclusive time of outermost calls, which are not within another call of the sub */
    int64_t excl_ticks; /* exclusive time of all calls */
    int64_t reci_ticks; /* inclusive time of the calls that are within another call of the sub */
    uint32_t max_depth; /* of recursion; 0: there was none */
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
