/* Several profiles in one source, one after the other. */
#include "base/error.h"
#include "base/pids.h"
#include "base/ticks.h"
#include "bytes/source.h"
#include "format/dprof/tmon.h"
#include "format/reader.h"

#include <stdio.h>
#include <string.h>

/* Replaces the source that inflates by one of the bytes that follow the compressed data. Returns false when
 * out of memory. */
static bool stop_inflating(nytp_reader *r)
{
    r->source = r->source->detach(r->source);
    if (r->source == NULL) {
        r->ended = nytp_fail(&r->error, NYTP_ERR_MEMORY, "out of memory");
        return false;
    }
    r->inflating = false;
    r->base = r->at = r->end = r->buffer;
    memset(r->buffer, 0, NYTP_PAD);
    r->base_offset = r->source->taken_bytes;
    return true;
}

/* Moves past a line. Returns false at the end of the source, or after an error. */
static bool skip_line(nytp_reader *r)
{
    const unsigned char *newline;
    while ((newline = memchr(r->at, '\n', (size_t)(r->end - r->at))) == NULL) {
        r->at = r->end;
        if (!nytp_reader_refill(r))
            return false;
    }
    r->at = newline + 1;
    return true;
}

/* Skips comments. Returns NYTP_DECODED if the header of a profile follows them. */
static nytp_decode_result find_header(nytp_reader *r)
{
    nytp_decode_result result;
    do {
        while ((result = nytp_reader_sees_header(r)) == NYTP_NEEDS_BYTES)
            if (!nytp_reader_refill(r))
                return NYTP_SKIPPED;
    } while (result == NYTP_SKIPPED && r->at < r->end && *r->at == '#' && skip_line(r));
    return result;
}

/* Skips everything up to the end of the source, with a warning. */
static void skip_rest(nytp_reader *r)
{
    const uint64_t from = nytp_reader_offset_of(r, r->at);
    char why[96];
    do {
        r->at = r->end;
    } while (nytp_reader_refill(r));
    const uint64_t bytes = nytp_reader_offset_of(r, r->at) - from;
    if (bytes == 0 || r->ended < 0)
        return;
    snprintf(why, sizeof why, "skipped %llu %s after the profile", (unsigned long long)bytes,
             bytes == 1 ? "byte" : "bytes");
    nytp_reader_warn_at(r, from, why);
}

static void begin_profile(nytp_reader *r)
{
    nytp_tmon_free(r->tmon);
    r->tmon = NULL;
    nytp_pids_clear(&r->open_pids);
    r->version = 0;
    r->searched_bytes = 0; /* of a line that was cut */
    r->nvs = NYTP_NV_DOUBLE;
    r->plain = r->at_header = r->seen_process = false;
    r->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
    r->collector = (nytp_collector){0};
    r->unit[0] = r->memory_of[0] = r->wrong_memory[0] = '\0';
    r->is_sampled = r->is_cover = false;
    r->cut_processes = 0;
}

int nytp_reader_next_profile(nytp_reader *reader, uint64_t *offset)
{
    const bool inflating = reader->inflating;
    if (reader->ended < 0 || reader->ended == NYTP_OK)
        return reader->ended < 0 ? reader->ended : NYTP_ERR_STATE;
    reader->warnings = 0;
    if (reader->source->cut != NULL || (!inflating && !reader->at_header))
        return NYTP_END; /* the source has ended */
    if (inflating && !reader->at_header && !stop_inflating(reader))
        return reader->ended;
    if (!reader->at_header && find_header(reader) != NYTP_DECODED) {
        skip_rest(reader);
        return reader->ended < 0 ? reader->ended : NYTP_END;
    }
    begin_profile(reader);
    reader->error = (nytp_error){0};
    reader->ended = NYTP_OK;
    if (offset != NULL)
        *offset = nytp_reader_offset_of(reader, reader->at);
    return NYTP_OK;
}
