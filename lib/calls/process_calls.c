#include "calls/process_calls.h"

#include "base/str.h"
#include "format/fastpath.h"
#include "format/tags.h"
#include "calls/calltree.h"
#include "model/display.h"
#include "model/sampled.h"

#include <math.h>
#include <string.h>

struct nytp_process_calls {
    nytp_frames *frames;
    enum nytp_process_calls_as as;
    bool shows_root;
    nytp_course *course;   /* NULL: trees are wanted */
    GArray *lines;         /* uint32_t, by depth: where the open calls were made */
    guint depth;           /* how many calls are open, going by SUB_ENTRY and SUB_RETURN */
    nytp_profile *profile; /* what the current profile says of its subs */
    GArray *processes;     /* nytp_process_of_calls; of the current profile from first on */
    guint first;
    GStringChunk *texts;
    uint64_t count;
};

nytp_process_calls *nytp_process_calls_new(nytp_frames *frames, enum nytp_process_calls_as as)
{
    enum { TEXT_BLOCK = 1024 };
    nytp_process_calls *c = g_new0(nytp_process_calls, 1);
    c->frames = frames;
    c->as = as;
    c->lines = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    c->course = as == NYTP_CALLS_AS_COURSE ? nytp_course_new() : NULL;
    c->profile = nytp_profile_new();
    c->processes = g_array_new(FALSE, TRUE, sizeof(nytp_process_of_calls));
    c->texts = g_string_chunk_new(TEXT_BLOCK);
    return c;
}

void nytp_process_calls_free(nytp_process_calls *calls)
{
    if (calls == NULL)
        return;
    for (guint i = 0; i < calls->processes->len; i++)
        nytp_calltree_free(g_array_index(calls->processes, nytp_process_of_calls, i).tree);
    g_array_free(calls->processes, TRUE);
    g_array_free(calls->lines, TRUE);
    nytp_course_free(calls->course);
    nytp_profile_free(calls->profile);
    g_string_chunk_free(calls->texts);
    g_free(calls);
}

const nytp_process_of_calls *nytp_process_calls_processes(const nytp_process_calls *calls, size_t *count)
{
    *count = calls->processes->len;
    return (const nytp_process_of_calls *)(void *)calls->processes->data;
}

nytp_course *nytp_process_calls_course(nytp_process_calls *calls)
{
    return calls->course;
}

uint64_t nytp_process_calls_count(const nytp_process_calls *calls)
{
    return calls->count;
}

/* ---- reading ---- */

void nytp_process_calls_show_root(nytp_process_calls *calls)
{
    calls->shows_root = true;
}

uint32_t nytp_process_calls_wanted(const nytp_process_calls *calls)
{
    const uint32_t statements = calls->shows_root ? NYTP_TIMES | NYTP_BIT(DISCOUNT) : 0;
    return statements | (calls->as == NYTP_CALLS_AS_LINED_TREES ? NYTP_BIT(SUB_ENTRY) : 0) |
           NYTP_BIT(ATTRIBUTE) | NYTP_BIT(OPTION) | NYTP_BIT(PID_START) | NYTP_BIT(PID_END) |
           NYTP_BIT(SUB_RETURN) | NYTP_BIT(NEW_FID) | NYTP_BIT(SUB_INFO) | NYTP_BIT(SUB_CALLERS);
}

static nytp_str application_of(nytp_process_calls *c)
{
    const nytp_setting *s = nytp_profile_setting(c->profile, NYTP_ATTRIBUTE, "application");
    if (s == NULL)
        return (nytp_str){"", 0, true};
    size_t length;
    char *name = nytp_name_utf8(s->value, &length);
    const char *kept = g_string_chunk_insert_len(c->texts, name, (gssize)length);
    g_free(name);
    return (nytp_str){kept, length, true};
}

/* POSIX clocks of processor time: CLOCK_PROCESS_CPUTIME_ID and CLOCK_THREAD_CPUTIME_ID. */
bool nytp_profile_has_cpu_clock(const nytp_profile *profile)
{
    const nytp_setting *s = nytp_profile_setting(profile, NYTP_ATTRIBUTE, "clock_id");
    return s != NULL && (nytp_str_is(s->value, "2") || nytp_str_is(s->value, "3"));
}

