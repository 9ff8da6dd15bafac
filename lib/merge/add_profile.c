/* Adds a profile to another one. The modules that map files and evals are those that nytprofmerge uses. */
#include "base/error.h"
#include "base/ticks.h"
#include "merge/fid_map.h"
#include "merge/merged_settings.h"
#include "merge/sub_map.h"
#include "model/grow.h"
#include "model/profile.h"

#include <math.h>

/* What a sum keeps of the profiles that were added to it, so that the next one can be folded into it. */
typedef struct nytp_added {
    nytp_fid_map *fids;
    nytp_names *names; /* of the subs in subs */
    nytp_sub_map *subs;
    nytp_merged_settings *settings;
} nytp_added;

static nytp_added *new_added(double ticks_per_sec)
{
    nytp_added *added = g_new0(nytp_added, 1);
    added->fids = nytp_fid_map_new();
    added->names = nytp_names_new();
    added->subs = nytp_sub_map_new(added->names);
    added->settings = nytp_merged_settings_new(ticks_per_sec, NULL, NULL);
    return added;
}

static void free_added(nytp_added *added)
{
    nytp_merged_settings_free(added->settings);
    nytp_sub_map_free(added->subs);
    nytp_names_free(added->names);
    nytp_fid_map_free(added->fids);
    g_free(added);
}

typedef struct adding {
    nytp_profile *to;
    const nytp_profile *from;
    nytp_added *added; /* of to */
    double scale;      /* ticks of to in one of from */
} adding;

static int64_t scaled(int64_t ticks, double scale)
{
    return scale == 1 ? ticks : nytp_whole_ticks(round((double)ticks * scale));
}

static void scale_arc(nytp_arc *arc, double scale)
{
    arc->incl_ticks = scaled(arc->incl_ticks, scale);
    arc->excl_ticks = scaled(arc->excl_ticks, scale);
    arc->reci_ticks = scaled(arc->reci_ticks, scale);
}

static void scale_line(void *scale, void *record)
{
    nytp_line_sum *line = record;
    line->ticks = scaled(line->ticks, *(const double *)scale);
}

static void scale_level(void *scale, void *record)
{
    nytp_level *level = record;
    level->ticks = scaled(level->ticks, *(const double *)scale);
}

static void scale_waited(void *scale, void *record)
{
    nytp_line_waited *line = record;
    line->waited = nytp_waited_scaled(line->waited, *(const double *)scale);
}

/* Gives the profile more ticks per second than it has. */
static void raise_rate(nytp_profile *to, double ticks_per_sec)
{
    double scale = ticks_per_sec / to->ticks_per_sec;
    nytp_lines_change(to->lines, scale_line, scale_level, &scale);
    nytp_records_change(&to->line_waits, scale_waited, &scale, nytp_line_waited_join);
    to->waited = nytp_waited_scaled(to->waited, scale);
    NYTP_EACH_RECORD(nytp_arc, arc, &to->subs.arcs)
        scale_arc(arc, scale);
    nytp_merged_settings_set_rate(to->added->settings, ticks_per_sec);
    to->ticks_per_sec = ticks_per_sec;
}

static void add_to(void *context, const nytp_chunk *chunk)
{
    nytp_profile_add(context, chunk);
}

static void add_settings(const adding *a)
{
    nytp_str application;
    const nytp_setting *s;
    nytp_merged_settings_each_first(a->added->settings, add_to, a->to);
    for (size_t i = 0; (s = nytp_profile_setting(a->from, i)) != NULL; i++) {
        const nytp_chunk chunk = {.tag = s->tag, .attribute = {s->key, s->value}};
        if (nytp_merged_settings_add(a->added->settings, &chunk, a->scale))
            nytp_profile_add(a->to, &chunk);
    }
    if (!a->from->was_merged) /* else the attribute says how many there are */
        nytp_merged_settings_begin_processes(a->added->settings, a->from->processes->len, &application);
    nytp_merged_settings_end_input(a->added->settings);
    nytp_merged_settings_each_last(a->added->settings, add_to, a->to);
}

