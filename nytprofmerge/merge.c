/* Reads each input once. Events go straight to the output, with the fids of the merged profile. Files, subs,
 * arcs and settings are collected and written once. */
#include "merge.h"

#include "format/marks.h"
#include "model/annotations.h"
#include "cli/options.h"
#include "cli/read.h"
#include "cli/say.h"
#include "model/grow.h"
#include "state.h"

#include <string.h>

/* A SUB_ENTRY stays in the file where the call was made, even if the calling sub is shown in another one.
 * Stock's merge does the same. */
static void add_sub_entry(merge_state *m, const nytp_chunk *chunk)
{
    const nytp_mapped_file *file = merge_named_file(m, chunk, chunk->sub_entry.fid);
    nytp_chunk entry = *chunk;
    entry.sub_entry.fid = file != NULL ? file->fid : 0;
    if (!m->options->no_calls)
        merge_output_put(&m->out, &entry);
}

static void add_sub_return(merge_state *m, const nytp_chunk *chunk)
{
    nytp_chunk scaled = *chunk;
    scaled.sub_return.incl_ticks *= m->scale;
    scaled.sub_return.excl_ticks *= m->scale;
    if (!m->options->no_calls)
        merge_output_put(&m->out, &scaled);
}

static void add_new_fid(merge_state *m, const nytp_chunk *chunk)
{
    nytp_chunk file = *chunk;
    if (merge_add_file(m, chunk) && nytp_fid_map_translate(m->fid_map, &file))
        merge_output_put(&m->out, &file);
}

/* Warns of a setting that shows that the profiles do not belong together. A nytp_setting_differs_fn. */
static void warn_of_setting(void *context, const nytp_chunk *setting, nytp_str first)
{
    const merge_state *m = context;
    g_autofree char *key = nytp_name_clean(setting->attribute.key);
    g_autofree char *now = nytp_name_clean(setting->attribute.value), *before = nytp_name_clean(first);
    nytp_say("warning: %s: %s %s is %s there and was %s before; are these profiles of the same program?",
             merge_inputs_name(m->inputs, m->input), setting->tag == NYTP_OPTION ? "option" : "attribute",
             key, now, before);
}

static void add_setting(merge_state *m, nytp_reader *reader, const nytp_chunk *chunk)
{
    m->scale = m->ticks_per_sec / nytp_reader_ticks_per_sec(reader);
    if (nytp_merged_settings_add(m->settings, chunk, m->scale))
        merge_output_put_setting(&m->out, chunk);
}

/* Makes the numbers of a mark those of the merged profile. Returns false if it is about a file that was not
 * named. */
static bool change_mark(const merge_state *m, nytp_mark *mark)
{
    for (unsigned i = 0; i < mark->count; i++) {
        double *number = &mark->numbers[i];
        switch (nytp_mark_number(mark->kind, i)) {
        case NYTP_MARK_TICKS: *number *= m->scale; break;
        case NYTP_MARK_FID: {
            const nytp_mapped_file *file = nytp_fid_map_find(m->fid_map, (uint32_t)*number);
            if (file == NULL)
                return false;
            *number = file->fid;
            break;
        }
        case NYTP_MARK_NUMBER:
        case NYTP_MARK_CHANGE:
        case NYTP_MARK_DEPTH:
        case NYTP_MARK_OPEN:
        case NYTP_MARK_LINE: break;
        }
    }
    return true;
}

/* A mark that makes no sense stays as it is. */
static void put_mark(merge_state *m, const nytp_chunk *chunk)
{
    nytp_mark mark;
    nytp_mark_text text;
    const bool is_read = nytp_mark_read(chunk, &mark);
    const bool is_of_call =
        mark.kind == NYTP_MARK_EVAL_BEGIN || mark.kind == NYTP_MARK_EVAL_END || mark.kind == NYTP_MARK_LEFT;
    nytp_mark changed = mark;
    if (mark.kind == NYTP_MARK_KEPT) {
        m->kept = is_read ? mark : (nytp_mark){0};
        return;
    }
    if ((is_of_call && m->options->no_calls) || (is_read && !change_mark(m, &changed)))
        return;
    const bool is_same = !is_read || nytp_mark_is_same(&mark, &changed);
    if (!is_same)
        nytp_mark_write(&changed, &text);
    merge_output_put(&m->out, is_same ? chunk : &text.chunk);
}

