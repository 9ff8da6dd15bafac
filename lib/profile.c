/* The profile: chunks folded into files, lines, subs and arcs. */
#include "model.h"

#include "tags.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* fids below are looked up in an array; it grows with the largest of them seen. */
enum { NEAR_FIDS = 1 << 16 };

static void free_file(gpointer p)
{
    file *f = p;
    nytp_lines_clear(&f->lines);
    g_free(f->name);
    g_free(f);
}

static void clear_setting(gpointer p)
{
    nytp_setting *s = p;
    g_free((char *)s->key.bytes);
    g_free((char *)s->value.bytes);
}

nytp_profile *nytp_profile_new(void)
{
    nytp_profile *p = g_new0(nytp_profile, 1);
    p->ticks_per_sec = 1e7;
    p->hot = g_new0(hot_lines, 1);
    p->files = g_ptr_array_new_with_free_func(free_file);
    p->far_files = g_hash_table_new(NULL, NULL);
    nytp_subs_init(&p->subs);
    p->settings = g_array_new(FALSE, FALSE, sizeof(nytp_setting));
    g_array_set_clear_func(p->settings, clear_setting);
    p->setting_numbers =
        g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    p->processes = g_array_new(FALSE, FALSE, sizeof(nytp_process));
    p->open = g_hash_table_new(NULL, NULL);
    p->open_before = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    return p;
}

void nytp_profile_free(nytp_profile *profile)
{
    if (profile == NULL)
        return;
    g_ptr_array_free(profile->files, TRUE);
    g_free(profile->near_files);
    g_free(profile->hot);
    g_hash_table_destroy(profile->far_files);
    nytp_subs_clear(&profile->subs);
    g_array_free(profile->settings, TRUE);
    g_hash_table_destroy(profile->setting_numbers);
    g_array_free(profile->processes, TRUE);
    g_hash_table_destroy(profile->open);
    g_array_free(profile->open_before, TRUE);
    g_free(profile);
}

/* ---- files ---- */

file *nytp_profile_find_file(const nytp_profile *profile, uint32_t fid)
{
    if (fid < NEAR_FIDS)
        return fid < profile->near_count ? profile->near_files[fid] : NULL;
    return g_hash_table_lookup(profile->far_files, GUINT_TO_POINTER(fid));
}

static void remember_near(nytp_profile *p, uint32_t fid, file *f)
{
    if (fid >= p->near_count) {
        uint32_t count = MIN(fid * 2 + 16, NEAR_FIDS);
        p->near_files = g_renew(file *, p->near_files, count);
        memset(p->near_files + p->near_count, 0, (count - p->near_count) * sizeof *p->near_files);
        p->near_count = count;
    }
    p->near_files[fid] = f;
}

file *nytp_profile_file_for(nytp_profile *p, uint32_t fid)
{
    file *f = nytp_profile_find_file(p, fid);
    if (f != NULL)
        return f;
    f = g_new0(file, 1);
    f->shown.fid = fid;
    f->shown.number = p->files->len;
    f->shown.name.bytes = "";
    g_ptr_array_add(p->files, f);
    if (fid < NEAR_FIDS)
        remember_near(p, fid, f);
    else
        g_hash_table_insert(p->far_files, GUINT_TO_POINTER(fid), f);
    return f;
}

static void add_file(nytp_profile *p, const nytp_chunk *chunk)
{
    file *f = nytp_profile_file_for(p, chunk->new_fid.fid);
    g_free(f->name);
    f->shown.name = nytp_name_copy(chunk->new_fid.name);
    f->name = (char *)f->shown.name.bytes;
    f->shown.eval_fid = chunk->new_fid.eval_fid;
    f->shown.eval_line = chunk->new_fid.eval_line;
    f->shown.flags = chunk->new_fid.flags;
    f->shown.size_bytes = chunk->new_fid.size;
    f->shown.mtime_s = chunk->new_fid.mtime;
}

/* FNV-1a, over the lines as they come. Only evals are compared by their text. */
static void add_source(nytp_profile *p, const nytp_chunk *chunk)
{
    file *f = nytp_profile_find_file(p, chunk->src_line.fid);
    if (f == NULL || f->shown.eval_fid == 0)
        return;
    uint64_t h = f->shown.source_bytes > 0 ? f->shown.source_hash : UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < chunk->src_line.text.length; i++)
        h = (h ^ (unsigned char)chunk->src_line.text.bytes[i]) * UINT64_C(0x100000001B3);
    f->shown.source_hash = h;
    f->shown.source_bytes += chunk->src_line.text.length;
}

