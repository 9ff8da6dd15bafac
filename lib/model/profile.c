/* The profile: chunks folded into files, lines, subs and arcs. */
#include "model/profile.h"

#include "base/hash.h"
#include "base/str.h"
#include "base/ticks.h"
#include "format/tags.h"
#include "model/annotations.h"
#include "model/calltree.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_setting(const void *record)
{
    const nytp_setting *s = record;
    return nytp_hash_mix(0, s->tag, nytp_hash_bytes(s->key.bytes, s->key.length));
}

static bool same_setting(const void *a, const void *b)
{
    const nytp_setting *x = a, *y = b;
    return x->tag == y->tag && nytp_str_same(x->key, y->key);
}

static void on_new_line(void *profile, uint32_t fid)
{
    nytp_profile_file_for(profile, fid);
}

nytp_profile *nytp_profile_new(void)
{
    enum { TEXT_BLOCK = 4096 };
    nytp_profile *p = g_new0(nytp_profile, 1);
    p->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
    p->lines = nytp_lines_new(on_new_line, p);
    nytp_records_init(&p->files, sizeof(nytp_file), offsetof(nytp_file, number));
    nytp_subs_init(&p->subs);
    nytp_records_init_by(&p->settings, sizeof(nytp_setting), hash_setting, same_setting);
    p->processes = g_array_new(FALSE, FALSE, sizeof(nytp_process));
    p->open_numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    p->eval_ranges = g_array_new(FALSE, FALSE, sizeof(nytp_eval_range));
    p->texts = g_string_chunk_new(TEXT_BLOCK);
    return p;
}

void nytp_profile_keep_levels(nytp_profile *profile)
{
    nytp_lines_keep_levels(profile->lines);
}

void nytp_profile_on_source(nytp_profile *profile, nytp_source_line_fn *on_line, void *context)
{
    profile->on_source = on_line;
    profile->source_context = context;
}

void nytp_profile_free(nytp_profile *profile)
{
    if (profile == NULL)
        return;
    nytp_lines_free(profile->lines);
    nytp_records_clear(&profile->files);
    nytp_subs_clear(&profile->subs);
    nytp_records_clear(&profile->settings);
    g_array_free(profile->processes, TRUE);
    nytp_pids_clear(&profile->open);
    g_array_free(profile->open_numbers, TRUE);
    g_string_chunk_free(profile->texts);
    g_array_free(profile->eval_ranges, TRUE);
    nytp_added_free(profile->added);
    g_free(profile);
}

/* Makes *kept a copy of text that the profile owns. */
static void keep_text(nytp_profile *p, nytp_str *kept, nytp_str text)
{
    if (!nytp_str_same(*kept, text))
        kept->bytes = g_string_chunk_insert_len(p->texts, text.bytes, (gssize)text.length);
    kept->length = text.length;
    kept->utf8 = text.utf8;
}

/* ---- files ---- */

nytp_file *nytp_profile_find_file(const nytp_profile *profile, uint32_t fid)
{
    return nytp_records_find(&profile->files, &(nytp_file){.fid = fid});
}

bool nytp_profile_is_eval(const nytp_profile *profile, uint32_t fid)
{
    const nytp_file *f = nytp_profile_find_file(profile, fid);
    return f != NULL && f->eval_fid != 0;
}

nytp_file *nytp_profile_file_for(nytp_profile *p, uint32_t fid)
{
    nytp_file file = {.fid = fid, .number = p->files.count, .name = {"", 0, false}};
    return nytp_records_at(&p->files, nytp_records_number(&p->files, &file, NULL));
}

static void add_file(nytp_profile *p, const nytp_chunk *chunk)
{
    nytp_file *f = nytp_profile_file_for(p, chunk->new_fid.fid);
    keep_text(p, &f->name, chunk->new_fid.name);
    f->eval_fid = chunk->new_fid.eval_fid;
    f->eval_line = chunk->new_fid.eval_line;
    f->flags = chunk->new_fid.flags;
    f->size_bytes = chunk->new_fid.size;
    f->mtime_s = chunk->new_fid.mtime;
}

/* Only evals are compared by their text, so only that is hashed (FNV-1a), line by line. origin: the eval that
 * the line comes from, if nytprofmerge shows it in another one; otherwise 0. */
