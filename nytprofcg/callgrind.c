/* The callgrind format, as its loaders read it (KCachegrind 22.12, callgrind_annotate 3.19):
 * object, file and function come in this order, "event" before "events" and "summary" after it, and the cost
 * of a call right after it. Each name is written in full once, with a number that stands for it from then on.
 */
#include "callgrind.h"

#include "build.h"
#include "columns.h"
#include "file_name.h"
#include "base/order.h"
#include "calls/calltree.h"
#include "calls/derive_arcs.h"
#include "model/eval_name.h"
#include "model/waits.h"
#include "model/group.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/measure.h"
#include "model/profile.h"
#include "model/subs.h"
#include "nytprof-model.h"

#include <inttypes.h>
#include <string.h>

typedef struct writer {
    const cg_graph *g;
    cg_sources *sources; /* may be NULL */
    cg_part part;
    FILE *out;
    cg_columns columns;
    char **file_names;      /* shown names by number of file, CG_NO_FILE last; NULL: not made yet */
    GHashTable *file_ids;   /* by shown name, counted from 1 */
    GHashTable *with_lines; /* shown names of files with costs at a line other than 0 */
    uint32_t *function_ids; /* 0: not written yet */
    uint32_t *object_ids;   /* 0: not written yet */
    uint32_t functions, objects;
    guint *first_cost, *first_call, *first_jump; /* by function */
} writer;

static void put_name(writer *w, const char *key, uint32_t id, const char *name)
{
    if (name != NULL)
        fprintf(w->out, "%s=(%" PRIu32 ") %s\n", key, id, name);
    else
        fprintf(w->out, "%s=(%" PRIu32 ")\n", key, id);
}

static void put_object(writer *w, const char *key, uint32_t function)
{
    const uint32_t object = cg_graph_function(w->g, function)->object;
    bool is_new = w->object_ids[object] == 0;
    if (is_new)
        w->object_ids[object] = ++w->objects;
    put_name(w, key, w->object_ids[object], is_new ? g_ptr_array_index(w->g->objects, object) : NULL);
}

static char *shown_file(const writer *w, uint32_t number)
{
    const char *path = w->sources != NULL && number != CG_NO_FILE
                           ? cg_sources_path(w->sources, nytp_profile_file(w->g->profile, number))
                           : NULL;
    return path != NULL ? g_strdup(path) : cg_file_name(cg_graph_file_name(w->g, number));
}

/* The shown name of the file that a function is in. */
static char *file_of(const writer *w, uint32_t function)
{
    uint32_t number = cg_graph_function(w->g, function)->file;
    char **shown = &w->file_names[MIN(number, nytp_profile_file_count(w->g->profile))];
    if (*shown == NULL)
        *shown = shown_file(w, number);
    return *shown;
}

static void put_file(writer *w, const char *key, uint32_t function)
{
    char *name = file_of(w, function);
    gpointer id = g_hash_table_lookup(w->file_ids, name);
    bool is_new = id == NULL;
    if (is_new) {
        id = GUINT_TO_POINTER(g_hash_table_size(w->file_ids) + 1);
        g_hash_table_insert(w->file_ids, name, id);
    }
    put_name(w, key, GPOINTER_TO_UINT(id), is_new ? name : NULL);
}

static void put_function_name(writer *w, const char *key, uint32_t function)
{
    bool is_new = w->function_ids[function] == 0;
    if (is_new)
        w->function_ids[function] = ++w->functions;
    put_name(w, key, w->function_ids[function], is_new ? cg_graph_function(w->g, function)->name : NULL);
}

static void put_text(const writer *w, const char *front, nytp_str text)
{
    g_autofree char *shown = nytp_name_clean(text);
    if (text.length > 0)
        fprintf(w->out, "%s%s\n", front, shown);
}

/* Of a part, the program that its process ran, not those of all processes. */
static void put_command(const writer *w)
{
    const nytp_process *p = w->part.number > 0 ? nytp_profile_process(w->g->profile, 0) : NULL;
    put_text(w, "cmd: ", p != NULL ? p->application : nytp_profile_attribute(w->g->profile, "application"));
}