static nytp_process_of_calls *add_process(nytp_process_calls *c, nytp_process process)
{
    nytp_process_of_calls p = {.process = process,
                               .application = application_of(c),
                               .is_cpu_time = nytp_profile_has_cpu_clock(c->profile),
                               .ticks_per_sec = nytp_profile_ticks_per_sec(c->profile),
                               .sampled_hz = nytp_profile_sampled_hz(c->profile)};
    g_array_append_val(c->processes, p);
    c->depth = 0;
    if (c->course != NULL)
        nytp_course_end_stack(c->course);
    return &g_array_index(c->processes, nytp_process_of_calls, c->processes->len - 1);
}

/* A damaged profile may have calls before its first process. */
static nytp_process_of_calls *current(nytp_process_calls *c)
{
    if (c->processes->len == c->first)
        return add_process(c, (nytp_process){0});
    return &g_array_index(c->processes, nytp_process_of_calls, c->processes->len - 1);
}

static void show_root(nytp_process_calls *c, nytp_calltree *tree)
{
    nytp_frames_of_raw(c->frames, &(nytp_str){"main::RUNTIME", sizeof "main::RUNTIME" - 1, false});
    nytp_calltree_show_root(tree);
}

static nytp_calltree *tree_of(nytp_process_calls *c, nytp_process_of_calls *p)
{
    if (p->tree == NULL) {
        p->tree = nytp_calltree_new(c->as == NYTP_CALLS_AS_TREES ? nytp_frames_rename : NULL, c->frames);
        nytp_calltree_set_ticks_per_sec(p->tree, 1e9);
        nytp_calltree_set_scale(p->tree, 1e9 / p->ticks_per_sec);
        nytp_calltree_set_sampled(p->tree, p->sampled_hz > 0);
        if (c->shows_root || p->sampled_hz > 0)
            show_root(c, p->tree);
        nytp_calltree_begin_process(p->tree);
    }
    return p->tree;
}

/* ---- lines of calls ---- */

enum { LINED_BYTES = 2 * sizeof(uint32_t) };

nytp_lined_frame nytp_lined_frame_of(nytp_frames *frames, nytp_str name)
{
    nytp_lined_frame lined = {0};
    if (name.length == LINED_BYTES)
        memcpy(&lined, name.bytes, sizeof lined);
    else /* the root, or what pruning folds calls into */
        lined.frame = nytp_frames_of_shown(frames, name);
    return lined;
}

/* Whether the current process has a tree of samples. */
static bool counts_samples(const nytp_process_calls *c)
{
    return c->course == NULL && c->processes->len > c->first &&
           g_array_index(c->processes, nytp_process_of_calls, c->processes->len - 1).sampled_hz > 0;
}

static void enter_call(nytp_process_calls *c, const nytp_chunk *chunk)
{
    if (counts_samples(c))
        nytp_calltree_add(tree_of(c, current(c)), chunk);
    if (c->as != NYTP_CALLS_AS_LINED_TREES)
        return;
    if (c->depth >= c->lines->len)
        g_array_set_size(c->lines, c->depth + 1);
    g_array_index(c->lines, uint32_t, c->depth++) = chunk->sub_entry.line;
}

/* Where the call that returns at depth was made. Depths are the stream's own, so an entry or a return that is
 * missing does no harm to the calls around it. */
static uint32_t leave_call(nytp_process_calls *c, uint32_t depth)
{
    bool known = depth > 0 && depth <= c->depth;
    c->depth = depth > 0 ? MIN(c->depth, depth - 1) : 0;
    return known ? g_array_index(c->lines, uint32_t, depth - 1) : 0;
}

static void add_lined_return(nytp_process_calls *c, nytp_process_of_calls *p, const nytp_chunk *chunk)
{
    nytp_lined_frame lined = {nytp_frames_of_raw(c->frames, &chunk->sub_return.name),
                              leave_call(c, chunk->sub_return.depth)};
    nytp_str name = {(const char *)&lined, LINED_BYTES, false};
    nytp_calltree *tree = tree_of(c, p);
    nytp_calltree_add_return(tree, nytp_calltree_sub(tree, &name), chunk->sub_return.depth,
                             chunk->sub_return.excl_ticks);
}

/* ---- chunks ---- */

static void add_return(nytp_process_calls *c, const nytp_chunk *chunk)
{
    nytp_process_of_calls *p = current(c);
    p->calls++;
    c->count++;
    if (c->course != NULL)
        nytp_course_add_return(c->course, nytp_frames_of_raw(c->frames, &chunk->sub_return.name),
                               chunk->sub_return.depth, chunk->sub_return.excl_ticks);
    else if (c->as == NYTP_CALLS_AS_LINED_TREES)
        add_lined_return(c, p, chunk);
    else
        nytp_calltree_add(tree_of(c, p), chunk);
}

