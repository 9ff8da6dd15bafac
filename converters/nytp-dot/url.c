#include "draw.h"

#include "cli/options.h"

#include <string.h>

enum url_word { URL_SUB, URL_PACKAGE, URL_FILE, URL_LINE };

const char *const dot_url_words[] = {
    [URL_SUB] = "{sub}", [URL_PACKAGE] = "{package}", [URL_FILE] = "{file}", [URL_LINE] = "{line}", NULL};

/* Returns the value of a word for a node, or NULL. The caller must g_free() it. */
static char *value_of(size_t word, const dot_graph *g, const dot_node *n)
{
    const nytp_file *file = nytp_profile_file_by_fid(g->profile, n->fid);
    switch (word) {
    case URL_SUB: return g_strdup(n->name);
    case URL_PACKAGE: return n->package_length > 0 ? g_strndup(n->name, n->package_length) : NULL;
    case URL_FILE: return file != NULL && file->name.length > 0 ? dot_label_name(file->name) : NULL;
    default: return n->line > 0 ? g_strdup_printf("%u", n->line) : NULL;
    }
}

/* Encodes characters that dot does not escape in its drawings. In a URL they must be encoded anyway. */
static void append_own(GString *url, char c)
{
    if (strchr("\"'<> ", c) != NULL)
        g_string_append_printf(url, "%%%02X", (unsigned)c);
    else
        g_string_append_c(url, c);
}

char *dot_url_of(const dot_graph *g, const dot_node *n, const char *template)
{
    g_autoptr(GString) url = g_string_new(NULL);
    bool known = true;
    while (known && *template != '\0') {
        const size_t word = nytp_url_word(template, dot_url_words);
        if (dot_url_words[word] == NULL) {
            append_own(url, *template ++);
            continue;
        }
        char *value = value_of(word, g, n);
        known = value != NULL;
        if (known)
            g_string_append_uri_escaped(url, value, "/:", FALSE);
        g_free(value);
        template += strlen(dot_url_words[word]);
    }
    return known ? dot_label_escaped(url->str) : NULL;
}
