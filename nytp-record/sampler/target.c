#include "target.h"

#include "layouts.h"
#include "permission.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_STRING_BYTES = 1 << 20,
    MOST_KEPT = 1 << 14, /* statements and subs, each of about 200 bytes with its entry in a table */
};

static nytp_strings *new_strings(void)
{
    nytp_strings *strings = nytp_strings_new();
    if (strings == NULL)
        g_error("out of memory");
    return strings;
}

void record_target_init(record_target *t, record_process_id process, const char *offsets, size_t max_depth)
{
    *t = (record_target){.pid = process.pid,
                         .offsets = offsets,
                         .max_depth = max_depth,
                         .strings = new_strings(),
                         .proc = record_process_open(process)};
    if (t->proc < 0 || !record_process_read_open(&t->process, t->proc))
        t->process.id = process;
}

void record_target_clear(record_target *t)
{
    record_stacks_free(t->stacks);
    nytp_strings_free(t->strings);
    if (t->proc >= 0)
        close(t->proc);
    t->stacks = NULL;
    t->strings = NULL;
    t->proc = -1;
}

static void explain_no_layout(record_target *t)
{
    char *known = NULL;
    size_t size = 0;
    FILE *list = open_memstream(&known, &size);
    if (list != NULL) {
        record_layouts_list(t->offsets, t->identity.version, t->identity.options, list);
        fclose(list);
    }
    snprintf(t->why, sizeof t->why,
             "%ld: the layout of its perl %s is not known. On a machine with that perl and its headers, run "
             "`make offsets PERL=/path/to/perl` in the sources of nytprof-tools, and pass the table with "
             "--offsets=FILE. Known layouts:%.5000s",
             (long)t->pid, t->identity.version, known != NULL && known[0] != '\0' ? known : " none");
    free(known);
}

static void explain(record_target *t, enum record_found found, int error_number)
{
    record_process p;
    char exe[512];
    if (found == RECORD_NOT_READABLE && (t->proc < 0 || !record_process_read_open(&p, t->proc)))
        snprintf(t->why, sizeof t->why, "%ld: there is no such process", (long)t->pid);
    else if (found == RECORD_NOT_READABLE && p.state == 'Z')
        snprintf(t->why, sizeof t->why, "%ld: the process has ended (a zombie)", (long)t->pid);
    else if (found == RECORD_NOT_READABLE && error_number == ENOENT)
        snprintf(t->why, sizeof t->why, "%ld: not a perl: a thread of the kernel", (long)t->pid);
    else if (found == RECORD_NOT_READABLE)
        record_permission_explain(t->pid, error_number, t->why, sizeof t->why);
    else if (t->identity.other_width)
        snprintf(t->why, sizeof t->why,
                 "%ld: not a 64-bit program: only perls with pointers of 8 bytes can be read", (long)t->pid);
    else if (found == RECORD_NO_LAYOUT)
        explain_no_layout(t);
    else if (found == RECORD_NOT_STARTED)
        snprintf(t->why, sizeof t->why, "%ld: its perl has no interpreter, or none yet", (long)t->pid);
    else {
        record_process_link(t->pid, "exe", exe, sizeof exe);
        snprintf(t->why, sizeof t->why, "%ld: %s is not a perl, and does not contain one", (long)t->pid,
                 exe[0] != '\0' ? exe : "the program");
    }
}

enum record_found record_target_attach(record_target *t)
{
    record_stacks_free(t->stacks);
    t->stacks = NULL;
    enum record_found found = RECORD_NOT_READABLE;
    errno = ESRCH;
    if (t->proc >= 0)
        found = record_interpreter_find(&t->interpreter, &t->pid, t->offsets, &t->identity);
    int error_number = errno;
    if (found == RECORD_FOUND && !record_process_exists(t->proc))
        found = RECORD_NOT_READABLE;
    if (found == RECORD_FOUND) {
        t->stacks = record_stacks_new(&t->interpreter, t->strings, t->max_depth);
        if (t->stacks != NULL)
            return RECORD_FOUND;
        snprintf(t->why, sizeof t->why, "%ld: the names of its perl's ops cannot be read", (long)t->pid);
        return RECORD_NOT_STARTED;
    }
    explain(t, found, error_number);
    return found;
}

bool record_target_trim(record_target *t)
{
    if (nytp_strings_bytes(t->strings) <= MOST_STRING_BYTES &&
        (t->stacks == NULL || record_stacks_kept(t->stacks) <= MOST_KEPT))
        return false;
    bool is_attached = t->stacks != NULL;
    record_stacks_free(t->stacks);
    nytp_strings_free(t->strings);
    t->strings = new_strings();
    t->stacks = is_attached ? record_stacks_new(&t->interpreter, t->strings, t->max_depth) : NULL;
    return true;
}

enum record_taken record_target_take(record_target *t, record_stack *stack)
{
    if (t->stacks == NULL) /* what is needed could not be read again: it has ended */
        return RECORD_GONE;
    enum record_taken taken = record_stacks_take(t->stacks, stack);
    if (!record_process_exists(t->proc))
        return RECORD_GONE;
    if (taken == RECORD_TAKEN)
        return taken;
    /* It may have executed another program, or end; one that is as it was is torn. */
    if (taken == RECORD_TORN && record_interpreter_verify(&t->interpreter))
        return taken;
    return RECORD_GONE;
}
