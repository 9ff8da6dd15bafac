#include "test/unit/naive_calls.h"
#include "test/unit/support.h"

#include <inttypes.h>
#include <string.h>

/* ---- stacks with their counts ---- */

typedef struct counts {
    uint64_t calls;
    double excl_ticks;
} counts;

struct naive_stacks {
    GHashTable *counts; /* char * to counts * */
};

naive_stacks *naive_stacks_new(void)
{
    naive_stacks *stacks = g_new(naive_stacks, 1);
    stacks->counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return stacks;
}

void naive_stacks_free(naive_stacks *stacks)
{
    g_hash_table_destroy(stacks->counts);
    g_free(stacks);
}

static counts *counts_of(naive_stacks *stacks, const char *stack)
{
    counts *c = g_hash_table_lookup(stacks->counts, stack);
    if (c == NULL)
        g_hash_table_insert(stacks->counts, g_strdup(stack), c = g_new0(counts, 1));
    return c;
}

/* Removes the innermost sub. Returns false if it was the only one. */
static bool to_caller(char *stack)
{
    char *end = strrchr(stack, *NAIVE_SEPARATOR);
    if (end != NULL)
        *end = '\0';
    return end != NULL;
}

void naive_stacks_add(naive_stacks *stacks, const char *stack, uint64_t calls, double excl_ticks)
{
    counts *c = counts_of(stacks, stack);
    c->calls += calls;
    c->excl_ticks += excl_ticks;
    char *outer = g_strdup(stack);
    while (to_caller(outer))
        counts_of(stacks, outer);
    g_free(outer);
}

static bool is_within(const char *stack, const char *outer)
{
    size_t length = strlen(outer);
    return strncmp(stack, outer, length) == 0 && (stack[length] == '\0' || stack[length] == *NAIVE_SEPARATOR);
}

static double incl_ticks(const naive_stacks *stacks, const char *outer)
{
    double sum = 0;
    GHashTableIter iter;
    gpointer stack, c;
    g_hash_table_iter_init(&iter, stacks->counts);
    while (g_hash_table_iter_next(&iter, &stack, &c))
        if (is_within(stack, outer))
            sum += ((const counts *)c)->excl_ticks;
    return sum;
}

static bool has_calls_below(const naive_stacks *stacks, const char *outer)
{
    GHashTableIter iter;
    gpointer stack;
    g_hash_table_iter_init(&iter, stacks->counts);
    while (g_hash_table_iter_next(&iter, &stack, NULL))
        if (strcmp(stack, outer) != 0 && is_within(stack, outer))
            return true;
    return false;
}

static gint compare_stacks(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static uint32_t depth_of(const char *stack)
{
    uint32_t depth = 1;
    while ((stack = strstr(stack, NAIVE_SEPARATOR)) != NULL) {
        stack++;
        depth++;
    }
    return depth;
}

static gint compare_depths(gconstpointer a, gconstpointer b)
{
    return (gint)depth_of(*(char *const *)b) - (gint)depth_of(*(char *const *)a);
}

/* g_ptr_array_free(..., TRUE) it; the strings stay the table's. */
static GPtrArray *sorted_stacks(const naive_stacks *stacks, GCompareFunc compare)
{
    GPtrArray *all = g_ptr_array_new();
    GHashTableIter iter;
    gpointer stack;
    g_hash_table_iter_init(&iter, stacks->counts);
    while (g_hash_table_iter_next(&iter, &stack, NULL))
        g_ptr_array_add(all, stack);
    g_ptr_array_sort(all, compare);
    return all;
}

void naive_stacks_prune(naive_stacks *stacks, double min_ticks, uint32_t max_depth, const char *other)
{
    GPtrArray *deepest_first = sorted_stacks(stacks, compare_depths);
    for (guint i = 0; i < deepest_first->len; i++) {
        char *stack = deepest_first->pdata[i];
        bool light = incl_ticks(stacks, stack) < min_ticks && !has_calls_below(stacks, stack);
        if (!light && depth_of(stack) <= max_depth)
            continue;
        counts c = *counts_of(stacks, stack);
        char *caller = g_strdup(stack);
        g_hash_table_remove(stacks->counts, stack);
        naive_stacks_add(stacks, to_caller(caller) ? caller : other, c.calls, c.excl_ticks);
        g_free(caller);
    }
    g_ptr_array_free(deepest_first, TRUE);
}

/* The innermost max_depth subs, innermost first. */
static char *reversed(const char *stack, uint32_t max_depth)
{
    char *outer = g_strdup(stack);
    GString *text = g_string_new(NULL);
    bool more = true;
    for (uint32_t i = 0; more && i < max_depth; i++) {
        const char *innermost = strrchr(outer, *NAIVE_SEPARATOR);
        if (i > 0)
            g_string_append(text, NAIVE_SEPARATOR);
        g_string_append(text, innermost != NULL ? innermost + 1 : outer);
        more = to_caller(outer);
    }
    g_free(outer);
    return g_string_free(text, FALSE);
}

naive_stacks *naive_stacks_reverse(const naive_stacks *stacks, uint32_t max_depth)
{
    naive_stacks *result = naive_stacks_new();
    GHashTableIter iter;
    gpointer stack, c;
    g_hash_table_iter_init(&iter, stacks->counts);
    while (g_hash_table_iter_next(&iter, &stack, &c)) {
        if (((const counts *)c)->calls == 0)
            continue;
        char *other_way = reversed(stack, max_depth);
        naive_stacks_add(result, other_way, ((const counts *)c)->calls, ((const counts *)c)->excl_ticks);
        g_free(other_way);
    }
    return result;
}

static void print_stack(GString *text, const char *stack, uint64_t calls, double excl_ticks, double incl)
{
    g_string_append_printf(text, "%s\t%" PRIu64 "\t%.17g\t%.17g\n", stack, calls, excl_ticks, incl);
}

char *naive_stacks_text(const naive_stacks *stacks)
{
    GString *text = g_string_new(NULL);
    GPtrArray *all = sorted_stacks(stacks, compare_stacks);
    for (guint i = 0; i < all->len; i++) {
        const counts *c = g_hash_table_lookup(stacks->counts, all->pdata[i]);
        print_stack(text, all->pdata[i], c->calls, c->excl_ticks, incl_ticks(stacks, all->pdata[i]));
    }
    g_ptr_array_free(all, TRUE);
    return g_string_free(text, FALSE);
}

typedef struct telling {
    GString *text;
    GPtrArray *names; /* of the stack at hand */
} telling;

static bool tell_call(void *context, const nytp_call *call)
{
    telling *t = context;
    assert_true(call->depth <= t->names->len);
    g_ptr_array_set_size(t->names, (gint)call->depth);
    g_ptr_array_add(t->names, g_strndup(call->name.bytes, call->name.length));
    g_ptr_array_add(t->names, NULL);
    char *stack = g_strjoinv(NAIVE_SEPARATOR, (char **)t->names->pdata);
    g_ptr_array_set_size(t->names, (gint)call->depth + 1);
    print_stack(t->text, stack, call->calls, call->excl_ticks, call->incl_ticks);
    g_free(stack);
    return true;
}

char *calltree_text(nytp_calltree *tree)
{
    telling t = {g_string_new(NULL), g_ptr_array_new_with_free_func(g_free)};
    nytp_calltree_walk(tree, tell_call, &t);
    g_ptr_array_free(t.names, TRUE);
    return g_string_free(t.text, FALSE);
}
