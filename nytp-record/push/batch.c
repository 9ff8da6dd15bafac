#include "sender.h"

#include "model/grow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void clear_part(gpointer p)
{
    record_profile_part *part = p;
    g_free(part->path);
    g_free(part->series);
}

GArray *record_batch_new(void)
{
    GArray *parts = NYTP_ZEROED_ARRAY(record_profile_part);
    g_array_set_clear_func(parts, clear_part);
    return parts;
}

/* A part is a line. Its file is in the directory, whose name may have any characters; the name of the file
 * and the series have no control characters. */
static bool write_line(FILE *to, const record_profile_part *part)
{
    g_autofree char *file = g_path_get_basename(part->path);
    return fprintf(to, "%" PRIu64 " %" PRId64 " %" PRId64 "\t%s\t%s\n", part->samples, part->from_s,
                   part->until_s, file, part->series) > 0;
}

static bool read_line(char *line, const char *directory, record_profile_part *part)
{
    char *end = NULL, *file = strchr(line, '\t'), *series = file != NULL ? strchr(file + 1, '\t') : NULL;
    if (series == NULL)
        return false;
    *series = '\0';
    part->samples = strtoull(line, &end, 10);
    part->from_s = strtoll(end, &end, 10);
    part->until_s = strtoll(end, &end, 10);
    part->path = g_build_filename(directory, file + 1, NULL);
    part->series = g_strdup(series + 1);
    return true;
}

static char *name_of(const char *directory, uint64_t number, const char *ending)
{
    return g_strdup_printf("%s/list.%" PRIu64 "%s", directory, number, ending);
}

bool record_batch_write(const char *directory, uint64_t number, const GArray *parts)
{
    g_autofree char *name = name_of(directory, number, ""), *begun = name_of(directory, number, ".new");
    FILE *to = fopen(begun, "we");
    if (to == NULL)
        return false;
    bool is_written = true;
    NYTP_EACH(record_profile_part, part, parts)
        is_written = write_line(to, part) && is_written;
    if (fclose(to) == 0 && is_written && rename(begun, name) == 0)
        return true;
    const int error_number = errno;
    unlink(begun);
    errno = error_number;
    return false;
}

GArray *record_batch_take(const char *directory, uint64_t number)
{
    g_autofree char *name = name_of(directory, number, ""), *text = NULL;
    if (!g_file_get_contents(name, &text, NULL, NULL))
        return NULL;
    GArray *parts = record_batch_new();
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        record_profile_part part = {0};
        *end = '\0';
        if (read_line(line, directory, &part))
            g_array_append_val(parts, part);
    }
    unlink(name);
    return parts;
}

void record_batch_remove_directory(const char *directory)
{
    GDir *all = g_dir_open(directory, 0, NULL);
    const char *name;
    while (all != NULL && (name = g_dir_read_name(all)) != NULL) {
        g_autofree char *path = g_build_filename(directory, name, NULL);
        unlink(path);
    }
    if (all != NULL)
        g_dir_close(all);
    rmdir(directory);
}
