#include "tree.h"

#include "base/order.h"
#include "export/amount.h"
#include "model/grow.h"
#include "model/package.h"

#include <string.h>

/* Indenting deeper forks would make the text grow with the square of the depth. */
enum { DEEPEST = 200 };

/* A row that is to be written. */
typedef struct branch {
    uint32_t node;
    uint32_t forks;  /* above it */
    bool is_of_fork; /* it is one of the callees at the innermost fork; otherwise it stands below one */
    bool is_last;    /* of these callees */
} branch;

typedef struct writing {
    const tree_options *options;
    const tree_calls *calls;
    const tree_mark *of;
    nytp_table *table;
    GArray *branches;    /* branch, the next one last */
    bool ended[DEEPEST]; /* by fork: its last callee has been written */
    double whole_variance; /* of all memory */
    bool counts;         /* calls are known */
} writing;

/* Returns what stands before a name, for the caller to g_free(). */
static char *indent_of(writing *w, const branch *b)
{
    GString *indent = g_string_new(NULL);
    const uint32_t forks = MIN(b->forks, DEEPEST);
    if (b->is_of_fork && forks > 0)
        w->ended[forks - 1] = b->is_last;
    for (uint32_t i = 0; i < forks; i++)
        g_string_append(indent, b->is_of_fork && i == forks - 1 ? (b->is_last ? "└ " : "├ ")
                                : w->ended[i]                   ? "  "
                                                                : "│ ");
    return g_string_free(indent, FALSE);
}

/* Adds the node's name, without its package if that is the one of the call before it. */
static void add_name(const writing *w, uint32_t node, nytp_str *before, GString *names)
{
    const nytp_str name = nytp_names_get(w->calls->names, w->calls->stacks.nodes[node].sub);
    g_autofree char *text = g_strndup(name.bytes, name.length);
    const size_t package = nytp_package_length_of(text);
    const bool is_same =
        names->len > 0 && before->length == package && memcmp(before->bytes, name.bytes, package) == 0;
    if (names->len > 0)
        g_string_append_c(names, NYTP_JOINED);
    g_string_append(names, text + (is_same && package > 0 ? package + strlen("::") : 0));
    *before = (nytp_str){name.bytes, package, name.utf8};
}

static uint32_t first_shown(const writing *w, uint32_t node)
{
    const nytp_stacktree *stacks = &w->calls->stacks;
    uint32_t callee = nytp_stacktree_first(stacks, node);
    while (!w->of[callee].is_shown)
        callee = nytp_stacktree_next(stacks, node, callee);
    return callee;
}

static gint by_order(gconstpointer a, gconstpointer b, gpointer context)
{
    const tree_mark *of = context;
    return NYTP_ORDER(of[((const branch *)b)->node].order, of[((const branch *)a)->node].order);
}

/* Adds the callees of the last node of a row: the largest is the next one. */
static void push_callees(writing *w, uint32_t node, const branch *above)
{
    const guint from = w->branches->len;
    const bool is_fork = w->of[node].callees > 1;
    const nytp_stacktree *stacks = &w->calls->stacks;
    for (uint32_t n = nytp_stacktree_first(stacks, node); n != 0; n = nytp_stacktree_next(stacks, node, n)) {
        const branch b = {n, above->forks + is_fork, is_fork, false};
        if (w->of[n].is_shown)
            g_array_append_val(w->branches, b);
    }
    if (w->branches->len == from)
        return;
    g_qsort_with_data(&g_array_index(w->branches, branch, from), (gint)(w->branches->len - from),
                      sizeof(branch), by_order, (gpointer)w->of);
    g_array_index(w->branches, branch, from).is_last = true;
}

