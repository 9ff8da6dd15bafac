/* The object of a function says whose code it is. KCachegrind groups functions by it. */
#include "build.h"

#include "model/eval_name.h"
#include "model/grow.h"
#include "model/hashes.h"
#include "model/origin.h"

#include <string.h>

static const char own_code[] = "own code";

typedef struct finder {
    cg_graph *g;
    GHashTable *numbers; /* by name, from 1 */
    nytp_origins *origins;
    nytp_portable *portable;
} finder;

static uint32_t number_of(const finder *f, char *name)
{
    gpointer number = g_hash_table_lookup(f->numbers, name);
    if (number == NULL) {
        g_ptr_array_add(f->g->objects, name);
        number = GUINT_TO_POINTER(f->g->objects->len);
        g_hash_table_insert(f->numbers, name, number);
    } else
        g_free(name);
    return GPOINTER_TO_UINT(number) - 1;
}

/* A path does not say of which distribution a module is, but the first part of its name usually does: "Mojo
 * (installed)" for Mojo/Base.pm and Mojo/Util.pm. */
static char *installed_name(const finder *f, nytp_str path)
{
    GString *below = nytp_portable_name(f->portable, nytp_eval_name_outermost(path));
    g_autofree char *shown = nytp_name_clean((nytp_str){below->str, below->len, path.utf8});
    const char *name = shown;
    if (g_str_has_prefix(name, "auto/"))
        name += strlen("auto/");
    const size_t length = strcspn(name, "/.");
    char *object =
        length > 0 ? g_strdup_printf("%.*s (installed)", (int)length, name) : g_strdup("installed modules");
    g_string_free(below, TRUE);
    return object;
}

static char *object_name(const finder *f, const cg_function *function)
{
    const enum nytp_sub_kind kind = f->g->subs[function->sub].kind;
    if (kind != NYTP_SUB_PERL && !function->is_part)
        return g_strdup(kind == NYTP_SUB_XSUB ? "xsubs" : "built-ins");
    const nytp_str path = cg_graph_file_name(f->g, function->file);
    if (path.length == 0)
        return g_strdup("unknown files");
    switch (nytp_origin_of(f->origins, path)) {
    case NYTP_INSTALLED: return installed_name(f, path);
    case NYTP_CORE: return g_strdup("perl's modules");
    case NYTP_OWN:
    case NYTP_ORIGINS: break;
    }
    return g_strdup(own_code);
}

bool cg_is_own_code(const cg_graph *g, uint32_t function)
{
    return strcmp(g_ptr_array_index(g->objects, cg_graph_function(g, function)->object), own_code) == 0;
}

void cg_objects_find(cg_graph *g)
{
    const finder f = {.g = g,
                      .numbers = g_hash_table_new(nytp_hash_of_text, g_str_equal),
                      .origins = nytp_origins_new(g->profile),
                      .portable = nytp_portable_new(g->profile)};
    NYTP_EACH(cg_function, function, g->functions)
        function->object = function->is_way ? cg_graph_function(g, function->of)->object
                                            : number_of(&f, object_name(&f, function));
    nytp_portable_free(f.portable);
    nytp_origins_free(f.origins);
    g_hash_table_destroy(f.numbers);
}
