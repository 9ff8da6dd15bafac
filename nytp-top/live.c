#include "live.h"

#include "sampler/process.h"
#include "sampler/target.h"

#include <glib.h>
#include <stdio.h>

enum { MAX_DEPTH = 1000, NAME_ROOM = 4096 + 512 };

struct top_live {
    pid_t *pids;
    int count;
    const char *offsets;
    bool children;
    GPtrArray *targets;  /* of record_target */
    GHashTable *refused; /* set of pids that are not perls */
    record_stack stack;
    char *why;
};

static void free_target(void *context)
{
    record_target_clear(context);
    g_free(context);
}

top_live *top_live_new(const pid_t *pids, int count, const char *offsets, bool children)
{
    top_live *l = g_new0(top_live, 1);
    l->pids = g_memdup2(pids, (gsize)count * sizeof *pids);
    l->count = count;
    l->offsets = offsets;
    l->children = children;
    l->targets = g_ptr_array_new_with_free_func(free_target);
    l->refused = g_hash_table_new(NULL, NULL);
    return l;
}

void top_live_free(top_live *l)
{
    g_ptr_array_free(l->targets, TRUE);
    g_hash_table_destroy(l->refused);
    record_stack_clear(&l->stack);
    g_free(l->pids);
    g_free(l->why);
    g_free(l);
}

static bool is_sampled(const top_live *l, pid_t pid)
{
    for (guint n = 0; n < l->targets->len; n++)
        if (((record_target *)g_ptr_array_index(l->targets, n))->pid == pid)
            return true;
    return false;
}

static void look_at(top_live *l, pid_t pid)
{
    if (is_sampled(l, pid) || g_hash_table_contains(l->refused, GINT_TO_POINTER(pid)))
        return;
    record_target *t = g_new0(record_target, 1);
    enum record_found found = RECORD_NOT_READABLE;
    if (record_target_init(t, pid, l->offsets, MAX_DEPTH))
        found = record_target_attach(t);
    if (found == RECORD_FOUND) {
        g_ptr_array_add(l->targets, t);
        return;
    }
    g_free(l->why);
    l->why = g_strdup(t->why);
    if (found == RECORD_NOT_PERL || found == RECORD_NO_LAYOUT)
        g_hash_table_add(l->refused, GINT_TO_POINTER(pid));
    free_target(t);
}

static void look_at_descendant(void *context, const record_process *process)
{
    look_at(context, process->pid);
}

size_t top_live_look(top_live *l, const char **why)
{
    for (int n = 0; n < l->count; n++) {
        look_at(l, l->pids[n]);
        if (l->children)
            record_process_descendants(l->pids[n], look_at_descendant, l);
    }
    *why = l->why;
    return l->targets->len;
}

/* ---- samples ---- */

static const char *text_of(const record_target *t, uint32_t name)
{
    size_t length;
    return name == RECORD_NO_STRING ? "?" : nytp_strings_get(t->strings, name, &length);
}

static void count_subs(const record_target *t, const record_stack *stack, top_tables *tables)
{
    char package[NAME_ROOM];
    const char *last = "main::RUNTIME";
    top_counts_on_stack(tables->of[TOP_SUBS], last);
    top_counts_on_stack(tables->of[TOP_PACKAGES], "main");
    for (size_t n = 0; n < stack->count; n++) {
        if (!record_frame_is_call(&stack->frames[n]))
            continue;
        last = text_of(t, stack->frames[n].name);
        top_package_of(last, package, sizeof package);
        top_counts_on_stack(tables->of[TOP_SUBS], last);
        top_counts_on_stack(tables->of[TOP_PACKAGES], package);
    }
    top_package_of(last, package, sizeof package);
    top_counts_at_work(tables->of[TOP_SUBS], last);
    top_counts_at_work(tables->of[TOP_PACKAGES], package);
}

static void count_line(const record_target *t, uint32_t file, uint32_t line, bool runs, top_counts *lines)
{
    char place[NAME_ROOM];
    if (file == RECORD_NO_STRING)
        return;
    snprintf(place, sizeof place, "%s:%u", text_of(t, file), (unsigned)line);
    top_counts_on_stack(lines, place);
    if (runs)
        top_counts_at_work(lines, place);
}

/* The lines that call, and the one that runs. */
static void count_lines(const record_target *t, const record_stack *stack, top_tables *tables)
{
    for (size_t n = 0; n < stack->count; n++)
        if (record_frame_is_call(&stack->frames[n]))
            count_line(t, stack->frames[n].file, stack->frames[n].line, false, tables->of[TOP_LINES]);
    count_line(t, stack->file, stack->line, true, tables->of[TOP_LINES]);
}

static void keep_stack(const record_target *t, const record_stack *stack, top_tables *tables)
{
    GString *text = g_string_new(NULL);
    record_spot at;
    g_string_append_printf(text, "process %ld\n", (long)t->pid);
    for (size_t n = stack->count; n > 0; n--) {
        at = record_stack_spot(stack, n);
        if (record_frame_is_call(&stack->frames[n - 1]))
            g_string_append_printf(text, "%s  %s:%u\n", text_of(t, stack->frames[n - 1].name),
                                   text_of(t, at.file), (unsigned)at.line);
    }
    at = record_stack_spot(stack, 0);
    g_string_append_printf(text, "main program  %s:%u\n", text_of(t, at.file), (unsigned)at.line);
    g_free(tables->stack);
    tables->stack = g_string_free(text, FALSE);
}

size_t top_live_sample(top_live *l, top_tables *tables, double seconds)
{
    for (guint n = l->targets->len; n > 0; n--) {
        record_target *t = g_ptr_array_index(l->targets, n - 1);
        switch (record_target_take(t, &l->stack)) {
        case RECORD_GONE: g_ptr_array_remove_index_fast(l->targets, n - 1); break;
        case RECORD_TORN: break;
        case RECORD_TAKEN:
            for (int kind = 0; kind < TOP_KINDS; kind++)
                top_counts_begin_stack(tables->of[kind], seconds);
            count_subs(t, &l->stack, tables);
            count_lines(t, &l->stack, tables);
            if (n == l->targets->len)
                keep_stack(t, &l->stack, tables);
            break;
        }
    }
    return l->targets->len;
}