/* ---- subs ---- */

/* Times of calls are sums of whole ticks, told in seconds: they are whole again
 * within rounding. What cannot be a time (NaN, more than some 28 years) counts as 0. */
static int64_t whole_ticks(const nytp_profile *p, double seconds)
{
    const double longest = 9007199254740992.0; /* 2^53: beyond it a double holds no whole ticks */
    double ticks = seconds * p->ticks_per_sec;
    return fabs(ticks) <= longest ? (int64_t)(ticks + (ticks < 0 ? -0.5 : 0.5)) : 0;
}

static void add_callers(nytp_profile *p, const nytp_chunk *chunk)
{
    uint32_t callee = nytp_subs_number(&p->subs, chunk->sub_callers.called);
    if (chunk->sub_callers.fid == 0 && chunk->sub_callers.line == 0 && chunk->sub_callers.count == 0 &&
        chunk->sub_callers.caller.length == 0) {
        nytp_subs_mark_xsub(&p->subs, callee);
        return;
    }
    nytp_arc arc = {
        .caller = nytp_subs_number(&p->subs, chunk->sub_callers.caller),
        .callee = callee,
        .fid = chunk->sub_callers.fid,
        .line = chunk->sub_callers.line,
        .count = chunk->sub_callers.count,
        .max_depth = chunk->sub_callers.max_depth,
        .incl_ticks = whole_ticks(p, chunk->sub_callers.incl_s),
        .excl_ticks = whole_ticks(p, chunk->sub_callers.excl_s),
        .reci_ticks = whole_ticks(p, chunk->sub_callers.reci_s),
    };
    nytp_subs_add_arc(&p->subs, &arc);
}

static void add_sub_info(nytp_profile *p, const nytp_chunk *chunk)
{
    uint32_t number = nytp_subs_number(&p->subs, chunk->sub_info.name);
    nytp_range range = {chunk->sub_info.fid, chunk->sub_info.first_line, chunk->sub_info.last_line};
    nytp_subs_add_range(&p->subs, number, range);
}

/* ---- the rest ---- */

static bool same_bytes(nytp_str a, nytp_str b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

const nytp_setting *nytp_profile_setting(const nytp_profile *p, nytp_tag tag, const char *key)
{
    nytp_str wanted = {key, strlen(key), false};
    for (guint i = 0; i < p->settings->len; i++) {
        const nytp_setting *s = &g_array_index(p->settings, nytp_setting, i);
        if (s->tag == tag && same_bytes(s->key, wanted))
            return s;
    }
    return NULL;
}

/* Each key once, with the value it had last. */
static void add_setting(nytp_profile *p, const nytp_chunk *chunk)
{
    nytp_str key = chunk->attribute.key;
    char *tag_and_key = g_malloc(1 + key.length);
    tag_and_key[0] = (char)chunk->tag;
    if (key.length > 0)
        memcpy(tag_and_key + 1, key.bytes, key.length);
    GBytes *known_by = g_bytes_new_take(tag_and_key, 1 + key.length);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(p->setting_numbers, known_by));
    if (number > 0) {
        nytp_setting *s = &g_array_index(p->settings, nytp_setting, number - 1);
        g_bytes_unref(known_by);
        g_free((char *)s->value.bytes);
        s->value = nytp_name_copy(chunk->attribute.value);
        return;
    }
    nytp_setting setting = {chunk->tag, nytp_name_copy(key), nytp_name_copy(chunk->attribute.value)};
    g_array_append_val(p->settings, setting);
    g_hash_table_insert(p->setting_numbers, known_by, GUINT_TO_POINTER(p->settings->len));
}

static void heed_attribute(nytp_profile *p, const nytp_chunk *chunk)
{
    static const nytp_str ticks_per_sec = {"ticks_per_sec", sizeof "ticks_per_sec" - 1, false};
    add_setting(p, chunk);
    if (!same_bytes(chunk->attribute.key, ticks_per_sec))
        return;
    g_autofree char *value = g_strndup(chunk->attribute.value.bytes, chunk->attribute.value.length);
    double ticks = strtod(value, NULL);
    if (ticks > 0 && isfinite(ticks))
        p->ticks_per_sec = ticks;
}

