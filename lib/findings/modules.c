#include "findings/finder.h"

#include "calls/calltree.h"
#include "model/grow.h"
#include "model/load_name.h"
#include "model/package.h"

#define NO_SUB UINT32_MAX

/* What is known of a file. */
typedef struct module {
    uint32_t loader; /* the BEGIN block that loads it; NO_SUB: not known */
    bool has_subs;   /* other than BEGIN blocks and import() */
    bool used;
} module;

typedef struct sub_fact {
    uint32_t file; /* number of the file that defines it, plus 1; 0: not known */
    bool is_begin, is_load;
    bool loads;        /* import() and the like: `use` calls it */
    uint32_t open;     /* how often it is on the stack */
    double incl_ticks; /* of a BEGIN block */
} sub_fact;

typedef struct walk {
    const nytp_finder *f;
    sub_fact *subs;
    size_t sub_count, file_count;
    module *modules; /* by number of the file, plus 1 */
    GArray *path;    /* uint32_t: subs; NO_SUB: one that the profile does not have */
} walk;

static bool is_called_by_use(nytp_str name)
{
    return nytp_ends_with(name, "::import") || nytp_ends_with(name, "::unimport") ||
           nytp_ends_with(name, "::VERSION");
}

static void learn_sub(walk *w, uint32_t number)
{
    nytp_sub sub;
    nytp_profile_sub(w->f->profile, number, &sub);
    sub_fact *fact = &w->subs[number];
    const nytp_range *range = nytp_sub_main_range(&sub);
    const nytp_file *file = range != NULL ? nytp_profile_file_by_fid(w->f->profile, range->fid) : NULL;
    *fact = (sub_fact){.file = file != NULL ? file->number + 1 : 0,
                       .is_begin = nytp_begin_block_length(sub.name) > 0,
                       .is_load = nytp_is_load(sub.name),
                       .loads = is_called_by_use(sub.name)};
    if (sub.kind != NYTP_SUB_OPCODE)
        w->modules[fact->file].has_subs |= !fact->is_begin && !fact->loads;
}

static void return_to_depth(walk *w, guint depth)
{
    for (guint i = depth; i < w->path->len; i++) {
        const uint32_t sub = g_array_index(w->path, uint32_t, i);
        if (sub != NO_SUB)
            w->subs[sub].open--;
    }
    g_array_set_size(w->path, MIN(depth, w->path->len));
}

static void enter(walk *w, const nytp_call *call)
{
    const uint32_t sub = nytp_found_number(w->f, call->name);
    return_to_depth(w, call->depth);
    if (sub != NO_SUB)
        w->subs[sub].open++;
    g_array_append_val(w->path, sub);
}

static uint32_t on_path(const walk *w, guint above)
{
    return w->path->len > above ? g_array_index(w->path, uint32_t, w->path->len - 1 - above) : NO_SUB;
}

/* A BEGIN block of a file runs below the block whose `use` compiles the file. With slowops=3, require is
 * between them. */
static bool find_loader(void *context, const nytp_call *call)
{
    walk *w = context;
    enter(w, call);
    const uint32_t sub = on_path(w, 0);
    if (sub == NO_SUB || !w->subs[sub].is_begin)
        return true;
    w->subs[sub].incl_ticks += call->incl_ticks;
    uint32_t loader = on_path(w, 1);
    if (loader != NO_SUB && w->subs[loader].is_load)
        loader = on_path(w, 2);
    module *m = &w->modules[w->subs[sub].file];
    if (m->loader == NO_SUB && loader != NO_SUB && w->subs[loader].is_begin &&
        w->subs[loader].file != w->subs[sub].file)
        m->loader = loader;
    return true;
}

static bool find_use(void *context, const nytp_call *call)
{
    walk *w = context;
    enter(w, call);
    const uint32_t sub = on_path(w, 0);
    if (sub == NO_SUB || w->subs[sub].file == 0 || w->subs[sub].is_begin || w->subs[sub].loads)
        return true;
    module *m = &w->modules[w->subs[sub].file];
    m->used |= m->loader != NO_SUB && w->subs[m->loader].open == 0;
    return true;
}

/* A BEGIN block that loads files, and the blocks of those files. A module that is required by a file has no
 * block of its own: it is one more file of the block. */
