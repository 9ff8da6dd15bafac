/* One pass over each input: events go straight to the output, with fids of the merged profile; files, subs,
 * arcs and settings are kept, and told once.
 *
 * Where a sub that evals define again is shown in the first of them (folds.h), there is no telling any more
 * whose lines those are. To be merged again the output must tell: comments before such chunks do. Stock's
 * readers pass over them.
 */
#include "merge.h"

#include "arcs.h"
#include "files.h"
#include "folds.h"
#include "settings.h"
#include "texts.h"

#include <errno.h>
#include <glib.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The comment that a merged profile begins with; in one without it the others mean nothing. */
static const char merged_comment[] = " Merged by nytprofmerge. #>N: the next chunk stems from fid N, a "
                                     "string eval. #=N: runs of an application.";

/* A process of the input at hand that has not ended. */
typedef struct open_process {
    uint32_t pid;
    double start_s;
    int64_t ticks_before; /* of the input */
} open_process;

typedef struct merging {
    const merge_inputs *inputs;
    const merge_options *options;
    merge_files *files;
    merge_folds *folds;
    merge_arcs *arcs;
    merge_settings *settings;
    merge_texts *texts;
    nytp_writer *writer;
    double ticks_per_sec;
    bool begun;  /* the header was written */
    bool failed; /* and said why */
    uint64_t processes;

    /* of the input at hand */
    size_t input;
    double scale;     /* the merged profile's ticks in one of the input's */
    bool was_merged;  /* comments mean something */
    bool scanned;     /* its subs are settled */
    bool discount;    /* of the next statement */
    uint32_t origin;  /* fid of the eval that the next chunk stems from; 0: the one that it tells */
    GArray *definers; /* uint32_t: fids of those that define the next sub; none: the one that it tells */
    GArray *open;     /* open_process */
    int64_t ticks;    /* of its statements so far */
} merging;

/* ---- writing ---- */

static void put(merging *m, const nytp_chunk *chunk)
{
    if (m->failed || nytp_writer_chunk(m->writer, chunk) == 0)
        return;
    m->failed = true;
    nytp_tool_say("%s", nytp_writer_error(m->writer)->message);
}

static void put_comment(merging *m, const char *text, size_t length)
{
    const nytp_chunk comment = {.tag = NYTP_COMMENT, .comment = {{text, length, false}}};
    put(m, &comment);
}

static void put_setting(void *context, const nytp_chunk *chunk)
{
    merging *m = context;
    static const char calls[] = "calls";
    nytp_str key = chunk->attribute.key;
    nytp_chunk setting = *chunk;
    if (m->options->no_calls && chunk->tag == NYTP_OPTION && key.length == sizeof calls - 1 &&
        memcmp(key.bytes, calls, key.length) == 0)
        setting.attribute.value = (nytp_str){"0", 1, false};
    put(m, &setting);
}

/* The first chunk that is no setting follows. */
static void begin_output(merging *m)
{
    const nytp_chunk version = {.tag = NYTP_VERSION, .version = {5, 0}},
                     deflate = {.tag = NYTP_START_DEFLATE};
    m->begun = true;
    put(m, &version);
    put_comment(m, merged_comment, sizeof merged_comment - 1);
    merge_settings_each_first(m->settings, put_setting, m);
    if (m->options->level > 0)
        put(m, &deflate);
}

