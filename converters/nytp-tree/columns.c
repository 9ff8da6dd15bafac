#include "view.h"

#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds the column of that name, once. Returns whether there is one. */
static bool add_column(tree_columns *columns, const char *word)
{
    unsigned column = NYTP_P50;
    while (column < NYTP_DURATIONS && strcmp(nytp_duration_names[column], word) != 0)
        column++;
    for (unsigned i = 0; i < columns->count; i++)
        if (columns->of[i] == column)
            return true;
    if (column < NYTP_DURATIONS)
        columns->of[columns->count++] = column;
    return column < NYTP_DURATIONS;
}

char *tree_columns_parse(tree_columns *columns, const char *words)
{
    char names[64], wrong[2 * sizeof names];
    g_auto(GStrv) split = g_strsplit(words, ",", -1);
    bool is_right = split[0] != NULL;
    *columns = (tree_columns){.count = 0};
    for (char **word = split; *word != NULL; word++)
        is_right &= add_column(columns, *word);
    if (is_right)
        return NULL;
    nytp_option_list_words(nytp_duration_names, -1, names, sizeof names);
    snprintf(wrong, sizeof wrong, "expected %s, or several with commas", names);
    return strdup(wrong);
}

GArray *tree_columns_of_shown(nytp_calltree *tree, const nytp_durations *durations)
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
