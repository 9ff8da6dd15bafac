#include "state.h"

#include "model/annotations.h"
#include "base/str.h"
#include "bytes/deflate.h"
#include "cli/say.h"
#include "format/writer.h"

#include <errno.h>
#include <stdlib.h>

static int write_to_stream(void *context, const void *data, size_t size)
{
    return fwrite(data, 1, size, context) == size ? 0 : -errno;
}

/* Levels 1 and 2 are for speed: they use the fast library if there is one. */
merge_output merge_output_new(FILE *out, const char *name, int level, unsigned threads, bool no_calls)
{
    enum { FASTER = 2 };
    merge_output o = {.no_calls = no_calls};
    o.writer = nytp_writer_new(nytp_sink_callback(write_to_stream, out, name), level);
    if (o.writer == NULL) {
        nytp_say("out of memory");
        o.failed = true;
        return o;
    }
    nytp_writer_set_deflate(o.writer, level > FASTER ? NYTP_DEFLATE_STRONG : NYTP_DEFLATE_FAST);
    nytp_writer_set_threads(o.writer, threads);
    return o;
}

void merge_output_clear(merge_output *output)
{
    nytp_writer_free(output->writer);
}

/* If rc is negative, reports the error, but only the first one. */
static void check(merge_output *o, int rc)
{
    if (rc >= 0)
        return;
    if (!o->failed)
        nytp_say("%s", nytp_writer_error(o->writer)->message);
    o->failed = true;
}

void merge_output_put(merge_output *output, const nytp_chunk *chunk)
{
    if (!output->failed)
        check(output, nytp_writer_chunk(output->writer, chunk));
}

static void put(void *context, const nytp_chunk *chunk)
{
    merge_output_put(context, chunk);
}

void merge_output_put_setting(merge_output *output, const nytp_chunk *chunk)
{
    nytp_chunk setting = *chunk;
    if (output->no_calls && chunk->tag == NYTP_OPTION && nytp_str_is(chunk->attribute.key, "calls"))
        setting.attribute.value = (nytp_str){"0", 1, false};
    merge_output_put(output, &setting);
}

static void put_setting(void *context, const nytp_chunk *chunk)
{
    merge_output_put_setting(context, chunk);
}

void merge_output_begin(merge_output *output, const nytp_merged_settings *settings)
{
    const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}};
    merge_output_put(output, &version);
    nytp_annotate_begin(put, output);
    nytp_merged_settings_each_first(settings, put_setting, output);
}

void merge_output_end_header(merge_output *output)
{
    output->header_ended = true;
    if (!output->failed)
        check(output, nytp_writer_compress(output->writer));
}

void merge_output_origin(merge_output *output, uint32_t fid)
{
    nytp_annotate_origin(fid, put, output);
}

void merge_output_relay(merge_output *output, nytp_reader *reader, nytp_relay *events)
{
    events->no_calls = output->no_calls;
    if (!output->failed)
        check(output, nytp_reader_relay(reader, output->writer, events));
}

static void put_sub_info(void *context, const nytp_chunk *sub_info, const uint32_t *definers, size_t count)
{
    nytp_annotate_definers(definers, count, put, context);
    put(context, sub_info);
}

static void put_later_definers(void *context, uint32_t sub_info, const uint32_t *definers, size_t count)
{
    nytp_annotate_later_definers(sub_info, definers, count, put, context);
}

void merge_output_sub(merge_output *output, nytp_sub_map *subs, uint32_t range)
{
    nytp_sub_map_put(subs, range, put_sub_info, output);
}

static void put_arc(void *context, const nytp_chunk *sub_callers, const nytp_mark *kept, uint32_t origin_fid)
{
    nytp_mark_text text;
    if (origin_fid != sub_callers->sub_callers.fid)
        nytp_annotate_origin(origin_fid, put, context);
    if (kept != NULL) {
        nytp_mark_write(kept, &text);
        put(context, &text.chunk);
    }
    put(context, sub_callers);
}

static void put_listed(void *context, nytp_str application, uint64_t processes)
{
    nytp_annotate_application(application, processes, put, context);
}

void merge_output_end(merge_output *output, nytp_sub_map *subs, const merge_arcs *arcs,
                      const nytp_merged_settings *settings)
{
    nytp_sub_map_put_rest(subs, put_sub_info, put_later_definers, output);
    merge_arcs_each(arcs, put_arc, output);
    nytp_merged_settings_each_application(settings, put_listed, output);
    nytp_merged_settings_each_last(settings, put_setting, output);
    if (!output->failed)
        check(output, nytp_writer_finish(output->writer));
}
