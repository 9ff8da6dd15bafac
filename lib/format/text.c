/* The chunks of text: the header, and the lines that begin with # : or ! */
#include "format/reader.h"

#include "base/str.h"
#include "base/ticks.h"
#include "format/memory.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_LONGEST = 64 }; /* bytes; "NYTProf 5 0\n" is 12 */

/* Fails, because no profile begins like this. Names the program that compressed the file, if any. */
static nytp_decode_result refuse(nytp_reader *r)
{
    static const struct {
        const char *name, *magic;
    } compressors[] = {
        {"gzip", "\x1f\x8b"}, {"zstd", "\x28\xb5\x2f\xfd"}, {"xz", "\xfd\x37zXZ"}, {"bzip2", "BZh"}};
    const size_t have = (size_t)(r->end - r->at);
    for (size_t i = 0; i < sizeof compressors / sizeof *compressors; i++) {
        const size_t length = strlen(compressors[i].magic);
        char what[96];
        if (memcmp(r->at, compressors[i].magic, have < length ? have : length) != 0)
            continue;
        if (have < length)
            return NYTP_NEEDS_BYTES;
        snprintf(what, sizeof what, "not a Perl profile but compressed by %s: decompress it first",
                 compressors[i].name);
        return nytp_reader_fail_at(r, NYTP_ERR_FORMAT, r->at, what);
    }
    return nytp_reader_fail_at(r, NYTP_ERR_FORMAT, r->at, NYTP_NOT_A_PROFILE);
}

nytp_decode_result nytp_decode_version(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c)
{
    static const char magic[] = "NYTProf ";
    size_t have = (size_t)(r->end - r->at), magic_length = sizeof magic - 1;
    if (memcmp(r->at, magic, have < magic_length ? have : magic_length) != 0)
        return refuse(r);
    const unsigned char *newline = memchr(r->at, '\n', have);
    if (newline == NULL && have < HEADER_LONGEST)
        return NYTP_NEEDS_BYTES;
    char line[HEADER_LONGEST] = "", digits[2][10]; /* line stays empty, and is refused, if it is too long */
    if (newline != NULL && newline - r->at < HEADER_LONGEST)
        memcpy(line, r->at, (size_t)(newline - r->at));
    if (sscanf(line + magic_length, "%9[0-9] %9[0-9]", digits[0], digits[1]) != 2)
        return nytp_reader_fail_at(r, NYTP_ERR_FORMAT, r->at, "bad header: expected \"NYTProf 5 0\"");
    const unsigned major = (unsigned)atoi(digits[0]), minor = (unsigned)atoi(digits[1]);
    if (major != 4 && major != 5) {
        char what[96];
        snprintf(what, sizeof what, "format %u.%u: this library reads 4.0 and 5.0", major, minor);
        return nytp_reader_fail_at(r, NYTP_ERR_UNSUPPORTED, r->at, what);
    }
    r->version = major;
    r->plain = true;
    chunk->tag = NYTP_VERSION;
    chunk->version.major = major;
    chunk->version.minor = minor;
    c->at = newline + 1;
    return NYTP_DECODED;
}

/* The chunks that are delivered have doubles, so nv_size becomes 8. */
static nytp_decode_result apply_nv_size(nytp_reader *r, nytp_str *value)
{
    const double size = nytp_str_number(*value);
    char what[96];
    r->nvs = nytp_nv_kind_of_size(size);
    r->plain = r->nvs == NYTP_NV_DOUBLE;
    *value = r->plain ? *value : (nytp_str){"8", 1, false};
    if (r->nvs != NYTP_NV_UNREADABLE)
        return NYTP_DECODED;
    snprintf(what, sizeof what, "written by a perl with NVs of %g bytes: only 8, 12 and 16 can be read",
             size);
    return nytp_reader_fail_at(r, NYTP_ERR_UNSUPPORTED, r->at, what);
}

/* Keeps a value, cut if it is too long. The unit "time" is none. */
static void keep_text(char *kept, size_t size, nytp_str value)
{
    const size_t length = value.length < size ? value.length : size - 1;
    memcpy(kept, value.bytes, length);
    kept[nytp_str_is(value, "time") ? 0 : length] = '\0';
}

static void check_memory(nytp_reader *r, nytp_str value)
{
    nytp_memory memory;
    if (nytp_memory_parse(value, &memory) || r->wrong_memory[0] != '\0')
        return;
    snprintf(r->wrong_memory, sizeof r->wrong_memory,
             "%s: offset %llu%s: expected a number of blocks and a kind after memory=", r->source->name,
             (unsigned long long)nytp_reader_offset_of(r, r->at), nytp_reader_stream_name(r));
}

/* Applies the attributes that say how to read what follows, and what wrote it. */
static nytp_decode_result apply_attribute(nytp_reader *r, nytp_chunk *chunk)
{
    nytp_collector_add(&r->collector, chunk->attribute.key, chunk->attribute.value);
    r->cut_processes += nytp_str_is(chunk->attribute.key, "process_cut");
    if (nytp_str_is(chunk->attribute.key, "unit"))
        keep_text(r->unit, sizeof r->unit, chunk->attribute.value);
    if (nytp_str_is(chunk->attribute.key, "memory_of"))
        keep_text(r->memory_of, sizeof r->memory_of, chunk->attribute.value);
    if (nytp_str_is(chunk->attribute.key, "sampled_hz"))
        r->is_sampled = nytp_str_number(chunk->attribute.value) > 0;
    if (nytp_str_is(chunk->attribute.key, "cover"))
        r->is_cover = true;
    if (nytp_str_is(chunk->attribute.key, "memory"))
        check_memory(r, chunk->attribute.value);
    if (nytp_str_is(chunk->attribute.key, "nv_size"))
        return apply_nv_size(r, &chunk->attribute.value);
    if (nytp_str_is(chunk->attribute.key, "ticks_per_sec")) {
        double ticks_per_s = nytp_str_number(chunk->attribute.value);
        if (!nytp_is_rate(ticks_per_s))
            return nytp_reader_skip_line(r, "ticks_per_sec is not a number from 1e-9 to 1e18; line skipped");
        r->ticks_per_sec = ticks_per_s;
    }
    return NYTP_DECODED;
}

nytp_decode_result nytp_decode_line(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c)
{
    /* The source may give a long line in small pieces: each is searched once. */
    const unsigned char *const from = c->at + r->searched_bytes;
    const unsigned char *const newline = memchr(from, '\n', (size_t)(c->end - from));
    r->searched_bytes = newline == NULL ? (size_t)(c->end - c->at) : 0;
    if (newline == NULL) {
        if (c->end - c->at > NYTP_STR_LONGEST)
            return nytp_reader_fail_at(r, NYTP_ERR_FORMAT, r->at, "expected a newline within 32 MiB");
        return NYTP_NEEDS_BYTES;
    }
    nytp_str text = {(const char *)c->at, (size_t)(newline - c->at), false};
    c->at = newline + 1;
    if (chunk->tag == NYTP_COMMENT) {
        chunk->comment.text = text;
        return NYTP_DECODED;
    }
    const char *equals = memchr(text.bytes, '=', text.length);
    if (equals == NULL)
        return nytp_reader_skip_line(r, "a line without \"=\" was skipped");
    chunk->attribute.key = (nytp_str){text.bytes, (size_t)(equals - text.bytes), false};
    chunk->attribute.value = (nytp_str){equals + 1, text.length - chunk->attribute.key.length - 1, false};
    return chunk->tag == NYTP_ATTRIBUTE ? apply_attribute(r, chunk) : NYTP_DECODED;
}
