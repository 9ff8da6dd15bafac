/* The writer: encodes chunks and writes them to a sink. */
#include "format/writer.h"

#include "base/error.h"
#include "bytes/deflate.h"
#include "bytes/sink.h"
#include "format/chunks.h"
#include "format/primitives.h"
#include "format/tags.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 64 << 10 };

struct nytp_writer {
    nytp_sink *sink;
    nytp_deflate *deflate;       /* from START_DEFLATE on */
    nytp_deflate_mt *deflate_mt; /* instead of deflate, if threads > 0 */
    unsigned threads;
    int level;
    enum nytp_deflate_with with;
    uint64_t deflated_bytes; /* passed on since START_DEFLATE */
    bool begun;              /* VERSION was written */
    bool finished;
    unsigned char *buffer;
    size_t capacity, length;
    nytp_error error;
};

nytp_writer *nytp_writer_new(nytp_sink *sink, int level)
{
    if (sink == NULL)
        return NULL;
    nytp_writer *w = calloc(1, sizeof *w);
    unsigned char *buffer = malloc(BUFFER_BYTES);
    if (w == NULL || buffer == NULL) {
        free(w);
        free(buffer);
        nytp_sink_free(sink);
        return NULL;
    }
    w->sink = sink;
    w->level = level;
    w->buffer = buffer;
    w->capacity = BUFFER_BYTES;
    return w;
}

void nytp_writer_free(nytp_writer *writer)
{
    if (writer == NULL)
        return;
    nytp_deflate_free(writer->deflate);
    nytp_deflate_mt_free(writer->deflate_mt);
    nytp_sink_free(writer->sink);
    free(writer->buffer);
    free(writer);
}

const nytp_error *nytp_writer_error(const nytp_writer *writer)
{
    return &writer->error;
}

static int out_of_memory(nytp_writer *w)
{
    return nytp_fail(&w->error, NYTP_ERR_MEMORY, "%s: out of memory", w->sink->name);
}

static int refuse(nytp_writer *w, const nytp_chunk *chunk, const char *why)
{
    w->error.tag = (int)chunk->tag;
    return nytp_fail(&w->error, NYTP_ERR_ARGUMENT, "%s: cannot write %s chunk: %s", w->sink->name,
                     nytp_tag_phrase((int)chunk->tag), why);
}

static const char too_long[] = "more than 32 MiB of text";

static bool is_deflating(const nytp_writer *w)
{
    return w->deflate != NULL || w->deflate_mt != NULL;
}

static int pass_on(nytp_writer *w, const void *data, size_t size, enum nytp_deflate_flush flush)
{
    if (is_deflating(w))
        w->deflated_bytes += size;
    if (w->deflate != NULL)
        return nytp_deflate_write(w->deflate, data, size, flush, &w->error);
    if (w->deflate_mt == NULL)
        return size > 0 ? w->sink->write(w->sink, data, size, &w->error) : 0;
    int rc = nytp_deflate_mt_write(w->deflate_mt, data, size, &w->error);
    return rc == 0 && flush == NYTP_DEFLATE_END ? nytp_deflate_mt_finish(w->deflate_mt, &w->error) : rc;
}

/* Passes the buffer on. */
static int drain(nytp_writer *w, enum nytp_deflate_flush flush)
{
    size_t size = w->length;
    w->length = 0;
    return pass_on(w, w->buffer, size, flush);
}

/* Makes size bytes free at the end of the buffer. */
static int reserve(nytp_writer *w, size_t size)
{
    if (size <= w->capacity - w->length)
        return 0;
    int rc = drain(w, NYTP_DEFLATE_MORE);
    if (rc != 0 || size <= w->capacity)
        return rc;
    unsigned char *larger = realloc(w->buffer, size);
    if (larger == NULL)
        return out_of_memory(w);
    w->buffer = larger;
    w->capacity = size;
    return 0;
}

static int put_text(nytp_writer *w, const char *text, size_t length)
{
    int rc = reserve(w, length);
    if (rc != 0)
        return rc;
    if (length > 0)
        memcpy(w->buffer + w->length, text, length);
    w->length += length;
    return 0;
}

