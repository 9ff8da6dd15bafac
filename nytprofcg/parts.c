#include "parts.h"

#include "cli/output.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

char *cg_part_output(const char *output, uint32_t number)
{
    return number == 1 ? g_strdup(output) : g_strdup_printf("%s.%u", output, number);
}

void cg_parts_remove_after(const char *output, uint32_t count)
{
    g_autofree char *folder = g_path_get_dirname(output), *front = g_path_get_basename(output);
    const size_t length = strlen(front);
    GDir *dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        char *end;
        if (strncmp(name, front, length) != 0 || name[length] != '.' || !g_ascii_isdigit(name[length + 1]))
            continue;
        const guint64 number = g_ascii_strtoull(name + length + 1, &end, 10);
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (*end == '\0' && number >= 2 && number > count &&
            nytp_file_mentions(path, "\ncreator: nytprofcg "))
            unlink(path);
    }
    if (dir != NULL)
        g_dir_close(dir);
}
