/* Deflating: one zlib stream into a sink, by two libraries that take turns.
 *
 * The stream is made of segments: deflate blocks that one library made and a sync flush
 * ended, so that the next begins at a byte. None refers to what came before it, and the
 * check at the end is ours, so it does not matter to a reader who made which. The mark that ends them
 * lets a reader inflate several at once, for 0.3 to 1 % of the size.
 *
 * Profiles of pod2man (perlfunc.pod, 33 MB of chunks) and json_pp (19 MB), on one core:
 * build/bench/deflate-only PROFILE
 *
 *                         pod2man              json_pp
 *     isa-l 1             5.97 MB   705 MB/s   1.68 MB  1091 MB/s
 *     isa-l 2             5.87 MB   708 MB/s   1.68 MB  1070 MB/s
 *     balanced            5.83 MB   445 MB/s   1.06 MB   137 MB/s
 *     zlib 2              5.92 MB   136 MB/s   1.46 MB   190 MB/s
 *     zlib 4              4.84 MB   102 MB/s   1.21 MB   130 MB/s
 *     zlib 5              4.42 MB    87 MB/s   0.98 MB   145 MB/s
 *     zlib 6              4.15 MB    54 MB/s   0.76 MB    96 MB/s
 *     zlib 7              4.10 MB    44 MB/s   0.72 MB    73 MB/s
 *     zlib 9              4.03 MB    12 MB/s   0.63 MB    19 MB/s
 *
 * isa-l 2 and zlib 5 in turns, in segments of
 *     256 KiB             5.17 MB              1.33 MB
 *     2 MiB               5.15 MB              1.30 MB
 */
#include "wire.h"

#include <stdlib.h>
#include <zlib.h>
#ifdef NYTP_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

/* Compresses to deflate blocks, without zlib's header and check. step() moves the window on;
 * called again while it fills all of out. NULL, or what is wrong. restart(): before each segment. */
typedef struct backend {
    void *(*start)(void);
    void (*restart)(void *state, int level);
    const char *(*step)(void *state, nytp_window *w, enum nytp_deflate_flush flush);
    void (*stop)(void *state);
} backend;

enum { WAYS = NYTP_DEFLATE_STRONG + 1 };

/* One backend's ways share a state. */
typedef struct codec {
    const backend *with;
    int level;
    void *state;
} codec;

/* What BALANCED goes by: what the fast way would have made of the segment. */
typedef struct trial {
    bool runs;
    uint64_t fast_bytes;
    unsigned fast_left; /* segments that are to be fast, for it is nearly as small */
    unsigned char made[16 << 10];
} trial;

struct nytp_deflate {
    nytp_sink *inner;
    codec codecs[WAYS]; /* by nytp_deflate_with; BALANCED's is the one that is not FAST's */
    enum nytp_deflate_with asked;
    const codec *now; /* of the segment that has begun */
    bool begins;      /* anew with the next byte, or the end, and does not refer to what was before */
    bool pending;     /* there is input since the last flush */
    nytp_deflate_mark total, segment_from;
    trial trial;
    size_t used;
    unsigned char out[64 << 10];
};

/* ---- zlib ---- */

/* Beside its levels. The first long match is taken, as zlib's fast levels do, but it is looked for as far
 * back as in the slower ones: what loops write repeats itself at length. */
enum { QUICK = 10, QUICK_FROM = 3 };

static void *zlib_start(void)
{
    enum { RAW_32K_WINDOW = -15, DEFAULT_MEMORY = 8 };
    z_stream *z = calloc(1, sizeof *z);
    if (z != NULL && deflateInit2(z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, RAW_32K_WINDOW, DEFAULT_MEMORY,
                                  Z_DEFAULT_STRATEGY) != Z_OK) {
        free(z);
        return NULL;
    }
    return z;
}

static void zlib_restart(void *state, int level)
{
    enum { GOOD_LENGTH = 4, MOST_INSERTED = 16, NICE_LENGTH = 258, LONGEST_CHAIN = 32 };
    deflateReset(state);
    deflateParams(state, level == QUICK ? QUICK_FROM : level, Z_DEFAULT_STRATEGY);
    if (level == QUICK)
        deflateTune(state, GOOD_LENGTH, MOST_INSERTED, NICE_LENGTH, LONGEST_CHAIN);
}

