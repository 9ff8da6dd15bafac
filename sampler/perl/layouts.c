#include "sampler/perl/layouts.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
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

/* Whether a word is in a list of words with blanks between them. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Options that change no structure that is read, or that come with one that does. */
static bool is_harmless(const char *option)
{
    static const char *const harmless[] = {
        "HAS_LONG_DOUBLE",
        "HAS_STRTOLD",
        "HAS_TIMES",
        "PERLIO_LAYERS",
        "PERL_DONT_CREATE_GVSV",
        "PERL_HASH_",
        "PERL_IMPLICIT_CO",
        "PERL_MALLOC_WRA",
        "PERL_PRESERVE_IVUV",
        "PERL_USE_SAFE_PUTENV",
        "USE_64_BIT_",
        "USE_FAST_STDIO",
        "USE_LARGE_FILES",
        "USE_LOCALE",
        "USE_PERLIO",
        "USE_PERL_ATOF",
        "USE_REENTRANT_AP",
        "USE_SITECUSTOMI",
        "USE_THREAD_SAFE_LOCA",
        "PERL_COPY_ON_WRITE",
    };
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strncmp(option, harmless[i], strlen(harmless[i])) == 0)
            return true;
    return false;
}

/* Calls use for each word that one list has and another one has not, and that matters. */
typedef void word_fn(void *context, const char *word);
static void each_missing(const char *list, const char *other, word_fn *use, void *context)
{
    char words[sizeof((sampler_layout *)0)->options], *rest = NULL;
    snprintf(words, sizeof words, "%s", list);
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (!is_harmless(word) && !has_word(other, word))
            use(context, word);
}

static void count_word(void *context, const char *word)
{
    (void)word;
    ++*(int *)context;
}

static bool has_same_options(const char *a, const char *b)
{
    int count = 0;
    each_missing(a, b, count_word, &count);
    each_missing(b, a, count_word, &count);
    return count == 0;
}

/* 5.36 of 5.36.0. */
static bool is_same_series(const char *a, const char *b)
{
    const char *end_a = strrchr(a, '.'), *end_b = strrchr(b, '.');
    return end_a != NULL && end_b != NULL && end_a - a == end_b - b && memcmp(a, b, (size_t)(end_a - a)) == 0;
}

bool sampler_layout_has_release(const sampler_layout *l, const char *version)
{
    return strcmp(l->version, version) == 0 || has_word(l->releases, version);
}

typedef struct choice {
    const sampler_identity *identity;
    sampler_layout_try_fn *try;
    void *context;
    bool of_version; /* only tables of that version, or only others */
    int tried;
} choice;

static bool fits(const sampler_layout *l, const sampler_identity *identity)
{
    return is_same_series(l->version, identity->version) && has_same_options(l->options, identity->options) &&
           (l->machine[0] == '\0' || has_word(l->machine, identity->machine)) &&
           (l->interp_size == SAMPLER_ABSENT || identity->interp_size == 0 ||
            l->interp_size == identity->interp_size) &&
           l->pointer_size == sizeof(uint64_t);
}

/* The table that was tried last and fitted, since the next perl is usually the same, and there are many
 * tables. */
static struct {
    sampler_layout layout;
    char path[PATH_MAX]; /* as sampler_layouts_try() got it; "": there is none */
} last;

static bool try_layout(choice *c, const sampler_layout *layout)
{
    if (!fits(layout, c->identity) ||
        sampler_layout_has_release(layout, c->identity->version) != c->of_version)
        return false;
    c->tried++;
    return c->try(c->context, layout);
}

static bool try_table(void *context, const char *path)
{
    sampler_layout layout;
    const char *why;
    if (!sampler_layout_read(&layout, path, &why) || !try_layout(context, &layout))
        return false;
    last.layout = layout;
    return true;
}

int sampler_layouts_try(const char *path, const sampler_identity *identity, sampler_layout_try_fn *try,
                        void *context)
{
    choice c = {identity, try, context, true, 0};
    if (strcmp(last.path, path) == 0 && try_layout(&c, &last.layout))
        return c.tried;
    last.path[0] = '\0';
    bool found = each_table(path, try_table, &c);
    c.of_version = false;
    if (found || each_table(path, try_table, &c))
        snprintf(last.path, sizeof last.path, "%s", path);
    return c.tried;
}

typedef struct listing {
    const sampler_identity *identity;
    FILE *stream;
    const char *separator, *introduction;
} listing;

static void print_word(void *context, const char *word)
{
    listing *l = context;
    fprintf(l->stream, "%s %s", l->introduction, word);
    l->introduction = "";
}

static void print_differences(listing *l, const sampler_layout *layout)
{
    const sampler_identity *identity = l->identity;
    l->introduction = ", with";
    each_missing(layout->options, identity->options, print_word, l);
    l->introduction = ", without";
    each_missing(identity->options, layout->options, print_word, l);
    if (layout->machine[0] != '\0' && !has_word(layout->machine, identity->machine))
        fprintf(l->stream, ", for %s", layout->machine);
    if (layout->interp_size != SAMPLER_ABSENT && identity->interp_size != 0 &&
        layout->interp_size != identity->interp_size)
        fprintf(l->stream, ", with an interpreter of %u bytes instead of %u", (unsigned)layout->interp_size,
                (unsigned)identity->interp_size);
}

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
    if (is_same_series(layout.version, l->identity->version))
        print_differences(l, &layout);
    return false;
}

void sampler_layouts_list(const char *path, const sampler_identity *identity, FILE *stream)
{
    each_table(path, list_table, &(listing){identity, stream, "", ""});
}