static void add_processes(const adding *a)
{
    const nytp_process *p;
    for (size_t i = 0; (p = nytp_profile_process(a->from, i)) != NULL; i++) {
        nytp_process process = *p;
        process.application.bytes =
            g_string_chunk_insert_len(a->to->texts, p->application.bytes, (gssize)p->application.length);
        g_array_append_val(a->to->processes, process);
    }
}

static void add_file(const adding *a, const nytp_file *f)
{
    nytp_chunk chunk = {.tag = NYTP_NEW_FID,
                        .new_fid = {.fid = f->fid,
                                    .eval_fid = f->eval_fid,
                                    .eval_line = f->eval_line,
                                    .flags = f->flags,
                                    .size = f->size_bytes,
                                    .mtime = f->mtime_s,
                                    .name = f->name}};
    nytp_fid_map_add(a->added->fids, &chunk); /* cannot fail: the model has each fid once */
    if (!nytp_fid_map_translate(a->added->fids, &chunk))
        return;
    nytp_profile_add(a->to, &chunk);
    nytp_file *made = nytp_profile_find_file(a->to, chunk.new_fid.fid);
    if (made->eval_fid != 0) {
        made->source_bytes = f->source_bytes;
        made->source_hash = f->source_hash;
    }
}

static void add_files(const adding *a)
{
    enum { NO_FID = 0 };
    nytp_fid_map_begin_input(a->added->fids);
    for (size_t i = 0; i < nytp_profile_file_count(a->from); i++) {
        const nytp_file *f = nytp_profile_file(a->from, i);
        if (f->fid != NO_FID)
            add_file(a, f);
    }
}

static uint32_t place_of(const adding *a, uint32_t fid, uint32_t line)
{
    const nytp_mapped_file *file = nytp_fid_map_find(a->added->fids, fid);
    return file != NULL ? nytp_fid_map_place(a->added->fids, file, line) : 0;
}

static void add_lines(const adding *a)
{
    nytp_line line;
    for (size_t i = 0; i < nytp_profile_file_count(a->from); i++) {
        uint32_t fid = nytp_profile_file(a->from, i)->fid;
        for (uint64_t at = 0; nytp_profile_next_line(a->from, fid, &at, &line);) {
            line.ticks = scaled(line.ticks, a->scale);
            nytp_lines_add_sum(a->to->lines, place_of(a, fid, line.line), &line);
        }
    }
}

static void add_waits(const adding *a)
{
    a->to->has_heap_records |= a->from->has_heap_records;
    a->to->has_heap_holders |= a->from->has_heap_holders;
    a->to->has_waited |= a->from->has_waited;
    a->to->measures_waits |= a->from->measures_waits;
    nytp_waited_add(&a->to->waited, nytp_waited_scaled(a->from->waited, a->scale));
    NYTP_EACH_RECORD(const nytp_line_waited, one, &a->from->line_waits) {
        nytp_line_waited line = *one;
        line.fid = place_of(a, line.fid, line.line);
        line.waited = nytp_waited_scaled(line.waited, a->scale);
        nytp_records_add(&a->to->line_waits, &line, nytp_line_waited_join);
    }
}

static void add_levels(const adding *a)
{
    const nytp_level *level;
    for (size_t i = 0; (level = nytp_profile_level(a->from, i)) != NULL; i++) {
        nytp_level moved = *level;
        moved.fid = place_of(a, level->fid, level->line);
        moved.ticks = scaled(level->ticks, a->scale);
        nytp_lines_add_level_sum(a->to->lines, &moved);
    }
}

static void map_range(const adding *a, uint32_t sub, const nytp_range *range)
{
    const nytp_chunk chunk = {.tag = NYTP_SUB_INFO,
                              .sub_info = {.fid = range->fid,
                                           .name = nytp_names_get(a->from->subs.names, sub),
                                           .first_line = range->first_line,
                                           .last_line = range->last_line}};
    nytp_sub_map_add(a->added->subs, a->added->fids, &chunk, NULL, 0);
}

