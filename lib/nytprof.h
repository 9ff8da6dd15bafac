/* libnytprof: read and write Perl profiles (nytprof.out, formats 5.0 and 4.0; tmon.out is read too).
 * nytprof-model.h sums them up.
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
 * How a profile is written:
 *
 *   6. Choose where the bytes go: nytp_sink_fd() or nytp_sink_callback().
 *   7. Make a writer over it: nytp_writer_new(). It owns the sink from now on.
 *   8. nytp_writer_chunk() for each chunk, then nytp_writer_finish().
 *   9. nytp_writer_free().
 *
 * All functions that return int follow one convention: negative is an error
 * (enum nytp_status), 0 is success, positive is an end. An error sticks to its
 * handle: later calls return it again. Every error is returned, including out
 * of memory. Nothing here prints, exits or installs signal handlers. Use a
 * handle from one thread at a time; different handles are independent.
 *
 * Programs that were built with an earlier header work with a later library of the same
 * SONAME. Structs that a program stores (nytp_chunk, nytp_error, nytp_dprof_options and, in
 * nytprof-model.h, nytp_sub, nytp_line, nytp_totals) have reserved room: new members are
 * taken from it, so their size never changes. The library sets what is reserved in the
 * structs that it fills to 0, except in a nytp_chunk. A program that fills a struct sets it to 0,
 * as initializers do. Structs that functions return by pointer can become longer: do not
 * make them or keep arrays of them. nytp_str and nytp_range never change.
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

/* The version of this header: 0xMMmmpp for major.minor.patch. */
#define NYTP_VERSION_STRING "0.2.0"
#define NYTP_VERSION_NUMBER 0x000200

/* The version of the library that the program runs with. */
const char *nytp_version(void);
uint32_t nytp_version_number(void);

/* status and errors */

enum nytp_status {
    NYTP_OK = 0,
    NYTP_END = 1,              /* the profile is complete */
    NYTP_CUT = 2,              /* the profile stops early: killed, still written, truncated */
    NYTP_ERR_IO = -1,          /* the system refused; message has its words */
    NYTP_ERR_FORMAT = -2,      /* not a profile, or a corrupt one */
    NYTP_ERR_UNSUPPORTED = -3, /* a profile of a kind this library cannot read */
    NYTP_ERR_MEMORY = -4,
    NYTP_ERR_ARGUMENT = -5, /* what cannot be: a newline in an attribute, no ticks per second, ... */
    NYTP_ERR_STATE = -6     /* the call came too early or too late, and changed nothing; it does not stick */
};

typedef struct nytp_error {
    int code;          /* enum nytp_status */
    int tag;           /* tag byte of the chunk where it happened; 0: none */
    uint64_t offset;   /* in bytes of the chunk stream, that is, after inflating */
    char message[512]; /* complete: file, offset, what was expected */
    uint64_t reserved[6];
} nytp_error;

/* chunks */

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
    NYTP_SRC_LINE = 'S',
    NYTP_COVER_UNIT = 'U',
    NYTP_COVER_HIT = 'H'
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

/* What a unit of code is. */
enum nytp_cover_kind {
    NYTP_COVER_MAIN, /* the program, or a file that it loads */
    NYTP_COVER_SUB,
    NYTP_COVER_EVAL,  /* the statements of a string eval, outside of subs */
    NYTP_COVER_BLOCK, /* BEGIN, END and the like */
    NYTP_COVER_FORMAT
};

/* What was seen of a point. A statement has run, or the left operand of an operator was such that the right
 * one was evaluated (the first block of an if, the first value of ?:); or it was not. Then, values of the
 * right operand. */
