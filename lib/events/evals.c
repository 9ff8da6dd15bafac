/* evals: makes calls of string evals, which attributes say begin and end (doc/format.md, `eval_begin`).
 *
 * An eval is passed on as a return, one level below the sub that runs it; what it calls is a level deeper.
 * Its own time is taken from that of the sub, so all times of a stack add up as before. Where a range divides
 * them, which is exact to a statement alone, either may become less than 0. The filter is the last one, so
 * that others, and the sums of calls, have the calls of the stream. */
#include "events/filter.h"

#include "base/str.h"
#include "base/ticks.h"
#include "events/held.h"
#include "events/known_subs.h"
#include "events/levels.h"
#include "format/marks.h"
#include "format/tags.h"
#include "model/eval_name.h"
#include "model/grow.h"
#include "model/names.h"
#include "model/records.h"

#include <math.h>
#include <string.h>

typedef struct open_eval {
    uint32_t depth; /* how many calls were open when it began */
    uint32_t name;
    double callee_ticks; /* inclusive time of the calls and evals that it has made */
} open_eval;

/* The evals that a call at this depth has run. */
typedef struct level {
    uint32_t depth;
    double own_ticks; /* their own time */
} level;

typedef struct file {
    uint32_t fid;
    uint32_t name; /* as nytp_eval_name_merge() has it */
} file;

typedef struct evals {
    nytp_filter filter;
    GArray *open;       /* open_eval, the outermost first, by depth */
    nytp_levels levels; /* level, of open calls */
    nytp_names *names;
    nytp_records files; /* file */
    bool has_entries;   /* the profile has a SUB_ENTRY for each call */
} evals;

static const open_eval *innermost(const evals *f)
{
    return f->open->len > 0 ? &g_array_index(f->open, open_eval, f->open->len - 1) : NULL;
}

/* Passes on the innermost eval, which took own_ticks itself. is_part: it is not known when it ended. Returns
 * its depth. */
static uint32_t end_innermost(evals *f, double own_ticks, bool is_part)
{
    const open_eval e = *innermost(f);
    const double incl_ticks = e.callee_ticks + own_ticks;
    g_array_set_size(f->open, f->open->len - 1);
    const nytp_str name = nytp_names_get(f->names, e.name);
    nytp_filter_pass_return(&f->filter, &(nytp_return){.name = name,
                                                       .sub = nytp_known_sub_find(f->filter.subs, &name),
                                                       .incl_ticks = incl_ticks,
                                                       .excl_ticks = own_ticks,
                                                       .depth = e.depth + f->open->len + 1,
                                                       .is_part = is_part});
    if (f->open->len > 0 && innermost(f)->depth == e.depth)
        g_array_index(f->open, open_eval, f->open->len - 1).callee_ticks += incl_ticks;
    return e.depth;
}

/* The calls from this depth on have ended, and the evals that they had begun. */
static void end_from(evals *f, uint32_t depth)
{
    while (f->open->len > 0 && innermost(f)->depth >= depth)
        end_innermost(f, 0, true);
}

/* Returns the own time of the evals of a call that returns, and forgets it, with that of deeper calls. */
static double take_own_ticks(evals *f, uint32_t depth)
{
    nytp_levels_cut(&f->levels, depth);
    const level *own = nytp_levels_last(&f->levels);
    if (own == NULL || own->depth != depth)
        return 0;
    nytp_levels_remove_last(&f->levels);
    return own->own_ticks;
}

static void on_return(nytp_filter *filter, const nytp_return *returned)
{
    evals *f = (evals *)filter;
    nytp_return changed = *returned;
    end_from(f, returned->depth);
    const double own_ticks = take_own_ticks(f, returned->depth);
    changed.depth += f->open->len;
    changed.excl_ticks -= own_ticks;
    nytp_filter_pass_return(filter, &changed);
    if (f->open->len > 0 && innermost(f)->depth + 1 == returned->depth)
        g_array_index(f->open, open_eval, f->open->len - 1).callee_ticks += returned->incl_ticks;
}

/* ---- attributes ---- */

static void add_file(evals *f, const nytp_chunk *chunk)
{
    size_t length;
    g_autofree char *merged = nytp_eval_name_merge(chunk->new_fid.name, &length);
    const nytp_str name = {merged, length, chunk->new_fid.name.utf8};
    const file known = {chunk->new_fid.fid, nytp_names_intern(f->names, &name, NULL)};
    nytp_records_number(&f->files, &known, NULL);
}

static uint32_t name_of(const evals *f, uint32_t fid, uint32_t line)
{
    const file *of = nytp_records_find(&f->files, &(const file){.fid = fid});
    size_t length;
    const nytp_str in = of != NULL ? nytp_names_get(f->names, of->name) : (nytp_str){"?", 1, false};
    g_autofree char *name = nytp_eval_frame_name(in, line, &length);
    return nytp_names_intern(f->names, &(nytp_str){name, length, in.utf8}, NULL);
}

static void begin_eval(evals *f, const nytp_mark *mark)
{
    const uint32_t fid = (uint32_t)mark->eval_begin.fid, line = (uint32_t)mark->eval_begin.line;
    const open_eval e = {.depth = nytp_eval_depth(mark), .name = name_of(f, fid, line)};
    end_from(f, e.depth + 1);
    if (f->open->len == NYTP_MOST_OPEN_EVALS)
        return;
    g_array_append_val(f->open, e);
    if (f->has_entries)
        nytp_filter_pass(&f->filter,
                         &(nytp_chunk){.tag = NYTP_SUB_ENTRY, .sub_entry = {.fid = fid, .line = line}});
}