static const char *zlib_step(void *state, nytp_window *w, enum nytp_deflate_flush flush)
{
    static const int flush_of[] = {
        [NYTP_DEFLATE_MORE] = Z_NO_FLUSH, [NYTP_DEFLATE_SYNC] = Z_SYNC_FLUSH, [NYTP_DEFLATE_END] = Z_FINISH};
    z_stream *z = state;
    z->next_in = (Bytef *)(uintptr_t)w->in; /* zlib does not write there; its type is from before const */
    z->avail_in = (uInt)w->in_size;
    z->next_out = w->out;
    z->avail_out = (uInt)w->out_size;
    int rc = deflate(z, flush_of[flush]);
    w->in = z->next_in;
    w->in_size = z->avail_in;
    w->out = z->next_out;
    w->out_size = z->avail_out;
    return rc != Z_STREAM_ERROR ? NULL : z->msg != NULL ? z->msg : "stream error";
}

static void zlib_stop(void *state)
{
    deflateEnd(state);
    free(state);
}

static const backend zlib_backend = {zlib_start, zlib_restart, zlib_step, zlib_stop};

/* ---- isa-l ---- */

#ifdef NYTP_HAVE_ISAL
/* The larger buffers that isa-l proposes make files 0.1 % smaller. */
enum { ISAL_BUFFER_BYTES = ISAL_DEF_LVL2_SMALL };
_Static_assert(ISAL_DEF_LVL1_SMALL <= ISAL_DEF_LVL2_SMALL, "the buffer must do for both levels");

typedef struct isal {
    struct isal_zstream z;
    uint8_t buffer[ISAL_BUFFER_BYTES];
} isal;

static void *isal_start(void)
{
    isal *i = malloc(sizeof *i);
    if (i != NULL)
        isal_deflate_init(&i->z);
    return i;
}

static void isal_restart(void *state, int level)
{
    isal *i = state;
    isal_deflate_reset(&i->z);
    i->z.level = (uint32_t)level;
    i->z.level_buf = i->buffer;
    i->z.level_buf_size = level < 2 ? ISAL_DEF_LVL1_SMALL : ISAL_DEF_LVL2_SMALL;
}

static const char *isal_step(void *state, nytp_window *w, enum nytp_deflate_flush flush)
{
    struct isal_zstream *z = &((isal *)state)->z;
    z->next_in = (uint8_t *)(uintptr_t)w->in; /* not written to */
    z->avail_in = (uint32_t)w->in_size;
    z->next_out = w->out;
    z->avail_out = (uint32_t)w->out_size;
    z->flush = flush == NYTP_DEFLATE_SYNC ? SYNC_FLUSH : NO_FLUSH;
    z->end_of_stream = flush == NYTP_DEFLATE_END;
    int rc = isal_deflate(z);
    w->in = z->next_in;
    w->in_size = z->avail_in;
    w->out = z->next_out;
    w->out_size = z->avail_out;
    return rc == COMP_OK ? NULL : "stream error";
}

static const backend isal_backend = {isal_start, isal_restart, isal_step, free};
#endif

/* ---- which of them ---- */

/* Who asks for 1 wants it fast, who asks for more than 6 has the time for zlib; between them there is a
 * choice. isa-l's level 2 takes hardly longer than 1; its 3 takes four times as long for 6 % less. */
static codec codec_of(int level, enum nytp_deflate_with with)
{
    if (level > 6)
        return (codec){&zlib_backend, level, NULL};
    if (level > 1 && with != NYTP_DEFLATE_FAST)
        return (codec){&zlib_backend, with == NYTP_DEFLATE_BALANCED ? QUICK : level, NULL};
#ifdef NYTP_HAVE_ISAL
    return (codec){&isal_backend, level < 2 ? 1 : 2, NULL};
#else
    return (codec){&zlib_backend, 1, NULL};
#endif
}

static bool codecs_start(codec codecs[WAYS], int level)
{
    for (unsigned with = 0; with < WAYS; with++)
        codecs[with] = codec_of(level, with);
    for (unsigned with = 0; with < WAYS; with++) {
        codec *c = &codecs[with];
        if (with > 0 && c->with == codecs[with - 1].with)
            c->state = codecs[with - 1].state;
        else
            c->state = c->with->start();
        if (c->state == NULL)
            return false;
    }
    return true;
}

