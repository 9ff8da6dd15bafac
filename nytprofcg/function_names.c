/* In KCachegrind these names must be clear without the source and the manual, and long names are cut off at
 * the end. So the name of a part begins with its code, and that of a BEGIN block says what it loads:
 *
 *     main::BEGIN@16 (loads Man.pm)                       use Pod::Man;
 *     Man.pm (file scope, run by main::BEGIN@16)          what that runs in Man.pm
 *     main::run (eval 5)[t.pl:26]                         a string eval in main::run
 *     main::emit (to main::on_read)                       those calls of main::emit that lead to
 * main::on_read
 *
 * KCachegrind takes what precedes the last `::` before a parenthesis as the class.
 */
#include "build.h"

#include "file_name.h"
#include "base/str.h"
#include "model/package.h"
#include "model/display.h"
#include "model/hashes.h"

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

/* Returns the path of a file as it is shown, or its last component. The caller must g_free() it. */
static char *shown_file(nytp_str file, bool whole_path)
{
    g_autofree char *path = nytp_name_clean(file);
    const char *slash = strrchr(path, '/');
    return path[0] == '\0'                                   ? g_strdup("unknown file")
           : whole_path || slash == NULL || slash[1] == '\0' ? g_strdup(path)
                                                             : g_strdup(slash + 1);
}

/* Returns the name of a part. whole_path: the last component of the file's name is not enough. */
static char *part_name(const cg_graph *g, const cg_function *part, bool whole_path)
{
    nytp_str file = file_name(g, part->file);
    bool is_eval = cg_file_is_eval(file);
    g_autofree char *sub = sub_name(g, part->sub), *shown = shown_file(file, whole_path || is_eval);
    if (is_eval)
        return g_strdup_printf("%s %s", sub, shown);
    return g_strdup_printf("%s (file scope, run by %s)", shown, sub);
}

static void name_parts(const cg_graph *g, GHashTable *taken)
{
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
}

static void name_ways(const cg_graph *g, GHashTable *taken)
{
    for (uint32_t i = 0; i < g->functions->len; i++) {
        cg_function *way = cg_graph_function(g, i);
        if (way->is_way)
            way->name =
                nytp_name_reserve(taken, g_strdup_printf("%s (to %s)", cg_graph_function(g, way->of)->name,
                                                         cg_graph_function(g, way->to)->name));
    }
}

/* The files whose file scope a sub ran. */
typedef struct loaded_files {
    uint32_t first; /* the lowest number is the file that was seen first */
    uint32_t count;
} loaded_files;

/* Returns an array, indexed by sub. The caller must g_free() it. */
static loaded_files *find_loaded_files(const cg_graph *g)
{
    loaded_files *loaded = g_new0(loaded_files, g->root + 1);
    for (uint32_t i = 0; i < g->functions->len; i++) {
        const cg_function *part = cg_graph_function(g, i);
        if (!part->is_part || cg_file_is_eval(file_name(g, part->file)))
            continue;
        loaded_files *l = &loaded[part->sub];
        l->first = l->count == 0 ? part->file : MIN(l->first, part->file);
        l->count++;
    }
    return loaded;
}

static char *own_name(const cg_graph *g, uint32_t sub, const loaded_files *loaded)
{
    char *name = sub_name(g, sub);
    if (loaded->count == 0 || nytp_begin_block_length(nytp_str_of(name)) == 0)
        return name;
    g_autofree char *plain = name, *first = shown_file(file_name(g, loaded->first), false);
    if (loaded->count == 1)
        return g_strdup_printf("%s (loads %s)", plain, first);
    return g_strdup_printf("%s (loads %s and %u more)", plain, first, loaded->count - 1);
}

/* The root and the subs come first, so that they keep the names that they have in the program. */
void cg_function_names_make(cg_graph *g)
{
    g_autoptr(GHashTable) taken = g_hash_table_new(nytp_hash_of_text, g_str_equal);
    g_autofree loaded_files *loaded = find_loaded_files(g);
    cg_function *root = cg_graph_root_function(g);
    root->name = nytp_name_reserve(taken, sub_name(g, g->root));
    for (uint32_t i = 0; i < g->functions->len; i++) {
        cg_function *own = cg_graph_function(g, i);
        if (!own->is_part && !own->is_way && own != root)
            own->name = nytp_name_reserve(taken, own_name(g, own->sub, &loaded[own->sub]));
    }
    name_parts(g, taken);
    name_ways(g, taken);
}
