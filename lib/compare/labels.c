/* Labels in a comparison. */
#include "base/labels.h"
#include "base/str.h"
#include "compare/comparison.h"

#include <string.h>

void nytp_comparison_add_labels(nytp_comparison *comparison, enum nytp_side side, const nytp_by_label *labels)
{
    const GPtrArray *runs = comparison->runs[side];
    nytp_comparison_forget_rows(comparison);
    nytp_run_add_labels(g_ptr_array_index(runs, runs->len - 1), &comparison->keys, labels);
}

static size_t row_of(nytp_comparison *c, enum nytp_side side, uint32_t key)
{
    const uint32_t row = nytp_comparison_row_of(c, NYTP_COMPARE_LABELS, side)[key];
    return row != NYTP_NO_KEY ? row : SIZE_MAX;
}

size_t nytp_comparison_find_label(nytp_comparison *comparison, enum nytp_side side, size_t run,
                                  uint32_t number)
{
    const nytp_run *of = g_ptr_array_index(comparison->runs[side], run);
    return number < of->label_key->len
               ? row_of(comparison, side, g_array_index(of->label_key, uint32_t, number))
               : SIZE_MAX;
}

nytp_label nytp_comparison_label(nytp_str name)
{
    nytp_label label = {.kind = NYTP_LABEL_NONE, .text = name};
    const char *colon = memchr(name.bytes, ':', name.length);
    const size_t length = colon != NULL ? (size_t)(colon - name.bytes) : 0;
    for (int kind = 0; nytp_label_kinds[kind] != NULL; kind++)
        if (nytp_str_is((nytp_str){name.bytes, length, true}, nytp_label_kinds[kind])) {
            label.kind = (enum nytp_label_kind)kind;
            label.text = (nytp_str){colon + strlen(": "), name.length - length - strlen(": "), name.utf8};
        }
    return label;
}

size_t nytp_comparison_label_of(nytp_comparison *comparison, size_t sub)
{
    const GArray *subs = nytp_comparison_rows(comparison, NYTP_COMPARE_SUBS),
                 *labels = comparison->keys.label_of_sub;
    size_t found = SIZE_MAX;
    for (int side = NYTP_SIDES; side-- > 0 && found == SIZE_MAX;) {
        const uint32_t key = g_array_index(subs, nytp_match, sub).key[side];
        const uint32_t label = key < labels->len ? g_array_index(labels, uint32_t, key) : 0;
        if (label > 0)
            found = row_of(comparison, (enum nytp_side)side, label - 1);
    }
    return found;
}