static void put_definers(merging *m, const uint32_t *fids, size_t count)
{
    enum { FIDS_A_LINE = 200 };
    char text[1 + FIDS_A_LINE * 11];
    for (size_t i = 0; i < count;) {
        size_t used = 0;
        text[used++] = '*';
        for (size_t end = MIN(i + FIDS_A_LINE, count); i < end; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%" PRIu32 " ", fids[i]);
        put_comment(m, text, used - 1);
    }
}

/* ---- what comments of a merged input say ---- */

/* Moves *at behind a number and the byte that ends it. */
static uint32_t take_number(const char **at, const char *end)
{
    uint32_t number = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
        number = number * 10 + (uint32_t)(**at - '0');
    if (*at < end)
        (*at)++;
    return number;
}

static void take_definers(GArray *definers, nytp_str text)
{
    const char *end = text.bytes + text.length;
    for (const char *at = text.bytes + 1; at < end;) {
        uint32_t fid = take_number(&at, end);
        g_array_append_val(definers, fid);
    }
}

static bool begins(nytp_str text, char first)
{
    return text.length > 0 && text.bytes[0] == first;
}

static void take_comment(merging *m, nytp_str text)
{
    const char *at = text.bytes + 1, *end = text.bytes + text.length;
    if (text.length == sizeof merged_comment - 1 && memcmp(text.bytes, merged_comment, text.length) == 0) {
        m->was_merged = true;
    } else if (m->was_merged && begins(text, '>')) {
        m->origin = take_number(&at, end);
    } else if (m->was_merged && begins(text, '*')) {
        take_definers(m->definers, text);
    } else if (m->was_merged && begins(text, '=')) {
        uint32_t runs = take_number(&at, end);
        merge_settings_take_runs(m->settings, (nytp_str){at, (size_t)(end - at), false}, runs);
    }
}

/* ---- subs first ---- */

static void take_sub_info(merge_folds *folds, GArray *definers, const nytp_chunk *chunk)
{
    if (definers->len > 0)
        merge_folds_take(folds, chunk, (const uint32_t *)(const void *)definers->data, definers->len);
    else
        merge_folds_take(folds, chunk, &chunk->sub_info.fid, 1);
    g_array_set_size(definers, 0);
}

/* Reads the input for its files and subs alone. What is wrong with it is told by who reads the rest. */
static void scan(merging *m)
{
    nytp_reader *reader = nytp_reader_new(merge_inputs_open(m->inputs, m->input));
    GArray *definers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    nytp_chunk chunk;
    merge_folds_drop(m->folds);
    m->scanned = true;
    if (reader == NULL)
        g_error("out of memory"); /* as GLib says it */
    nytp_reader_set_wanted(reader, nytp_tag_bit(NYTP_NEW_FID) | nytp_tag_bit(NYTP_SUB_INFO) |
                                       nytp_tag_bit(NYTP_COMMENT));
    while (nytp_reader_next(reader, &chunk) == NYTP_OK) {
        if (chunk.tag == NYTP_NEW_FID)
            merge_files_learn(m->files, &chunk);
        else if (chunk.tag == NYTP_SUB_INFO)
            take_sub_info(m->folds, definers, &chunk);
        else if (m->was_merged && begins(chunk.comment.text, '*'))
            take_definers(definers, chunk.comment.text);
    }
    merge_folds_settle(m->folds, m->files);
    g_array_free(definers, TRUE);
    nytp_reader_free(reader);
}

/* ---- where a chunk belongs ---- */

/* fid: where it is shown; origin: the eval it stems from, or fid. */
typedef struct merged_place {
    uint32_t fid, origin;
    bool is_eval;
} merged_place;

/* NULL for fid 0, and for one that has no name, which is an error. */
static const merge_file *named_file(merging *m, const nytp_chunk *chunk, uint32_t fid)
{
    const merge_file *file = merge_files_find(m->files, fid);
    if (file == NULL && fid != 0 && !m->failed) {
        nytp_tool_say("%s: offset %" PRIu64 ": a %s chunk of fid %" PRIu32 ", which was not named",
                      merge_inputs_name(m->inputs, m->input), chunk->offset, nytp_tag_name((int)chunk->tag),
                      fid);
        m->failed = true;
    }
    return file;
}

static merged_place place_of(merging *m, const nytp_chunk *chunk, uint32_t fid, uint32_t line)
{
    if (m->origin != 0)
        fid = m->origin;
    m->origin = 0;
    const merge_file *file = named_file(m, chunk, fid);
    if (file != NULL && file->first != file->fid && !m->scanned) {
        scan(m);
        file = merge_files_find(m->files, fid);
    }
    if (file == NULL)
        return (merged_place){0};
    bool moved = file->moved != NULL && merge_file_is_moved(file, line);
    return (merged_place){moved ? file->first : file->fid, file->fid, file->is_eval};
}

static void mark(merging *m, merged_place place)
{
    char text[16];
    if (place.fid != place.origin)
        put_comment(m, text, (size_t)snprintf(text, sizeof text, ">%" PRIu32, place.origin));
}

/* ---- chunks ---- */

static void put_discount(merging *m)
{
    const nytp_chunk discount = {.tag = NYTP_DISCOUNT};
    put(m, &discount);
}

/* It is of the next statement; or of none, where the process ends, and stock's reader takes it for one of the
 * next process. */
static void put_pending_discount(merging *m)
{
    if (m->discount)
        put_discount(m);
    m->discount = false;
}

/* Ticks that became too many for one chunk go into several, of which one counts. */
static void put_scaled(merging *m, nytp_chunk *time, merged_place place)
{
    double ticks = round(time->time.ticks * m->scale);
    for (; fabs(ticks) > INT32_MAX; ticks -= time->time.ticks) {
        time->time.ticks = ticks > 0 ? INT32_MAX : -INT32_MAX;
        mark(m, place);
        put_discount(m);
        put(m, time);
    }
    time->time.ticks = (int32_t)ticks;
}

static void take_time(merging *m, const nytp_chunk *chunk)
{
    merged_place place = place_of(m, chunk, chunk->time.fid, chunk->time.line);
    nytp_chunk time = *chunk;
    m->ticks += chunk->time.ticks;
    time.time.fid = place.fid;
    if (m->scale != 1)
        put_scaled(m, &time, place);
    mark(m, place);
    put_pending_discount(m);
    put(m, &time);
}

/* Whatever sub it was called from: stock leaves the calls where they were made. */
static void take_sub_entry(merging *m, const nytp_chunk *chunk)
{
    const merge_file *file = named_file(m, chunk, chunk->sub_entry.fid);
    if (m->options->no_calls)
        return;
    nytp_chunk entry = *chunk;
    entry.sub_entry.fid = file != NULL ? file->fid : 0;
    put(m, &entry);
}

static void take_sub_return(merging *m, const nytp_chunk *chunk)
{
    if (m->options->no_calls)
        return;
    if (m->scale == 1) {
        put(m, chunk);
        return;
    }
    nytp_chunk scaled = *chunk;
    scaled.sub_return.incl_ticks *= m->scale;
    scaled.sub_return.excl_ticks *= m->scale;
    put(m, &scaled);
}

static void take_sub_callers(merging *m, const nytp_chunk *chunk)
{
    merged_place place = place_of(m, chunk, chunk->sub_callers.fid, chunk->sub_callers.line);
    nytp_chunk callers = *chunk;
    callers.sub_callers.fid = place.fid;
    merge_arcs_add(m->arcs, &callers, place.origin);
}

static void take_src_line(merging *m, const nytp_chunk *chunk)
{
    merged_place place = place_of(m, chunk, chunk->src_line.fid, chunk->src_line.line);
    if (m->options->no_source ||
        (!place.is_eval &&
         !merge_texts_is_new(m->texts, place.fid, chunk->src_line.line, chunk->src_line.text)))
        return;
    nytp_chunk line = *chunk;
    line.src_line.fid = place.fid;
    mark(m, place);
    put(m, &line);
}

static void take_new_fid(merging *m, const nytp_chunk *chunk)
{
    nytp_chunk file = *chunk;
    merge_files_learn(m->files, chunk);
    if (merge_files_translate(m->files, &file))
        put(m, &file);
}

static void take_setting(merging *m, nytp_reader *reader, const nytp_chunk *chunk)
{
    m->scale = m->ticks_per_sec / nytp_reader_ticks_per_sec(reader);
    if (merge_settings_take(m->settings, chunk, merge_inputs_name(m->inputs, m->input), m->scale) && m->begun)
        put_setting(m, chunk);
}

/* ---- processes ---- */

static void take_pid_start(merging *m, nytp_reader *reader, const nytp_chunk *chunk)
{
    open_process p = {chunk->pid_start.pid, chunk->pid_start.time_s, m->ticks};
    m->scale = m->ticks_per_sec / nytp_reader_ticks_per_sec(reader);
    m->processes++;
    g_array_append_val(m->open, p);
    put(m, chunk);
}

static void take_pid_end(merging *m, const nytp_chunk *chunk)
{
    for (guint i = m->open->len; i-- > 0;)
        if (g_array_index(m->open, open_process, i).pid == chunk->pid_end.pid) {
            g_array_remove_index(m->open, i);
            break;
        }
    put_pending_discount(m);
    put(m, chunk);
}

/* Those that have no end, because the input was cut, end after the statements that are known of them. */
static void end_processes(merging *m)
{
    for (guint i = m->open->len; i-- > 0;) {
        const open_process *p = &g_array_index(m->open, open_process, i);
        double ran_s = (double)(m->ticks - p->ticks_before) * m->scale / m->ticks_per_sec;
        const nytp_chunk end = {.tag = NYTP_PID_END, .pid_end = {p->pid, p->start_s + ran_s}};
        put(m, &end);
    }
    g_array_set_size(m->open, 0);
}

/* ---- an input ---- */

static bool is_text(nytp_tag tag)
{
    return tag == NYTP_COMMENT || tag == NYTP_ATTRIBUTE || tag == NYTP_OPTION || tag == NYTP_START_DEFLATE ||
           tag == NYTP_VERSION;
}

static void take(merging *m, nytp_reader *reader, const nytp_chunk *chunk)
{
    if (!m->begun && !is_text(chunk->tag))
        begin_output(m);
    switch (chunk->tag) {
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: take_time(m, chunk); break;
    case NYTP_DISCOUNT: m->discount = true; break;
    case NYTP_SUB_ENTRY: take_sub_entry(m, chunk); break;
    case NYTP_SUB_RETURN: take_sub_return(m, chunk); break;
    case NYTP_SUB_CALLERS: take_sub_callers(m, chunk); break;
    case NYTP_SRC_LINE: take_src_line(m, chunk); break;
    case NYTP_NEW_FID: take_new_fid(m, chunk); break;
    case NYTP_SUB_INFO:
        if (!m->scanned)
            take_sub_info(m->folds, m->definers, chunk);
        g_array_set_size(m->definers, 0);
        break;
    case NYTP_PID_START: take_pid_start(m, reader, chunk); break;
    case NYTP_PID_END: take_pid_end(m, chunk); break;
    case NYTP_ATTRIBUTE:
    case NYTP_OPTION: take_setting(m, reader, chunk); break;
    case NYTP_COMMENT: take_comment(m, chunk->comment.text); break;
    default: break; /* the merged profile has its own */
    }
}

static int take_some(void *context, nytp_reader *reader)
{
    enum { CHUNKS = 1 << 13 };
    merging *m = context;
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (uint32_t n = 0; n < CHUNKS && (rc = nytp_reader_next(reader, &chunk)) == NYTP_OK; n++)
        take(m, reader, &chunk);
    return m->failed ? NYTP_END : rc;
}

static int merge_input(merging *m, size_t number, const nytp_tool_options *common)
{
    m->input = number;
    m->scale = 1;
    m->was_merged = m->scanned = m->discount = false;
    m->ticks = 0;
    merge_files_begin_input(m->files);
    m->origin = 0;
    g_array_set_size(m->definers, 0);
    int rc = nytp_tool_read_source(merge_inputs_open(m->inputs, number), merge_inputs_name(m->inputs, number),
                                   common, NYTP_ALL_TAGS, take_some, m);
    if (rc < 0 || m->failed)
        return -1;
    if (!m->scanned)
        merge_folds_settle(m->folds, m->files);
    end_processes(m);
    merge_settings_end_input(m->settings);
    return 0;
}

/* ---- the end ---- */

static void put_sub_info(void *context, const nytp_chunk *sub_info, const uint32_t *definers, size_t count)
{
    merging *m = context;
    if (count != 1 || definers[0] != sub_info->sub_info.fid)
        put_definers(m, definers, count);
    put(m, sub_info);
}

static void put_arc(void *context, const nytp_chunk *sub_callers, uint32_t origin_fid)
{
    merging *m = context;
    mark(m, (merged_place){.fid = sub_callers->sub_callers.fid, .origin = origin_fid});
    put(m, sub_callers);
}

static void put_runs(void *context, nytp_str application, uint64_t runs)
{
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "=%" PRIu64 " ", runs);
    g_string_append_len(text, application.bytes, (gssize)application.length);
    put_comment(context, text->str, text->len);
    g_string_free(text, TRUE);
}