static void add_source(nytp_profile *p, const nytp_chunk *chunk, uint32_t origin)
{
    uint32_t fid = origin != 0 ? origin : chunk->src_line.fid;
    if (p->on_source != NULL)
        p->on_source(p->source_context, fid, chunk->src_line.line, chunk->src_line.text);
    nytp_file *f = nytp_profile_find_file(p, fid);
    if (f == NULL || f->eval_fid == 0)
        return;
    uint64_t h = f->source_bytes > 0 ? f->source_hash : UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < chunk->src_line.text.length; i++)
        h = (h ^ (unsigned char)chunk->src_line.text.bytes[i]) * UINT64_C(0x100000001B3);
    f->source_hash = h;
    f->source_bytes += chunk->src_line.text.length;
}

/* ---- subs ---- */

/* The stream has times of calls in seconds, but they are sums of whole ticks: rounding restores these. A
 * number that cannot be a time counts as 0. */
static int64_t whole_ticks(const nytp_profile *p, double seconds)
{
    double ticks = seconds * p->ticks_per_sec;
    return nytp_is_ticks(ticks) ? (int64_t)(ticks + (ticks < 0 ? -0.5 : 0.5)) : 0;
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
    if (nytp_subs_add_range(&p->subs, number, range) && nytp_profile_is_eval(p, range.fid))
        g_array_append_val(p->eval_ranges, ((nytp_eval_range){number, range}));
}

/* ---- settings and processes ---- */

const nytp_setting *nytp_profile_setting(const nytp_profile *p, nytp_tag tag, const char *key)
{
    return nytp_records_find(&p->settings, &(nytp_setting){tag, {key, strlen(key), false}, {"", 0, false}});
}

/* Each key once, with the value it had last. */
static void add_setting(nytp_profile *p, const nytp_chunk *chunk)
{
    bool added;
    nytp_setting key = {chunk->tag, chunk->attribute.key, {"", 0, false}};
    nytp_setting *s = nytp_records_at(&p->settings, nytp_records_number(&p->settings, &key, &added));
    if (added)
        s->key.bytes = g_string_chunk_insert_len(p->texts, key.key.bytes, (gssize)key.key.length);
    keep_text(p, &s->value, chunk->attribute.value);
}

static void add_attribute(nytp_profile *p, const nytp_chunk *chunk)
{
    static const nytp_str ticks_per_sec = {"ticks_per_sec", sizeof "ticks_per_sec" - 1, false};
    add_setting(p, chunk);
    if (!nytp_str_same(chunk->attribute.key, ticks_per_sec))
        return;
    double ticks_per_s = nytp_str_number(chunk->attribute.value);
    if (nytp_is_rate(ticks_per_s))
        p->ticks_per_sec = ticks_per_s;
}

static void begin_process(nytp_profile *p, const nytp_chunk *chunk)
{
    nytp_process process = {
        .pid = chunk->pid_start.pid, .parent = chunk->pid_start.parent, .start_s = chunk->pid_start.time_s};
    int64_t index = nytp_pids_begin(&p->open, process.pid);
    if (index < 0)
        g_error("out of memory for processes");
    if (index >= p->open_numbers->len)
        g_array_set_size(p->open_numbers, (guint)index + 1);
    g_array_index(p->open_numbers, uint32_t, index) = p->processes->len;
    g_array_append_val(p->processes, process);
}

static void end_process(nytp_profile *p, const nytp_chunk *chunk)
{
    int64_t index = nytp_pids_end(&p->open, chunk->pid_end.pid);
    if (index < 0)
        return;
    uint32_t number = g_array_index(p->open_numbers, uint32_t, index);
    nytp_process *process = &g_array_index(p->processes, nytp_process, number);
    process->ended = true;
    process->end_s = chunk->pid_end.time_s;
}

/* ---- statements ---- */

static void add_time(nytp_profile *p, const nytp_chunk *chunk)
{
    const nytp_statement s = nytp_get_statement(chunk, !p->discount);
    if (s.has_block && p->lines->level_slots != NULL)
        nytp_lines_add_level(p->lines, p->lines->level_slots, s);
    else
        nytp_lines_add(p->lines, p->lines->slots, s);
    p->discount = false;
}

