#include "findings/finder.h"

#include "calls/calltree.h"
#include "export/amount.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/load_name.h"
#include "model/package.h"

/* A node of the tree of stacks, in the order of a walk. */
typedef struct place {
    nytp_str name;
    guint end; /* the first place after those below it */
    uint64_t calls;
    double work; /* with what is below it; ticks of the profile */
} place;

typedef struct walk {
    const nytp_names *names;
    const nytp_node *nodes;
    double scale;   /* ticks of the profile in one of the tree */
    GArray *places; /* place */
    GArray *path;   /* guint: places */
} walk;

static place *place_at(const walk *w, guint i)
{
    return &g_array_index(w->places, place, i);
}

static void leave_to(const walk *w, guint depth)
{
    for (; w->path->len > depth; g_array_set_size(w->path, w->path->len - 1)) {
        place *left = place_at(w, g_array_index(w->path, guint, w->path->len - 1));
        left->end = w->places->len;
        if (w->path->len > 1)
            place_at(w, g_array_index(w->path, guint, w->path->len - 2))->work += left->work;
    }
}

static void add_node(void *context, uint32_t n, uint32_t depth)
{
    const walk *w = context;
    const nytp_node *node = &w->nodes[n];
    const guint number = w->places->len;
    const place one = {nytp_names_get(w->names, node->sub), 0, node->calls,
                       MAX(node->excl_ticks - nytp_waited_ticks(node->waited), 0) * w->scale};
    leave_to(w, depth);
    g_array_append_val(w->places, one);
    g_array_append_val(w->path, number);
}

/* Returns the place with most work of those beside one another from one on; end if there is none. */
static guint largest_of(const walk *w, guint from, guint end)
{
    guint largest = from;
    for (guint i = from; i < end; i = place_at(w, i)->end)
        if (place_at(w, i)->work > place_at(w, largest)->work)
            largest = i;
    return largest;
}

static guint largest_below(const walk *w, guint i)
{
    const guint largest = largest_of(w, i + 1, place_at(w, i)->end);
    return largest < place_at(w, i)->end ? largest : i;
}

/* Returns where the work forks: what has nearly all work of its caller, or half of all, only leads there,
 * unless the largest part of it is small. */
static guint fork_of(const nytp_finder *f, const walk *w)
{
    const double trunk_share = 0.8, half = 0.5, least_share = 1. / 3;
    guint at = largest_of(w, 0, w->places->len);
    double above = f->work_ticks;
    while (at < w->places->len && place_at(w, at)->work > MIN(trunk_share * above, half * f->work_ticks)) {
        const guint below = largest_below(w, at);
        if (below == at || place_at(w, below)->work < least_share * place_at(w, at)->work)
            break;
        above = place_at(w, at)->work;
        at = below;
    }
    return at;
}

/* Returns the innermost place that has nearly all work of a place. */
static guint core_of(const walk *w, guint at)
{
    const double most_of = 0.9;
    for (guint below = largest_below(w, at);
         below != at && place_at(w, below)->work > most_of * place_at(w, at)->work;
         below = largest_below(w, at))
        at = below;
    return at;
}

static bool loads(nytp_str name)
{
    return nytp_begin_block_length(name) > 0 || nytp_is_load(name);
}

static void find_heavy_sub(nytp_finder *f, const walk *w)
{
    const double least_share = 0.1;
    const guint at = fork_of(f, w);
    nytp_sub sub;
    if (at == w->places->len || place_at(w, at)->work < least_share * f->work_ticks ||
        !nytp_profile_sub(f->profile, nytp_found_number(f, place_at(w, at)->name), &sub) ||
        sub.kind != NYTP_SUB_PERL || loads(sub.name))
        return;
    const place *p = place_at(w, at), *core = place_at(w, core_of(w, at));
    g_autofree char *name = nytp_found_name(f, p->name), *inner = nytp_found_name(f, core->name);
    const nytp_amount calls = nytp_amount_of((double)p->calls, "time");
    const nytp_found_place found = {name, nytp_found_number(f, p->name), 0, 0};
    const bool is_sampled = nytp_measure_is_sampled(&f->measure);
    nytp_find(f, NYTP_FOUND_HEAVY_SUB, p->work, found, "%s%s%s%s",
              is_sampled ? "with what it calls" : "runs ",
              is_sampled      ? ""
              : p->calls == 1 ? "once"
                              : calls.text,
              core != p ? ", nearly all of it in " : "", core != p ? inner : "");
}

static char *base_name(nytp_str path)
{
    g_autofree char *clean = nytp_name_clean(path);
    return g_path_get_basename(clean);
}

/* Returns the names of the profile's programs, without directories: programs are known as they were called.
 */
static GHashTable *programs_of(const nytp_profile *profile)
{
    GHashTable *programs = g_hash_table_new_full(nytp_hash_of_text, g_str_equal, g_free, NULL);
    for (size_t i = 0; i < nytp_profile_process_count(profile); i++)
        g_hash_table_add(programs, base_name(nytp_profile_process(profile, i)->application));
    return programs;
}

/* Whether it is neither a string eval nor a program. */
static bool is_module(const nytp_file *file, GHashTable *programs)
{
    if (file->eval_fid != 0)
        return false;
    g_autofree char *name = base_name(file->name);
    return !g_hash_table_contains(programs, name);
}

static void find_loading(nytp_finder *f, const walk *w)
{
    g_autoptr(GHashTable) programs = programs_of(f->profile);
    double work = 0;
    size_t files = 0;
    for (guint i = 0; i < w->places->len;) {
        const place *p = place_at(w, i);
        work += loads(p->name) ? p->work : 0;
        i = loads(p->name) ? p->end : i + 1;
    }
    for (size_t i = 0; i < nytp_profile_file_count(f->profile); i++)
        files += is_module(nytp_profile_file(f->profile, i), programs);
    if (files == 0)
        return;
    nytp_find(f, NYTP_FOUND_LOADING, work, (nytp_found_place){.subject = "Loading", .sub = UINT32_MAX},
              "modules, %s", nytp_amount_of((double)files, "file").text);
}

void nytp_find_heavy_subs(nytp_finder *f, nytp_calltree *stacks)
{
    const nytp_stacktree *tree = nytp_calltree_stacks(stacks);
    const walk w = {nytp_calltree_names(stacks), tree->nodes,
                    f->measure.ticks_per_base / nytp_calltree_ticks_per_sec(stacks), NYTP_ARRAY(place),
                    NYTP_ARRAY(guint)};
    nytp_stacktree_visit(tree, add_node, (void *)&w);
    leave_to(&w, 0);
    find_heavy_sub(f, &w);
    find_loading(f, &w);
    g_array_free(w.places, TRUE);
    g_array_free(w.path, TRUE);
}
