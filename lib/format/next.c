/* Reading the next chunk: decodes what reader.c has buffered. */
#include "base/error.h"
#include "base/pids.h"
#include "base/ticks.h"
#include "bytes/source.h"
#include "format/chunks.h"
#include "format/dprof/tmon.h"
#include "format/runs.h"
#include "format/reader.h"
#include "format/primitives.h"
#include "format/tags.h"

#include <stdlib.h>

enum {
    BUFFER_BYTES = 256 << 10,
    THREADS_FROM_BYTES = 1 << 20 /* file size from which a thread inflates; starting one costs about 50 us */
};

nytp_reader *nytp_reader_new(nytp_source *source)
{
    if (source == NULL)
        return NULL;
    nytp_reader *r = calloc(1, sizeof *r);
    unsigned char *buffer = calloc(1, BUFFER_BYTES + NYTP_PAD);
    if (r == NULL || buffer == NULL) {
        free(r);
        free(buffer);
        nytp_source_free(source);
        return NULL;
    }
    r->source = source;
    r->buffer = buffer;
    r->capacity = BUFFER_BYTES;
    r->at = r->end = r->base = buffer;
    nytp_reader_set_tags(r, NYTP_ALL_TAGS);
    r->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
    return r;
}

void nytp_reader_free(nytp_reader *reader)
{
    if (reader == NULL)
        return;
    nytp_source_free(reader->source);
    nytp_tmon_free(reader->tmon);
    nytp_pids_clear(&reader->open_pids);
    nytp_labels_free(reader->dropped);
    if (reader->filter.free != NULL)
        reader->filter.free(reader->filter.context);
    free(reader->buffer);
    free(reader);
}

/* Writes ", within an OPTION chunk" to text: the input ends within that chunk. */
static void describe_partial(const nytp_reader *r, char *text, size_t size)
{
    snprintf(text, size, ", within %s chunk", nytp_tag_phrase(r->version == 0 ? NYTP_VERSION : *r->at));
}

/* Writes "; no end of process 12, 13 and 4 more" to text, or nothing if all processes ended. */
static void list_open_pids(const nytp_reader *r, char *text, size_t size)
{
    enum { SHOWN = 5 };
    size_t used = 0;
    uint32_t shown = 0, pid;
    text[0] = '\0';
    for (uint32_t i = 0; i < r->open_pids.index_count && shown < SHOWN; i++)
        if (nytp_pids_at(&r->open_pids, i, &pid))
            used += (size_t)snprintf(text + used, size - used, "%s%u",
                                     shown++ == 0 ? "; no end of process " : ", ", pid);
    if (r->open_pids.count > shown)
        snprintf(text + used, size - used, " and %u more", r->open_pids.count - shown);
}

/* Ends reading, because the source has no more bytes or another profile follows: with NYTP_END if the profile
 * is complete, otherwise with NYTP_CUT. */
static void finish(nytp_reader *r)
{
    char within[64] = "", pids[128];
    if (r->at < r->end && !r->at_header)
        describe_partial(r, within, sizeof within);
    else if (r->source->cut != NULL)
        snprintf(within, sizeof within, ": %s", r->source->cut);
    else if (!r->seen_process)
        snprintf(within, sizeof within, ", before any process began");
    else if (r->open_pids.count == 0) {
        r->ended = NYTP_END;
        return;
    }
    list_open_pids(r, pids, sizeof pids);
    r->error.offset = nytp_reader_offset_of(r, r->at);
    r->error.tag = r->at < r->end && !r->at_header ? *r->at : 0;
    r->ended = nytp_fail(&r->error, NYTP_CUT, "%s: cut short at offset %llu%s%s%s", r->source->name,
                         (unsigned long long)r->error.offset, nytp_reader_stream_name(r), within, pids);
}

static bool wants_thread(const nytp_reader *r)
{
    if (r->threads != NYTP_THREADS_AUTO)
        return r->threads == NYTP_THREADS_ALWAYS;
    return r->source->size_bytes == 0 || r->source->size_bytes >= THREADS_FROM_BYTES;
}

