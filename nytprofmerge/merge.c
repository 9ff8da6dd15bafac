/* Goes through each input once: events go straight to the output, with fids of the merged profile; files,
 * subs, arcs and settings are kept, and written once.
 */
#include "cli/options.h"
#include "cli/read.h"
#include "cli/say.h"
#include "merging.h"

#include "remarks.h"

#include <string.h>

/* ---- other chunks ---- */

/* In the file where the call was made, even if the calling sub is shown in another one: stock has it so. */
static void take_sub_entry(merging *m, const nytp_chunk *chunk)
{
    const merge_file *file = merging_named_file(m, chunk, chunk->sub_entry.fid);
    nytp_chunk entry = *chunk;
    entry.sub_entry.fid = file != NULL ? file->fid : 0;
    if (!m->options->no_calls)
        merge_output_put(&m->out, &entry);
}

static void take_sub_return(merging *m, const nytp_chunk *chunk)
{
    nytp_chunk scaled = *chunk;
    scaled.sub_return.incl_ticks *= m->scale;
    scaled.sub_return.excl_ticks *= m->scale;
    if (!m->options->no_calls)
        merge_output_put(&m->out, &scaled);
}

static void take_new_fid(merging *m, const nytp_chunk *chunk)
{
    nytp_chunk file = *chunk;
    if (merging_learn_file(m, chunk) && merge_files_translate(m->files, &file))
        merge_output_put(&m->out, &file);
}

static void take_setting(merging *m, nytp_reader *reader, const nytp_chunk *chunk)
{
    m->scale = m->ticks_per_sec / nytp_reader_ticks_per_sec(reader);
    if (merge_settings_take(m->settings, chunk, merge_inputs_name(m->inputs, m->input), m->scale))
        merge_output_put_setting(&m->out, chunk);
}

static void take_comment(merging *m, nytp_str text)
{
    enum merge_remark kind = merge_remark_kind(text);
    uint64_t runs;
    if (kind == MERGE_BEGIN) {
        m->was_merged = true;
    } else if (m->was_merged && kind == MERGE_ORIGIN) {
        m->origin = merge_remark_take_origin(text);
    } else if (m->was_merged && kind == MERGE_DEFINERS) {
        merge_remark_take_definers(text, m->definers);
    } else if (m->was_merged && kind == MERGE_RUNS) {
        nytp_str application = merge_remark_take_runs(text, &runs);
        merge_settings_take_runs(m->settings, application, runs);
    }
}

/* ---- processes ---- */

/* One comes again when a profile is merged with a copy, or with what it was merged into before. */
static void know_process(merging *m, const nytp_chunk *chunk)
{
    const struct {
        uint32_t pid, ppid;
        double time_s;
    } id = {chunk->pid_start.pid, chunk->pid_start.parent, chunk->pid_start.time_s};
    const nytp_str bytes = {.bytes = (const char *)&id, .length = sizeof id};
    bool is_new;
    nytp_names_intern(m->known_processes, &bytes, &is_new);
    if (is_new || m->told_of_twice)
        return;
    m->told_of_twice = true;
    nytp_say("warning: %s: process %u was in a profile before, too; is it given twice?",
             merge_inputs_name(m->inputs, m->input), id.pid);
}

static void take_pid_start(merging *m, nytp_reader *reader, const nytp_chunk *chunk)
{
    know_process(m, chunk);
    open_process p = {chunk->pid_start.time_s, m->ticks};
    int64_t index = nytp_pids_begin(&m->open_pids, chunk->pid_start.pid);
    if (index < 0) {
        nytp_say("out of memory");
        m->failed = true;
        return;
    }
    if (index >= m->open_processes->len)
        g_array_set_size(m->open_processes, (guint)index + 1);
    g_array_index(m->open_processes, open_process, index) = p;
    m->scale = m->ticks_per_sec / nytp_reader_ticks_per_sec(reader);
    m->processes++;
    m->discount = false; /* many a process ends with one, which no statement of its own follows */
    merge_output_put(&m->out, chunk);
}

static void take_pid_end(merging *m, const nytp_chunk *chunk)
{
    nytp_pids_end(&m->open_pids, chunk->pid_end.pid);
    merge_output_put(&m->out, chunk);
}

/* Processes without an end, because the input was cut, end when the statements that are known of them do. */
static void end_processes(merging *m)
{
    uint32_t pid;
    for (uint32_t i = m->open_pids.index_count; i-- > 0;)
        if (nytp_pids_at(&m->open_pids, i, &pid)) {
            const open_process *p = &g_array_index(m->open_processes, open_process, i);
            double ran_s = (double)(m->ticks - p->ticks_before) * m->scale / m->ticks_per_sec;
            const nytp_chunk end = {.tag = NYTP_PID_END, .pid_end = {pid, p->start_s + ran_s}};
            merge_output_put(&m->out, &end);
        }
    nytp_pids_clear(&m->open_pids);
}

/* ---- an input ---- */

static bool is_text(nytp_tag tag)
{
    return tag == NYTP_COMMENT || tag == NYTP_ATTRIBUTE || tag == NYTP_OPTION || tag == NYTP_START_DEFLATE ||
           tag == NYTP_VERSION;
}

