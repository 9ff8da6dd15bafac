/* The callgrind format, as its loaders read it (KCachegrind 22.12, callgrind_annotate 3.19):
 * object, file and function in this order; "event" before "events", "summary"
 * behind it; a call is always followed by its cost. Each name is written in full
 * once, with a number that stands for it from then on. */
#include "callgrind.h"

#include "graph.h"
#include "model/names.h"
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct writer {
    const graph *g;
    FILE *out;
    uint64_t ns_per_tick;   /* 1 when costs are in ticks */
    char **files;           /* shown names by number of file, that of NO_FILE last; NULL: not made yet */
    GHashTable *file_ids;   /* shown file name to number; from 1 */
    GHashTable *lined;      /* shown files with costs at a line that is not 0 */
    uint32_t *function_ids; /* of nodes; 0: not written yet */
    uint32_t object_ids[3]; /* by nytp_sub_kind; 0: not written yet */
    uint32_t functions, objects;
} writer;

static const char *const object_names[] = {
    [NYTP_SUB_PERL] = "perl", [NYTP_SUB_XSUB] = "xsubs", [NYTP_SUB_OPCODE] = "perl opcodes"};

/* ---- names, each told in full once ---- */

static enum nytp_sub_kind kind_of(const writer *w, uint32_t node_index)
{
    return w->g->owners[graph_node(w->g, node_index)->owner].kind;
}

static void put_name(writer *w, const char *key, uint32_t id, const char *name)
{
    if (name != NULL)
        fprintf(w->out, "%s=(%" PRIu32 ") %s\n", key, id, name);
    else
        fprintf(w->out, "%s=(%" PRIu32 ")\n", key, id);
}

static void put_object(writer *w, const char *key, uint32_t node_index)
{
    enum nytp_sub_kind kind = kind_of(w, node_index);
    bool is_new = w->object_ids[kind] == 0;
    if (is_new)
        w->object_ids[kind] = ++w->objects;
    put_name(w, key, w->object_ids[kind], is_new ? object_names[kind] : NULL);
}

/* The shown name of the file that a function is in. */
static char *file_of(const writer *w, uint32_t node_index)
{
    uint32_t number = graph_node(w->g, node_index)->file;
    char **shown = &w->files[MIN(number, nytp_profile_file_count(w->g->profile))];
    if (*shown == NULL) {
        const nytp_file *file = number != NO_FILE ? nytp_profile_file(w->g->profile, number) : NULL;
        *shown = text_file(file != NULL ? file->name : (nytp_str){"", 0, false});
    }
    return *shown;
}

static void put_file(writer *w, const char *key, uint32_t node_index)
{
    char *name = file_of(w, node_index);
    gpointer id = g_hash_table_lookup(w->file_ids, name);
    bool is_new = id == NULL;
    if (is_new) {
        id = GUINT_TO_POINTER(g_hash_table_size(w->file_ids) + 1);
        g_hash_table_insert(w->file_ids, name, id);
    }
    put_name(w, key, GPOINTER_TO_UINT(id), is_new ? name : NULL);
}

static void put_function(writer *w, const char *key, uint32_t node_index)
{
    bool is_new = w->function_ids[node_index] == 0;
    if (is_new)
        w->function_ids[node_index] = ++w->functions;
    put_name(w, key, w->function_ids[node_index], is_new ? graph_node(w->g, node_index)->name : NULL);
}

/* ---- header ---- */

static void put_setting(writer *w, const char *front, nytp_tag tag, const char *key)
{
    const nytp_setting *s = nytp_profile_setting(w->g->profile, tag, key);
    char *value = nytp_name_clean(s != NULL ? s->value : (nytp_str){"?", 1, false});
    fprintf(w->out, "%s%s\n", front, value);
    g_free(value);
}

static void put_sums(writer *w, const char *key)
{
    uint64_t time = 0, statements = 0, statement_ticks = 0;
    for (guint i = 0; i < w->g->rows->len; i++) {
        const row *r = &g_array_index(w->g->rows, row, i);
        time += r->time_ticks;
        statements += r->statements;
        statement_ticks += r->statement_ticks;
    }
    fprintf(w->out, "%s: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", key, time * w->ns_per_tick, statements,
            statement_ticks * w->ns_per_tick);
}

/* The longest time in the file, in ticks. */
static double longest(const graph *g)
{
    double time = 0, statement_time = 0, most = 0;
    for (guint i = 0; i < g->rows->len; i++) {
        time += (double)graph_row(g, i)->time_ticks;
        statement_time += (double)graph_row(g, i)->statement_ticks;
    }
    for (guint i = 0; i < g->calls->len; i++)
        most = MAX(most, (double)graph_call(g, i)->incl_ticks);
    return MAX(most, MAX(time, statement_time));
}

/* Ticks that are no whole nanoseconds stay ticks: nothing may be rounded twice. So do those of a clock so
 * slow that they come to more than 292 years, for which 63 bits of nanoseconds are not enough. */
static void put_events(writer *w)
{
    const double ns_per_s = 1e9;
    double ticks_per_s = nytp_profile_ticks_per_sec(w->g->profile);
    double ns = ns_per_s / ticks_per_s;
    char unit[64] = "ns";
    w->ns_per_tick = 1;
    if (ns >= 1 && ns <= ns_per_s && ns == floor(ns) && longest(w->g) * ns < 0x1p63)
        w->ns_per_tick = (uint64_t)ns;
    else
        snprintf(unit, sizeof unit, "ticks of 1/%.17g s", ticks_per_s);
    fprintf(w->out, "positions: line\n");
    fprintf(w->out, "event: Time : Time in subs (%s)\n", unit);
    fprintf(w->out, "event: Stmts : Statements executed\n");
    fprintf(w->out, "event: StmtTime : Time in statements (%s)\n", unit);
    fprintf(w->out, "events: Time Stmts StmtTime\n");
}

