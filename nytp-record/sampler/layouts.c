#include "layouts.h"

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
    record_layout *layout;
    const char *version, *options;
} wanted;

static bool fits(void *context, const char *path)
{
    const wanted *w = context;
    const char *why;
    return record_layout_read(w->layout, path, &why) && strcmp(w->layout->version, w->version) == 0 &&
           strcmp(w->layout->options, w->options) == 0 && w->layout->pointer_size == sizeof(void *);
}

bool record_layouts_choose(record_layout *layout, const char *path, const char *version, const char *options)
{
    return each_table(path, fits, &(wanted){layout, version, options});
}

static bool list_table(void *context, const char *path)
{
    record_layout layout;
    const char *why;
    if (record_layout_read(&layout, path, &why))
        fprintf(context, "; %s: perl %s with %s", path, layout.version, layout.options);
    else
        fprintf(context, "; %s: cannot be used, %s", path, why);
    return false;
}

void record_layouts_list(const char *path, FILE *stream)
{
    each_table(path, list_table, stream);
}