static void put_sums(const writer *w, const char *key)
{
    uint64_t sum[CG_AMOUNTS];
    cg_costs_sum(w->g, sum);
    fprintf(w->out, "%s: ", key);
    cg_columns_put(&w->columns, sum, w->out);
}

static void put_header(writer *w)
{
    const nytp_measure measure = nytp_profile_measure(w->g->profile);
    fprintf(w->out, "# callgrind format\nversion: 1\ncreator: nytprofcg %s\n", NYTP_VERSION_STRING);
    if (w->part.number > 0)
        fprintf(w->out, "pid: %" PRIu32 "\n", w->part.pid);
    put_command(w);
    if (w->part.thread > 0)
        fprintf(w->out, "thread: %" PRIu32 "\n", w->part.thread);
    if (w->part.number > 0)
        fprintf(w->out, "part: %" PRIu32 "\ndesc: Trigger: End of process %" PRIu32 "\n", w->part.number,
                w->part.pid);
    put_text(w, "desc: Perl: ", nytp_profile_attribute(w->g->profile, "perl_version"));
    fprintf(w->out, "desc: Processes: %zu\n", nytp_profile_process_count(w->g->profile));
    if (nytp_measure_is_sampled(&measure))
        fprintf(w->out, "desc: Calls: those of %s, as calls were not counted\n",
                nytp_measure_count(&measure));
    if (!w->g->measures_statements && w->g->calls->len > 0 &&
        nytp_profile_totals(w->g->profile).statements > 0)
        fprintf(w->out, "desc: Statements: divided among calls in proportion to their time\n");
    if (w->g->not_split != NULL)
        fprintf(w->out, "desc: Cycles: not split, as %s\n", w->g->not_split);
    cg_columns_begin(&w->columns, w->g, w->out);
    put_sums(w, "summary");
}

/* Waiting is a part of the time. */
static bool has_costs(const cg_graph *g, const cg_cost *cost)
{
    bool has = (cost->of[CG_TIME] | cost->of[CG_STATEMENTS] | cost->of[CG_STATEMENT_TIME]) != 0;
    for (int e = CG_BYTES; e < g->amounts && !has; e++)
        has = cg_cost_of(g, cost, (enum cg_amount)e) != 0;
    return has;
}

static void find_files_with_lines(writer *w)
{
    NYTP_EACH(const cg_cost, cost, w->g->costs)
        if (cost->line > 0 && has_costs(w->g, cost))
            g_hash_table_add(w->with_lines, file_of(w, cost->function));
}

static void put_line(const writer *w, uint32_t line, const uint64_t costs[CG_AMOUNTS])
{
    fprintf(w->out, "%" PRIu32 " ", line);
    cg_columns_put(&w->columns, costs, w->out);
}

/* Each function must have a line of costs, even if they are zeros. Each file must have a line other than 0,
 * because callgrind_annotate complains about a file that has only xsubs. */
static void put_lines(writer *w, uint32_t function)
{
    const uint32_t first_line = cg_graph_function(w->g, function)->first_line;
    static const uint64_t none[CG_AMOUNTS];
    bool any = false;
    for (guint i = w->first_cost[function]; i < w->first_cost[function + 1]; i++) {
        const cg_cost *cost = cg_graph_cost(w->g, i);
        if (!has_costs(w->g, cost))
            continue;
        uint64_t costs[CG_AMOUNTS];
        for (int e = 0; e < w->g->amounts; e++)
            costs[e] = cg_cost_of(w->g, cost, (enum cg_amount)e);
        put_line(w, cost->line, costs);
        any = true;
    }
    if (!any)
        put_line(w, first_line, none);
    if (g_hash_table_add(w->with_lines, file_of(w, function)) && (any || first_line == 0))
        put_line(w, 1, none);
}