static void put_header(writer *w)
{
    size_t processes;
    nytp_profile_processes(w->g->profile, &processes);
    fprintf(w->out, "# callgrind format\nversion: 1\ncreator: nytprofcg %s\n", NYTP_VERSION_STRING);
    put_setting(w, "cmd: ", NYTP_ATTRIBUTE, "application");
    put_setting(w, "desc: Perl: ", NYTP_ATTRIBUTE, "perl_version");
    fprintf(w->out, "desc: Processes: %zu\n", processes);
    put_events(w);
    put_sums(w, "summary");
}

/* ---- functions ---- */

static void put_row(writer *w, const row *r)
{
    fprintf(w->out, "%" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", r->line,
            r->time_ticks * w->ns_per_tick, r->statements, r->statement_ticks * w->ns_per_tick);
}

static void put_call(writer *w, const call *c)
{
    if (kind_of(w, c->to) != kind_of(w, c->from))
        put_object(w, "cob", c->to);
    if (strcmp(file_of(w, c->to), file_of(w, c->from)) != 0)
        put_file(w, "cfi", c->to);
    put_function(w, "cfn", c->to);
    fprintf(w->out, "calls=%" PRIu64 " %" PRIu32 "\n", c->count, graph_node(w->g, c->to)->first_line);
    fprintf(w->out, "%" PRIu32 " %" PRIu64 " 0 0\n", c->line, c->incl_ticks * w->ns_per_tick);
}

/* Where a function's rows and calls begin; one more at the end. */
typedef struct spans {
    guint *first_row, *first_call;
} spans;

static spans find_spans(const graph *g)
{
    spans s = {g_new0(guint, g->nodes->len + 1), g_new0(guint, g->nodes->len + 1)};
    for (guint i = 0; i < g->rows->len; i++)
        s.first_row[graph_row(g, i)->node + 1]++;
    for (guint i = 0; i < g->calls->len; i++)
        s.first_call[graph_call(g, i)->from + 1]++;
    for (guint i = 0; i < g->nodes->len; i++) {
        s.first_row[i + 1] += s.first_row[i];
        s.first_call[i + 1] += s.first_call[i];
    }
    return s;
}

static bool has_costs(const row *r)
{
    return (r->time_ticks | r->statements | r->statement_ticks) != 0;
}

static void find_lined_files(writer *w)
{
    for (guint i = 0; i < w->g->rows->len; i++) {
        const row *r = &g_array_index(w->g->rows, row, i);
        if (r->line > 0 && has_costs(r))
            g_hash_table_add(w->lined, file_of(w, r->node));
    }
}

/* Every function has a line of its own costs, be they 0. And every file has a
 * line that is not 0: callgrind_annotate complains where only xsubs are in it. */
static void put_rows(writer *w, uint32_t node_index, const spans *s)
{
    row none = {.line = graph_node(w->g, node_index)->first_line};
    bool any = false;
    for (guint i = s->first_row[node_index]; i < s->first_row[node_index + 1]; i++) {
        const row *r = &g_array_index(w->g->rows, row, i);
        if (has_costs(r)) {
            put_row(w, r);
            any = true;
        }
    }
    if (!any)
        put_row(w, &none);
    if (g_hash_table_add(w->lined, file_of(w, node_index)) && (any || none.line == 0)) {
        none.line = 1;
        put_row(w, &none);
    }
}

static void put_function_block(writer *w, uint32_t i, const spans *s)
{
    fputc('\n', w->out);
    put_object(w, "ob", i);
    put_file(w, "fl", i);
    put_function(w, "fn", i);
    put_rows(w, i, s);
    for (guint k = s->first_call[i]; k < s->first_call[i + 1]; k++)
        put_call(w, graph_call(w->g, k));
}

static gint by_file_line_name(gconstpointer a, gconstpointer b, gpointer context)
{
    const writer *w = context;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    int order = strcmp(file_of(w, i), file_of(w, k));
    if (order != 0)
        return order;
    const node *x = graph_node(w->g, i), *y = graph_node(w->g, k);
    if (x->first_line != y->first_line)
        return x->first_line < y->first_line ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void put_body(writer *w)
{
    uint32_t count = w->g->nodes->len;
    uint32_t *order = g_new(uint32_t, count);
    spans s = find_spans(w->g);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint)count, sizeof *order, by_file_line_name, w);
    for (uint32_t i = 0; i < count; i++)
        put_function_block(w, order[i], &s);
    g_free(s.first_row);
    g_free(s.first_call);
    g_free(order);
}

/* ---- all of it ---- */

void callgrind_write(nytp_profile *profile, const callgrind_options *options, FILE *out)
{
    if (!options->keep_evals)
        nytp_profile_merge_evals(profile);
    graph *g = graph_new(profile);
    size_t files = nytp_profile_file_count(profile) + 1;
    writer w = {.g = g,
                .out = out,
                .files = g_new0(char *, files),
                .file_ids = g_hash_table_new(g_str_hash, g_str_equal),
                .lined = g_hash_table_new(g_str_hash, g_str_equal),
                .function_ids = g_new0(uint32_t, g->nodes->len)};
    find_lined_files(&w);
    put_header(&w);
    put_body(&w);
    fputc('\n', out);
    put_sums(&w, "totals");
    g_hash_table_destroy(w.lined);
    g_hash_table_destroy(w.file_ids);
    for (size_t i = 0; i < files; i++)
        g_free(w.files[i]);
    g_free(w.files);
    g_free(w.function_ids);
    graph_free(g);
}
