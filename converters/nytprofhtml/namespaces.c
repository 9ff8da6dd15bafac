#include "diff/difference.h"
#include "model/hashes.h"
#include "model/package.h"
#include "report.h"

#include <string.h>

enum { NEAR = 5 /* named areas whose colours are farthest apart */ };

/* First parts of packages that say nothing of what they are part of. */
static const char *const general[] = {"Algorithm", "App",  "Class",  "DBIx",    "Data", "Date",   "Devel",
                                      "Email",     "File", "HTML",   "HTTP",    "IO",   "JSON",   "List",
                                      "Log",       "Math", "Module", "MooseX",  "Net",  "Params", "Perl",
                                      "Plack",     "Pod",  "Scalar", "Sub",     "Term", "Test",   "Text",
                                      "Tie",       "Time", "Type",   "Unicode", "XML",  "YAML"};

/* Packages of xsubs that are part of perl itself. */
static const char *const built_in[] = {"Internals", "UNIVERSAL", "mro", "re", "utf8", "version"};

static bool is_among(const char *const *names, size_t count, const char *text, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0)
            return true;
    return false;
}

static size_t part_end(const char *package, size_t from, size_t length)
{
    const char *colons = g_strstr_len(package + from, (gssize)(length - from), "::");
    return colons != NULL ? (size_t)(colons - package) : length;
}

/* Returns the first part of a package, or two if that is a general one. The caller must g_free() it. */
static char *namespace_of(const char *package, size_t length)
{
    size_t end = part_end(package, 0, length);
    if (end < length && is_among(general, G_N_ELEMENTS(general), package, end))
        end = part_end(package, end + 2, length);
    return end == strlen("Mojolicious") && strncmp(package, "Mojolicious", end) == 0
               ? g_strdup("Mojo")
               : g_strndup(package, end);
}

typedef struct namespace
{
    char *name;
    double ticks; /* of its subs themselves, without waiting; in a comparison, of both sides */
    int area;
}
namespace;

static void free_namespace(void *of)
{
    g_free(((namespace *)of)->name);
    g_free(of);
}

typedef struct sorter {
    const html_report *report;
    html_areas *areas;
    GHashTable *own;        /* char *: packages that own code is in */
    GHashTable *namespaces; /* by name */
    GPtrArray *all;         /* of them */
    namespace **of_sub;     /* NULL: its area does not depend on its namespace */
} sorter;

static char *package_of(const html_sub *sub)
{
    return g_strndup(sub->name, sub->is_eval ? 0 : nytp_package_length_of(sub->name));
}

static bool is_own(const html_report *r, const html_sub *sub)
{
    return sub->kind == NYTP_SUB_PERL && sub->file >= 0 &&
           html_report_file(r, (size_t)sub->file)->origin == NYTP_OWN;
}

static namespace *find_namespace(const sorter *s, const char *package)
{
    char *name = namespace_of(package, strlen(package));
    namespace *found = g_hash_table_lookup(s->namespaces, name);
    if (found != NULL) {
        g_free(name);
        return found;
    }
    found = g_new0(namespace, 1);
    *found = (namespace){name, 0, HTML_OTHER_CODE};
    g_hash_table_insert(s->namespaces, name, found);
    g_ptr_array_add(s->all, found);
    return found;
}

/* An xsub of a package that has own code is own code: what a program imports, and its constants. */
static void place(const sorter *s, guint i)
{
    const html_sub *sub = html_report_sub(s->report, i);
    g_autofree char *package = package_of(sub);
    const bool is_xsub = sub->kind == NYTP_SUB_XSUB;
    int *area = &s->areas->of_sub[i];
    if (sub->kind == NYTP_SUB_OPCODE ||
        (is_xsub && is_among(built_in, G_N_ELEMENTS(built_in), package, strlen(package))))
        *area = HTML_BUILT_INS;
    else if (is_own(s->report, sub) || g_hash_table_contains(s->own, package))
        *area = HTML_OWN_CODE;
    else if (*package != '\0')
        s->of_sub[i] = find_namespace(s, package);
    else
        *area = HTML_OTHER_CODE;
}

static void add_ticks(const sorter *s, int64_t sub, double ticks)
{
    if (sub >= 0 && s->of_sub[sub] != NULL)
        s->of_sub[sub]->ticks += MAX(ticks, 0);
}

static void weigh(const sorter *s)
{
    const html_report *r = s->report;
    for (guint i = 0; i < r->subs->len && r->difference == NULL; i++)
        if (html_report_sub_origin(r, i) != HTML_WAITING)
            add_ticks(s, i, (double)html_report_sub(r, i)->excl_ticks - html_report_sub(r, i)->asleep_ticks);
    if (r->difference != NULL)
        NYTP_EACH(const html_change, change, r->difference->all.subs)
            add_ticks(s, change->number,
                      change->value[HTML_SELF][NYTP_OLD] + change->value[HTML_SELF][NYTP_NEW]);
}

static int compare_namespaces(const void *left, const void *right)
{
    const namespace *a = *(namespace *const *)left, *b = *(namespace *const *)right;
    return a->ticks != b->ticks ? (a->ticks < b->ticks) - (a->ticks > b->ticks) : strcmp(a->name, b->name);
}

/* FNV-1a. */
static uint32_t hash_of(const char *name)
{
    uint32_t hash = 0x811C9DC5;
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 0x01000193;
    return hash;
}

/* A namespace gets the area that a hash of its name says, or the next one if a namespace with more time has
 * that already. So reports of other runs mostly show it in the same colour. The five namespaces with most
 * time get the areas whose colours are farthest apart. */
static void give_areas(const sorter *s)
{
    g_ptr_array_sort(s->all, compare_namespaces);
    for (guint i = 0; i < s->all->len && i < HTML_NAMED_AREAS; i++) {
        namespace *of = g_ptr_array_index(s->all, i);
        const guint first = i / NEAR * NEAR;
        guint at = hash_of(of->name) % NEAR;
        while (s->areas->names[first + at] != NULL)
            at = (at + 1) % NEAR;
        if (of->ticks > 0) {
            of->area = HTML_FIRST_NAMED + (int)(first + at);
            s->areas->names[first + at] = g_strdup(of->name);
        }
    }
}

html_areas *html_areas_new(const html_report *report)
{
    const guint count = report->subs->len;
    html_areas *areas = g_new0(html_areas, 1);
    areas->of_sub = g_new0(int, count + 1);
    g_autofree namespace **of_sub = g_new0(namespace *, count + 1);
    sorter s = {report,
                areas,
                g_hash_table_new_full(nytp_hash_of_text, g_str_equal, g_free, NULL),
                g_hash_table_new(nytp_hash_of_text, g_str_equal),
                g_ptr_array_new_with_free_func(free_namespace),
                of_sub};
    for (guint i = 0; i < count; i++)
        if (is_own(report, html_report_sub(report, i)))
            g_hash_table_add(s.own, package_of(html_report_sub(report, i)));
    for (guint i = 0; i < count; i++)
        place(&s, i);
    weigh(&s);
    give_areas(&s);
    for (guint i = 0; i < count; i++)
        if (of_sub[i] != NULL)
            areas->of_sub[i] = of_sub[i]->area;
    g_hash_table_destroy(s.own);
    g_hash_table_destroy(s.namespaces);
    g_ptr_array_unref(s.all);
    return areas;
}

void html_areas_free(html_areas *areas)
{
    for (size_t i = 0; i < HTML_NAMED_AREAS; i++)
        g_free(areas->names[i]);
    g_free(areas->of_sub);
    g_free(areas);
}