static void put_call(writer *w, const cg_call *call)
{
    if (cg_graph_function(w->g, call->callee)->object != cg_graph_function(w->g, call->caller)->object)
        put_object(w, "cob", call->callee);
    if (strcmp(file_of(w, call->callee), file_of(w, call->caller)) != 0)
        put_file(w, "cfi", call->callee);
    put_function_name(w, "cfn", call->callee);
    fprintf(w->out, "calls=%" PRIu64 " %" PRIu32 "\n", call->count,
            cg_graph_function(w->g, call->callee)->first_line);
    put_line(w, call->line, call->incl);
}

static void put_jumps(const writer *w, uint32_t function)
{
    for (guint i = w->first_jump[function]; i < w->first_jump[function + 1]; i++) {
        const cg_jump *jump = &g_array_index(w->g->jumps, cg_jump, i);
        fprintf(w->out, "jump=%" PRIu64 " %" PRIu32 "\n%" PRIu32 "\n", jump->count, jump->to, jump->line);
    }
}

static void put_function(writer *w, uint32_t function)
{
    fputc('\n', w->out);
    put_object(w, "ob", function);
    put_file(w, "fl", function);
    put_function_name(w, "fn", function);
    put_jumps(w, function);
    put_lines(w, function);
    for (guint i = w->first_call[function]; i < w->first_call[function + 1]; i++)
        put_call(w, cg_graph_call(w->g, i));
}

static gint by_file_line_name(gconstpointer a, gconstpointer b, gpointer context)
{
    const writer *w = context;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    int order = strcmp(file_of(w, i), file_of(w, k));
    if (order != 0)
        return order;
    const cg_function *x = cg_graph_function(w->g, i), *y = cg_graph_function(w->g, k);
    return nytp_order2(NYTP_ORDER(x->first_line, y->first_line), strcmp(x->name, y->name));
}

static void put_functions(writer *w)
{
    uint32_t count = w->g->functions->len;
    g_autofree uint32_t *order = nytp_group_order(count, by_file_line_name, w);
    for (uint32_t i = 0; i < count; i++)
        put_function(w, order[i]);
}

static void write_graph(const cg_graph *g, const cg_options *options, FILE *out)
{
    size_t files = nytp_profile_file_count(g->profile) + 1;
    uint32_t functions = g->functions->len;
    writer w = {.g = g,
                .sources = options->sources,
                .part = options->part,
                .out = out,
                .file_names = g_new0(char *, files),
                .file_ids = g_hash_table_new(nytp_hash_of_text, g_str_equal),
                .with_lines = g_hash_table_new(nytp_hash_of_text, g_str_equal),
                .object_ids = g_new0(uint32_t, g->objects->len),
                .function_ids = g_new0(uint32_t, functions),
                .first_cost = nytp_group_starts(g->costs, offsetof(cg_cost, function), functions),
                .first_call = nytp_group_starts(g->calls, offsetof(cg_call, caller), functions),
                .first_jump = nytp_group_starts(g->jumps, offsetof(cg_jump, function), functions)};
    find_files_with_lines(&w);
    put_header(&w);
    put_functions(&w);
    fputc('\n', out);
    put_sums(&w, "totals");
    g_hash_table_destroy(w.with_lines);
    g_hash_table_destroy(w.file_ids);
    for (size_t i = 0; i < files; i++)
        g_free(w.file_names[i]);
    g_free(w.file_names);
    g_free(w.object_ids);
    g_free(w.function_ids);
    g_free(w.first_cost);
    g_free(w.first_call);
    g_free(w.first_jump);
}

void cg_write(const cg_inputs *inputs, const cg_options *options, FILE *out)
{
    cg_graph *g = cg_build(inputs->views, inputs->measured, options->no_split ? NULL : inputs->stacks);
    g->measures_statements = inputs->measures_statements;
    if (options->jumps != CG_JUMPS_NONE)
        cg_jumps_find(g, &inputs->turns, options->jumps == CG_JUMPS_OWN);
    write_graph(g, options, out);
    cg_graph_free(g);
}
