#include "pid_option.h"

#include <glib.h>
#include <stdlib.h>

char *record_pids_add(const nytp_option *option, const char *argument)
{
    record_pids *pids = option->context;
    char *end;
    long pid = strtol(argument, &end, 10);
    if (*end != '\0' || pid < 1 || pid > INT32_MAX || !g_ascii_isdigit(argument[0]))
        return g_strdup("expected the number of a process");
    if (pids->count == RECORD_MOST_PIDS)
        return g_strdup("expected fewer processes");
    pids->list[pids->count++] = (pid_t)pid;
    return NULL;
}