static void begin_process(nytp_profile *p, const nytp_chunk *chunk)
{
    nytp_process process = {
        .pid = chunk->pid_start.pid, .parent = chunk->pid_start.parent, .start_s = chunk->pid_start.time_s};
    gpointer pid = GUINT_TO_POINTER(process.pid);
    uint32_t before = GPOINTER_TO_UINT(g_hash_table_lookup(p->open, pid));
    g_array_append_val(p->processes, process);
    g_array_append_val(p->open_before, before);
    g_hash_table_insert(p->open, pid, GUINT_TO_POINTER(p->processes->len));
}

static void end_process(nytp_profile *p, const nytp_chunk *chunk)
{
    gpointer pid = GUINT_TO_POINTER(chunk->pid_end.pid);
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(p->open, pid));
    if (number == 0)
        return;
    nytp_process *process = &g_array_index(p->processes, nytp_process, number - 1);
    process->ended = true;
    process->end_s = chunk->pid_end.time_s;
    uint32_t before = g_array_index(p->open_before, uint32_t, number - 1);
    if (before != 0)
        g_hash_table_insert(p->open, pid, GUINT_TO_POINTER(before));
    else
        g_hash_table_remove(p->open, pid);
}

/* ---- statements ---- */

static void carry_over(const hot_line *hot)
{
    hot->page_sum->count += hot->since.count;
    hot->page_sum->ticks = nytp_add_ticks(hot->page_sum->ticks, hot->since.ticks);
}

void nytp_profile_carry_over(const nytp_profile *profile)
{
    hot_line *hot = profile->hot->at;
    if (!profile->hot->any)
        return;
    for (size_t i = 0; i < HOT_LINES; i++) {
        if (hot[i].page_sum != NULL)
            carry_over(&hot[i]);
        hot[i] = (hot_line){0};
    }
    profile->hot->any = false;
}

static inline uint64_t place_of(const nytp_statement *s)
{
    return (uint64_t)s->fid << 32 | s->line;
}

static __attribute__((noinline)) void take_place(nytp_profile *p, hot_line *hot, const nytp_statement *s)
{
    file *f = nytp_profile_file_for(p, s->fid);
    if (hot->page_sum != NULL)
        carry_over(hot);
    *hot = (hot_line){.place = place_of(s), .page_sum = nytp_lines_at(&f->lines, s->line)};
    p->hot->any = true;
}

static inline void add_statement(nytp_profile *p, const nytp_statement *s)
{
    const uint32_t apart = 389; /* so that files begin at different places */
    hot_line *hot = &p->hot->at[(s->fid * apart + s->line) % HOT_LINES];
    if (hot->place != place_of(s) || hot->page_sum == NULL)
        take_place(p, hot, s);
    hot->since.ticks += s->ticks;
    hot->since.count += s->executions;
}

static void add_time(nytp_profile *p, const nytp_chunk *chunk)
{
    add_statement(p, &(nytp_statement){chunk->time.fid, chunk->time.line, chunk->time.ticks, !p->discount});
    p->discount = false;
}

/* ---- chunks ---- */

void nytp_profile_add(nytp_profile *p, const nytp_chunk *chunk)
{
    switch (chunk->tag) {
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: add_time(p, chunk); break;
    case NYTP_DISCOUNT: p->discount = true; break;
    case NYTP_NEW_FID: add_file(p, chunk); break;
    case NYTP_SRC_LINE: add_source(p, chunk); break;
    case NYTP_SUB_INFO: add_sub_info(p, chunk); break;
    case NYTP_SUB_CALLERS: add_callers(p, chunk); break;
    case NYTP_ATTRIBUTE: heed_attribute(p, chunk); break;
    case NYTP_OPTION: add_setting(p, chunk); break;
    case NYTP_PID_START: begin_process(p, chunk); break;
    case NYTP_PID_END: end_process(p, chunk); break;
    default: break;
    }
}

int nytp_profile_read(nytp_profile *profile, nytp_reader *reader)
{
    enum { RUN = 256, CHUNKS = 1 << 13 };
    nytp_statement run[RUN];
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t done = 0; rc == NYTP_OK && done < CHUNKS; done++) {
        size_t count = profile->discount ? 0 : nytp_reader_statements(reader, run, RUN);
        for (size_t i = 0; i < count; i++)
            add_statement(profile, &run[i]);
        done += count;
        if (count < RUN && (rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            nytp_profile_add(profile, &chunk);
    }
    return rc;
}
