#include "findings/finder.h"

#include "base/hash.h"
#include "base/labels.h"

#include "calls/calltree.h"
#include "export/amount.h"

#define NONE UINT32_MAX

/* What the name of a sub says. */
typedef struct name_fact {
    uint32_t statement; /* NONE: it has no label of SQL */
    bool runs;          /* it executes the statement; other methods prepare and fetch */
    bool is_span, is_own;
} name_fact;

/* A statement that one sub runs within one span. Subs and spans are names of the tree. */
typedef struct query {
    uint32_t statement, caller, span; /* the key; NONE: no sub, no span */
    uint32_t method;                  /* that runs it */
    uint64_t runs;
    double ticks; /* of all methods; ticks of the tree */
} query;

typedef struct walk {
    const nytp_finder *f;
    const nytp_names *names;
    name_fact *facts;  /* by name of the tree */
    uint64_t *calls;   /* of spans, by name of the tree */
    nytp_names *texts; /* of statements */
    uint32_t *open,
        *runs;           /* by statement: how many of its calls, and of those that run it, are on the path */
    GArray *path;        /* uint32_t: names of the tree */
    GHashTable *queries; /* query, each its own key */
} walk;

static name_fact fact_of(const walk *w, nytp_str name)
{
    nytp_label label;
    if (!nytp_sub_label(w->f->profile, name, &label))
        return (name_fact){.statement = NONE, .is_own = nytp_found_is_own(w->f, name)};
    if (label.kind != NYTP_LABEL_SQL)
        return (name_fact){.statement = NONE, .is_span = label.kind == NYTP_LABEL_SPAN};
    return (name_fact){.statement = nytp_names_intern(w->texts, &label.text, NULL),
                       .runs = nytp_label_runs(&label)};
}

static void learn_names(walk *w)
{
    for (uint32_t i = 0; i < nytp_names_count(w->names); i++)
        w->facts[i] = fact_of(w, nytp_names_get(w->names, i));
}

static guint hash_query(gconstpointer key)
{
    const query *q = key;
    return (guint)nytp_hash_mix(q->statement, q->caller, q->span);
}

static gboolean same_query(gconstpointer a, gconstpointer b)
{
    const query *x = a, *y = b;
    return x->statement == y->statement && x->caller == y->caller && x->span == y->span;
}

/* Takes the innermost sub of the program's own code for the caller, as other modules may be between it and
 * DBI; without one, the sub that calls DBI. */
static query *query_of(const walk *w, uint32_t statement)
{
    const uint32_t *path = (const uint32_t *)w->path->data;
    query key = {.statement = statement, .caller = NONE, .span = NONE};
    for (guint i = w->path->len; i-- > 0 && (key.caller == NONE || key.span == NONE);) {
        if (key.caller == NONE && w->facts[path[i]].is_own)
            key.caller = path[i];
        if (key.span == NONE && w->facts[path[i]].is_span)
            key.span = path[i];
    }
    if (key.caller == NONE && w->path->len > 0 && !w->facts[path[w->path->len - 1]].is_span)
        key.caller = path[w->path->len - 1];
    query *q = g_hash_table_lookup(w->queries, &key);
    if (q == NULL) {
        q = g_memdup2(&key, sizeof key);
        g_hash_table_add(w->queries, q);
    }
    return q;
}

static void leave_to(const walk *w, guint depth)
{
    for (guint i = depth; i < w->path->len; i++) {
        const name_fact *fact = &w->facts[g_array_index(w->path, uint32_t, i)];
        if (fact->statement == NONE)
            continue;
        w->open[fact->statement]--;
        w->runs[fact->statement] -= fact->runs;
    }
    g_array_set_size(w->path, MIN(depth, w->path->len));
}

/* Methods of DBI call one another with the same statement. The outermost has the time, and the outermost that
 * runs it counts. */