/* ---- chunks ---- */

static void add_comment(nytp_profile *p, nytp_str text)
{
    enum nytp_annotation kind = nytp_annotation_kind(text);
    if (kind == NYTP_BEGINS_ANNOTATIONS)
        p->was_merged = true;
    else if (p->was_merged && kind == NYTP_ANNOTATED_ORIGIN)
        p->origin = nytp_annotation_origin(text);
}

uint32_t nytp_profile_wanted(void)
{
    return NYTP_BIT(ATTRIBUTE) | NYTP_BIT(OPTION) | NYTP_BIT(PID_START) | NYTP_BIT(PID_END) |
           NYTP_BIT(NEW_FID) | NYTP_BIT(TIME_LINE) | NYTP_BIT(TIME_BLOCK) | NYTP_BIT(DISCOUNT) |
           NYTP_BIT(SUB_INFO) | NYTP_BIT(SUB_CALLERS) | NYTP_BIT(SRC_LINE) | NYTP_BIT(COMMENT);
}
/* Handles the chunks that nytp_profile_wanted() lists. */
void nytp_profile_add(nytp_profile *p, const nytp_chunk *chunk)
{
    const uint32_t origin = p->origin;
    p->origin = 0;
    switch (chunk->tag) {
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: add_time(p, chunk); break;
    case NYTP_DISCOUNT: p->discount = true; break;
    case NYTP_NEW_FID: add_file(p, chunk); break;
    case NYTP_SRC_LINE: add_source(p, chunk, origin); break;
    case NYTP_COMMENT: add_comment(p, chunk->comment.text); break;
    case NYTP_SUB_INFO: add_sub_info(p, chunk); break;
    case NYTP_SUB_CALLERS: add_callers(p, chunk); break;
    case NYTP_ATTRIBUTE: add_attribute(p, chunk); break;
    case NYTP_OPTION: add_setting(p, chunk); break;
    case NYTP_PID_START: begin_process(p, chunk); break;
    case NYTP_PID_END: end_process(p, chunk); break;
    default: break;
    }
}

/* ---- reading ---- */

typedef struct adding {
    nytp_lines *lines;
    nytp_line_slot *slots;
    nytp_level_slot *level_slots;
} adding;

static inline void add_statement(void *context, nytp_statement s)
{
    const adding *a = context;
    if (s.has_block && a->level_slots != NULL)
        nytp_lines_add_level(a->lines, a->level_slots, s);
    else
        nytp_lines_add(a->lines, a->slots, s);
}

/* Adds the consecutive statements that the reader has buffered. Returns their size in bytes. Not inlined, so
 * that the loop has all registers. */
static __attribute__((noinline)) size_t read_statements(nytp_profile *profile, nytp_reader *reader)
{
    return nytp_read_statements(
        reader, add_statement, &(adding){profile->lines, profile->lines->slots, profile->lines->level_slots});
}

/* Whether the next statement is to be added like the others: not after a DISCOUNT, nor after an annotation,
 * which must not stay. */
static bool may_run(const nytp_profile *profile)
{
    return !profile->discount && profile->origin == 0;
}

int nytp_profile_read(nytp_profile *profile, nytp_reader *reader)
{
    enum { SOME = 1 << 16, CHUNK = 8 }; /* bytes, about */
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t bytes = 0; rc == NYTP_OK && bytes < SOME; bytes += CHUNK) {
        if (may_run(profile))
            bytes += read_statements(profile, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            nytp_profile_add(profile, &chunk);
    }
    return rc;
}

int nytp_profile_read_with_calls(nytp_profile *profile, nytp_calltree *tree, nytp_reader *reader)
{
    enum { SOME = 1 << 13 };
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t n = 0; rc == NYTP_OK && n < SOME; n++) {
        if (tree->is_sampled)
            nytp_want_samples(reader);
        else if (may_run(profile))
            n += read_statements(profile, reader) / NYTP_SHORT_STATEMENT_MAX;
        if (profile->origin == 0)
            n += nytp_calltree_read_returns(tree, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK) {
            nytp_profile_add(profile, &chunk);
            nytp_calltree_add(tree, &chunk);
        }
    }
    return rc;
}
