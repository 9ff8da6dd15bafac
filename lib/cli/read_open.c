#include "cli/read.h"

#include "bytes/source.h"
#include "calls/derive_arcs.h"
#include "cli/say.h"
#include "events/spans.h"
#include "events/filters.h"
#include "memory/view.h"

#include <stdlib.h>
#include <string.h>

/* Returns a reader of what the filters leave of *source, and makes that a source that can be read again. On
 * an error, says why, frees *source, sets it to NULL, and returns NULL. Also returns NULL if *source is NULL.
 */
static nytp_reader *begin_before(nytp_source **source, const nytp_filter_options *filters)
{
    nytp_error error = {0};
    if (*source == NULL)
        return NULL;
    *source = nytp_source_rewindable(*source, &error);
    if (*source == NULL) {
        nytp_say("%s", error.message);
        return NULL;
    }
    nytp_reader *reader = nytp_reader_new(nytp_source_borrow(*source));
    if (reader != NULL && nytp_filters_attach(filters, reader) == 0)
        return reader;
    nytp_say("out of memory");
    nytp_reader_free(reader);
    g_clear_pointer(source, nytp_source_free);
    return NULL;
}

/* Ends what begin_before() has begun: the source will be read from its first byte. */
static void end_before(nytp_source *source, nytp_reader *reader)
{
    nytp_reader_free(reader);
    if (source->rewind != NULL)
        source->rewind(source);
}

/* Finds what filters need to know of the whole source, and sets it in them; the spans only if they are
 * wanted. Returns the source, to be read from its first byte, or NULL after saying why not. Takes ownership
 * of the source. */
static nytp_source *prepare_filters(nytp_source *source, nytp_filter_options *filters, bool wants_spans)
{
    nytp_filter_options before = {.process = filters->process};
    nytp_reader *reader;
    if (nytp_stretch_has_shares(&filters->range) && (reader = begin_before(&source, &before)) != NULL) {
        nytp_stretch_set_length(&filters->range, nytp_run_length_s(reader));
        end_before(source, reader);
    }
    if (source != NULL && nytp_stretch_is_given(&filters->range) && source->rewind != NULL &&
        source->rewind(source) && (reader = begin_before(&source, &before)) != NULL) {
        filters->begin_s = nytp_run_begin_s(reader);
        end_before(source, reader);
    }
    before.range = filters->range;
    before.begin_s = filters->begin_s;
    if (wants_spans && (reader = begin_before(&source, &before)) != NULL) {
        filters->spans = nytp_find_spans(reader, filters);
        end_before(source, reader);
    }
    return source;
}

nytp_spans *nytp_read_spans(const char *path, const nytp_common_options *options)
{
    nytp_filter_options filters = options->filters;
    nytp_source *source = nytp_source_file(path);
    filters.slowest = (nytp_slowest){0};
    if (source == NULL || (source = prepare_filters(source, &filters, true)) == NULL)
        return NULL;
    nytp_source_free(source);
    return filters.spans;
}

/* The peak of several processes is that of their sum. */
static nytp_source *choose_peak(nytp_source *source, const nytp_filter_options *before,
                                nytp_filter_options *ranged)
{
    nytp_reader *reader = begin_before(&source, before);
    if (reader == NULL)
        return NULL;
    nytp_memory_history *history = nytp_memory_history_new(false);
    nytp_memory_history_read(history, reader, ranged);
    if (history->streams > 1)
        ranged->range = nytp_memory_history_peak(history);
    nytp_memory_history_free(history);
    end_before(source, reader);
    return source;
}

bool nytp_read_memory_history(const char *path, const nytp_common_options *options,
                              nytp_filter_options *filters, nytp_memory_history *history, nytp_records *parts)
{
    const nytp_filter_options before = {.process = options->filters.process};
    nytp_source *source = nytp_source_file(path);
    nytp_reader *reader = begin_before(&source, &before);
    if (reader == NULL)
        return false;
    if (parts == NULL)
        nytp_memory_history_read(history, reader, filters);
    else
        nytp_memory_history_read_parts(history, parts, reader, filters);
    nytp_reader_free(reader);
    nytp_source_free(source);
    return true;
}

nytp_source *nytp_read_memory(nytp_source *source, const nytp_common_options *options)
{
    if (!options->memory.is_given)
        return source;
    if (source == NULL) {
        nytp_say("out of memory");
        return NULL;
    }
    if (nytp_stretch_is_given(&options->filters.range) &&
        nytp_memory_view_has_moments(&options->memory.view)) {
        nytp_say("--memory has moments of its own, which do not go with --range");
        nytp_source_free(source);
        return NULL;
    }
    nytp_filter_options ranged = {.process = options->filters.process, .range = options->filters.range};
    const nytp_filter_options filters = {.process = ranged.process};
    if ((source = prepare_filters(source, &ranged, false)) == NULL)
        return NULL;
    if (options->memory.view.of == NYTP_MEMORY_PEAK &&
        (source = choose_peak(source, &filters, &ranged)) == NULL)
        return NULL;
    char *name = strdup(source->name);
    nytp_error error = {0};
    nytp_source *view = NULL;
    nytp_reader *reader = nytp_reader_new(source);
    if (name != NULL && reader != NULL && nytp_filters_attach(&filters, reader) == 0)
        view = nytp_memory_view_source(reader, &options->memory.view, &ranged, name, &error);
    if (view == NULL)
        nytp_say("%s", error.code != 0 ? error.message : "out of memory");
    nytp_reader_free(reader);
    free(name);
    return view;
}

nytp_reader *nytp_read_open(nytp_source *source, const nytp_common_options *options, uint32_t tags)
{
    nytp_filter_options filters = options->filters;
    const bool wants_spans = nytp_filters_choose_spans(&filters);
    source = nytp_read_memory(source, options);
    if (source == NULL && options->memory.is_given)
        return NULL;
    if (options->memory.is_given)
        filters.range = (nytp_stretch){0}; /* it is the view's */
    if (source != NULL && (source = prepare_filters(source, &filters, wants_spans)) == NULL)
        return NULL;
    nytp_reader *reader = source != NULL ? nytp_reader_new(source) : NULL;
    if (reader != NULL && (tags & nytp_tag_bit(NYTP_SUB_CALLERS)) != 0 &&
        nytp_filters_leave_out_events(&filters))
        filters.sums = nytp_sum_calls_new();
    if (reader != NULL && nytp_filters_attach(&filters, reader) == 0) {
        nytp_reader_set_dprof(reader, &options->dprof);
        return reader;
    }
    nytp_say("out of memory");
    nytp_reader_free(reader);
    return NULL;
}
