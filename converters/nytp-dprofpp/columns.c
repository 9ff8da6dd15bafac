#include "view.h"

#include "cli/options.h"
#include "model/grow.h"
#include "model/subs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const dprofpp_column_names[DPROFPP_COLUMNS + 1] = {"p50",  "p95",    "p99",    "max",  "first",
                                                               "work", "asleep", "queued", "kept", NULL};

/* Adds the column of that name, once. Returns whether there is one. */
static bool add_column(dprofpp_columns *columns, const char *word)
{
    const unsigned column = (unsigned)nytp_option_word(word, dprofpp_column_names);
    for (unsigned i = 0; i < columns->count; i++)
        if (columns->of[i] == column)
            return true;
    if (column < DPROFPP_COLUMNS)
        columns->of[columns->count++] = column;
    return column < DPROFPP_COLUMNS;
}

char *dprofpp_columns_parse(dprofpp_columns *columns, const char *words)
{
    g_auto(GStrv) split = g_strsplit(words, ",", -1);
    bool is_right = split[0] != NULL;
    *columns = (dprofpp_columns){.count = 0};
    for (char **word = split; *word != NULL; word++)
        is_right &= add_column(columns, *word);
    if (is_right)
        return NULL;
    g_autofree char *expected = nytp_option_expect(dprofpp_column_names);
    return g_strconcat(expected, ", or several with commas", NULL);
}

GArray *dprofpp_columns_of_shown(nytp_calltree *tree, const nytp_durations *durations)
{
    GArray *shown = nytp_distributions_new(nytp_names_count(nytp_calltree_names(tree)));
    for (uint32_t raw = 0; raw < durations->count; raw++) {
        const nytp_distribution *from = nytp_durations_of(durations, raw);
        if (from == NULL)
            continue;
        const uint32_t sub = nytp_calltree_shown(tree, raw); /* which the tree has, with the calls */
        nytp_distribution_add_all(&g_array_index(shown, nytp_distribution, sub), from);
    }
    return shown;
}

bool dprofpp_columns_have(const dprofpp_columns *columns, unsigned first, unsigned last)
{
    bool have = false;
    for (unsigned i = 0; i < columns->count; i++)
        have |= columns->of[i] >= first && columns->of[i] <= last;
    return have;
}

double dprofpp_part_ticks(const dprofpp_view *v, double excl_ticks, nytp_waited waited, unsigned column)
{
    const nytp_spent spent = nytp_spent_of(excl_ticks, waited);
    if (!nytp_measure_is_time(&v->measure) || !nytp_sub_waits_are_known(v->waits) ||
        (column == DPROFPP_QUEUED && !nytp_sub_waits_are_measured(v->waits)))
        return -1;
    return column == DPROFPP_ASLEEP   ? spent.asleep_ticks
           : column == DPROFPP_QUEUED ? spent.queued_ticks
                                      : spent.work_ticks;
}

GArray *dprofpp_columns_kept_of_shown(nytp_calltree *tree, nytp_names *raw, const nytp_profile *sums)
{
    const size_t count = nytp_profile_sub_count(sums);
    g_autofree nytp_arc *arcs = nytp_sums_by_callee(sums);
    GArray *shown = NYTP_ZEROED_ARRAY(dprofpp_kept);
    nytp_sub sub;
    g_array_set_size(shown, nytp_names_count(nytp_calltree_names(tree)));
    for (uint32_t i = 0; i < count && nytp_profile_sub(sums, i, &sub); i++) {
        if (arcs[i].count == 0)
            continue; /* the tree may not have it */
        const uint32_t number = nytp_calltree_shown(tree, nytp_names_intern(raw, &sub.name, NULL));
        if (number >= shown->len)
            g_array_set_size(shown, number + 1);
        dprofpp_kept *kept = &g_array_index(shown, dprofpp_kept, number);
        kept->calls += arcs[i].lacks_kept ? 0 : arcs[i].count;
        kept->values += arcs[i].own_kept_values;
    }
    return shown;
}

GArray *dprofpp_columns_waits_of_shown(nytp_calltree *tree, const nytp_sub_waits *waits)
{
    GArray *shown = NYTP_ZEROED_ARRAY(nytp_sub_wait);
    g_array_set_size(shown, nytp_names_count(nytp_calltree_names(tree)));
    const uint32_t count = nytp_sub_waits_count(waits);
    for (uint32_t raw = 0; raw < count; raw++) {
        const nytp_sub_wait of = nytp_sub_waits_of(waits, raw);
        if (of.asleep_s + of.queued_s == 0)
            continue; /* the tree may not have it */
        nytp_sub_wait_add(&g_array_index(shown, nytp_sub_wait, nytp_calltree_shown(tree, raw)), of);
    }
    return shown;
}
