#include "findings/finder.h"

#include "base/hash.h"
#include "base/labels.h"
#include "base/order.h"

#include "calls/calltree.h"
#include "export/amount.h"
#include "model/grow.h"

#define NONE UINT32_MAX

/* What the name of a sub says. */
typedef struct name_fact {
    uint32_t statement; /* NONE: it has no label of SQL */
    enum nytp_label_runs runs;
    bool is_span, is_own;
} name_fact;

/* A statement that one sub of the program's own code runs within one span. Subs and spans are names of the
 * tree. */
typedef struct query {
    uint32_t statement, caller, span; /* the key; NONE: no such sub, no span */
    uint32_t method, runner;          /* that runs it, and the sub that calls that; NONE: none */
    uint64_t runs;
    const struct step *call; /* that leads to it each time; NULL: no other than those of methods */
    uint64_t last_node;      /* of these calls, whose time was added */
    double ticks;            /* of these calls, and of methods outside of them; ticks of the tree */
} query;

/* Calls of one sub that lead from the program's own code to a query. */
typedef struct step {
    query *of;            /* the key, */
    uint32_t name;        /* with the sub */
    uint32_t depth;       /* below own code; the least */
    uint64_t calls;       /* of the outermost nodes of that name */
    uint64_t node, below; /* that was added last, and the node of the query that it was added for */
} step;

typedef struct node {
    uint64_t number; /* in the order of the walk */
    uint32_t name;
    uint64_t calls;
    double incl_ticks;
} node;

typedef struct walk {
    const nytp_finder *f;
    const nytp_names *names;
    name_fact *facts;  /* by name of the tree */
    uint64_t *calls;   /* of spans, by name of the tree */
    nytp_names *texts; /* of statements */
    uint32_t *open,
        *runs;           /* by statement: how many of its calls, and of those that run it, are on the path */
    GArray *path;        /* node */
    uint64_t nodes;      /* how many were visited */
    GHashTable *queries; /* query, each its own key */
    GHashTable *steps;   /* step, each its own key */
} walk;

static const node *node_at(const walk *w, guint depth)
{
    return &g_array_index(w->path, node, depth);
}

static const name_fact *fact_at(const walk *w, guint depth)
{
    return &w->facts[node_at(w, depth)->name];
}

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

static guint hash_step(gconstpointer key)
{
    const step *s = key;
    return (guint)nytp_hash_mix(s->name, (uintptr_t)s->of, 0);
}

static gboolean same_step(gconstpointer a, gconstpointer b)
{
    const step *x = a, *y = b;
    return x->of == y->of && x->name == y->name;
}

/* Returns how many calls of the path are down to the innermost of the program's own code, as other modules
 * may be between that and DBI; 0: code outside of subs has called. */
static guint below_own(const walk *w)
{
    guint depth = w->path->len;
    while (depth > 0 && !fact_at(w, depth - 1)->is_own)
        depth--;
    return depth;
}

static query *query_of(const walk *w, uint32_t statement)
{
    const guint below = below_own(w);
    query key = {.statement = statement, .caller = NONE, .span = NONE, .runner = NONE};
    if (below > 0)
        key.caller = node_at(w, below - 1)->name;
    for (guint i = w->path->len; i-- > 0 && key.span == NONE;)
        if (fact_at(w, i)->is_span)
            key.span = node_at(w, i)->name;
    query *q = g_hash_table_lookup(w->queries, &key);
    if (q == NULL) {
        q = g_memdup2(&key, sizeof key);
        g_hash_table_add(w->queries, q);
    }
    return q;
}

static void return_to_depth(const walk *w, guint depth)
{
    for (guint i = depth; i < w->path->len; i++) {
        const name_fact *fact = fact_at(w, i);
        if (fact->statement == NONE)
            continue;
        w->open[fact->statement]--;
        nytp_label_run_end(fact->runs, &w->runs[fact->statement]);
    }
    g_array_set_size(w->path, MIN(depth, w->path->len));
}

/* Enters a node. Sets *is_outermost and *is_run if it is the outermost of its statement, and the outermost
 * that runs it: methods of DBI call one another with the same statement. Returns its query then, else NULL.
 */
static query *enter(walk *w, const nytp_call *call, bool *is_outermost, bool *is_run)
{
    const name_fact *fact = &w->facts[call->sub];
    const node entered = {++w->nodes, call->sub, call->calls, call->incl_ticks};
    query *q = NULL;
    return_to_depth(w, call->depth);
    *is_outermost = fact->statement != NONE && w->open[fact->statement]++ == 0;
    *is_run = fact->statement != NONE && nytp_label_run_begin(fact->runs, &w->runs[fact->statement]);
    if (*is_outermost || *is_run)
        q = query_of(w, fact->statement);
    g_array_append_val(w->path, entered);
    return q;
}

static void add_step(const walk *w, query *q, const node *n, guint depth)
{
    const step key = {.of = q, .name = n->name, .depth = depth};
    step *s = g_hash_table_lookup(w->steps, &key);
    if (s == NULL) {
        s = g_memdup2(&key, sizeof key);
        g_hash_table_add(w->steps, s);
    }
    if (s->below != w->nodes && s->node != n->number) {
        s->calls += n->calls;
        s->node = n->number;
    }
    s->below = w->nodes;
    s->depth = MIN(s->depth, depth);
}

