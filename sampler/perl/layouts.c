#include "sampler/perl/layouts.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Returns true to stop. */
typedef bool visit_fn(void *context, const char *path);

static int is_table(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 4 && strcmp(entry->d_name + length - 4, ".txt") == 0;
}

/* In the order of their names. Returns what visit returned last. */
static bool each_table(const char *path, visit_fn *visit, void *context)
{
    struct stat what;
    struct dirent **entries;
    bool stopped = false;
    if (stat(path, &what) == 0 && !S_ISDIR(what.st_mode))
        return visit(context, path);
    int count = scandir(path, &entries, is_table, alphasort);
    for (int i = 0; i < count; i++) {
        char *table = NULL;
        if (!stopped && asprintf(&table, "%s/%s", path, entries[i]->d_name) >= 0) {
            stopped = visit(context, table);
            free(table);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return stopped;
}

typedef struct wanted {
    sampler_layout *layout;
    const char *version, *options;
} wanted;

static bool fits(void *context, const char *path)
{
    const wanted *w = context;
    const char *why;
    return sampler_layout_read(w->layout, path, &why) && strcmp(w->layout->version, w->version) == 0 &&
           strcmp(w->layout->options, w->options) == 0 && w->layout->pointer_size == sizeof(uint64_t);
}

bool sampler_layouts_choose(sampler_layout *layout, const char *path, const char *version,
                            const char *options)
{
    return each_table(path, fits, &(wanted){layout, version, options});
}

/* Whether a word is in a list of words with blanks between them. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* The words of one list that another one does not have, after what introduces them. */
static void print_missing(FILE *stream, const char *introduction, const char *list, const char *other)
{
    char words[sizeof((sampler_layout *)0)->options], *rest = NULL;
    snprintf(words, sizeof words, "%s", list);
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        if (has_word(other, word))
            continue;
        fprintf(stream, "%s %s", introduction, word);
        introduction = "";
    }
}

typedef struct listing {
    const char *version, *options;
    FILE *stream;
    const char *separator;
} listing;

static bool list_table(void *context, const char *path)
{
    listing *l = context;
    sampler_layout layout;
    const char *why;
    fputs(l->separator, l->stream);
    l->separator = ";";
    if (!sampler_layout_read(&layout, path, &why)) {
        fprintf(l->stream, " %s, which cannot be used, %s", path, why);
        return false;
    }
    fprintf(l->stream, " perl %s", layout.version);
    if (strcmp(layout.version, l->version) == 0) {
        print_missing(l->stream, ", with", layout.options, l->options);
        print_missing(l->stream, ", without", l->options, layout.options);
    }
    return false;
}

void sampler_layouts_list(const char *path, const char *version, const char *options, FILE *stream)
{
    each_table(path, list_table, &(listing){version, options, stream, ""});
}