static void add_comment(merge_state *m, nytp_str text)
{
    enum nytp_annotation kind = nytp_annotation_kind(text);
    uint64_t processes;
    if (kind == NYTP_BEGINS_ANNOTATIONS) {
        m->was_merged = true;
    } else if (m->was_merged && kind == NYTP_ANNOTATED_ORIGIN) {
        m->origin = nytp_annotation_origin(text);
    } else if (m->was_merged && kind == NYTP_ANNOTATED_DEFINERS) {
        nytp_annotation_definers(text, m->definers);
    } else if (m->was_merged && kind == NYTP_ANNOTATED_LATER_DEFINERS) {
        merge_place_later_definers(m, text);
    } else if (m->was_merged && kind == NYTP_ANNOTATED_APPLICATION) {
        nytp_str application = nytp_annotation_application(text, &processes);
        nytp_merged_settings_add_listed(m->settings, application, processes);
    }
}

/* Warns of a process that an earlier profile has, too: a profile was merged with a copy of itself, or with
 * one that was made of it. Threads of a file have one pid, and in a range perhaps one start. */
static void note_process(merge_state *m, const nytp_chunk *chunk)
{
    const struct {
        uint32_t pid, ppid;
        double time_s;
    } id = {chunk->pid_start.pid, chunk->pid_start.parent, chunk->pid_start.time_s};
    const nytp_str bytes = {.bytes = (const char *)&id, .length = sizeof id};
    const uint32_t number = nytp_names_intern(m->seen_processes, &bytes, NULL);
    if (number >= m->earlier_processes || m->warned_of_twice)
        return;
    m->warned_of_twice = true;
    nytp_say("warning: %s: process %u was in an earlier profile, too; was it given twice?",
             merge_inputs_name(m->inputs, m->input), id.pid);
}

/* Says which application the processes are of that begin from here on, if that changes. */
static void put_application(merge_state *m)
{
    nytp_chunk setting = {.tag = NYTP_ATTRIBUTE,
                          .attribute.key = {"application", sizeof "application" - 1, false}};
    uint32_t number = nytp_merged_settings_begin_processes(m->settings, 1, &setting.attribute.value);
    if (number != m->application)
        merge_output_put(&m->out, &setting);
    m->application = number;
}

static void add_pid_start(merge_state *m, nytp_reader *reader, const nytp_chunk *chunk)
{
    note_process(m, chunk);
    merge_earlier_begin(m->earlier, m->input, chunk->pid_start.time_s);
    merge_open_process p = {chunk->pid_start.time_s, m->ticks};
    int64_t index = nytp_pids_begin(&m->open_pids, chunk->pid_start.pid);
    if (index < 0) {
        nytp_say("out of memory");
        m->failed = true;
        return;
    }
    if (index >= m->open_processes->len)
        g_array_set_size(m->open_processes, (guint)index + 1);
    g_array_index(m->open_processes, merge_open_process, index) = p;
    m->scale = m->ticks_per_sec / nytp_reader_ticks_per_sec(reader);
    m->processes++;
    m->discount = false; /* a process may end with a DISCOUNT, whose statement never comes */
    put_application(m);
    merge_output_put(&m->out, chunk);
}

static void refuse_cover(merge_state *m)
{
    if (!m->failed)
        nytp_say("a recording of coverage is not merged: nytp cover reads many");
    m->failed = true;
}

static void add_pid_end(merge_state *m, const nytp_chunk *chunk)
{
    nytp_pids_end(&m->open_pids, chunk->pid_end.pid);
    merge_earlier_end(m->earlier, m->input, chunk->pid_end.time_s);
    merge_output_put(&m->out, chunk);
}

/* Ends the processes that lack a PID_END because the input was cut. Each ends with its last known statement.
 */