static bool count_runs(void *context, const nytp_call *call)
{
    enum { MOST_STEPS = 64 }; /* a profile can be made up */
    walk *w = context;
    bool is_outermost, is_run;
    query *q = enter(w, call, &is_outermost, &is_run);
    if (w->facts[call->sub].is_span)
        w->calls[call->sub] += call->calls;
    if (!is_run)
        return true;
    const guint callers = w->path->len - 1, below = below_own(w);
    q->method = call->sub;
    q->runs += call->calls;
    for (guint i = below; i < callers && i < below + MOST_STEPS; i++)
        if (!fact_at(w, i)->is_span && fact_at(w, i)->statement == NONE)
            add_step(w, q, node_at(w, i), i - below);
    if (callers > 0 && !fact_at(w, callers - 1)->is_span)
        q->runner = node_at(w, callers - 1)->name;
    return true;
}

/* An object-relational mapper may take much longer than DBI does. So the time of a query is that of the call
 * nearest to the program's own code that leads to it about once each time, such as an accessor of a row. */
static void choose_calls(const walk *w)
{
    GHashTableIter each;
    gpointer at;
    g_hash_table_iter_init(&each, w->steps);
    while (g_hash_table_iter_next(&each, &at, NULL)) {
        const step *s = at, *best = s->of->call;
        if (s->calls < s->of->runs / 2 || s->calls / 2 > s->of->runs)
            continue;
        if (best == NULL || nytp_order3(NYTP_ORDER(s->depth, best->depth), NYTP_ORDER(best->calls, s->calls),
                                        NYTP_ORDER(s->name, best->name)) < 0)
            s->of->call = s;
    }
}

static bool add_time(void *context, const nytp_call *call)
{
    walk *w = context;
    bool is_outermost, is_run;
    query *q = enter(w, call, &is_outermost, &is_run);
    if (!is_outermost)
        return true;
    guint i = q->call != NULL ? below_own(w) : w->path->len;
    while (i < w->path->len && node_at(w, i)->name != q->call->name)
        i++;
    const node *n = node_at(w, MIN(i, w->path->len - 1));
    if (n->number != q->last_node)
        q->ticks += n->incl_ticks;
    q->last_node = n->number;
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

/* Returns the sub that a sentence begins with; NONE: the program. */
static uint32_t subject_of(const query *q)
{
    return q->caller != NONE ? q->caller : q->call == NULL ? q->runner : NONE;
}

/* Leads to the statement; the place is where the sub is that runs it. */
static nytp_found_place place_of(const walk *w, const query *q, const char *caller)
{
    nytp_found_place place = {caller, nytp_found_number(w->f, nytp_names_get(w->names, q->method)), 0, 0};
    nytp_sub sub;
    const uint32_t from = subject_of(q);
    if (from == NONE ||
        !nytp_profile_sub(w->f->profile, nytp_found_number(w->f, nytp_names_get(w->names, from)), &sub))
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
    g_autofree char *caller = shown(w, subject_of(q));
    g_autofree char *text = nytp_found_name(f, nytp_names_get(w->texts, q->statement));
    g_autofree char *call = q->call != NULL ? shown(w, q->call->name) : NULL;
    g_autofree char *span = q->span != NONE ? shown(w, q->span) : NULL;
    g_autofree char *for_each =
        span != NULL ? g_strdup_printf(", %s for each %s", nytp_amount_count(each).text, span) : NULL;
    const guint before = f->found->len;
    const uint32_t timed =
        nytp_found_number(f, nytp_names_get(w->names, q->call != NULL ? q->call->name : q->method));
    nytp_find(f, NYTP_FOUND_QUERIES, nytp_found_work(f, timed, q->ticks * scale), place_of(w, q, caller),
              "runs \"%s\" %s times%s%s%s", text, nytp_amount_count((double)q->runs).text,
              for_each != NULL ? for_each : "", call != NULL ? ", in calls of " : "",
              call != NULL ? call : "");
    if (f->found->len == before)
        return;
    nytp_finding *found = &g_array_index(f->found, nytp_finding, before);
    found->around =
        subject_of(q) != NONE ? nytp_found_number(f, nytp_names_get(w->names, subject_of(q))) : UINT32_MAX;
    if (q->span != NONE)
        found->span = nytp_found_number(f, nytp_names_get(w->names, q->span));
    found->repeated = g_strdup_printf("%s %s%s, by %s", nytp_amount_count(each).text,
                                      span != NULL ? "for each " : "times", span != NULL ? span : "", caller);
}

static void find_in_stacks(nytp_finder *f, walk *w, nytp_calltree *stacks)
{
    const uint32_t statements = nytp_names_count(w->texts);
    w->open = g_new0(uint32_t, statements);
    w->runs = g_new0(uint32_t, statements);
    w->path = NYTP_ARRAY(node);
    w->queries = g_hash_table_new_full(hash_query, same_query, g_free, NULL);
    w->steps = g_hash_table_new_full(hash_step, same_step, g_free, NULL);
    nytp_calltree_walk_subs(stacks, count_runs, w);
    return_to_depth(w, 0);
    choose_calls(w);
    nytp_calltree_walk_subs(stacks, add_time, w);
    GHashTableIter each;
    gpointer q;
    g_hash_table_iter_init(&each, w->queries);
    while (g_hash_table_iter_next(&each, &q, NULL))
        report(f, w, q, f->measure.ticks_per_base / nytp_calltree_ticks_per_sec(stacks));
    g_hash_table_destroy(w->steps);
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