static bool add_call(void *context, const nytp_call *call)
{
    const walk *w = context;
    const name_fact *fact = &w->facts[call->sub];
    leave_to(w, call->depth);
    if (fact->is_span)
        w->calls[call->sub] += call->calls;
    if (fact->statement != NONE) {
        const bool is_outermost = w->open[fact->statement]++ == 0;
        const bool is_run = fact->runs && w->runs[fact->statement]++ == 0;
        query *q = is_outermost || is_run ? query_of(w, fact->statement) : NULL;
        if (is_outermost)
            q->ticks += call->incl_ticks;
        if (is_run) {
            q->method = call->sub;
            q->runs += call->calls;
        }
    }
    g_array_append_val(w->path, call->sub);
    return true;
}

static char *shown(const walk *w, uint32_t name)
{
    if (name == NONE)
        return g_strdup("The program");
    nytp_label label;
    nytp_sub_label(w->f->profile, nytp_names_get(w->names, name), &label);
    return nytp_found_name(w->f, label.kind == NYTP_LABEL_SPAN ? label.text : label.base);
}

/* Leads to the statement; the place is where the sub is that runs it. */
static nytp_found_place place_of(const walk *w, const query *q, const char *caller)
{
    nytp_found_place place = {caller, nytp_found_number(w->f, nytp_names_get(w->names, q->method)), 0, 0};
    nytp_sub sub;
    if (q->caller == NONE ||
        !nytp_profile_sub(w->f->profile, nytp_found_number(w->f, nytp_names_get(w->names, q->caller)), &sub))
        return place;
    const nytp_range *range = nytp_sub_main_range(&sub);
    if (range != NULL && range->first_line > 0) {
        place.fid = range->fid;
        place.line = range->first_line;
    }
    return place;
}

static void report(nytp_finder *f, const walk *w, const query *q, double scale)
{
    const double least_in_span = 10, least_alone = 100;
    const double calls = q->span != NONE ? (double)w->calls[q->span] : 1;
    const double each = (double)q->runs / MAX(calls, 1);
    if (each < (q->span != NONE ? least_in_span : least_alone))
        return;
    g_autofree char *caller = shown(w, q->caller);
    g_autofree char *text = nytp_found_name(f, nytp_names_get(w->texts, q->statement));
    const nytp_found_place place = place_of(w, q, caller);
    const nytp_amount runs = nytp_amount_count((double)q->runs);
    if (q->span == NONE) {
        nytp_find(f, NYTP_FOUND_QUERIES, q->ticks * scale, place, "runs \"%s\" %s times", text, runs.text);
        return;
    }
    g_autofree char *span = shown(w, q->span);
    nytp_find(f, NYTP_FOUND_QUERIES, q->ticks * scale, place, "runs \"%s\" %s times, %s for each %s", text,
              runs.text, nytp_amount_count(each).text, span);
}

static void find_in_stacks(nytp_finder *f, walk *w, nytp_calltree *stacks)
{
    const uint32_t statements = nytp_names_count(w->texts);
    w->open = g_new0(uint32_t, statements);
    w->runs = g_new0(uint32_t, statements);
    w->path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    w->queries = g_hash_table_new_full(hash_query, same_query, g_free, NULL);
    nytp_calltree_walk_subs(stacks, add_call, w);
    GHashTableIter each;
    gpointer q;
    g_hash_table_iter_init(&each, w->queries);
    while (g_hash_table_iter_next(&each, &q, NULL))
        report(f, w, q, f->measure.ticks_per_base / nytp_calltree_ticks_per_sec(stacks));
    g_hash_table_destroy(w->queries);
    g_array_free(w->path, TRUE);
    g_free(w->runs);
    g_free(w->open);
}

void nytp_find_repeated_queries(nytp_finder *f, nytp_calltree *stacks)
{
    if (nytp_measure_is_sampled(&f->measure)) /* runs were not counted */
        return;
    walk w = {.f = f, .names = nytp_calltree_names(stacks), .texts = nytp_names_new()};
    w.facts = g_new(name_fact, nytp_names_count(w.names) + 1);
    w.calls = g_new0(uint64_t, nytp_names_count(w.names) + 1);
    learn_names(&w);
    if (nytp_names_count(w.texts) > 0)
        find_in_stacks(f, &w, stacks);
    nytp_names_free(w.texts);
    g_free(w.calls);
    g_free(w.facts);
}
