/* Which sub a line belongs to. */
#include "graph.h"

static int by_first_line(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return (x->first_line > y->first_line) - (x->first_line < y->first_line);
}

void places_init(places *p, const graph *g)
{
    p->g = g;
    p->files = nytp_profile_file_count(g->profile);
    p->of_file = g_new0(GArray *, p->files);
    for (uint32_t i = 0; i < g->root; i++) {
        nytp_sub sub;
        nytp_profile_sub(g->profile, i, &sub);
        if (!g->owners[i].called || sub.kind != NYTP_SUB_PERL)
            continue;
        for (size_t k = 0; k < sub.range_count; k++) {
            uint32_t file = graph_file_number(g, sub.ranges[k].fid);
            if (file == NO_FILE)
                continue;
            if (p->of_file[file] == NULL)
                p->of_file[file] = g_array_new(FALSE, FALSE, sizeof(place));
            place here = {sub.ranges[k].first_line, sub.ranges[k].last_line, i};
            g_array_append_val(p->of_file[file], here);
        }
    }
    for (size_t i = 0; i < p->files; i++)
        if (p->of_file[i] != NULL)
            graph_sort(p->of_file[i], by_first_line);
}

void places_clear(places *p)
{
    for (size_t i = 0; i < p->files; i++)
        if (p->of_file[i] != NULL)
            g_array_free(p->of_file[i], TRUE);
    g_free(p->of_file);
}

/* Subs on the same lines cannot be told apart: the one that took most gets them. */
static bool is_further_in(const graph *g, const place *a, const place *b)
{
    if (a->first_line != b->first_line)
        return a->first_line > b->first_line;
    if (a->last_line != b->last_line)
        return a->last_line < b->last_line;
    uint64_t x = g->owners[a->sub].excl_ticks, y = g->owners[b->sub].excl_ticks;
    return x != y ? x > y : a->sub < b->sub;
}

static uint32_t innermost(const graph *g, const GArray *all, uint32_t line)
{
    const place *best = NULL;
    for (guint i = 0; i < all->len; i++) {
        const place *p = &g_array_index(all, place, i);
        if (p->first_line > line)
            break;
        if (p->last_line >= line && (best == NULL || is_further_in(g, p, best)))
            best = p;
    }
    return best != NULL ? best->sub : g->root;
}

uint32_t places_sub_at(const places *p, uint32_t file, uint32_t line)
{
    const GArray *all = file < p->files ? p->of_file[file] : NULL;
    return all != NULL ? innermost(p->g, all, line) : p->g->root;
}

void sweep_begin(sweep *s, const places *p, uint32_t file)
{
    *s = (sweep){.places = p, .all = p->of_file[file]};
    s->open = g_array_new(FALSE, FALSE, sizeof(place));
}

uint32_t sweep_to(sweep *s, uint32_t line)
{
    for (guint i = s->open->len; i-- > 0;)
        if (g_array_index(s->open, place, i).last_line < line)
            g_array_remove_index_fast(s->open, i);
    for (; s->all != NULL && s->next < s->all->len; s->next++) {
        place p = g_array_index(s->all, place, s->next);
        if (p.first_line > line)
            break;
        if (p.last_line >= line)
            g_array_append_val(s->open, p);
    }
    return innermost(s->places->g, s->open, line);
}

bool sweep_is_inside(const sweep *s, uint32_t line)
{
    for (guint i = 0; i < s->open->len; i++) {
        const place *p = &g_array_index(s->open, place, i);
        if (p->first_line < line && line < p->last_line)
            return true;
    }
    return false;
}

void sweep_end(sweep *s)
{
    g_array_free(s->open, TRUE);
}
