#include "packages.h"

#include "model/hashes.h"
#include "model/package.h"

/* The name of a string eval has a path, which may have "::" in it. */
size_t html_package_length(const html_report *report, size_t sub)
{
    const html_sub *s = html_report_sub(report, sub);
    return s->is_eval ? 0 : nytp_package_length_of(s->name);
}

html_packages *html_packages_new(const html_report *report)
{
    guint count = report->subs->len;
    html_packages *p = g_new(html_packages, 1);
    GHashTable *numbers = g_hash_table_new(nytp_hash_of_text, g_str_equal); /* by name: number + 1 */
    p->names = g_ptr_array_new_with_free_func(g_free);
    p->of = g_new(uint32_t, count);
    for (guint i = 0; i < count; i++) {
        const char *sub_name = html_report_sub(report, i)->name;
        char *name = g_strndup(sub_name, html_package_length(report, i));
        guint number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, name));
        if (number == 0) {
            g_ptr_array_add(p->names, name);
            number = p->names->len;
            g_hash_table_insert(numbers, name, GUINT_TO_POINTER(number));
        } else {
            g_free(name);
        }
        p->of[i] = number - 1;
    }
    g_hash_table_destroy(numbers);
    return p;
}

void html_packages_free(html_packages *packages)
{
    g_ptr_array_free(packages->names, TRUE);
    g_free(packages->of);
    g_free(packages);
}