static void end_processes(merge_state *m)
{
    static const nytp_chunk was_cut = {
        .tag = NYTP_ATTRIBUTE,
        .attribute = {{"process_cut", sizeof "process_cut" - 1, false}, {"1", 1, false}}};
    uint32_t pid;
    for (uint32_t i = m->open_pids.index_count; i-- > 0;)
        if (nytp_pids_at(&m->open_pids, i, &pid)) {
            const merge_open_process *p = &g_array_index(m->open_processes, merge_open_process, i);
            double ran_s = (double)(m->ticks - p->ticks_before) * m->scale / m->ticks_per_sec;
            const nytp_chunk end = {.tag = NYTP_PID_END, .pid_end = {pid, p->start_s + ran_s}};
            merge_earlier_end(m->earlier, m->input, end.pid_end.time_s);
            merge_output_put(&m->out, &was_cut);
            merge_output_put(&m->out, &end);
        }
    nytp_pids_clear(&m->open_pids);
}

static bool is_text(nytp_tag tag)
{
    return tag == NYTP_COMMENT || tag == NYTP_ATTRIBUTE || tag == NYTP_OPTION || tag == NYTP_START_DEFLATE ||
           tag == NYTP_VERSION;
}

static bool is_event(nytp_tag tag)
{
    return tag == NYTP_TIME_LINE || tag == NYTP_TIME_BLOCK || tag == NYTP_SUB_ENTRY || tag == NYTP_SUB_RETURN;
}

static void add_chunk(merge_state *m, nytp_reader *reader, const nytp_chunk *chunk)
{
    if (!m->out.header_ended && !is_text(chunk->tag))
        merge_output_end_header(&m->out);
    if (is_event(chunk->tag))
        merge_say_noted(m);
    switch (chunk->tag) {
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: merge_place_time(m, chunk); break;
    case NYTP_DISCOUNT: m->discount = true; break;
    case NYTP_SUB_ENTRY: add_sub_entry(m, chunk); break;
    case NYTP_SUB_RETURN: add_sub_return(m, chunk); break;
    case NYTP_SUB_CALLERS: merge_place_sub_callers(m, chunk); break;
    case NYTP_SRC_LINE: merge_place_src_line(m, chunk); break;
    case NYTP_NEW_FID: add_new_fid(m, chunk); break;
    case NYTP_SUB_INFO: merge_place_sub_info(m, chunk); break;
    case NYTP_PID_START: add_pid_start(m, reader, chunk); break;
    case NYTP_PID_END: add_pid_end(m, chunk); break;
    case NYTP_ATTRIBUTE:
        if (nytp_mark_kind(chunk) != NYTP_NO_MARK)
            put_mark(m, chunk);
        else
            add_setting(m, reader, chunk);
        break;
    case NYTP_OPTION: add_setting(m, reader, chunk); break;
    case NYTP_COMMENT: add_comment(m, chunk->comment.text); break;
    case NYTP_COVER_UNIT:
    case NYTP_COVER_HIT: refuse_cover(m); break;
    case NYTP_START_DEFLATE: /* the merged profile has chunks of its own for these */
    case NYTP_VERSION: break;
    }
}

/* Copies the buffered events that need no change except of their fids. */
static void relay(merge_state *m, nytp_reader *reader)
{
    nytp_relay events = {.discount = m->discount};
    if (!m->out.header_ended || m->scale != 1 || m->origin != 0 || merge_has_unsaid(m->said))
        return;
    events.fids = nytp_fid_map_direct(m->fid_map, &events.fid_count);
    merge_output_relay(&m->out, reader, &events);
    m->ticks += events.ticks;
    m->discount = events.discount;
}

static int read_some(void *context, nytp_reader *reader)
{
    enum { CHUNKS = 1 << 10 };
    merge_state *m = context;
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (uint32_t n = 0; n < CHUNKS && rc == NYTP_OK && !m->failed && !m->out.failed; n++) {
        relay(m, reader);
        rc = nytp_reader_next(reader, &chunk);
        if (rc == NYTP_OK)
            add_chunk(m, reader, &chunk);
    }
    if (rc != NYTP_OK) {
        uint64_t size_bytes;
        m->is_cut = rc != NYTP_END;
        nytp_reader_position(reader, &m->taken_bytes, &size_bytes);
    }
    return m->failed || m->out.failed ? NYTP_END : rc;
}

static void begin_profile(merge_state *m)
{
    m->scale = 1;
    m->was_merged = m->placed = m->is_cut = false;
    m->origin = 0;
    m->kept = (nytp_mark){0};
    m->ticks = 0;
    m->rounded_ticks = 0;
    m->sub_infos = 0;
    g_array_set_size(m->definers, 0);
    nytp_fid_map_begin_input(m->fid_map);
    nytp_sub_map_begin_input(m->sub_map);
}