static bool has_byte(nytp_str s, char byte)
{
    return s.length > 0 && memchr(s.bytes, byte, s.length) != NULL;
}

static int put_comment(nytp_writer *w, const nytp_chunk *chunk)
{
    nytp_str text = chunk->comment.text;
    if (text.length > NYTP_STR_LONGEST)
        return refuse(w, chunk, too_long);
    if (has_byte(text, '\n'))
        return refuse(w, chunk, "a newline in a comment");
    if (put_text(w, "#", 1) != 0 || put_text(w, text.bytes, text.length) != 0)
        return w->error.code;
    return put_text(w, "\n", 1);
}

/* Puts a comment of that size. */
static int put_gap(nytp_writer *w, size_t size)
{
    if (size == 0 || reserve(w, size) != 0)
        return w->error.code;
    unsigned char *at = w->buffer + w->length;
    memset(at, ' ', size);
    at[0] = NYTP_COMMENT;
    at[size - 1] = '\n';
    w->length += size;
    return 0;
}

static int put_attribute(nytp_writer *w, const nytp_chunk *chunk)
{
    nytp_str key = chunk->attribute.key, value = chunk->attribute.value;
    if (key.length > NYTP_STR_LONGEST || value.length > NYTP_STR_LONGEST - key.length)
        return refuse(w, chunk, too_long);
    if (has_byte(key, '\n') || has_byte(value, '\n') || has_byte(key, '='))
        return refuse(w, chunk, "a newline, or \"=\" in the key");
    char tag = (char)chunk->tag;
    if (is_deflating(w) && put_gap(w, nytp_text_gap(w->deflated_bytes + w->length, chunk)) != 0)
        return w->error.code;
    if (put_text(w, &tag, 1) != 0 || put_text(w, key.bytes, key.length) != 0 || put_text(w, "=", 1) != 0 ||
        put_text(w, value.bytes, value.length) != 0)
        return w->error.code;
    return put_text(w, "\n", 1);
}

static int put_version(nytp_writer *w, const nytp_chunk *chunk)
{
    char line[64];
    if (w->begun)
        return refuse(w, chunk, "the stream has begun");
    if (chunk->version.major != 4 && chunk->version.major != 5)
        return refuse(w, chunk, "the format must be 4 or 5");
    w->begun = true;
    int length = snprintf(line, sizeof line, "NYTProf %" PRIu32 " %" PRIu32 "\n", chunk->version.major,
                          chunk->version.minor);
    return put_text(w, line, (size_t)length);
}

static int start_deflating(nytp_writer *w, const nytp_chunk *chunk)
{
    if (is_deflating(w))
        return refuse(w, chunk, "the stream is compressed already");
    if (w->level < 1 || w->level > 9)
        return refuse(w, chunk, "the compression level must be 1 to 9");
    if (put_text(w, "z", 1) != 0 || drain(w, NYTP_DEFLATE_MORE) != 0)
        return w->error.code;
    if (w->threads > 0)
        w->deflate_mt = nytp_deflate_mt_new(w->sink, w->level, w->with, w->threads);
    if (w->deflate_mt != NULL)
        return 0;
    w->deflate = nytp_deflate_new(w->sink, w->level, w->with);
    return w->deflate != NULL ? 0 : out_of_memory(w);
}

/* Writes a comment after the compressed data, for people who look into the file. Readers stop before it. Not
 * after a short stream, which is not compressed. */
static int put_trailer(nytp_writer *w)
{
    uint64_t in, out;
    char text[160];
    if (w->deflate_mt != NULL)
        nytp_deflate_mt_totals(w->deflate_mt, &in, &out);
    else
        nytp_deflate_totals(w->deflate, &in, &out);
    if (out >= in)
        return 0;
    int length =
        snprintf(text, sizeof text,
                 "#\n# Compressed %" PRIu64 " bytes to %" PRIu64 ", ratio %.2f:1, data shrunk by %.1f%%\n",
                 in, out, (double)in / (double)out, 100.0 * (1.0 - (double)out / (double)in));
    return w->sink->write(w->sink, text, (size_t)length, &w->error);
}