/* Returns a source that inflates the bytes from the cursor on and then those of inner; NULL when out of
 * memory. Takes ownership of inner. */
static nytp_source *inflate(const nytp_reader *r, nytp_source *inner, const nytp_cursor *c)
{
    nytp_source *source = nytp_inflate_new(inner, c->at, (size_t)(c->end - c->at), r->inflate_with);
    return source != NULL && wants_thread(r) ? nytp_readahead_new(source) : source;
}

/* Applies a START_DEFLATE: puts an inflating source between the reader and its source. */
static nytp_decode_result start_inflating(nytp_reader *r, nytp_cursor *c)
{
    if (r->inflating)
        return nytp_reader_fail_at(r, NYTP_ERR_FORMAT, r->at, "START_DEFLATE within the compressed data");
    r->source = inflate(r, r->source, c);
    if (r->source == NULL) {
        r->ended = nytp_fail(&r->error, NYTP_ERR_MEMORY, "out of memory for inflating");
        return NYTP_FAILED;
    }
    r->inflating = true;
    r->end = c->at; /* no inflated data is buffered yet */
    return NYTP_DECODED;
}

/* A recording of coverage is a file that is mapped to memory: what its process has not written is NULs, if it
 * was killed or left by _exit(). What comes before them is all that it has recorded. */
static nytp_decode_result decode_unwritten(nytp_reader *r)
{
    r->ended = NYTP_END;
    return NYTP_FAILED;
}

/* Decodes a chunk that is not binary. Fails if no chunk has that tag. Ends reading at the header of another
 * profile. */
static nytp_decode_result decode_other(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c)
{
    nytp_decode_result header = nytp_reader_sees_header(r);
    if (header == NYTP_NEEDS_BYTES)
        return header;
    if (header == NYTP_DECODED) {
        r->at_header = true;
        finish(r);
        return NYTP_FAILED;
    }
    switch (chunk->tag) {
    case NYTP_COMMENT:
    case NYTP_ATTRIBUTE:
    case NYTP_OPTION: return nytp_decode_line(r, chunk, c);
    case NYTP_START_DEFLATE: return start_inflating(r, c);
    default: {
        char what[64];
        if (chunk->tag == 0 && r->is_cover && !r->inflating)
            return decode_unwritten(r);
        snprintf(what, sizeof what, "unknown tag 0x%02x: expected a chunk", (unsigned)chunk->tag);
        return nytp_reader_fail_at(r, NYTP_ERR_FORMAT, r->at, what);
    }
    }
}

static nytp_decode_result fail_bad_field(nytp_reader *r, const nytp_chunk *chunk, const nytp_cursor *c)
{
    char what[128];
    snprintf(what, sizeof what, "expected %s in %s chunk", c->expected, nytp_tag_phrase((int)chunk->tag));
    return nytp_reader_fail_at(r, NYTP_ERR_FORMAT, c->bad, what);
}

static nytp_decode_result apply_process(nytp_reader *r, const nytp_chunk *chunk)
{
    if (chunk->tag == NYTP_PID_END)
        nytp_pids_end(&r->open_pids, chunk->pid_end.pid);
    if (chunk->tag != NYTP_PID_START)
        return NYTP_DECODED;
    if (r->nvs == NYTP_NV_UNREADABLE)
        return nytp_reader_fail_at(
            r, NYTP_ERR_UNSUPPORTED, r->at,
            "numbers of 16 bytes that are neither long doubles of x86 nor little-endian binary128");
    if (!r->seen_process && r->plain && nytp_is_big_endian(chunk->pid_start.time_s))
        return nytp_reader_fail_at(r, NYTP_ERR_UNSUPPORTED, r->at,
                                   "the numbers are big-endian: only little-endian ones can be read");
    r->seen_process = true;
    /* nytp_pids_begin() may double the table, and holds both for a while: three times as much as before. */
    if (!nytp_reader_may_hold(r, r->capacity + 3 * nytp_pids_bytes(&r->open_pids)))
        return NYTP_FAILED;
    return nytp_pids_begin(&r->open_pids, chunk->pid_start.pid) >= 0 ? NYTP_DECODED
                                                                     : nytp_reader_out_of_memory(r);
}

