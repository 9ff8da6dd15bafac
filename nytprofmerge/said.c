#include "state.h"

#include "model/grow.h"

/* What readers know of the subs of a name. */
enum kind {
    UNKNOWN,
    IS_PERL,
    IS_XSUB,
};

typedef struct noted {
    uint32_t is_mark; /* 0 or 1 */
    uint32_t number;  /* of a range in the sub_map, or of the name in a mark */
} noted;

struct merge_said {
    GArray *noted;     /* noted, in order */
    nytp_records left; /* noted: once each, in order of first sight */
    GArray *kinds;     /* uint8_t: an enum kind, by number of name */
};

merge_said *merge_said_new(void)
{
    merge_said *said = g_new(merge_said, 1);
    *said = (merge_said){.noted = NYTP_ARRAY(noted), .kinds = NYTP_ZEROED_ARRAY(uint8_t)};
    nytp_records_init(&said->left, sizeof(noted), sizeof(noted));
    return said;
}

void merge_said_free(merge_said *said)
{
    if (said == NULL)
        return;
    g_array_free(said->noted, TRUE);
    nytp_records_clear(&said->left);
    g_array_free(said->kinds, TRUE);
    g_free(said);
}

void merge_note_range(merge_state *m, uint32_t range)
{
    const noted added = {0, range};
    g_array_append_val(m->said->noted, added);
}

void merge_note_xsub(merge_state *m, const nytp_chunk *mark)
{
    const noted added = {1, nytp_names_intern(m->names, &mark->sub_callers.called, NULL)};
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

static void say_mark(merge_state *m, uint32_t name)
{
    const nytp_chunk mark = {.tag = NYTP_SUB_CALLERS, .sub_callers.called = nytp_names_get(m->names, name)};
    merge_output_put(&m->out, &mark);
}

/* A range is said again if the name has been that of another kind of sub. */
static void say(merge_state *m, const noted *n)
{
    if (n->is_mark) {
        if (is_new(m->said, n->number, IS_XSUB))
            say_mark(m, n->number);
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

void merge_leave_noted(merge_said *said)
{
    NYTP_EACH(const noted, n, said->noted)
        nytp_records_number(&said->left, n, NULL);
    g_array_set_size(said->noted, 0);
}

void merge_say_left(merge_state *m)
{
    NYTP_EACH_RECORD(const noted, n, &m->said->left) {
        if (n->is_mark)
            say_mark(m, n->number);
        else if (!nytp_sub_map_was_put(m->sub_map, n->number))
            merge_output_sub(&m->out, m->sub_map, n->number);
    }
}
