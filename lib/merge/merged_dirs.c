#include "merge/merged_dirs.h"

#include "base/dirlist.h"
#include "model/names.h"

#include <glib.h>

static const char *const keys[] = {"privlib",   "archlib",    "sitelib", "sitearch",
                                   "vendorlib", "vendorarch", "inc"};

typedef struct list {
    nytp_names *parts; /* as they are written; NULL: the key has not come */
    bool grown;
} list;

struct nytp_merged_dirs {
    list lists[G_N_ELEMENTS(keys)];
};

nytp_merged_dirs *nytp_merged_dirs_new(void)
{
    return g_new0(nytp_merged_dirs, 1);
}

void nytp_merged_dirs_free(nytp_merged_dirs *dirs)
{
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        if (dirs->lists[i].parts != NULL)
            nytp_names_free(dirs->lists[i].parts);
    g_free(dirs);
}

/* The number of the key, which is that of its list; -1: it is another attribute. */
static int number_of(nytp_str key)
{
    return nytp_str_index(key, keys, G_N_ELEMENTS(keys));
}

bool nytp_is_dirs(nytp_str key)
{
    return number_of(key) >= 0;
}

bool nytp_merged_dirs_add(nytp_merged_dirs *dirs, nytp_str key, nytp_str text)
{
    list *l = &dirs->lists[number_of(key)];
    const bool is_first = l->parts == NULL;
    if (is_first)
        l->parts = nytp_names_new();
    for (nytp_str part; nytp_dirlist_next(&text, &part);) {
        bool is_new;
        nytp_names_intern(l->parts, &part, &is_new);
        l->grown = l->grown || (is_new && !is_first);
    }
    return is_first;
}

void nytp_merged_dirs_each_grown(const nytp_merged_dirs *dirs, nytp_merged_dirs_fn *each, void *context)
{
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const list *l = &dirs->lists[i];
        if (!l->grown)
            continue;
        g_autoptr(GString) text = g_string_new(NULL);
        for (uint32_t n = 0; n < nytp_names_count(l->parts); n++) {
            nytp_str part = nytp_names_get(l->parts, n);
            g_string_append_len(n > 0 ? g_string_append_c(text, ':') : text, part.bytes, (gssize)part.length);
        }
        each(context, (nytp_str){keys[i], strlen(keys[i]), false}, (nytp_str){text->str, text->len, false});
    }
}