/* Decodes the chunk at r->at, of any kind. At least one byte must be there. */
static nytp_decode_result decode_chunk(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c)
{
    if (r->version == 0)
        return *r->at == '#' ? nytp_tmon_begin(r, chunk, c) : nytp_decode_version(r, chunk, c);
    chunk->tag = *c->at++;
    if (!(r->plain ? nytp_get_fields(c, chunk) : nytp_get_wide_fields(c, chunk, &r->nvs)))
        return decode_other(r, chunk, c);
    if (c->bad != NULL)
        return fail_bad_field(r, chunk, c);
    if (c->at > c->end)
        return NYTP_NEEDS_BYTES;
    return apply_process(r, chunk);
}

static inline bool wanted(const nytp_reader *r, nytp_tag tag)
{
    return (nytp_tag_bits[tag & 0xFF] & r->wanted) != 0;
}

/* A fast decode_chunk() for events: skips those that are not wanted, and decodes the first one that is.
 * Returns false if another kind of chunk comes before it, or one that is invalid or incomplete;
 * decode_chunk() handles those. */
static inline bool decode_event(nytp_reader *r, nytp_chunk *chunk)
{
    nytp_cursor c = {.at = r->at, .end = r->end};
    const bool calls_only = (r->wanted & (NYTP_BIT(TIME_LINE) | NYTP_BIT(DISCOUNT))) == 0;
    uint64_t count = 0;
    bool found = false;
    while (!found && c.at < c.end) {
        if (calls_only && c.end - c.at >= NYTP_SHORT_STATEMENT_MAX)
            c.at = nytp_read_short_statements(c.at, c.end - NYTP_SHORT_STATEMENT_MAX, &count, NULL, NULL);
        const unsigned char *start = c.at;
        if (c.at == c.end || (nytp_tag_bits[*start] & NYTP_EVENTS) == 0)
            break;
        chunk->tag = *c.at++;
        nytp_get_event(&c, chunk);
        if (c.bad != NULL || c.at > c.end) {
            c.at = start;
            break;
        }
        count++;
        if (wanted(r, chunk->tag)) {
            chunk->offset = nytp_reader_offset_of(r, start);
            found = true;
        }
    }
    r->chunks += count;
    r->at = c.at;
    return found;
}

int nytp_reader_next(nytp_reader *reader, nytp_chunk *chunk)
{
    const nytp_reader_filter *filter = &reader->filter;
    return filter->next != NULL ? filter->next(filter->context, reader, chunk)
                                : nytp_reader_next_unfiltered(reader, chunk);
}

int nytp_reader_next_unfiltered(nytp_reader *r, nytp_chunk *chunk)
{
    while (r->ended == NYTP_OK && r->tmon == NULL) {
        if (r->plain && decode_event(r, chunk)) {
            if (r->dropped != NULL)
                nytp_reader_drop_label(r, chunk);
            return NYTP_OK;
        }
        nytp_cursor c = {.at = r->at, .end = r->end};
        nytp_decode_result result = r->at < r->end ? decode_chunk(r, chunk, &c) : NYTP_NEEDS_BYTES;
        if (result == NYTP_DECODED && r->dropped != NULL)
            result = nytp_reader_drop_label(r, chunk);
        if (result == NYTP_NEEDS_BYTES) {
            if (!nytp_reader_refill(r) && r->ended == NYTP_OK)
                finish(r);
        } else if (result != NYTP_FAILED) {
            chunk->offset = nytp_reader_offset_of(r, r->at);
            r->at = c.at;
            r->chunks++;
            if (result == NYTP_DECODED && wanted(r, chunk->tag))
                return NYTP_OK;
        }
    }
    if (r->tmon == NULL)
        return r->ended;
    int rc = nytp_tmon_next(r, chunk);
    r->chunks += rc == NYTP_OK;
    return rc;
}
