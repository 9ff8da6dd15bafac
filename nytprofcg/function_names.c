/* In KCachegrind these names must be clear without the source and the manual, and long names are cut off at
 * the end. So the name of a part begins with its code, and that of a BEGIN block says what it loads:
 *
 *     main::BEGIN@16 (loads Man.pm)                       use Pod::Man;
 *     Pod::Man::(file scope of Man.pm)                    what that runs in Man.pm
 *     main::run (eval 5)[t.pl:26]                         a string eval in main::run
 *     main::emit (to main::on_read)                       calls of main::emit that lead to main::on_read
 *
 * KCachegrind takes what precedes the last `::` before a parenthesis as the class.
 */
#include "build.h"

#include "file_name.h"
#include "base/str.h"
#include "model/package.h"
#include "model/display.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/origin.h"

#include <string.h>

static char *sub_name(const cg_graph *g, uint32_t number)
{
    nytp_sub sub;
    if (number == g->root)
        return g_strdup(NYTP_RUNTIME);
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

/* Returns the packages of files by number, of the sub that comes first in each, which point into names of the
 * profile; empty for files without one. The caller must g_free() the array. */
static nytp_str *packages_of_files(const cg_graph *g)
{
    const size_t files = nytp_profile_file_count(g->profile);
    nytp_str *packages = g_new0(nytp_str, files + 1);
    g_autofree uint32_t *first = g_new0(uint32_t, files + 1); /* + 1: never NULL */
    for (uint32_t i = 0; i < g->root; i++) {
        const cg_sub *s = &g->subs[i];
        nytp_sub sub;
        nytp_profile_sub(g->profile, i, &sub);
        const size_t length = nytp_package_length(sub.name);
        if (s->home == CG_NO_FILE || length == 0 || s->kind != NYTP_SUB_PERL || s->is_root_name ||
            (packages[s->home].length > 0 && s->first_line >= first[s->home]))
            continue;
        packages[s->home] = (nytp_str){sub.name.bytes, length, sub.name.utf8};
        first[s->home] = s->first_line;
    }
    return packages;
}

typedef struct part_namer {
    const cg_graph *g;
    GHashTable *taken;
    nytp_portable *portable;
    nytp_str *packages;
} part_namer;

/* Returns the package whose file scope that is: what `use` calls the file, or the package of its first sub.
 * The caller must g_free() it. */
static char *package_of(const part_namer *n, uint32_t number)
{
    const nytp_str path = cg_graph_file_name(n->g, number), package = n->packages[number];
    GString *module = nytp_portable_name(n->portable, path);
    const bool is_below = module->len < path.length && g_str_has_suffix(module->str, ".pm");
    if (is_below) {
        g_string_truncate(module, module->len - strlen(".pm"));
        g_string_replace(module, "/", "::", 0);
    }
    char *name = is_below             ? nytp_name_clean((nytp_str){module->str, module->len, path.utf8})
                 : package.length > 0 ? nytp_name_clean(package)
                                      : g_strdup("main");
    g_string_free(module, TRUE);
    return name;
}

/* Returns the name of a file scope. whole_path: the last component of the file's name is not enough. If
 * several subs run it, that of the first one is without its name. */
static char *scope_name(const part_namer *n, const cg_function *part, bool whole_path)
{
    g_autofree char *shown = shown_file(cg_graph_file_name(n->g, part->file), whole_path),
                    *package = package_of(n, part->file);
    if (part->sub == n->g->scope_sub[part->file])
        return g_strdup_printf("%s::(file scope of %s)", package, shown);
    g_autofree char *sub = sub_name(n->g, part->sub);
    return g_strdup_printf("%s::(file scope of %s, run by %s)", package, shown, sub);
}

static char *part_name(const part_namer *n, const cg_function *part)
{
    const nytp_str file = cg_graph_file_name(n->g, part->file);
    if (cg_file_is_eval(file)) {
        g_autofree char *sub = sub_name(n->g, part->sub), *shown = shown_file(file, true);
        return g_strdup_printf("%s %s", sub, shown);
    }
    char *name = scope_name(n, part, false);
    if (!g_hash_table_contains(n->taken, name))
        return name;
    g_free(name);
    return scope_name(n, part, true);
}

static void name_parts(const cg_graph *g, GHashTable *taken)
{
    const part_namer n = {g, taken, nytp_portable_new(g->profile), packages_of_files(g)};
    NYTP_EACH(cg_function, part, g->functions)
        if (part->is_part)
            part->name = nytp_name_reserve(taken, part_name(&n, part));
    nytp_portable_free(n.portable);
    g_free(n.packages);
}

static void name_ways(const cg_graph *g, GHashTable *taken)
{
    NYTP_EACH(cg_function, way, g->functions)
        if (way->is_way)
            way->name =
                nytp_name_reserve(taken, g_strdup_printf("%s (to %s)", cg_graph_function(g, way->of)->name,
                                                         cg_graph_function(g, way->to)->name));
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
    NYTP_EACH(const cg_function, part, g->functions) {
        if (!part->is_part || cg_file_is_eval(cg_graph_file_name(g, part->file)))
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
    g_autofree char *plain = name, *first = shown_file(cg_graph_file_name(g, loaded->first), false);
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
    NYTP_EACH(cg_function, own, g->functions)
        if (!own->is_part && !own->is_way && own != root)
            own->name = nytp_name_reserve(taken, own_name(g, own->sub, &loaded[own->sub]));
    name_parts(g, taken);
    name_ways(g, taken);
}