enum nytp_cover_outcome {
    NYTP_COVER_RAN = 1,
    NYTP_COVER_SKIPPED = 2,
    NYTP_COVER_BOTH_WAYS = NYTP_COVER_RAN | NYTP_COVER_SKIPPED,
    NYTP_COVER_TRUE = 4,
    NYTP_COVER_FALSE = 8,
    NYTP_COVER_BOTH_VALUES = NYTP_COVER_TRUE | NYTP_COVER_FALSE
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
        struct { /* of ATTRIBUTE and OPTION; nv_size is 8, whatever the file has, since these are doubles */
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
        struct { /* of a recording of coverage: code that was compiled, such as a sub, and what in it can run */
            uint32_t unit, fid, line; /* line: of the first point */
            uint32_t kind;            /* enum nytp_cover_kind */
            uint32_t twin;            /* how many of the same came before it: two equal subs of a line */
            nytp_str name;            /* of a sub; else empty */
            uint32_t points;
            nytp_str list; /* of its points, encoded: format/cover.h */
        } cover_unit;
        struct { /* a point of a unit has run */
            uint32_t unit, point; /* points count from 0 */
            uint32_t outcomes;    /* enum nytp_cover_outcome */
        } cover_hit;
        uint64_t reserved[22]; /* as large as the union may become */
    };
} nytp_chunk;

/* Returns "SUB_RETURN" or the like; "unknown" if there is no such tag. */
const char *nytp_tag_name(int tag);

/* The bit of a tag. A set of tags is the bits of its tags, joined by |. */
uint32_t nytp_tag_bit(nytp_tag tag);
#define NYTP_ALL_TAGS UINT32_MAX

/* sources */

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

/* reader */

typedef struct nytp_reader nytp_reader;

/* Takes ownership of source, also when it fails. Returns NULL when out of memory, or if source is NULL. */
nytp_reader *nytp_reader_new(nytp_source *source);
void nytp_reader_free(nytp_reader *reader); /* NULL is fine */

/* Whether to inflate on threads: on one that reads ahead, or on up to four if our writer made the file. AUTO
 * is the default: it does so for files of at least 1 MiB, and if the size is not known. Returns 0;
 * NYTP_ERR_STATE after the first read. */
enum nytp_threads { NYTP_THREADS_AUTO, NYTP_THREADS_NEVER, NYTP_THREADS_ALWAYS };
int nytp_reader_set_threads(nytp_reader *reader, enum nytp_threads when);

/* Delivers only chunks whose tag is in the set, by default NYTP_ALL_TAGS. Other chunks are decoded and
 * checked, and then skipped, which is much faster. It may be called between two chunks, but whether a
 * tmon.out has SUB_CALLERS is decided at its first chunk. */
void nytp_reader_set_tags(nytp_reader *reader, uint32_t tags);

/* Limits the memory that the reader itself may take: base_bytes, and bytes_per_byte for each byte of the file
 * that was read. A profile that needs more, for one huge chunk or for millions of processes that do not end,
 * ends with NYTP_ERR_MEMORY. If base_bytes is 0, which is the default, there is no limit. It may be called at
 * any time. */
void nytp_reader_set_memory(nytp_reader *reader, uint64_t base_bytes, uint32_t bytes_per_byte);

/* How to read a tmon.out, which is what Devel::DProf writes. A nytprof.out is read as it is. */
enum nytp_clock { NYTP_CLOCK_USER_SYSTEM, NYTP_CLOCK_REAL, NYTP_CLOCK_USER, NYTP_CLOCK_SYSTEM };
typedef struct nytp_dprof_options {
    enum nytp_clock clock;
    bool with_overhead; /* times include the profiler's own */
    bool number_anons; /* anonymous subs of a package stay apart, named after their ids: main::__ANON__(1f) */
    uint32_t reserved[6];
} nytp_dprof_options;

/* Returns 0; NYTP_ERR_STATE after the first read. The default is all zeros.
 *
 * A tmon.out is read as a profile of format 5.0 with one process, pid 1, and one file, fid 1. It has no line
 * numbers: they are 0. Ticks are those of the chosen clock, dprof_hz in a second; they are not whole numbers
 * after the overhead was subtracted. Each `$name=value;` of the header becomes an attribute dprof_name. A
 * goto becomes a return and an entry at the same depth. Calls without an exit mark return when their callers
 * do, or at the end; the profile then ends with NYTP_CUT and a message that names them. */
int nytp_reader_set_dprof(nytp_reader *reader, const nytp_dprof_options *options);

