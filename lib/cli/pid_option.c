#include "cli/pid_option.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

char *nytp_pid_list_add(const nytp_option *option, const char *argument)
{
    nytp_pid_list *pids = option->context;
    char *end;
    long pid = strtol(argument, &end, 10);
    if (*end != '\0' || pid < 1 || pid > INT32_MAX || !g_ascii_isdigit(argument[0]))
        return g_strdup("expected the number of a process");
    if (pids->count == NYTP_MOST_PIDS)
        return g_strdup("expected fewer processes");
    pids->list[pids->count++] = (pid_t)pid;
    return NULL;
}

bool nytp_pid_is_meant(const char *word)
{
    return word[0] != '\0' && strspn(word, "0123456789") == strlen(word);
}