static void codecs_stop(codec codecs[WAYS])
{
    for (unsigned with = 0; with < WAYS; with++)
        if (codecs[with].state != NULL && (with == 0 || codecs[with].state != codecs[with - 1].state))
            codecs[with].with->stop(codecs[with].state);
}

/* zlib's takes a third of isa-l's compressing. */
uint32_t nytp_adler(uint32_t sum, const void *data, size_t size)
{
#ifdef NYTP_HAVE_ISAL
    return isal_adler32(sum, data, size);
#else
    return (uint32_t)adler32_z(sum, data, size);
#endif
}

/* ---- the stream ---- */

static void put_byte(nytp_deflate *d, unsigned value)
{
    d->out[d->used++] = (unsigned char)value;
    d->total.out_bytes++;
}

nytp_deflate *nytp_deflate_new(nytp_sink *inner, int level)
{
    nytp_deflate *d = malloc(sizeof *d);
    if (d == NULL)
        return NULL;
    d->inner = inner;
    if (!codecs_start(d->codecs, level)) {
        nytp_deflate_free(d);
        return NULL;
    }
    d->asked = NYTP_DEFLATE_FAST;
    d->begins = true;
    d->pending = false;
    d->used = 0;
    d->total = d->segment_from = (nytp_deflate_mark){.adler = 1};
    d->trial.fast_left = 0;
    put_byte(d, 0x78); /* RFC 1950: deflate, a window of 32 KiB, "default" level, no dictionary */
    put_byte(d, 0x9C);
    return d;
}

static int drain(nytp_deflate *d, nytp_error *err)
{
    size_t size = d->used;
    d->used = 0;
    return size > 0 ? d->inner->write(d->inner, d->out, size, err) : 0;
}

static const codec *wanted(const nytp_deflate *d)
{
    const bool is_fast_enough = d->asked == NYTP_DEFLATE_BALANCED && d->trial.fast_left > 0;
    return &d->codecs[is_fast_enough ? NYTP_DEFLATE_FAST : d->asked];
}

static void begin_segment(nytp_deflate *d)
{
    const codec *fast = &d->codecs[NYTP_DEFLATE_FAST];
    d->now = wanted(d);
    d->now->with->restart(d->now->state, d->now->level);
    d->begins = false;
    d->trial.runs = d->asked == NYTP_DEFLATE_BALANCED && d->now->with != fast->with;
    d->trial.fast_bytes = 0;
    if (d->trial.runs)
        fast->with->restart(fast->state, fast->level);
    else if (d->trial.fast_left > 0)
        d->trial.fast_left--;
}

static void try_fast(nytp_deflate *d, const void *data, size_t size, enum nytp_deflate_flush flush)
{
    const codec *fast = &d->codecs[NYTP_DEFLATE_FAST];
    nytp_window w = {.in = data, .in_size = size};
    do {
        w.out = d->trial.made;
        w.out_size = sizeof d->trial.made;
        fast->with->step(fast->state, &w, flush);
        d->trial.fast_bytes += sizeof d->trial.made - w.out_size;
    } while (w.out_size == 0);
}

/* QUICK's files of ten programs were 1.1 to 1.5 times as large as zlib 6's, and at most 1.25 times Debian's
 * collector's: with a fifth more they are within half as much again. */
static void judge_trial(nytp_deflate *d)
{
    enum { FAST_IN_A_ROW = 15 };
    const double NEARLY = 1.2;
    const uint64_t bytes = d->total.out_bytes - d->segment_from.out_bytes;
    if (d->trial.runs && (double)d->trial.fast_bytes <= NEARLY * (double)bytes)
        d->trial.fast_left = FAST_IN_A_ROW;
}

