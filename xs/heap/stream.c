#include "heap/stream.h"

#include "base/str.h"
#include "basics/alloc.h"
#include "context.h"
#include "format/heap.h"
#include "heap/threads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { OTHERS_NUMBERS = 6 };

/* Protected by the lock, but for what only the owner's thread uses: spare. */
static struct {
    prof *owner; /* NULL: there is no stream */
    char *at;    /* pieces, each the value of an attribute, with newlines between them */
    size_t used, cap, piece;
    char *spare; /* for the records that come while those before are written */
    size_t spare_cap;
    nytp_strings *names, *files; /* the number of a string + 1 is its number in the stream */
    uint32_t nodes, sites;
    uint32_t *unused, unused_count, unused_cap, slots; /* slots that were used before; all that were */
    int64_t live;                                      /* as the last record has it */
    int64_t most_hurried;                              /* the most that the file was made to have soon */
    uint64_t given;                                    /* when it began */
    uint64_t began, written; /* count of the owner's clock at its begin, and when records were written last */
    int64_t told;            /* the time of the last record, in NYTP_HEAP_TIME_NS */
    uint32_t told_files;     /* how many have fids in the stream */
    unsigned told_sparser;   /* of the last sample */
    struct pace {
        int64_t began; /* as told */
        size_t bytes;  /* of records of samples since then */
    } pace;
    struct others {
        nytp_sampled live;              /* now, */
        double all_bytes, all_variance; /* and of all that were taken */
        int64_t told[OTHERS_NUMBERS];   /* of these, in the order of the record */
        bool is_changed;
    } others; /* samples without records */
} stream;

static _Atomic unsigned sparser;

unsigned prof_stream_sparser(void)
{
    return atomic_load_explicit(&sparser, memory_order_relaxed);
}

bool prof_stream_is_on(void)
{
    return stream.owner != NULL;
}

bool prof_stream_is_of(const prof *p)
{
    return stream.owner == p;
}

/* ---- records */

static void put_byte(char byte)
{
    if (stream.used == stream.cap) {
        stream.cap = stream.cap > 0 ? 2 * stream.cap : 4096;
        stream.at = prof_realloc(stream.at, stream.cap);
    }
    stream.at[stream.used++] = byte;
}

static void put_bytes(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        put_byte(bytes[i]);
}

static void put(uint64_t number)
{
    char text[NYTP_HEAP_LONGEST];
    put_bytes(text, nytp_heap_put(text, number));
}

static void put_signed(int64_t number)
{
    put(nytp_heap_of_signed(number));
}

/* The time since the begin, by a count of the owner's clock, which may step back. */
static int64_t ticks_at(uint64_t now)
{
    return now > stream.began ? prof_ticks_of_counts(&stream.owner->probe.clock, now - stream.began) : 0;
}

static int64_t passed_ticks(void)
{
    return ticks_at(prof_now(stream.owner));
}

/* Has the records be written soon: not at once, as each writing has a cost. */
static void hurry(void)
{
    const double every_ms = 2;
    prof_probe *probe = &stream.owner->probe;
    prof_probe_schedule_records(probe, stream.written + prof_counts_of_ms(&probe->clock, every_ms));
}

/* Begins a piece, whose first number is its time. Threads that are not perl's come here, too, and perl's
 * my_snprintf() needs an interpreter. */
static void begin_piece(void)
{
    char text[32];
    const int64_t ticks = passed_ticks();
    if (stream.used > 0)
        put_byte('\n');
    else
        hurry();
    stream.piece = stream.used;
    put_bytes(text, (size_t)snprintf(text, sizeof text, "%lld ", (long long)ticks));
    stream.told = ticks * PROF_TICK_NS / NYTP_HEAP_TIME_NS;
}

/* Whether the next record begins a piece. */
static bool is_piece_full(void)
{
    enum { PIECE = 2000 };
    return stream.used == 0 || stream.used - stream.piece > PIECE;
}

static void begin_record(nytp_heap_record kind, uint64_t first)
{
    if (is_piece_full())
        begin_piece();
    put(first << NYTP_HEAP_RECORD_BITS | kind);
}

static void put_time(void)
{
    const int64_t now = passed_ticks() * PROF_TICK_NS / NYTP_HEAP_TIME_NS;
    if (is_piece_full() || now <= stream.told) /* a piece says its time itself */
        return;
    begin_record(NYTP_HEAP_TIME, (uint64_t)(now - stream.told));
    stream.told = now;
}

static int64_t live_bytes(void)
{
    const prof_heap_totals totals = prof_heap_totals_now();
    return (int64_t)(totals.given - totals.returned);
}

static void put_live(void)
{
    const int64_t live = live_bytes();
    put_signed(live - stream.live);
    stream.live = live;
}