/* A nytp_end_profile_fn. */
static bool end_profile(void *context)
{
    merge_state *m = context;
    if (m->failed || m->out.failed)
        return false;
    if (!m->placed)
        merge_place_subs(m);
    if (m->is_cut && !nytp_filters_leave_out_events(&m->common->filters))
        merge_add_missing_arcs(m);
    merge_leave_noted(m->said);
    end_processes(m);
    nytp_merged_settings_end_input(m->settings);
    m->profile++;
    begin_profile(m);
    return true;
}

static int merge_input(merge_state *m, size_t number)
{
    m->input = number;
    m->profile = 0;
    m->earlier_processes = nytp_names_count(m->seen_processes);
    begin_profile(m);
    const nytp_read_handler handler = {
        .tags = NYTP_ALL_TAGS, .read_some = read_some, .end_profile = end_profile, .context = m};
    int rc = nytp_read_source(merge_inputs_open(m->inputs, number), merge_inputs_name(m->inputs, number),
                              m->common, &handler);
    nytp_reader_free(m->ahead);
    m->ahead = NULL;
    m->ahead_profile = 0;
    return rc < 0 ? -1 : 0;
}

static void state_init(merge_state *m, const merge_inputs *inputs, const merge_options *options,
                       const nytp_common_options *common, FILE *out)
{
    const bool to_file = common->output != NULL && strcmp(common->output, "-") != 0;
    const char *name = to_file ? common->output : "standard output";
    double ticks_per_sec = merge_inputs_ticks_per_sec(inputs);
    nytp_names *names = nytp_names_new();
    *m = (merge_state){.inputs = inputs,
                       .options = options,
                       .common = common,
                       .fid_map = nytp_fid_map_new(),
                       .names = names,
                       .sub_map = nytp_sub_map_new(names),
                       .said = merge_said_new(),
                       .arcs = merge_arcs_new(names),
                       .settings = nytp_merged_settings_new(ticks_per_sec, warn_of_setting, m),
                       .seen_processes = nytp_names_new(),
                       .earlier = merge_earlier_new(merge_inputs_count(inputs)),
                       .out = merge_output_new(out, name, options->level, options->jobs, options->no_calls),
                       .ticks_per_sec = ticks_per_sec,
                       .definers = NYTP_ARRAY(uint32_t),
                       .open_processes = NYTP_ARRAY(merge_open_process)};
    nytp_records_init(&m->source_texts, sizeof(merge_source_text), offsetof(merge_source_text, hash));
}

static void state_clear(merge_state *m)
{
    merge_output_clear(&m->out);
    nytp_pids_clear(&m->open_pids);
    g_array_free(m->open_processes, TRUE);
    g_array_free(m->definers, TRUE);
    nytp_records_clear(&m->source_texts);
    nytp_merged_settings_free(m->settings);
    merge_arcs_free(m->arcs);
    merge_said_free(m->said);
    nytp_sub_map_free(m->sub_map);
    nytp_names_free(m->seen_processes);
    merge_earlier_free(m->earlier);
    nytp_names_free(m->names);
    nytp_fid_map_free(m->fid_map);
}

static int end_output(merge_state *m)
{
    if (nytp_read_nothing("merge"))
        return -1;
    merge_say_left(m);
    merge_output_end(&m->out, m->sub_map, m->arcs, m->settings);
    return m->out.failed ? -1 : 0;
}

int merge_write(const merge_inputs *inputs, const merge_options *options, const nytp_common_options *common,
                FILE *out, merge_totals *totals)
{
    merge_state m;
    state_init(&m, inputs, options, common, out);
    int rc = 0;
    merge_output_begin(&m.out, m.settings);
    for (size_t i = 0; rc == 0 && i < merge_inputs_count(inputs); i++)
        rc = merge_input(&m, i);
    if (rc == 0)
        rc = end_output(&m);
    if (rc == 0)
        merge_earlier_warn(m.earlier, inputs);
    *totals = (merge_totals){m.processes, nytp_fid_map_count(m.fid_map), merge_arcs_count(m.arcs)};
    state_clear(&m);
    return rc;
}