static int end_output(merging *m)
{
    if (m->processes == 0) {
        nytp_tool_say("there is nothing to merge: no process began in any of them");
        return -1;
    }
    merge_folds_each(m->folds, put_sub_info, m);
    merge_arcs_each(m->arcs, put_arc, m);
    merge_settings_each_application(m->settings, put_runs, m);
    merge_settings_each_last(m->settings, put_setting, m);
    if (!m->failed && nytp_writer_finish(m->writer) != 0) {
        nytp_tool_say("%s", nytp_writer_error(m->writer)->message);
        m->failed = true;
    }
    return m->failed ? -1 : 0;
}

static int write_to_stream(void *context, const void *data, size_t size)
{
    return fwrite(data, 1, size, context) == size ? 0 : -errno;
}

static merging merging_new(const merge_inputs *inputs, const merge_options *options, FILE *out)
{
    double ticks_per_sec = merge_inputs_ticks_per_sec(inputs);
    return (merging){.inputs = inputs,
                     .options = options,
                     .files = merge_files_new(),
                     .folds = merge_folds_new(),
                     .arcs = merge_arcs_new(),
                     .settings = merge_settings_new(ticks_per_sec),
                     .texts = merge_texts_new(),
                     .writer = nytp_writer_new(nytp_sink_callback(write_to_stream, out, "the merged profile"),
                                               options->level),
                     .ticks_per_sec = ticks_per_sec,
                     .definers = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                     .open = g_array_new(FALSE, FALSE, sizeof(open_process))};
}

static void merging_clear(merging *m)
{
    nytp_writer_free(m->writer);
    g_array_free(m->open, TRUE);
    g_array_free(m->definers, TRUE);
    merge_texts_free(m->texts);
    merge_settings_free(m->settings);
    merge_arcs_free(m->arcs);
    merge_folds_free(m->folds);
    merge_files_free(m->files);
}

int merge_write(const merge_inputs *inputs, const merge_options *options, const nytp_tool_options *common,
                FILE *out, merge_totals *totals)
{
    merging m = merging_new(inputs, options, out);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < merge_inputs_count(inputs); i++)
        rc = merge_input(&m, i, common);
    if (rc == 0)
        rc = end_output(&m);
    *totals = (merge_totals){m.processes, merge_files_count(m.files), merge_arcs_count(m.arcs)};
    merging_clear(&m);
    return rc;
}
