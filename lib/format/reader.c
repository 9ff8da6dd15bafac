/* A reader: its settings and counts, the bytes that it has buffered, and the ways in which reading fails. */
#include "format/reader.h"

#include "base/error.h"
#include "base/str.h"
#include "bytes/source.h"

#include <stdlib.h>
#include <string.h>

/* Whether bytes were read already, or could not be. */
static bool has_begun(const nytp_reader *r)
{
    return r->ended != NYTP_OK || r->base_offset > 0 || r->end != r->buffer;
}

int nytp_reader_set_threads(nytp_reader *reader, enum nytp_threads when)
{
    if (has_begun(reader))
        return NYTP_ERR_STATE;
    reader->threads = when;
    return 0;
}

void nytp_reader_set_inflater(nytp_reader *reader, enum nytp_inflate_with with)
{
    reader->inflate_with = with;
}

int nytp_reader_set_dprof(nytp_reader *reader, const nytp_dprof_options *options)
{
    if (has_begun(reader))
        return NYTP_ERR_STATE;
    reader->dprof = *options;
    return 0;
}

int nytp_reader_drop_labels(nytp_reader *reader)
{
    if (has_begun(reader))
        return NYTP_ERR_STATE;
    if (reader->dropped == NULL)
        reader->dropped = nytp_labels_new();
    return reader->dropped != NULL ? 0 : NYTP_ERR_MEMORY;
}

static void drop_label(const nytp_reader *r, nytp_str *name)
{
    nytp_label label;
    nytp_labels_split(r->dropped, *name, &label);
    *name = label.base;
}

nytp_decode_result nytp_reader_drop_label(nytp_reader *r, nytp_chunk *chunk)
{
    switch (chunk->tag) {
    case NYTP_SUB_RETURN: drop_label(r, &chunk->sub_return.name); break;
    case NYTP_SUB_INFO: drop_label(r, &chunk->sub_info.name); break;
    case NYTP_SUB_CALLERS:
        drop_label(r, &chunk->sub_callers.caller);
        drop_label(r, &chunk->sub_callers.called);
        break;
    case NYTP_ATTRIBUTE:
        if (nytp_str_is(chunk->attribute.key, "labels") &&
            !nytp_labels_add(r->dropped, chunk->attribute.value))
            return nytp_reader_out_of_memory(r);
        return nytp_is_about_labels(chunk->attribute.key) ? NYTP_SKIPPED : NYTP_DECODED;
    case NYTP_VERSION:
    case NYTP_COMMENT:
    case NYTP_OPTION:
    case NYTP_START_DEFLATE:
    case NYTP_PID_START:
    case NYTP_PID_END:
    case NYTP_NEW_FID:
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK:
    case NYTP_DISCOUNT:
    case NYTP_SUB_ENTRY:
    case NYTP_SRC_LINE:
    case NYTP_COVER_UNIT:
    case NYTP_COVER_HIT: break;
    }
    return NYTP_DECODED;
}

void nytp_reader_set_tags(nytp_reader *reader, uint32_t tags)
{
    reader->filter.wanted = tags;
    reader->wanted = tags | reader->filter.needs;
}

void nytp_reader_add_tags(nytp_reader *reader, uint32_t tags)
{
    nytp_reader_set_tags(reader, reader->filter.wanted | tags);
}

void nytp_reader_set_memory(nytp_reader *reader, uint64_t base_bytes, uint32_t bytes_per_byte)
{
    reader->limit_base_bytes = base_bytes;
    reader->limit_bytes_per_byte = bytes_per_byte;
}

const nytp_error *nytp_reader_error(const nytp_reader *reader)
{
    return &reader->error;
}

const char *nytp_reader_unit(const nytp_reader *reader)
{
    return reader->unit;
}

const char *nytp_reader_memory_of(const nytp_reader *reader)
{
    return reader->memory_of;
}

const char *nytp_reader_collector(const nytp_reader *reader)
{
    return reader->collector.text;
}

size_t nytp_reader_warnings(const nytp_reader *reader, const char **first)
{
    if (first != NULL)
        *first = reader->warnings > 0 ? reader->first_warning : NULL;
    return reader->warnings;
}

double nytp_reader_ticks_per_sec(const nytp_reader *reader)
{
    return reader->ticks_per_sec;
}

uint64_t nytp_reader_chunks(const nytp_reader *reader)
{
    return reader->chunks;
}

size_t nytp_reader_open_processes(const nytp_reader *reader)
{
    return reader->tmon == NULL ? reader->open_pids.count : 0;
}

void nytp_reader_position(const nytp_reader *reader, uint64_t *taken_bytes, uint64_t *size_bytes)
{
    *taken_bytes = reader->source != NULL ? reader->source->taken_bytes : 0;
    *size_bytes = reader->source != NULL ? reader->source->size_bytes : 0;
}

const char *nytp_reader_stream_name(const nytp_reader *r)
{
    return r->inflating ? " of the inflated data" : "";
}