static void add_chunk(nytp_process_calls *c, const nytp_chunk *chunk)
{
    if (chunk->tag == NYTP_SUB_RETURN) {
        add_return(c, chunk);
        return;
    }
    if (chunk->tag == NYTP_SUB_ENTRY) {
        enter_call(c, chunk);
        return;
    }
    if (chunk->tag == NYTP_TIME_LINE || chunk->tag == NYTP_TIME_BLOCK || chunk->tag == NYTP_DISCOUNT) {
        nytp_calltree_add(tree_of(c, current(c)), chunk);
        return;
    }
    nytp_profile_add(c->profile, chunk);
    if (chunk->tag == NYTP_PID_START)
        add_process(c, (nytp_process){.pid = chunk->pid_start.pid,
                                      .parent = chunk->pid_start.parent,
                                      .start_s = chunk->pid_start.time_s});
}

/* Returns that are buffered one after another. */
static size_t read_returns(nytp_process_calls *c, nytp_reader *reader)
{
    if (c->as != NYTP_CALLS_AS_TREES || c->processes->len == c->first)
        return 0;
    nytp_process_of_calls *p = current(c);
    size_t count = nytp_calltree_read_returns(tree_of(c, p), reader);
    p->calls += count;
    c->count += count;
    return count;
}

/* Statements that are buffered one after another. Returns the number of their bytes. */
static size_t read_statements(nytp_process_calls *c, nytp_reader *reader)
{
    if (!c->shows_root || c->processes->len == c->first)
        return 0;
    return nytp_calltree_read_statements(tree_of(c, current(c)), reader);
}

int nytp_process_calls_read(void *calls, nytp_reader *reader)
{
    enum { SOME = 1 << 13 };
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t n = 0; rc == NYTP_OK && n < SOME; n++) {
        n += read_statements(calls, reader) / NYTP_SHORT_STATEMENT_MAX;
        n += read_returns(calls, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            add_chunk(calls, &chunk);
        if (counts_samples(calls))
            nytp_want_samples(reader);
    }
    return rc;
}

/* The profile knows which processes have ended. It has all of ours, except that of calls before the first
 * one.
 */
static void note_ends(nytp_process_calls *c)
{
    size_t count;
    const nytp_process *processes = nytp_profile_processes(c->profile, &count);
    for (size_t i = 0; i < count; i++) {
        guint at = c->processes->len - (guint)(count - i);
        g_array_index(c->processes, nytp_process_of_calls, at).process = processes[i];
    }
}

void nytp_process_calls_end_profile(nytp_process_calls *calls)
{
    note_ends(calls);
    nytp_frames_locate(calls->frames, calls->profile);
    nytp_profile_free(calls->profile);
    calls->profile = nytp_profile_new();
    calls->first = calls->processes->len;
}

/* ---- after reading ---- */

static nytp_calltree *tree_at(const nytp_process_calls *c, guint i)
{
    return g_array_index(c->processes, nytp_process_of_calls, i).tree;
}

void nytp_process_calls_prune(nytp_process_calls *calls, double min_percent, uint32_t max_depth)
{
    uint64_t count;
    double total_ns = 0, ns;
    if (min_percent <= 0 && max_depth == 0)
        return;
    for (guint i = 0; i < calls->processes->len; i++)
        if (tree_at(calls, i) != NULL) {
            nytp_calltree_totals(tree_at(calls, i), &count, &ns);
            total_ns += ns;
        }
    double min_ns = min_percent > 0 ? total_ns * min_percent / 100 : -HUGE_VAL;
    for (guint i = 0; i < calls->processes->len; i++)
        if (tree_at(calls, i) != NULL)
            nytp_calltree_prune(tree_at(calls, i), min_ns, max_depth > 0 ? max_depth : UINT32_MAX, "(other)");
}

uint32_t nytp_process_calls_depth(const nytp_process_calls *calls)
{
    uint32_t depth = 0;
    for (guint i = 0; i < calls->processes->len; i++)
        if (tree_at(calls, i) != NULL)
            depth = MAX(depth, nytp_calltree_depth(tree_at(calls, i)) + tree_at(calls, i)->shows_root);
    return depth;
}
