#include "base/small_file.h"
#include "sampler/process/process.h"

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ID = 64 /* hexadecimal digits of a container's */, SHOWN = 12 /* as docker ps shows them */ };

/* Returns the identifier in a component such as docker-ID.scope, cri-containerd-ID.scope, libpod-ID or ID
 * alone; NULL if it has none. */
static const char *find_id(const char *component, size_t length)
{
    for (size_t at = 0; at + ID <= length; at++) {
        size_t digits = 0;
        while (digits < ID && g_ascii_isxdigit(component[at + digits]))
            digits++;
        if (digits == ID && (at == 0 || component[at - 1] == '-'))
            return component + at;
    }
    return NULL;
}

static bool ends_with(const char *component, size_t length, const char *ending)
{
    const size_t size = strlen(ending);
    return length > size && memcmp(component + length - size, ending, size) == 0;
}

/* The innermost one counts. A user's session is no unit that helps. */
static void take_component(const char *component, size_t length, char *to, size_t size)
{
    const char *id = find_id(component, length);
    if (id != NULL)
        snprintf(to, size, "container %.*s", SHOWN, id);
    else if (ends_with(component, length, ".service") && strncmp(component, "user@", 5) != 0)
        snprintf(to, size, "%.*s", (int)length, component);
}

/* NUMBER:CONTROLLERS:PATH in each line; of version 2, and of systemd in version 1, the controllers are "" and
 * "name=systemd". */
void sampler_unit_of(const char *cgroup, char *to, size_t size)
{
    to[0] = '\0';
    for (const char *line = cgroup, *next; *line != '\0' && to[0] == '\0'; line = next) {
        const char *end = line + strcspn(line, "\n"), *first = memchr(line, ':', (size_t)(end - line));
        const char *path = first != NULL ? memchr(first + 1, ':', (size_t)(end - first - 1)) : NULL;
        next = *end != '\0' ? end + 1 : end;
        for (const char *at = path; at != NULL && at < end;) {
            const char *component = at + 1, *slash = memchr(component, '/', (size_t)(end - component));
            take_component(component, (size_t)((slash != NULL ? slash : end) - component), to, size);
            at = slash;
        }
    }
}

void sampler_unit_read(int proc, char *to, size_t size)
{
    char text[8192];
    nytp_small_file_read_at(proc, "cgroup", text, sizeof text);
    sampler_unit_of(text, to, size);
}
