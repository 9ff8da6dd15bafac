#include "test/fuzz/fuzz.h"

#include "calls/derive_arcs.h"
#include "events/spans.h"

#include <glib.h>
#include <stdlib.h>

void fuzz_broken(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

nytp_reader *fuzz_reader(const uint8_t *data, size_t size, uint32_t wanted)
{
    nytp_reader *reader = nytp_reader_new(nytp_source_memory(data, size, "p.out"));
    nytp_reader_set_tags(reader, wanted);
    return reader;
}

nytp_filter_options fuzz_filters(const uint8_t *data, size_t size)
{
    static const nytp_stretch range = {{NYTP_SINCE_BEGIN, 1e-6}, {NYTP_SINCE_BEGIN, 2e-5}, "1us..20us"};
    const uint8_t bits = size > 3 ? data[size - 4] : 0;
    return (nytp_filter_options){.no_wait = bits & 1,
                                 .range = bits & 2 ? range : (nytp_stretch){.text = NULL},
                                 .evals = bits & 4,
                                 .span = bits & 8 ? "GET /" : NULL,
                                 .slowest = {bits & 16 ? 2 : 0, false},
                                 .process = bits & 32 ? 7 : 0,
                                 .no_labels = bits & 64,
                                 .kinds = bits & 128};
}

void fuzz_read_filtered(const uint8_t *data, size_t size, const nytp_filter_options *filters, uint32_t wanted,
                        nytp_read_some_fn *read_some, void *context)
{
    nytp_filter_options all = *filters;
    if (nytp_filters_choose_spans(filters)) {
        nytp_reader *first = fuzz_reader(data, size, NYTP_ALL_TAGS);
        all.spans = nytp_find_spans(first, filters);
        nytp_reader_free(first);
    }
    if (nytp_filters_leave_out_events(filters) && (wanted & nytp_tag_bit(NYTP_SUB_CALLERS)) != 0)
        all.sums = nytp_sum_calls_new();
    nytp_reader *reader = fuzz_reader(data, size, wanted);
    must(nytp_filters_attach(&all, reader) == 0);
    while (read_some(context, reader) == NYTP_OK) {
    }
    g_free(nytp_filters_missing(reader));
    nytp_reader_free(reader);
}

void fuzz_read(const uint8_t *data, size_t size, uint32_t wanted, nytp_read_some_fn *read_some, void *context)
{
    fuzz_read_filtered(data, size, &(nytp_filter_options){0}, wanted, read_some, context);
}

void fuzz_read_chunks(const uint8_t *data, size_t size, uint32_t wanted, fuzz_chunk_fn *on_chunk,
                      void *context)
{
    nytp_chunk chunk;
    nytp_reader *reader = fuzz_reader(data, size, wanted);
    while (nytp_reader_next(reader, &chunk) == NYTP_OK)
        on_chunk(context, &chunk);
    nytp_reader_free(reader);
}

/* Reads every byte, so that the sanitizers notice uninitialised ones. */
static ssize_t count_bytes(void *context, const char *bytes, size_t size)
{
    (void)context;
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += (unsigned char)bytes[i];
    return sum == UINT32_MAX ? -1 : (ssize_t)size;
}

FILE *fuzz_results(void)
{
    FILE *out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = count_bytes});
    must(out != NULL);
    return out;
}
