#include "memory/kept.h"

#include "base/str.h"
#include "model/grow.h"

#include <math.h>

/* ---- what is counted */

void nytp_kept_init(nytp_kept *kept)
{
    *kept = (nytp_kept){.of_subs = NYTP_ZEROED_ARRAY(double)};
}

void nytp_kept_clear(nytp_kept *kept)
{
    g_clear_pointer(&kept->of_subs, g_array_unref);
    g_clear_pointer(&kept->begin.of_subs, g_array_unref);
    g_clear_pointer(&kept->end.of_subs, g_array_unref);
}

void nytp_kept_add(nytp_kept *kept, uint32_t sub, const nytp_chunk *sub_callers)
{
    const bool is_said = kept->next.count > 0;
    if (kept->of_subs->len <= sub)
        g_array_set_size(kept->of_subs, sub + 1);
    g_array_index(kept->of_subs, double, sub) += is_said ? kept->next.kept.own_values : 0;
    kept->is_lacking |= !is_said && sub_callers->sub_callers.count > 0;
    kept->next = (nytp_mark){0};
}

void nytp_kept_note_calls(const nytp_kept *kept, nytp_kept_counts *moment)
{
    g_clear_pointer(&moment->of_subs, g_array_unref);
    moment->of_subs = g_array_copy(kept->of_subs);
}

static double values_at(const nytp_kept_counts *moment, uint32_t sub)
{
    const bool has = moment->of_subs != NULL && sub < moment->of_subs->len;
    return has ? g_array_index(moment->of_subs, double, sub) : 0;
}

static double values_of(const nytp_kept *kept, uint32_t sub)
{
    return values_at(&kept->end, sub) - values_at(&kept->begin, sub);
}

/* ---- the view */

typedef struct view {
    GArray *sites, *nodes, *names, *fids;
    uint32_t kind; /* a name */
} view;

static uint32_t add_name(const view *v, nytp_str name)
{
    g_array_append_val(v->names, name);
    return v->names->len;
}

static uint32_t add_node(const view *v, nytp_str name)
{
    const nytp_memory_node node = {0, add_name(v, name), 0, 1};
    g_array_append_val(v->nodes, node);
    return v->nodes->len - 1;
}

static nytp_memory_site *add_site(const view *v, uint32_t node, const nytp_sampled *amount)
{
    const nytp_memory_site site = {.node = node, .kind = v->kind, .line = 1, .taken = *amount};
    g_array_append_val(v->sites, site);
    return &g_array_index(v->sites, nytp_memory_site, v->sites->len - 1);
}

bool nytp_is_arena(nytp_str kind)
{
    static const char *const arenas[] = {"value heads", "value bodies"};
    return nytp_str_index(kind, arenas, G_N_ELEMENTS(arenas)) >= 0;
}

/* Takes arenas from the sites. */
static nytp_sampled take_arenas(const view *v)
{
    nytp_sampled sum = {0};
    for (guint n = 1; n < v->sites->len; n++) {
        nytp_memory_site *site = &g_array_index(v->sites, nytp_memory_site, n);
        if (!nytp_is_arena(g_array_index(v->names, nytp_str, site->kind - 1)))
            continue;
        nytp_sampled_add(&sum, &site->taken, 1);
        site->taken = (nytp_sampled){0};
    }
    return sum;
}

/* What subs made, what of it others may have freed, or is in arenas of before the profile, and what is left.
 */
typedef struct sums {
    double made, lost, left; /* values */
    double bytes_each;
    double share; /* of what subs made: what is left of it */
} sums;

/* Values that are of no sub may be in arenas of before the profile, so these are less first. Subs that freed
 * more than they made have made some, too: how many is not known, and is taken to be as many as they lack. */
static sums sums_of(const nytp_kept *kept, double arenas_bytes)
{
    sums s = {0};
    double lacking = 0;
    const double *values = kept->end.values, *before = kept->begin.values;
    for (uint32_t sub = 0; sub < kept->of_subs->len; sub++)
        *(values_of(kept, sub) > 0 ? &s.made : &lacking) += fabs(values_of(kept, sub));
    for (int type = 0; type < NYTP_VALUES_OF_free; type++)
        s.left += values[type] - before[type];
    const double bytes = values[NYTP_VALUES_OF_bytes] - before[NYTP_VALUES_OF_bytes];
    s.bytes_each = s.left > 0 ? fmax(bytes / s.left, 0) : 0;
    s.left = s.bytes_each > 0 ? fmax(fmin(s.left, arenas_bytes / s.bytes_each), 0) : 0;
    s.lost = fmax(2 * lacking, s.made - s.left);
    s.share = s.made > 0 ? fmin(s.left / s.made, 1) : 0;
    return s;
}

/* What was counted has no samples; of what may be off, each value is one. */
static nytp_sampled amount_of(const sums *s, double values, double off_by)
{
    const double off_bytes = off_by * s->bytes_each;
    return (nytp_sampled){values * s->bytes_each, values, off_bytes * off_bytes,
                          off_by > 0 ? llround(values) : 0};
}

/* Whose values are lost is not known: here each sub has lost its share. The error is that it may have lost
 * all, or none. */
static nytp_sampled kept_amount(const sums *s, double values)
{
    const double estimate = values * s->share, least = fmax(values - s->lost, 0),
                 most = fmin(values, s->left);
    return amount_of(s, estimate, s->lost > 0 ? fmax(estimate - least, most - estimate) : 0);
}

/* At the place of the sub, if it is known. */
static void add_keeper(const view *v, const nytp_memory_named *named, uint32_t sub,
                       const nytp_sampled *amount)
{
    nytp_memory_site *site = add_site(v, add_node(v, nytp_names_get(named->subs, sub)), amount);
    const nytp_chunk *info = nytp_memory_sub_info(named, sub);
    if (info == NULL)
        return;
    g_array_append_val(v->fids, info->sub_info.fid);
    site->file = v->fids->len;
    site->line = info->sub_info.first_line;
}

void nytp_kept_show(const nytp_kept *kept, const nytp_memory_named *named, GArray *sites, GArray *nodes,
                    GArray *names, GArray *fids)
{
    view v = {sites, nodes, names, fids, 0};
    nytp_sampled room = take_arenas(&v);
    const sums s = sums_of(kept, room.bytes);
    if (room.samples == 0)
        return;
    v.kind = add_name(&v, nytp_str_of("net values"));
    for (uint32_t sub = 0; sub < kept->of_subs->len; sub++) {
        const nytp_sampled amount = kept_amount(&s, values_of(kept, sub));
        if (amount.bytes > 0)
            add_keeper(&v, named, sub, &amount);
    }
    nytp_sampled others = amount_of(&s, s.left - s.made * s.share, 0);
    const double room_bytes = room.bytes - s.left * s.bytes_each;
    room.blocks *= room_bytes / room.bytes;
    room.bytes = room_bytes;
    if (room_bytes < 1) { /* the error of all arenas is that of values */
        others.variance = room.variance;
        others.samples = room.samples;
    }
    add_site(&v, 0, &others);
    v.kind = add_name(&v, nytp_str_of("room for values"));
    add_site(&v, add_node(&v, nytp_str_of("main::(free in arenas)")), &room);
}