static uint32_t name(nytp_str text)
{
    enum { LONGEST = 2000 };
    const uint32_t before = nytp_strings_count(stream.names);
    const uint32_t number = prof_strings_intern(stream.names, text.bytes, text.length);
    if (number == before) {
        const size_t length = text.length < LONGEST ? text.length : LONGEST;
        begin_record(NYTP_HEAP_NAME, (uint64_t)length << 1 | text.utf8);
        for (size_t i = 0; i < length; i++)
            put_byte(text.bytes[i] != '\n' ? text.bytes[i] : ' ');
    }
    return number + 1;
}

uint32_t prof_stream_file(const char *path)
{
    return prof_strings_intern(stream.files, path, strlen(path)) + 1;
}

/* The file of a context by its fid there. */
static uint32_t file_of(const prof *p, uint32_t fid)
{
    size_t length;
    return fid != 0 ? prof_stream_file(nytp_strings_get(p->files.names, fid - 1, &length)) : 0;
}

uint32_t prof_stream_node(const prof *p, uint32_t parent, uint32_t arc)
{
    uint32_t callee, file = 0, line = 1;
    if (arc == PROF_HEAP_OUTSIDE || arc == PROF_HEAP_DEEPER) {
        callee = name(nytp_str_of(arc == PROF_HEAP_OUTSIDE ? "(no perl)" : "(deeper)"));
    } else {
        const prof_arc *a = &p->arcs.at[arc];
        callee = name(prof_sub_name(&p->subs, a->callee));
        file = file_of(p, a->fid);
        line = a->line;
    }
    begin_record(NYTP_HEAP_NODE, parent);
    put(callee);
    put(file);
    put(line);
    return ++stream.nodes;
}

uint32_t prof_stream_site(uint32_t node, const char *kind, prof_heap_place place)
{
    const uint32_t number = name(nytp_str_of(kind));
    begin_record(NYTP_HEAP_SITE, node);
    put(number);
    put(place.file);
    put(place.line);
    return ++stream.sites;
}

/* ---- samples */

/* Records of samples have taken that many bytes more. Finds how sparse samples must be if the program goes on
 * as in the last tenth of a second, or since less, if they are too many. */
static void pace(size_t bytes)
{
    enum { TENTH = 100000000 / NYTP_HEAP_TIME_NS, MOST = 5000 };
    struct pace *p = &stream.pace;
    const int64_t passed = stream.told - p->began;
    p->bytes += bytes;
    if (p->bytes < MOST && passed < TENTH)
        return;
    const double would_be = ldexp((double)p->bytes * TENTH / (double)(passed > 0 ? passed : 1), (int)sparser);
    const int exponent = would_be > MOST ? (int)ceil(log2(would_be / MOST)) : 0;
    sparser = exponent < NYTP_HEAP_SPARSEST ? (unsigned)exponent : NYTP_HEAP_SPARSEST;
    *p = (struct pace){stream.told, 0};
}

uint32_t prof_stream_alloc(const prof_sample *sample)
{
    const size_t before = stream.used;
    put_time();
    if (sample->sparser != stream.told_sparser)
        begin_record(NYTP_HEAP_SPARSER, stream.told_sparser = sample->sparser);
    begin_record(NYTP_HEAP_ALLOC, sample->site);
    put(sample->size);
    put_signed((int64_t)sample->bytes - (int64_t)sample->size);
    put_live();
    pace(stream.used - before);
    return stream.unused_count > 0 ? stream.unused[--stream.unused_count] : stream.slots++;
}

void prof_stream_free(uint32_t slot)
{
    put_time();
    begin_record(NYTP_HEAP_FREE, slot);
    put_live();
    stream.unused = prof_grow(stream.unused, &stream.unused_cap, stream.unused_count, sizeof *stream.unused);
    stream.unused[stream.unused_count++] = slot;
}

/* ---- holders */

void prof_stream_walk(bool is_whole)
{
    begin_record(NYTP_HEAP_WALK, is_whole);
}

void prof_stream_holder(uint32_t parent, nytp_str step)
{
    const uint32_t number = name(step);
    begin_record(NYTP_HEAP_HOLDER, parent);
    put(number);
}

void prof_stream_held(uint32_t slot, uint32_t holder)
{
    begin_record(NYTP_HEAP_HELD, slot);
    put(holder);
}

/* ---- samples without records */

static void change_others(const nytp_sampled *amount, int sign)
{
    nytp_sampled_add(&stream.others.live, amount, sign);
    stream.others.is_changed = true;
}

void prof_stream_add_other(const nytp_sampled *amount)
{
    change_others(amount, 1);
    stream.others.all_bytes += amount->bytes;
    stream.others.all_variance += amount->variance;
}

void prof_stream_remove_other(const nytp_sampled *amount)
{
    change_others(amount, -1);
}

