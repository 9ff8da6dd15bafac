#include "view.h"

#include "calls/by_label.h"
#include "calls/calltree.h"

bool dprofpp_labels_any(const dprofpp_calls *c)
{
    const nytp_names *names = nytp_calltree_names(c->tree);
    for (uint32_t i = 0; i < nytp_names_count(names); i++) {
        nytp_label label;
        if (nytp_labels_split(c->labels, nytp_names_get(names, i), &label) &&
            label.kind == c->options->labels)
            return true;
    }
    return false;
}

/* Rows are found by the numbers of their names, which follow one another. */
const nytp_names *dprofpp_labels_take(dprofpp_calls *c)
{
    nytp_by_label *by = nytp_by_label_new();
    nytp_by_label_add(by, c->labels, c->tree);
    c->label_names = nytp_names_new();
    for (uint32_t i = 0; i < nytp_by_label_count(by); i++) {
        const nytp_labelled *l = nytp_by_label_get(by, i);
        if (l->kind != c->options->labels)
            continue;
        const uint32_t number = nytp_names_intern(c->label_names, &l->text, NULL);
        const dprofpp_subtime row = {.sub = number,
                                     .found = number + 1,
                                     .calls = l->runs,
                                     .excl_ticks = l->excl_ticks,
                                     .cumul_ticks = l->incl_ticks};
        g_array_append_val(c->times.rows, row);
        c->times.calls += l->runs;
    }
    nytp_by_label_free(by);
    c->times.incl_ticks += nytp_calltree_stacks(c->tree)->nodes[0].incl_ticks;
    return c->label_names;
}
