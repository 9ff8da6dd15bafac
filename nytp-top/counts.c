#include "tables.h"

#include "base/order.h"
#include "base/str.h"
#include "model/display.h"
#include "model/hashes.h"
#include "model/whole.h"

#include <glib.h>
#include <string.h>

/* A sum, and what of it was added in each of the last seconds, in a ring. */
typedef struct timed {
    double all_s, recent_s[TOP_RING];
} timed;

typedef struct entry {
    char *name; /* UTF-8, without control characters */
    timed self[TOP_TIMES], incl[TOP_TIMES];
    uint64_t seen; /* which addition had it last: a recursive sub counts once */
} entry;

struct top_counts {
    GHashTable *by_name;
    GPtrArray *entries;
    timed total[TOP_TIMES]; /* of what was added */
    timed whole[TOP_TIMES]; /* of what top_counts_add_whole() added, which is no work */
    int second;             /* of the ring */
    double part;            /* of that second, what has passed */
    uint64_t stacks;
    double stack_s[TOP_TIMES]; /* time of the stack that is added */
};

static void free_entry(void *context)
{
    entry *e = context;
    g_free(e->name);
    g_free(e);
}

top_counts *top_counts_new(void)
{
    top_counts *c = g_new0(top_counts, 1);
    c->by_name = g_hash_table_new(nytp_hash_of_text, g_str_equal);
    c->entries = g_ptr_array_new_with_free_func(free_entry);
    return c;
}

static void insert(top_counts *c, entry *e)
{
    g_hash_table_insert(c->by_name, e->name, e);
    g_ptr_array_add(c->entries, e);
}

void top_counts_free(top_counts *c)
{
    if (c == NULL)
        return;
    g_hash_table_destroy(c->by_name);
    g_ptr_array_free(c->entries, TRUE);
    g_free(c);
}

static void begin_second(const top_counts *c, timed of[TOP_TIMES])
{
    for (int time = 0; time < TOP_TIMES; time++)
        of[time].recent_s[c->second] = 0;
}

void top_counts_next_second(top_counts *c)
{
    c->second = (c->second + 1) % TOP_RING;
    begin_second(c, c->whole);
    begin_second(c, c->total);
    for (guint n = 0; n < c->entries->len; n++) {
        entry *e = g_ptr_array_index(c->entries, n);
        begin_second(c, e->self);
        begin_second(c, e->incl);
    }
}

void top_counts_set_part(top_counts *c, double part)
{
    c->part = part;
}

static double sum_of_ring(const timed *time)
{
    double all = 0;
    for (int n = 0; n < TOP_RING; n++)
        all += time->recent_s[n];
    return all;
}

/* Returns how much of a time is of the last TOP_RECENT_S seconds. */
static double recent(const top_counts *c, const timed *time)
{
    return sum_of_ring(time) - c->part * time->recent_s[(c->second + 1) % TOP_RING];
}

static void add(const top_counts *c, timed *to, double seconds)
{
    to->all_s += seconds;
    to->recent_s[c->second] += seconds;
}

static void add_stack(const top_counts *c, timed to[TOP_TIMES])
{
    for (int time = 0; time < TOP_TIMES; time++)
        add(c, &to[time], c->stack_s[time]);
}

static entry *entry_of(top_counts *c, const char *name)
{
    entry *e = g_hash_table_lookup(c->by_name, name);
    if (e != NULL)
        return e;
    char *shown = nytp_name_clean(nytp_str_of(name)); /* programs may have any bytes in theirs */
    e = g_hash_table_lookup(c->by_name, shown);
    if (e != NULL) {
        g_free(shown);
        return e;
    }
    e = g_new0(entry, 1);
    e->name = shown;
    insert(c, e);
    return e;
}

/* Those with time in the last seconds first, then by their time since the start. */
static gint compare_importance(gconstpointer left, gconstpointer right)
{
    const entry *a = *(entry *const *)left, *b = *(entry *const *)right;
    return nytp_order2((sum_of_ring(b->incl) > 0) - (sum_of_ring(a->incl) > 0),
                       NYTP_ORDER(b->self->all_s + b->incl->all_s, a->self->all_s + a->incl->all_s));
}

static void add_all(timed to[TOP_TIMES], const timed from[TOP_TIMES])
{
    for (int time = 0; time < TOP_TIMES; time++) {
        to[time].all_s += from[time].all_s;
        for (int n = 0; n < TOP_RING; n++)
            to[time].recent_s[n] += from[time].recent_s[n];
    }
}

