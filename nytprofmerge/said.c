#include "state.h"

#include "model/grow.h"

/* What readers know of the subs of a name. */
enum kind {
    UNKNOWN,
    IS_PERL,
    IS_XSUB,
};

typedef struct noted {
    bool is_mark;
    uint32_t number; /* of a range in the sub_map, or of the name in a mark */
} noted;

struct merge_said {
    GArray *noted; /* noted, in order */
    GArray *kinds; /* uint8_t: an enum kind, by number of name */
};

merge_said *merge_said_new(void)
{
    merge_said *said = g_new(merge_said, 1);
    *said = (merge_said){.noted = NYTP_ARRAY(noted), .kinds = NYTP_ZEROED_ARRAY(uint8_t)};
    return said;
}

void merge_said_free(merge_said *said)
{
    if (said == NULL)
        return;
    g_array_free(said->noted, TRUE);
    g_array_free(said->kinds, TRUE);
    g_free(said);
}

void merge_note_range(merge_state *m, uint32_t range)
{
    const noted added = {false, range};
    g_array_append_val(m->said->noted, added);
}

void merge_note_xsub(merge_state *m, const nytp_chunk *mark)
{
    const noted added = {true, nytp_names_intern(m->names, &mark->sub_callers.called, NULL)};
    g_array_append_val(m->said->noted, added);
}

bool merge_has_unsaid(const merge_said *said)
{
    return said->noted->len > 0;
}

/* Returns whether that is new of the name. */
static bool is_new(const merge_said *said, uint32_t name, enum kind kind)
{
    if (name >= said->kinds->len)
        g_array_set_size(said->kinds, name + 1);
    uint8_t *known = &g_array_index(said->kinds, uint8_t, name);
    const bool differs = *known != kind;
    *known = (uint8_t)kind;
    return differs;
}

static nytp_chunk mark_of(const merge_state *m, uint32_t name)
{
    return (nytp_chunk){.tag = NYTP_SUB_CALLERS, .sub_callers.called = nytp_names_get(m->names, name)};
}

/* A range is said again if the name has been that of another kind of sub. */
static void say(merge_state *m, const noted *n)
{
    if (n->is_mark) {
        const nytp_chunk mark = mark_of(m, n->number);
        if (is_new(m->said, n->number, IS_XSUB))
            merge_output_put(&m->out, &mark);
        return;
    }
    const enum kind kind = nytp_sub_map_is_perl(m->sub_map, n->number) ? IS_PERL : IS_XSUB;
    if (is_new(m->said, nytp_sub_map_name(m->sub_map, n->number), kind) ||
        !nytp_sub_map_was_put(m->sub_map, n->number))
        merge_output_sub(&m->out, m->sub_map, n->number);
}

void merge_say_noted(merge_state *m)
{
    NYTP_EACH(noted, n, m->said->noted)
        say(m, n);
    g_array_set_size(m->said->noted, 0);
}

void merge_leave_noted(merge_state *m)
{
    NYTP_EACH(const noted, n, m->said->noted) {
        if (!n->is_mark)
            continue;
        const nytp_chunk mark = mark_of(m, n->number);
        merge_arcs_add(m->arcs, &mark, &(nytp_mark){0}, 0);
    }
    g_array_set_size(m->said->noted, 0);
}
