#include "url.h"

#include "label.h"

#include <string.h>

enum url_word { URL_SUB, URL_PACKAGE, URL_FILE, URL_LINE, URL_WORDS };

static const char *const url_words[] = {
    [URL_SUB] = "{sub}", [URL_PACKAGE] = "{package}", [URL_FILE] = "{file}", [URL_LINE] = "{line}"};

/* Returns the word with which the text begins, or URL_WORDS. */
static enum url_word word_at(const char *template)
{
    enum url_word word = 0;
    while (word < URL_WORDS && !g_str_has_prefix(template, url_words[word]))
        word++;
    return word;
}

/* Returns the value of a word for a node, or NULL. The caller must g_free() it. */
static char *value_of(enum url_word word, const dot_graph *g, const dot_node *n)
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
        enum url_word word = word_at(template);
        if (word == URL_WORDS) {
            append_own(url, *template ++);
            continue;
        }
        char *value = value_of(word, g, n);
        known = value != NULL;
        if (known)
            g_string_append_uri_escaped(url, value, "/:", FALSE);
        g_free(value);
        template += strlen(url_words[word]);
    }
    return known ? dot_label_escaped(url->str) : NULL;
}

char *dot_url_complaint(const char *template)
{
    for (const char *brace = template; (brace = strchr(brace, '{')) != NULL; brace++)
        if (word_at(brace) == URL_WORDS)
            return g_strdup_printf("expected {sub}, {package}, {file} or {line} at '%s'", brace);
    return NULL;
}