static int compress_some(nytp_deflate *d, const void *data, size_t size, enum nytp_deflate_flush flush,
                         nytp_error *err)
{
    enum { ROOM = 64 /* enough for any mark of a flush */ };
    nytp_window w = {.in = data, .in_size = size};
    if (d->begins)
        begin_segment(d);
    if (d->trial.runs)
        try_fast(d, data, size, flush);
    do {
        if (sizeof d->out - d->used < ROOM && drain(d, err) != 0)
            return err->code;
        size_t room = sizeof d->out - d->used;
        w.out = d->out + d->used;
        w.out_size = room;
        const char *why = d->now->with->step(d->now->state, &w, flush);
        if (why != NULL)
            return nytp_fail(err, NYTP_ERR_FORMAT, "%s: cannot compress: %s", d->inner->name, why);
        d->used += room - w.out_size;
        d->total.out_bytes += room - w.out_size;
    } while (w.out_size == 0);
    if (size > 0)
        d->total.adler = nytp_adler(d->total.adler, data, size);
    d->total.in_bytes += size;
    d->pending = flush == NYTP_DEFLATE_MORE;
    return 0;
}

/* Makes sure of room for what is put byte by byte. */
static int make_room(nytp_deflate *d, size_t size, nytp_error *err)
{
    return sizeof d->out - d->used < size ? drain(d, err) : 0;
}

static int end_segment(nytp_deflate *d, nytp_error *err)
{
    static const unsigned char mark[] = NYTP_SEGMENT_MARK;
    enum { BY_FLUSH = 4 };
    if ((d->pending && compress_some(d, NULL, 0, NYTP_DEFLATE_SYNC, err) != 0) ||
        make_room(d, sizeof mark, err) != 0)
        return err->code;
    if (d->begins)
        return 0;
    for (size_t i = BY_FLUSH; i < sizeof mark; i++)
        put_byte(d, mark[i]);
    judge_trial(d);
    d->begins = true;
    d->segment_from = d->total;
    return 0;
}

static int end_stream(nytp_deflate *d, nytp_error *err)
{
    if (make_room(d, sizeof d->total.adler, err) != 0)
        return err->code;
    for (int shift = 24; shift >= 0; shift -= 8)
        put_byte(d, d->total.adler >> shift & 0xFF);
    return 0;
}

int nytp_deflate_write(nytp_deflate *d, const void *data, size_t size, enum nytp_deflate_flush flush,
                       nytp_error *err)
{
    enum nytp_deflate_flush now = flush == NYTP_DEFLATE_SEGMENT ? NYTP_DEFLATE_SYNC : flush;
    int rc = 0;
    if (size > 0 || flush == NYTP_DEFLATE_END || (now == NYTP_DEFLATE_SYNC && d->pending))
        rc = compress_some(d, data, size, now, err);
    bool full = d->total.in_bytes - d->segment_from.in_bytes >= NYTP_SEGMENT_BYTES;
    if (rc == 0 && flush == NYTP_DEFLATE_END)
        rc = end_stream(d, err);
    else if (rc == 0 && (flush == NYTP_DEFLATE_SEGMENT || full))
        rc = end_segment(d, err);
    return rc == 0 && flush != NYTP_DEFLATE_MORE ? drain(d, err) : rc;
}

int nytp_deflate_choose(nytp_deflate *d, enum nytp_deflate_with with, nytp_error *err)
{
    d->asked = with;
    const codec *next = wanted(d);
    const bool goes_on = d->begins || (d->now->with == next->with && d->now->level == next->level);
    return goes_on ? 0 : end_segment(d, err);
}

int nytp_deflate_remember(nytp_deflate *d, nytp_deflate_mark *mark, nytp_error *err)
{
    int rc = nytp_deflate_write(d, NULL, 0, NYTP_DEFLATE_SYNC, err);
    *mark = d->total;
    return rc;
}

void nytp_deflate_resume(nytp_deflate *d, const nytp_deflate_mark *mark)
{
    d->total = *mark;
    d->used = 0;
    d->pending = false;
    d->begins = true;
    if (d->segment_from.in_bytes > mark->in_bytes)
        d->segment_from = *mark;
}

void nytp_deflate_totals(const nytp_deflate *d, uint64_t *in_bytes, uint64_t *out_bytes)
{
    *in_bytes = d->total.in_bytes;
    *out_bytes = d->total.out_bytes;
}

void nytp_deflate_free(nytp_deflate *d)
{
    if (d == NULL)
        return;
    codecs_stop(d->codecs);
    free(d);
}

uint32_t nytp_adler_join(uint32_t first, uint32_t second, uint64_t second_size)
{
    return (uint32_t)adler32_combine(first, second, (z_off_t)second_size);
}