/* Delivers chunks as if the profile had been recorded without labels: those of a labelled sub are of its
 * base. The inclusive time of a call with one label within a call with another is then counted twice. Returns
 * 0; NYTP_ERR_STATE after the first read; NYTP_ERR_MEMORY. */
int nytp_reader_drop_labels(nytp_reader *reader);

/* What a sub was called with, if the collector's labels= asked for that: its name is then "BASE LABEL". */
enum nytp_label_kind {
    NYTP_LABEL_NONE,
    NYTP_LABEL_SQL,
    NYTP_LABEL_REGEX,
    NYTP_LABEL_FILE,
    NYTP_LABEL_COMMAND,
    NYTP_LABEL_HOST,
    NYTP_LABEL_HTTP,
    NYTP_LABEL_TEMPLATE,
    NYTP_LABEL_CALL, /* by a rule of the user */
    NYTP_LABEL_SPAN  /* the program named the frame: DB::begin_span() */
};

typedef struct nytp_label {
    enum nytp_label_kind kind;
    nytp_str base, text; /* parts of the name */
} nytp_label;

/* Returns NYTP_OK with a chunk; or NYTP_END, NYTP_CUT or a negative error, and the same for every further
 * call. */
int nytp_reader_next(nytp_reader *reader, nytp_chunk *chunk);

/* Call it after NYTP_END or NYTP_CUT, to continue with the next profile of a source that has several, one
 * after the other, as `cat a b` writes them. Returns NYTP_OK if there is one: nytp_reader_next() then gives
 * its chunks, and *offset (offset may be NULL) is where it begins in the file. Returns NYTP_END if there is
 * none, or a negative error: NYTP_ERR_STATE if the profile before was not read to its end. Bytes after a
 * profile that are not another one are skipped with a warning, except for the comment that ends a compressed
 * profile. Warnings and the error are those of the new profile from here on. */
int nytp_reader_next_profile(nytp_reader *reader, uint64_t *offset);

/* What ended the stream after an error or NYTP_CUT; for the latter it also names the processes that have no
 * end. Otherwise its code is NYTP_OK. Valid while reader lives. */
const nytp_error *nytp_reader_error(const nytp_reader *reader);

/* Returns how many lines were skipped because they made no sense. *first (first may be NULL): a message for
 * the first of them. */
size_t nytp_reader_warnings(const nytp_reader *reader, const char **first);

/* The attribute ticks_per_sec; 10,000,000 until that was seen. */
double nytp_reader_ticks_per_sec(const nytp_reader *reader);

/* How many chunks were read. Includes those that were not wanted, except in a tmon.out. */
uint64_t nytp_reader_chunks(const nytp_reader *reader);

/* How many processes began and have not ended; 0 for a tmon.out. */
size_t nytp_reader_open_processes(const nytp_reader *reader);

/* For a tmon.out: the time that the profiler itself has taken, in ticks of the chosen clock. 0 for a
 * nytprof.out. */
double nytp_reader_dprof_overhead(const nytp_reader *reader);

/* For progress: how many bytes of the file were read, and its size, or 0 if that is unknown. */
void nytp_reader_position(const nytp_reader *reader, uint64_t *taken_bytes, uint64_t *size_bytes);

/* sinks and writer */

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
 * 0, or a negative error; so do the next three. */
int nytp_writer_chunk(nytp_writer *writer, const nytp_chunk *chunk);

/* Ends the header of a profile: what follows is compressed at the writer's level, after START_DEFLATE, which this
 * writes. Does nothing at level 0. */
int nytp_writer_compress(nytp_writer *writer);

/* Writes everything to the sink, so that a reader can read up to here. */
int nytp_writer_flush(nytp_writer *writer);

/* Ends the compressed part, if there is one, and flushes. No chunk may follow. */
int nytp_writer_finish(nytp_writer *writer);

const nytp_error *nytp_writer_error(const nytp_writer *writer);

/* NULL is fine. Does not finish the profile: it is cut, unless nytp_writer_finish() was called. */
void nytp_writer_free(nytp_writer *writer);

#if defined __GNUC__
#pragma GCC diagnostic pop
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