/* Each number is rounded as a sum, so that errors do not add up. */
static void put_others(void)
{
    const struct others *o = &stream.others;
    const double now[OTHERS_NUMBERS] = {o->live.bytes,           o->live.blocks, o->live.variance,
                                        (double)o->live.samples, o->all_bytes,   o->all_variance};
    if (!o->is_changed)
        return;
    begin_record(NYTP_HEAP_OTHERS, 0);
    for (int i = 0; i < OTHERS_NUMBERS; i++) {
        const int64_t rounded = llround(now[i]);
        put_signed(rounded - stream.others.told[i]);
        stream.others.told[i] = rounded;
    }
    stream.others.is_changed = false;
}

/* ---- the stream */

void prof_stream_end(void)
{
    stream.owner = NULL;
    stream.used = stream.nodes = stream.sites = 0;
    stream.slots = stream.unused_count = stream.told_files = stream.told_sparser = 0;
    stream.pace = (struct pace){0};
    nytp_strings_free(stream.names);
    nytp_strings_free(stream.files);
    stream.names = stream.files = NULL;
    memset(&stream.others, 0, sizeof stream.others);
}

void prof_stream_begin(prof *owner)
{
    prof_stream_end();
    stream.owner = owner;
    stream.names = prof_strings_new();
    stream.files = prof_strings_new();
    stream.began = stream.written = prof_now(owner);
    stream.live = stream.most_hurried = live_bytes();
    stream.given = prof_heap_totals_now().given;
    begin_record(NYTP_HEAP_BEGIN, nytp_heap_of_signed(stream.live));
}

/* Returns the next file that has no fid in the stream, and sets *number to its number there; NULL if there is
 * none. The string stays where it is, but other threads may add files to the table at any time. */
static const char *next_file(uint32_t *number, size_t *length)
{
    const char *path = NULL;
    prof_heap_lock();
    if (stream.told_files < nytp_strings_count(stream.files)) {
        path = nytp_strings_get(stream.files, stream.told_files, length);
        *number = ++stream.told_files;
    }
    prof_heap_unlock();
    return path;
}

static void write_fids(pTHX_ prof *p, bool perl_lives)
{
    uint32_t number;
    size_t length;
    for (const char *path; (path = next_file(&number, &length)) != NULL;) {
        const uint32_t fid = perl_lives ? prof_fid(aTHX_ p, path, length, NYTP_FID_VIA_STMT)
                                        : prof_fid_if_known(&p->files, path, length);
        const uint64_t numbers[] = {fid, number};
        if (fid != 0)
            prof_output_numbers(p->out, NYTP_HEAP_FILE, numbers, 2);
    }
}

/* Returns the length of the records since the last call, which are in stream.spare then. */
static size_t take_records(prof *p, uint64_t now)
{
    prof_heap_lock();
    put_time();
    put_others();
    begin_record(NYTP_HEAP_TOTALS, prof_heap_totals_now().given - stream.given);
    put_live();
    const size_t length = stream.used, cap = stream.spare_cap;
    char *at = stream.spare;
    stream.spare = stream.at;
    stream.spare_cap = stream.cap;
    stream.at = at;
    stream.cap = cap;
    stream.used = 0;
    prof_probe_forget_records(&p->probe);
    stream.written = now;
    prof_heap_unlock();
    return length;
}

static void write_pieces(prof *p, size_t length)
{
    for (const char *at = stream.spare, *end = at + length; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *piece_end = newline != NULL ? newline : end;
        prof_output_attribute(p->out, NYTP_HEAP_RECORDS, (nytp_str){at, (size_t)(piece_end - at), false});
        at = piece_end + 1;
    }
}

/* Memory that grows is in the file soon, by steps of a part of what there is: it is what is looked for in a
 * process that was killed. So a process hurries only so often in its life (313 times from 16 MiB to 2
 * GiB), however it frees and allocates. */
static bool has_grown(void)
{
    enum { PART = 64, LEAST_BYTES = 256 << 10 };
    const int64_t step = stream.most_hurried / PART;
    if (stream.live - stream.most_hurried < (step > LEAST_BYTES ? step : LEAST_BYTES))
        return false;
    stream.most_hurried = stream.live;
    return true;
}

void prof_stream_write(pTHX_ prof *p, uint64_t now, bool perl_lives)
{
    if (!prof_stream_is_of(p))
        return;
    const prof_heap_quiet was = prof_heap_pause();
    write_fids(aTHX_ p, perl_lives);
    write_pieces(p, take_records(p, now));
    if (has_grown())
        prof_output_hurry(p->out);
    prof_heap_go_on(&was);
}

void prof_stream_mark(pTHX_ prof *p, const char *text, uint64_t now)
{
    char value[256];
    if (!prof_stream_is_of(p))
        return;
    prof_stream_write(aTHX_ p, now, true);
    const int length = my_snprintf(value, sizeof value, "%lld %.200s", (long long)ticks_at(now), text);
    for (char *at = value; *at != '\0'; at++)
        *at = *at != '\n' ? *at : ' ';
    prof_output_attribute(p->out, NYTP_HEAP_MARK, (nytp_str){value, (size_t)length, false});
}