nytp_decode_result nytp_reader_fail_at(nytp_reader *r, int code, const unsigned char *where, const char *what)
{
    r->error.offset = nytp_reader_offset_of(r, where);
    r->error.tag = r->at < r->end ? *r->at : 0;
    r->ended = nytp_fail(&r->error, code, "%s: offset %llu%s: %s", r->source->name,
                         (unsigned long long)r->error.offset, nytp_reader_stream_name(r), what);
    return NYTP_FAILED;
}

nytp_decode_result nytp_reader_out_of_memory(nytp_reader *r)
{
    return nytp_reader_fail_at(r, NYTP_ERR_MEMORY, r->at, "out of memory");
}

bool nytp_reader_may_hold(nytp_reader *r, uint64_t bytes)
{
    uint64_t for_file, most;
    if (__builtin_mul_overflow(r->limit_bytes_per_byte, r->source->taken_bytes, &for_file) ||
        __builtin_add_overflow(r->limit_base_bytes, for_file, &most))
        most = UINT64_MAX;
    if (r->limit_base_bytes == 0 || bytes <= most)
        return true;
    nytp_reader_fail_at(r, NYTP_ERR_MEMORY, r->at, "more memory than it may take");
    return false;
}

const char *nytp_reader_wrong_memory(const nytp_reader *reader)
{
    return reader->wrong_memory;
}

void nytp_reader_warn_at(nytp_reader *r, uint64_t offset, const char *why)
{
    if (r->warnings++ == 0)
        snprintf(r->first_warning, sizeof r->first_warning, "%s: offset %llu%s: %s", r->source->name,
                 (unsigned long long)offset, nytp_reader_stream_name(r), why);
}

nytp_decode_result nytp_reader_skip_line(nytp_reader *r, const char *why)
{
    nytp_reader_warn_at(r, nytp_reader_offset_of(r, r->at), why);
    return NYTP_SKIPPED;
}

nytp_decode_result nytp_reader_sees_header(const nytp_reader *r)
{
    static const char *const magics[] = {"NYTProf ", "#fOrTyTwO\n", "#fOrTyTwO\r\n"};
    const size_t have = (size_t)(r->end - r->at);
    nytp_decode_result result = NYTP_SKIPPED;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const size_t length = strlen(magics[i]);
        if (memcmp(r->at, magics[i], have < length ? have : length) != 0)
            continue;
        if (have >= length)
            return NYTP_DECODED;
        result = NYTP_NEEDS_BYTES;
    }
    return result;
}

/* Moves the bytes that are left to the place right before `bytes`, which are size bytes that follow them.
 * Both together are the input then. */
static void move_left(nytp_reader *r, unsigned char *bytes, size_t size)
{
    size_t left = (size_t)(r->end - r->at);
    memmove(bytes - left, r->at, left);
    memset(bytes + size, 0, NYTP_PAD);
    r->base_offset += (uint64_t)(r->at - r->base);
    r->base = r->at = bytes - left;
    r->end = bytes + size;
}

/* Makes free space in the buffer after the bytes that are left: moves those to the front, or to a larger
 * buffer if they fill most of this one. Returns false after an error, which r->ended then holds. */
static bool make_space(nytp_reader *r)
{
    enum { CHEAP_TO_MOVE = 4096 };
    size_t left = (size_t)(r->end - r->at);
    if (r->base == r->buffer && left > CHEAP_TO_MOVE &&
        r->capacity - (size_t)(r->end - r->buffer) >= r->capacity / 4)
        return true;
    if (left <= r->capacity / 2) {
        move_left(r, r->buffer + left, 0);
        return true;
    }
    size_t capacity = r->capacity;
    while (left > capacity / 2) /* maybe more than once: what a source lent may be larger than the buffer */
        capacity *= 2;
    if (!nytp_reader_may_hold(r, r->capacity + capacity))
        return false;
    unsigned char *larger = malloc(capacity + NYTP_PAD);
    if (larger == NULL) {
        nytp_reader_out_of_memory(r);
        return false;
    }
    move_left(r, larger + left, 0);
    free(r->buffer);
    r->buffer = larger;
    r->capacity = capacity;
    return true;
}

/* Bytes that the source lends are decoded in place. What is left of the bytes before must be moved in front
 * of them, so it must be short. */
bool nytp_reader_refill(nytp_reader *r)
{
    bool lent = r->source->lend != NULL && r->end - r->at <= NYTP_LENT_BEFORE;
    /* lend() and read() end the last loan, so the bytes that are left are copied to the buffer before. */
    if (!make_space(r))
        return false;
    unsigned char *const free_bytes = r->buffer + (r->end - r->buffer), *bytes = free_bytes;
    ptrdiff_t n =
        lent ? r->source->lend(r->source, &bytes, &r->error)
             : r->source->read(r->source, bytes, r->capacity - (size_t)(bytes - r->buffer), &r->error);
    if (n < 0) {
        r->error.offset = nytp_reader_offset_of(r, r->end);
        r->ended = (int)n;
    } else if (lent && n > 0) {
        move_left(r, bytes, (size_t)n);
    } else {
        memset(free_bytes + n, 0, NYTP_PAD);
        r->end = free_bytes + n;
    }
    return n > 0;
}