static void take(merging *m, nytp_reader *reader, const nytp_chunk *chunk)
{
    if (!m->out.header_ended && !is_text(chunk->tag))
        merge_output_end_header(&m->out);
    switch (chunk->tag) {
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: merging_take_time(m, chunk); break;
    case NYTP_DISCOUNT: m->discount = true; break;
    case NYTP_SUB_ENTRY: take_sub_entry(m, chunk); break;
    case NYTP_SUB_RETURN: take_sub_return(m, chunk); break;
    case NYTP_SUB_CALLERS: merging_take_sub_callers(m, chunk); break;
    case NYTP_SRC_LINE: merging_take_src_line(m, chunk); break;
    case NYTP_NEW_FID: take_new_fid(m, chunk); break;
    case NYTP_SUB_INFO: merging_take_sub_info(m, chunk); break;
    case NYTP_PID_START: take_pid_start(m, reader, chunk); break;
    case NYTP_PID_END: take_pid_end(m, chunk); break;
    case NYTP_ATTRIBUTE:
    case NYTP_OPTION: take_setting(m, reader, chunk); break;
    case NYTP_COMMENT: take_comment(m, chunk->comment.text); break;
    default: break; /* the merged profile has its own */
    }
}

/* Hands on the events that need no more than other fids. */
static void relay(merging *m, nytp_reader *reader)
{
    nytp_relay events = {.discount = m->discount};
    if (!m->out.header_ended || m->scale != 1 || m->origin != 0)
        return;
    events.fids = merge_files_plain(m->files, &events.fid_count);
    merge_output_relay(&m->out, reader, &events);
    m->ticks += events.ticks;
    m->discount = events.discount;
}

static int take_some(void *context, nytp_reader *reader)
{
    enum { CHUNKS = 1 << 10 };
    merging *m = context;
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (uint32_t n = 0; n < CHUNKS && rc == NYTP_OK && !m->failed && !m->out.failed; n++) {
        relay(m, reader);
        rc = nytp_reader_next(reader, &chunk);
        if (rc == NYTP_OK)
            take(m, reader, &chunk);
    }
    return m->failed || m->out.failed ? NYTP_END : rc;
}

static int merge_input(merging *m, size_t number, const nytp_common_options *common)
{
    m->input = number;
    m->scale = 1;
    m->was_merged = m->settled = false;
    m->origin = 0;
    m->ticks = 0;
    g_array_set_size(m->definers, 0);
    merge_files_begin_input(m->files);
    int rc = nytp_read_source(merge_inputs_open(m->inputs, number), merge_inputs_name(m->inputs, number),
                              common, NYTP_ALL_TAGS, take_some, m);
    if (rc < 0 || m->failed || m->out.failed)
        return -1;
    if (!m->settled)
        merging_settle(m);
    end_processes(m);
    merge_settings_end_input(m->settings);
    return 0;
}

static merging merging_new(const merge_inputs *inputs, const merge_options *options, FILE *out,
                           const char *name)
{
    double ticks_per_sec = merge_inputs_ticks_per_sec(inputs);
    nytp_names *names = nytp_names_new();
    return (merging){.inputs = inputs,
                     .options = options,
                     .files = merge_files_new(),
                     .names = names,
                     .folds = merge_folds_new(names),
                     .arcs = merge_arcs_new(names),
                     .settings = merge_settings_new(ticks_per_sec),
                     .texts = merge_texts_new(),
                     .later = merge_later_new(),
                     .known_processes = nytp_names_new(),
                     .out = merge_output_new(out, name, options->level, options->jobs, options->no_calls),
                     .ticks_per_sec = ticks_per_sec,
                     .definers = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
                     .open_processes = g_array_new(FALSE, FALSE, sizeof(open_process))};
}

static void merging_clear(merging *m)
{
    merge_output_clear(&m->out);
    nytp_pids_clear(&m->open_pids);
    g_array_free(m->open_processes, TRUE);
    g_array_free(m->definers, TRUE);
    merge_later_free(m->later);
    merge_texts_free(m->texts);
    merge_settings_free(m->settings);
    merge_arcs_free(m->arcs);
    merge_folds_free(m->folds);
    nytp_names_free(m->known_processes);
    nytp_names_free(m->names);
    merge_files_free(m->files);
}

static int end_output(merging *m)
{
    if (m->processes == 0) {
        nytp_say("there is nothing to merge: no process began in any of them");
        return -1;
    }
    merge_output_end(&m->out, m->folds, m->arcs, m->settings);
    return m->out.failed ? -1 : 0;
}

int merge_write(const merge_inputs *inputs, const merge_options *options, const nytp_common_options *common,
                FILE *out, merge_totals *totals)
{
    bool to_file = common->output != NULL && strcmp(common->output, "-") != 0;
    const char *name = to_file ? common->output : "standard output";
    merging m = merging_new(inputs, options, out, name);
    int rc = 0;
    merge_output_begin(&m.out, m.settings);
    for (size_t i = 0; rc == 0 && i < merge_inputs_count(inputs); i++)
        rc = merge_input(&m, i, common);
    if (rc == 0)
        rc = end_output(&m);
    *totals = (merge_totals){m.processes, merge_files_count(m.files), merge_arcs_count(m.arcs)};
    merging_clear(&m);
    return rc;
}