static void trim(top_counts *c)
{
    if (c->entries->len <= TOP_MOST)
        return;
    entry *others = entry_of(c, TOP_OTHERS);
    g_ptr_array_sort(c->entries, compare_importance);
    while (c->entries->len > TOP_MOST / 2) {
        entry *e = g_ptr_array_steal_index(c->entries, c->entries->len - 1);
        g_hash_table_remove(c->by_name, e->name);
        if (e != others) {
            add_all(others->self, e->self);
            add_all(others->incl, e->self);
            free_entry(e);
        }
    }
    if (!g_hash_table_contains(c->by_name, others->name))
        insert(c, others);
}

void top_counts_begin_stack(top_counts *c, const double seconds[TOP_TIMES])
{
    trim(c);
    c->stacks++;
    memcpy(c->stack_s, seconds, sizeof c->stack_s);
    add_stack(c, c->total);
}

void top_counts_on_stack(top_counts *c, const char *name)
{
    entry *e = entry_of(c, name);
    if (e->seen == c->stacks)
        return;
    e->seen = c->stacks;
    add_stack(c, e->incl);
}

void top_counts_at_work(top_counts *c, const char *name)
{
    add_stack(c, entry_of(c, name)->self);
}

void top_counts_add(top_counts *c, const char *name, double self_s, double incl_s)
{
    trim(c);
    entry *e = entry_of(c, name);
    add(c, &e->self[TOP_ALL], self_s);
    add(c, &e->incl[TOP_ALL], incl_s);
    add(c, &c->total[TOP_ALL], self_s);
}

void top_counts_add_whole(top_counts *c, double seconds)
{
    add(c, &c->whole[TOP_ALL], seconds);
}

double top_counts_total_s(const top_counts *c, enum top_time time)
{
    return nytp_whole(c->whole[time].all_s, c->total[time].all_s);
}

double top_counts_recent_s(const top_counts *c, enum top_time time)
{
    return nytp_whole(recent(c, &c->whole[time]), recent(c, &c->total[time]));
}

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* The largest first; what is the same in the last seconds by all time, and at last in the order of the names.
 */
static int compare(const void *left, const void *right, void *context)
{
    const top_row *a = left, *b = right;
    int order = 0;
    switch (*(const enum top_sort *)context) {
    case TOP_RECENT_SELF:
        order = nytp_order2(NYTP_ORDER(b->recent_self, a->recent_self), NYTP_ORDER(b->self, a->self));
        break;
    case TOP_RECENT_INCL:
        order = nytp_order2(NYTP_ORDER(b->recent_incl, a->recent_incl), NYTP_ORDER(b->incl, a->incl));
        break;
    case TOP_SELF: order = NYTP_ORDER(b->self, a->self); break;
    case TOP_INCL: order = NYTP_ORDER(b->incl, a->incl); break;
    case TOP_NAME: break;
    }
    return order != 0 ? order : strcmp(a->name, b->name);
}

static bool is_wanted(const entry *e, enum top_time time, const char *folded_filter)
{
    if (time == TOP_WORK && e->incl[time].all_s <= 0)
        return false;
    if (folded_filter == NULL)
        return true;
    g_autofree char *folded = g_utf8_casefold(e->name, -1);
    return strstr(folded, folded_filter) != NULL;
}

top_row *top_counts_rows(const top_counts *c, enum top_time time, enum top_sort sort, const char *filter,
                         size_t *count)
{
    top_row *rows = g_new(top_row, c->entries->len + 1);
    g_autofree char *folded = *filter != '\0' ? g_utf8_casefold(filter, -1) : NULL;
    const double recent_s = top_counts_recent_s(c, time), total_s = top_counts_total_s(c, time);
    *count = 0;
    for (guint n = 0; n < c->entries->len; n++) {
        const entry *e = g_ptr_array_index(c->entries, n);
        if (is_wanted(e, time, folded))
            rows[(*count)++] = (top_row){e->name,
                                         share(recent(c, &e->self[time]), recent_s),
                                         share(recent(c, &e->incl[time]), recent_s),
                                         share(e->self[time].all_s, total_s),
                                         share(e->incl[time].all_s, total_s),
                                         e->self[time].all_s};
    }
    g_qsort_with_data(rows, (gint)*count, sizeof *rows, compare, &sort);
    return rows;
}