static void end_eval(evals *f, const nytp_mark *mark)
{
    const uint32_t depth = nytp_eval_depth(mark);
    const double ticks = mark->eval_end.ticks;
    const bool is_part = mark->eval_end.is_part != 0;
    end_from(f, depth + 1);
    if (f->open->len == 0 || innermost(f)->depth != depth)
        return;
    const bool has_own = !is_part || ticks > 0;
    const double own_ticks = has_own ? ticks - innermost(f)->callee_ticks : 0;
    end_innermost(f, own_ticks, is_part);
    take_own_ticks(f, depth + 1);
    if (depth > 0) /* all time is that of the program */
        ((level *)nytp_levels_at(&f->levels, depth))->own_ticks += own_ticks;
}

/* Returns the depth that a call has with the evals around it, or that of the innermost eval that it runs. */
static double depth_among_evals(const evals *f, double depth, bool of_eval)
{
    guint around = f->open->len;
    while (around > 0 && g_array_index(f->open, open_eval, around - 1).depth >= depth + of_eval)
        around--;
    return depth > 0 || of_eval ? depth + around : 0;
}

/* Passes on a mark, whose depths become those that have the evals. What an eval waits is its own, as its time
 * is. */
static void pass_mark(const evals *f, const nytp_chunk *chunk, const nytp_mark *mark)
{
    nytp_mark changed = *mark;
    for (unsigned i = 0; i < mark->count; i++) {
        double *number = &changed.numbers[i];
        switch (nytp_mark_number(mark->kind, i)) {
        case NYTP_MARK_DEPTH: *number = depth_among_evals(f, *number, mark->kind == NYTP_MARK_WAITED); break;
        case NYTP_MARK_OPEN: *number += *number > 0 ? f->open->len : 0; break;
        case NYTP_MARK_NUMBER:
        case NYTP_MARK_CHANGE:
        case NYTP_MARK_TICKS:
        case NYTP_MARK_FID:
        case NYTP_MARK_LINE: break;
        }
    }
    if (nytp_mark_is_same(mark, &changed))
        nytp_filter_pass(&f->filter, chunk);
    else
        nytp_filter_pass_mark(&f->filter, &changed);
}

static void take_attribute(evals *f, const nytp_chunk *chunk)
{
    nytp_mark mark;
    const bool is_read = nytp_mark_read(chunk, &mark);
    const bool is_begin = mark.kind == NYTP_MARK_EVAL_BEGIN;
    if (is_begin || mark.kind == NYTP_MARK_EVAL_END) {
        if (is_read)
            (is_begin ? begin_eval : end_eval)(f, &mark);
        return;
    }
    if (is_read && f->open->len > 0)
        pass_mark(f, chunk, &mark);
    else
        nytp_filter_pass(&f->filter, chunk);
}

static void on_chunk(nytp_filter *filter, const nytp_chunk *chunk)
{
    evals *f = (evals *)filter;
    switch (chunk->tag) {
    case NYTP_NEW_FID: add_file(f, chunk); break;
    case NYTP_ATTRIBUTE: take_attribute(f, chunk); return;
    case NYTP_OPTION:
        if (nytp_str_is(chunk->attribute.key, "calls"))
            f->has_entries = nytp_str_number(chunk->attribute.value) >= 2;
        break;
    case NYTP_PID_START:
    case NYTP_PID_END:
        end_from(f, 0);
        nytp_levels_empty(&f->levels);
        break;
    default: break;
    }
    nytp_filter_pass(filter, chunk);
}

static void forget_files(evals *f)
{
    nytp_records_clear(&f->files);
    nytp_records_init(&f->files, sizeof(file), offsetof(file, name));
}

static void end(nytp_filter *filter)
{
    evals *f = (evals *)filter;
    end_from(f, 0);
    nytp_levels_empty(&f->levels);
    f->has_entries = false;
    forget_files(f);
}

static void clear(nytp_filter *filter)
{
    evals *f = (evals *)filter;
    g_array_free(f->open, TRUE);
    nytp_levels_free(&f->levels);
    nytp_names_free(f->names);
    nytp_records_clear(&f->files);
}

static bool passes_all(const nytp_filter *filter)
{
    const evals *f = (const evals *)filter;
    return f->open->len == 0 && f->levels.count == 0;
}

nytp_filter *nytp_filter_evals_new(const nytp_filter_options *options)
{
    static const nytp_filter_type type = {
        .returned = on_return, .chunk = on_chunk, .end = end, .clear = clear, .passes_all = passes_all};
    if (!options->evals)
        return NULL;
    evals *f = g_new0(evals, 1);
    f->filter = (nytp_filter){.type = &type,
                              .tags = NYTP_BIT(SUB_RETURN) | NYTP_BIT(ATTRIBUTE) | NYTP_BIT(OPTION) |
                                      NYTP_BIT(NEW_FID) | NYTP_BIT(PID_START) | NYTP_BIT(PID_END)};
    f->open = NYTP_ARRAY(open_eval);
    f->levels = nytp_levels_new(sizeof(level), NULL);
    f->names = nytp_names_new();
    nytp_records_init(&f->files, sizeof(file), offsetof(file, name));
    return &f->filter;
}