typedef struct block {
    uint32_t files;      /* how many it loads */
    uint32_t first_file; /* the module that `use` names, which is compiled first; number plus 1 */
    bool has_subs, used; /* some of the files */
    double spared_ticks; /* that would be spent without it, too: blocks that load what is used */
} block;

static bool is_unused(const block *b)
{
    return b->files > 0 && b->has_subs && !b->used;
}

/* Spans are its calls, with names of their own. */
static bool has_spans(const walk *w, uint32_t file)
{
    return nytp_ends_with(nytp_profile_file(w->f->profile, file - 1)->name, "/NYTProf/Span.pm");
}

static block *blocks_of(const walk *w)
{
    block *blocks = g_new0(block, w->sub_count + 1);
    for (uint32_t file = 1; file <= w->file_count; file++) {
        const module *m = &w->modules[file];
        if (m->loader == NO_SUB)
            continue;
        block *b = &blocks[m->loader];
        if (b->files++ == 0)
            b->first_file = file;
        b->has_subs |= m->has_subs;
        b->used |= m->used || has_spans(w, file);
    }
    return blocks;
}

/* Returns the block that loads the file of a block; NO_SUB: none does. */
static uint32_t block_above(const walk *w, uint32_t sub)
{
    return w->modules[w->subs[sub].file].loader;
}

/* Takes the time of each block that loads what is used off the unused blocks above it, up to the next such
 * block. A profile can be made up, so the way up is limited. */
static void spare_needed(const walk *w, block *blocks)
{
    enum { DEEPEST = 1000 };
    for (uint32_t sub = 0; sub < w->sub_count; sub++) {
        const bool needed = blocks[sub].files > 0 && !is_unused(&blocks[sub]);
        uint32_t above = needed ? block_above(w, sub) : NO_SUB;
        for (int steps = 0; steps < DEEPEST && above != NO_SUB && is_unused(&blocks[above]); steps++) {
            blocks[above].spared_ticks += w->subs[sub].incl_ticks;
            above = block_above(w, above);
        }
    }
}

static void report_block(nytp_finder *f, const walk *w, const block *b, uint32_t number)
{
    nytp_sub sub;
    nytp_profile_sub(f->profile, number, &sub);
    const nytp_range *range = nytp_sub_main_range(&sub);
    g_autofree char *file = nytp_found_file(f, nytp_profile_file(f->profile, b->first_file - 1)->fid);
    const double ticks = nytp_found_work(f, number, w->subs[number].incl_ticks - b->spared_ticks);
    const nytp_found_place place = {NULL, number, range != NULL ? range->fid : 0,
                                    range != NULL ? range->first_line : 0};
    if (b->files == 1)
        nytp_find(f, NYTP_FOUND_UNUSED_MODULE, ticks, place, "loads %s, not called later", file);
    else
        nytp_find(f, NYTP_FOUND_UNUSED_MODULE, ticks, place, "loads %s and %u more file%s, not called later",
                  file, b->files - 1, b->files == 2 ? "" : "s");
}

static void report(nytp_finder *f, const walk *w)
{
    g_autofree block *blocks = blocks_of(w);
    spare_needed(w, blocks);
    for (uint32_t sub = 0; sub < w->sub_count; sub++) {
        const uint32_t above = block_above(w, sub);
        if (is_unused(&blocks[sub]) && (above == NO_SUB || !is_unused(&blocks[above])))
            report_block(f, w, &blocks[sub], sub);
    }
}

void nytp_find_unused_modules(nytp_finder *f, nytp_calltree *stacks)
{
    if (nytp_measure_is_sampled(&f->measure)) /* a sub without samples may have been called */
        return;
    walk w = {.f = f, .sub_count = nytp_profile_sub_count(f->profile)};
    w.subs = g_new0(sub_fact, w.sub_count);
    w.file_count = nytp_profile_file_count(f->profile);
    w.modules = g_new0(module, w.file_count + 1);
    for (size_t i = 0; i <= w.file_count; i++)
        w.modules[i].loader = NO_SUB;
    w.path = NYTP_ARRAY(uint32_t);
    for (uint32_t i = 0; i < w.sub_count; i++)
        learn_sub(&w, i);
    nytp_calltree_walk_subs(stacks, find_loader, &w);
    return_to_depth(&w, 0);
    nytp_calltree_walk_subs(stacks, find_use, &w);
    report(f, &w);
    g_array_free(w.path, TRUE);
    g_free(w.modules);
    g_free(w.subs);
}
