#include "function_names.h"

#include "file_name.h"
#include "model/display.h"

#include <string.h>

static nytp_str file_name(const cg_graph *g, uint32_t file)
{
    return file != CG_NO_FILE ? nytp_profile_file(g->profile, file)->name : (nytp_str){"", 0, false};
}

static char *sub_name(const cg_graph *g, uint32_t number)
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

/* "SUB (eval 5)[t.pl:26]", "SUB (file scope of X.pm)"; with the whole path where X.pm is not enough. */
static char *part_name(const cg_graph *g, const cg_function *part, bool whole_path)
{
    char *sub = sub_name(g, part->sub), *name;
    nytp_str file = file_name(g, part->file);
    char *path = nytp_name_clean(file);
    if (cg_file_is_eval(file))
        name = g_strdup_printf("%s %s", sub, path);
    else
        name = g_strdup_printf("%s (file scope of %s)", sub,
                               path[0] == '\0' ? "unknown file"
                               : whole_path    ? path
                                               : base_name(path));
    g_free(path);
    g_free(sub);
    return name;
}

/* The root and the subs come first, since their names are known from the program. */
void cg_function_names_make(cg_graph *g)
{
    GHashTable *taken = g_hash_table_new(g_str_hash, g_str_equal);
    cg_function *root = cg_graph_root_function(g);
    root->name = nytp_name_reserve(taken, sub_name(g, g->root));
    for (uint32_t i = 0; i < g->functions->len; i++) {
        cg_function *own = cg_graph_function(g, i);
        if (!own->is_part && own != root)
            own->name = nytp_name_reserve(taken, sub_name(g, own->sub));
    }
    for (uint32_t i = 0; i < g->functions->len; i++) {
        cg_function *part = cg_graph_function(g, i);
        if (!part->is_part)
            continue;
        char *name = part_name(g, part, false);
        if (g_hash_table_contains(taken, name)) {
            g_free(name);
            name = part_name(g, part, true);
        }
        part->name = nytp_name_reserve(taken, name);
    }
    g_hash_table_destroy(taken);
}
