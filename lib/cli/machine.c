#include "cli/machine.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

/* The number in a file; "max" and a file that cannot be read are no limit. */
static uint64_t number_in(const char *directory, const char *name)
{
    g_autofree char *path = g_build_filename(directory, name, NULL), *text = NULL;
    uint64_t bytes;
    if (!g_file_get_contents(path, &text, NULL, NULL) ||
        !g_ascii_string_to_unsigned(g_strchomp(text), 10, 0, UINT64_MAX, &bytes, NULL))
        return UINT64_MAX;
    return bytes;
}

/* A group is limited by those around it, too. In a container, the root of the groups may be the container's
 * own. */
static uint64_t least_of(const char *root, const char *group, const char *name)
{
    g_autofree char *at = g_strdup(group);
    uint64_t least = number_in(root, name);
    for (char *slash; (slash = strrchr(at, '/')) != NULL; *slash = '\0') {
        g_autofree char *directory = g_strconcat(root, at, NULL);
        least = MIN(least, number_in(directory, name));
    }
    return least;
}

/* A line of version 2 is "0::/PATH", of version 1 "NUMBER:CONTROLLER,...:/PATH". */
static uint64_t limit_of_line(char *line, const char *root)
{
    g_auto(GStrv) parts = g_strsplit(line, ":", 3);
    if (g_strv_length(parts) != 3)
        return UINT64_MAX;
    if (*parts[1] == '\0')
        return least_of(root, parts[2], "memory.max");
    g_auto(GStrv) controllers = g_strsplit(parts[1], ",", -1);
    g_autofree char *memory = g_build_filename(root, "memory", NULL);
    return g_strv_contains((const char *const *)controllers, "memory")
               ? least_of(memory, parts[2], "memory.limit_in_bytes")
               : UINT64_MAX;
}

uint64_t nytp_cgroup_bytes(const char *groups, const char *root)
{
    g_auto(GStrv) lines = g_strsplit(groups, "\n", -1);
    uint64_t least = UINT64_MAX;
    for (char **line = lines; *line != NULL; line++)
        least = MIN(least, limit_of_line(*line, root));
    return least;
}

uint64_t nytp_machine_bytes(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    const uint64_t physical =
        pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : UINT64_MAX;
    g_autofree char *groups = NULL;
    g_file_get_contents("/proc/self/cgroup", &groups, NULL, NULL);
    return groups != NULL ? MIN(physical, nytp_cgroup_bytes(groups, "/sys/fs/cgroup")) : physical;
}
