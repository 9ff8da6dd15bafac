#include "model/origin.h"

#include "base/order.h"
#include "model/eval_name.h"

#include <string.h>

struct nytp_portable {
    GPtrArray *directories; /* char *, each ends in a slash, the longest first */
};

static gint longest_first(gconstpointer a, gconstpointer b)
{
    const char *const *x = a, *const *y = b;
    const size_t lx = strlen(*x), ly = strlen(*y);
    return nytp_order2(NYTP_ORDER(ly, lx), strcmp(*x, *y));
}

nytp_portable *nytp_portable_new(const nytp_profile *profile)
{
    static const char *const keys[] = {"inc",      "privlib",   "archlib",   "sitelib",
                                       "sitearch", "vendorlib", "vendorarch"};
    nytp_portable *p = g_new0(nytp_portable, 1);
    p->directories = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        g_ptr_array_extend_and_steal(p->directories, nytp_profile_directories(profile, keys[i]));
    g_ptr_array_sort(p->directories, longest_first);
    return p;
}

void nytp_portable_free(nytp_portable *portable)
{
    g_ptr_array_free(portable->directories, TRUE);
    g_free(portable);
}

/* Returns the length of the directory that the path at `at` begins with; 0: it is in none. */
static size_t directory_length(const nytp_portable *p, const char *at, const char *end)
{
    for (guint i = 0; i < p->directories->len; i++) {
        const char *directory = g_ptr_array_index(p->directories, i);
        const size_t length = strlen(directory);
        if ((size_t)(end - at) > length && memcmp(at, directory, length) == 0)
            return length;
    }
    return 0;
}

/* A path is the whole name, or what follows a bracket: "A::__ANON__[/usr/share/perl5/A.pm:3]". */
GString *nytp_portable_name(const nytp_portable *portable, nytp_str name)
{
    size_t length;
    char *merged = nytp_eval_name_merge(name, &length);
    GString *out = g_string_sized_new(length);
    const char *end = merged + length;
    for (const char *at = merged; at < end;) {
        if (at == merged || at[-1] == '[')
            at += directory_length(portable, at, end);
        const char *bracket = memchr(at, '[', (size_t)(end - at));
        const char *stop = bracket != NULL ? bracket + 1 : end;
        g_string_append_len(out, at, stop - at);
        at = stop;
    }
    free(merged);
    return out;
}
