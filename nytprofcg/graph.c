/* The graph: making it, and finding functions in it. */
#include "graph.h"

#include "model/profile.h"

#include <stdlib.h>

graph *graph_new(const nytp_profile *profile)
{
    graph *g = g_new0(graph, 1);
    g->profile = profile;
    g->nodes = g_array_new(FALSE, FALSE, sizeof(node));
    g->pieces = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    g->calls = g_array_new(FALSE, FALSE, sizeof(call));
    g->rows = g_array_new(FALSE, FALSE, sizeof(row));
    owners_find(g);
    costs_find(g);
    calls_find(g);
    flow_settle(g);
    names_make(g);
    return g;
}

void graph_free(graph *g)
{
    for (uint32_t i = 0; i < g->nodes->len; i++)
        g_free(graph_node(g, i)->name);
    g_array_free(g->nodes, TRUE);
    g_array_free(g->calls, TRUE);
    g_array_free(g->rows, TRUE);
    g_hash_table_destroy(g->pieces);
    g_free(g->scope_owner);
    g_free(g->owners);
    g_free(g);
}

void graph_sort(GArray *array, int (*compare)(const void *a, const void *b))
{
    if (array->len > 1)
        qsort(array->data, array->len, g_array_get_element_size(array), compare);
}

const nytp_file *graph_file_around(const graph *g, const nytp_file *eval)
{
    return eval->eval_fid != 0 ? nytp_profile_survivor(g->profile, eval->eval_fid) : NULL;
}

uint32_t graph_file_number(const graph *g, uint32_t fid)
{
    const nytp_file *file = fid != 0 ? nytp_profile_survivor(g->profile, fid) : NULL;
    return file != NULL ? file->number : NO_FILE;
}

uint32_t graph_node_for(graph *g, uint32_t owner_number, uint32_t file)
{
    uint32_t own = g->owners[owner_number].node;
    if (file == NO_FILE || file == graph_node(g, own)->file)
        return own;
    gint64 key = (gint64)((uint64_t)owner_number << 32 | file);
    gpointer found;
    if (g_hash_table_lookup_extended(g->pieces, &key, NULL, &found))
        return GPOINTER_TO_UINT(found);
    node piece = {.owner = owner_number, .file = file, .first_line = 1, .is_piece = true};
    uint32_t made = g->nodes->len;
    g_array_append_val(g->nodes, piece);
    g_hash_table_insert(g->pieces, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(made));
    return made;
}
