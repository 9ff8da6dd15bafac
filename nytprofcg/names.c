/* Names of functions: gprof2dot knows a function by its name alone, so each is unique. */
#include "graph.h"
#include "model/names.h"
#include "text.h"

#include <string.h>

static nytp_str file_name(const graph *g, uint32_t file)
{
    return file != NO_FILE ? nytp_profile_file(g->profile, file)->name : (nytp_str){"", 0, false};
}

static char *owner_name(const graph *g, uint32_t number)
{
    nytp_sub sub;
    if (number == g->root)
        return g_strdup("main::RUNTIME");
    nytp_profile_sub(g->profile, number, &sub);
    return sub.name.length > 0 ? nytp_name_clean(sub.name) : g_strdup("(unnamed)");
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* "OWNER (eval 5)[t.pl:26]", "OWNER (file scope of X.pm)"; with the whole path where X.pm is not enough. */
static char *piece_name(const graph *g, const node *n, bool whole_path)
{
    char *caller = owner_name(g, n->owner), *name;
    nytp_str file = file_name(g, n->file);
    char *path = nytp_name_clean(file);
    if (text_is_eval(file))
        name = g_strdup_printf("%s %s", caller, path);
    else
        name = g_strdup_printf("%s (file scope of %s)", caller,
                               path[0] == '\0' ? "unknown file"
                               : whole_path    ? path
                                               : base_name(path));
    g_free(path);
    g_free(caller);
    return name;
}

/* The root first, then the subs: these have the names that people know. */
void names_make(graph *g)
{
    GHashTable *taken = g_hash_table_new(g_str_hash, g_str_equal);
    node *root = graph_node(g, g->owners[g->root].node);
    root->name = nytp_name_reserve(taken, owner_name(g, g->root));
    for (uint32_t i = 0; i < g->nodes->len; i++) {
        node *n = graph_node(g, i);
        if (!n->is_piece && n != root)
            n->name = nytp_name_reserve(taken, owner_name(g, n->owner));
    }
    for (uint32_t i = 0; i < g->nodes->len; i++) {
        node *n = graph_node(g, i);
        if (!n->is_piece)
            continue;
        char *name = piece_name(g, n, false);
        if (g_hash_table_contains(taken, name)) {
            g_free(name);
            name = piece_name(g, n, true);
        }
        n->name = nytp_name_reserve(taken, name);
    }
    g_hash_table_destroy(taken);
}