static void add_range(void *context, const nytp_chunk *sub_info, const uint32_t *definers, size_t count)
{
    (void)definers, (void)count;
    nytp_profile_add(context, sub_info);
}

/* Subs with their ranges. Ranges in evals go in the order in which they came, since the first one matters. */
static void add_subs(const adding *a)
{
    nytp_sub sub;
    uint32_t before = nytp_sub_map_count(a->added->subs);
    for (uint32_t i = 0; nytp_profile_sub(a->from, i, &sub); i++) {
        nytp_subs_copy(&a->to->subs, sub.name, &a->from->subs, i);
        for (size_t r = 0; r < sub.range_count; r++)
            if (!nytp_profile_is_eval(a->from, sub.ranges[r].fid))
                map_range(a, i, &sub.ranges[r]);
    }
    NYTP_EACH(const nytp_eval_range, e, a->from->eval_ranges)
        map_range(a, e->sub, &e->range);
    nytp_fid_map_end_moves(a->added->fids);
    nytp_sub_map_begin_input(a->added->subs);
    for (uint32_t i = before; i < nytp_sub_map_count(a->added->subs); i++)
        nytp_sub_map_put(a->added->subs, i, add_range, a->to);
}

static void add_arcs(const adding *a)
{
    const nytp_arc *arc;
    for (size_t i = 0; (arc = nytp_profile_arc(a->from, i)) != NULL; i++) {
        nytp_arc moved = *arc;
        moved.caller = nytp_subs_number(&a->to->subs, nytp_names_get(a->from->subs.names, arc->caller));
        moved.callee = nytp_subs_number(&a->to->subs, nytp_names_get(a->from->subs.names, arc->callee));
        moved.fid = place_of(a, arc->fid, arc->line);
        scale_arc(&moved, a->scale);
        nytp_subs_add_arc(&a->to->subs, &moved);
    }
}

/* Returns why one profile cannot be added to the other, or NULL if it can. */
static const char *obstacle(const nytp_profile *sum, const nytp_profile *added)
{
    if (added == sum)
        return "it is the sum itself";
    if (sum->added == NULL && !nytp_profile_is_empty(sum))
        return "the sum has chunks that were added one by one";
    if (sum->evals_merged)
        return "the evals of the sum are merged already";
    return added->evals_merged ? "its evals are merged already" : NULL;
}

int nytp_profile_add_profile(nytp_profile *sum, const nytp_profile *added, nytp_error *error)
{
    const char *why = obstacle(sum, added);
    if (error != NULL)
        *error = (nytp_error){0};
    if (why != NULL && error != NULL)
        nytp_fail(error, NYTP_ERR_STATE, "cannot add the profile: %s", why);
    if (why != NULL)
        return NYTP_ERR_STATE;
    if (sum->added == NULL) {
        sum->ticks_per_sec = added->ticks_per_sec;
        sum->added = new_added(sum->ticks_per_sec);
        sum->free_added = free_added;
    }
    if (added->ticks_per_sec > sum->ticks_per_sec)
        raise_rate(sum, added->ticks_per_sec);
    const adding a = {sum, added, sum->added, sum->ticks_per_sec / added->ticks_per_sec};
    add_settings(&a);
    add_processes(&a);
    nytp_states_add(&sum->states, added->states);
    add_files(&a);
    add_subs(&a);
    add_lines(&a);
    add_waits(&a);
    add_levels(&a);
    add_arcs(&a);
    return 0;
}

uint32_t nytp_profile_added_fid(const nytp_profile *sum, uint32_t fid, uint32_t line)
{
    const nytp_mapped_file *file = sum->added != NULL ? nytp_fid_map_find(sum->added->fids, fid) : NULL;
    if (file == NULL)
        return 0;
    return line == 0 ? file->fid : nytp_fid_map_place(sum->added->fids, file, line);
}