/* The error of a size of memory. The root has what no call has, too, unless --focus chooses calls. */
static void write_error(const writing *w, uint32_t node)
{
    const tree_calls *c = w->calls;
    const bool has_more = node == 0 && c->has_root && w->options->focus == NULL;
    if (has_more || node >= c->errors.used) {
        nytp_table_value(w->table, NAN);
        return;
    }
    const nytp_node *of = &c->errors.nodes[node];
    const double error = nytp_kinds_error(of->incl_ticks, w->whole_variance);
    if (nytp_kinds_are_few((double)of->calls, error, c->stacks.nodes[node].incl_ticks))
        nytp_table_number(w->table, "few", error, 0);
    else
        nytp_table_value(w->table, error);
}

static void write_row(writing *w, const branch *b)
{
    const double percent = 100, least_self = 0.005;
    const nytp_node *nodes = w->calls->stacks.nodes, *first = &nodes[b->node];
    const double base_ticks = w->calls->base_ticks;
    g_autofree char *indent = indent_of(w, b);
    g_autoptr(GString) names = g_string_new(NULL);
    nytp_str package = {0};
    uint32_t last = b->node;
    double self_ticks = first->excl_ticks;
    for (add_name(w, last, &package, names); w->of[last].is_joined; add_name(w, last, &package, names)) {
        last = first_shown(w, last);
        self_ticks += nodes[last].excl_ticks;
    }
    nytp_table_value(w->table, base_ticks > 0 ? percent * first->incl_ticks / base_ticks : 0);
    nytp_table_value(w->table, first->incl_ticks);
    write_error(w, b->node);
    const bool has_self = w->options->to == NULL && self_ticks >= least_self * base_ticks;
    nytp_table_value(w->table, has_self ? self_ticks : 0);
    nytp_table_value(w->table, w->counts ? (double)first->calls : 0);
    nytp_table_branch(w->table, indent, names->str);
    push_callees(w, last, b);
}

void tree_rows_write(const tree_calls *calls, const tree_marks *marks, const tree_options *options,
                     const nytp_summary *summary, const nytp_look *look, FILE *out)
{
    const nytp_measure measure = nytp_profile_measure(summary->profile);
    const bool is_bytes = nytp_measure_is_bytes(&measure);
    const enum nytp_column_kind amount = NYTP_COLUMN_AMOUNT;
    const char *total = is_bytes ? "size" : "total";
    const nytp_column columns[] = {
        {.head = "%", .kind = NYTP_COLUMN_SHARE, .width = 5},
        {.head = total, .kind = amount, .measure = &measure, .width = 7, .rank = 1},
        {.head = "error", .kind = amount, .measure = &measure, .width = 7, .rank = 4},
        {.head = "self", .kind = amount, .measure = &measure, .width = 7, .rank = 3},
        {.head = nytp_measure_count(&measure), .width = 7, .rank = 2},
        {.head = "sub", .kind = NYTP_COLUMN_NAME}};
    writing w = {.options = options,
                 .calls = calls,
                 .of = marks->of,
                 .branches = NYTP_ARRAY(branch),
                 .whole_variance = nytp_kinds_whole_variance(summary->kinds),
                 .counts = !nytp_measure_counts_samples(&measure)};
    const branch root = {0};
    if (calls->has_root)
        g_array_append_val(w.branches, root);
    else
        push_callees(&w, 0, &root);
    const bool is_empty = w.branches->len == 0, is_work = nytp_measure_is_time(&measure) && !options->wait;
    if (is_empty && marks->hidden == 0)
        fprintf(out, "No such call has %s.\n", is_work ? "work: --wait shows what waits" : measure.noun);
    w.table = nytp_table_new(columns, G_N_ELEMENTS(columns), NYTP_TEXT, is_empty ? NULL : out);
    while (w.branches->len > 0) {
        const branch b = g_array_index(w.branches, branch, w.branches->len - 1);
        g_array_set_size(w.branches, w.branches->len - 1);
        write_row(&w, &b);
    }
    nytp_table_end(w.table, look);
    nytp_head_hidden(marks->hidden, "call", marks->least_ticks / calls->base_ticks, options->min, out);
    g_array_free(w.branches, TRUE);
}