static int put_binary(nytp_writer *w, const nytp_chunk *chunk)
{
    size_t capacity = nytp_chunk_capacity(chunk);
    if (capacity == 0)
        return refuse(w, chunk, too_long);
    if (reserve(w, capacity) != 0)
        return w->error.code;
    unsigned char *start = w->buffer + w->length;
    *start = (unsigned char)chunk->tag;
    unsigned char *end = nytp_put_fields(start + 1, chunk);
    if (end == NULL)
        return refuse(w, chunk, "there is no such chunk");
    w->length += (size_t)(end - start);
    return 0;
}

int nytp_writer_chunk(nytp_writer *w, const nytp_chunk *chunk)
{
    if (w->error.code != NYTP_OK)
        return w->error.code;
    if (w->finished)
        return refuse(w, chunk, "the stream was finished");
    if (!w->begun && chunk->tag != NYTP_VERSION)
        return refuse(w, chunk, "a VERSION must come first");
    switch (chunk->tag) {
    case NYTP_VERSION: return put_version(w, chunk);
    case NYTP_COMMENT: return put_comment(w, chunk);
    case NYTP_ATTRIBUTE:
    case NYTP_OPTION: return put_attribute(w, chunk);
    case NYTP_START_DEFLATE: return start_deflating(w, chunk);
#define CASE(name) case NYTP_##name:
        NYTP_BINARY_CHUNKS(CASE)
#undef CASE
        break;
    }
    return put_binary(w, chunk);
}

int nytp_writer_compress(nytp_writer *w)
{
    return w->level != 0 ? nytp_writer_chunk(w, &(nytp_chunk){.tag = NYTP_START_DEFLATE}) : w->error.code;
}

int nytp_writer_encoded(nytp_writer *w, const void *data, size_t size)
{
    if (w->error.code != NYTP_OK)
        return w->error.code;
    if (w->finished)
        return nytp_fail(&w->error, NYTP_ERR_ARGUMENT, "%s: cannot write: the stream was finished",
                         w->sink->name);
    w->begun = true;
    if (drain(w, NYTP_DEFLATE_MORE) != 0 || size == 0)
        return w->error.code;
    return pass_on(w, data, size, NYTP_DEFLATE_MORE);
}

void nytp_writer_set_threads(nytp_writer *w, unsigned threads)
{
    w->threads = threads;
}

void nytp_writer_set_deflate(nytp_writer *w, enum nytp_deflate_with with)
{
    w->with = with;
}

bool nytp_writer_prepare(nytp_writer *w)
{
    return w->deflate != NULL && nytp_deflate_prepare(w->deflate);
}

int nytp_writer_choose(nytp_writer *w, nytp_deflate_effort effort)
{
    if (w->error.code != NYTP_OK || w->deflate == NULL)
        return w->error.code;
    return drain(w, NYTP_DEFLATE_MORE) != 0 ? w->error.code
                                            : nytp_deflate_choose(w->deflate, effort, &w->error);
}

int nytp_writer_flush(nytp_writer *w)
{
    if (w->error.code != NYTP_OK || w->finished)
        return w->error.code;
    return drain(w, NYTP_DEFLATE_SYNC);
}

int nytp_writer_finish(nytp_writer *w)
{
    if (w->error.code != NYTP_OK || w->finished)
        return w->error.code;
    w->finished = true;
    int rc = drain(w, NYTP_DEFLATE_END);
    return rc == 0 && is_deflating(w) ? put_trailer(w) : rc;
}

int nytp_writer_remember(nytp_writer *w, nytp_deflate_mark *mark)
{
    int rc = nytp_writer_flush(w);
    return rc == 0 && w->deflate != NULL ? nytp_deflate_remember(w->deflate, mark, &w->error) : rc;
}

void nytp_writer_resume(nytp_writer *w, const nytp_deflate_mark *mark)
{
    w->finished = false;
    w->length = 0;
    if (w->deflate != NULL) {
        w->deflated_bytes = mark->in_bytes;
        nytp_deflate_resume(w->deflate, mark);
    }
}
