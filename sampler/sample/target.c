#include "sampler/sample/target.h"

#include "sampler/perl/layouts.h"
#include "sampler/process/permission.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
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

void sampler_target_init(sampler_target *t, sampler_process_id process, const char *offsets, size_t max_depth)
{
    *t = (sampler_target){.pid = process.pid,
                          .offsets = offsets,
                          .max_depth = max_depth,
                          .strings = new_strings(),
                          .proc = sampler_process_open(process)};
    if (t->proc < 0 || !sampler_process_read_open(&t->process, t->proc))
        t->process.id = process;
}

void sampler_target_clear(sampler_target *t)
{
    sampler_stacks_free(t->stacks);
    nytp_strings_free(t->strings);
    if (t->proc >= 0)
        close(t->proc);
    t->stacks = NULL;
    t->strings = NULL;
    t->proc = -1;
}

static void explain_no_layout(sampler_target *t)
{
    char *known = NULL;
    size_t size = 0;
    FILE *list = open_memstream(&known, &size);
    if (list != NULL) {
        sampler_layouts_list(t->offsets, t->identity.version, t->identity.options, list);
        fclose(list);
    }
    snprintf(t->why, sizeof t->why,
             "%ld: the layout of its perl %s is not known. On a machine with that perl and its headers, run "
             "`make offsets PERL=/path/to/perl` in the sources of nytprof-tools, and pass the table with "
             "--offsets=FILE. Known layouts:%.5000s",
             (long)t->pid, t->identity.version, known != NULL && known[0] != '\0' ? known : " none");
    free(known);
}

static void explain(sampler_target *t, enum sampler_found found, int error_number)
{
    sampler_process p;
    char exe[512];
    if (found == SAMPLER_NOT_READABLE && (t->proc < 0 || !sampler_process_read_open(&p, t->proc)))
        snprintf(t->why, sizeof t->why, "%ld: there is no such process", (long)t->pid);
    else if (found == SAMPLER_NOT_READABLE && p.state == 'Z')
        snprintf(t->why, sizeof t->why, "%ld: the process has ended (a zombie)", (long)t->pid);
    else if (found == SAMPLER_NOT_READABLE && error_number == ENOENT)
        snprintf(t->why, sizeof t->why, "%ld: not a perl: a thread of the kernel", (long)t->pid);
    else if (found == SAMPLER_NOT_READABLE)
        sampler_permission_explain(t->pid, error_number, t->why, sizeof t->why);
    else if (t->identity.other_width)
        snprintf(t->why, sizeof t->why,
                 "%ld: not a 64-bit program: only perls with pointers of 8 bytes can be read", (long)t->pid);
    else if (found == SAMPLER_NO_LAYOUT)
        explain_no_layout(t);
    else if (found == SAMPLER_NOT_STARTED)
        snprintf(t->why, sizeof t->why, "%ld: its perl has no interpreter, or none yet", (long)t->pid);
    else {
        sampler_process_link(t->pid, "exe", exe, sizeof exe);
        snprintf(t->why, sizeof t->why, "%ld: %s is not a perl, and does not contain one", (long)t->pid,
                 exe[0] != '\0' ? exe : "the program");
    }
}

enum sampler_found sampler_target_attach(sampler_target *t)
{
    sampler_stacks_free(t->stacks);
    t->stacks = NULL;
    enum sampler_found found = SAMPLER_NOT_READABLE;
    errno = ESRCH;
    if (t->proc >= 0)
        found = sampler_interpreter_find(&t->interpreter, &t->pid, t->offsets, &t->identity);
    int error_number = errno;
    if (found == SAMPLER_FOUND && !sampler_process_exists(t->proc))
        found = SAMPLER_NOT_READABLE;
    if (found == SAMPLER_FOUND) {
        t->stacks = sampler_stacks_new(&t->interpreter, t->strings, t->max_depth);
        if (t->stacks != NULL)
            return SAMPLER_FOUND;
        snprintf(t->why, sizeof t->why, "%ld: the names of its perl's ops cannot be read", (long)t->pid);
        return SAMPLER_NOT_STARTED;
    }
    explain(t, found, error_number);
    return found;
}

void sampler_target_program(const sampler_target *t, char *to, size_t size)
{
    const sampler_memory *memory = &t->interpreter.memory;
    uint64_t address = sampler_memory_pointer(memory, t->interpreter.at.origfilename);
    if (!sampler_memory_string(memory, address, to, size))
        sampler_process_arguments(t->pid, to, size);
}

bool sampler_target_trim(sampler_target *t)
{
    if (nytp_strings_bytes(t->strings) <= MOST_STRING_BYTES &&
        (t->stacks == NULL || sampler_stacks_kept(t->stacks) <= MOST_KEPT))
        return false;
    bool is_attached = t->stacks != NULL;
    sampler_stacks_free(t->stacks);
    nytp_strings_free(t->strings);
    t->strings = new_strings();
    t->stacks = is_attached ? sampler_stacks_new(&t->interpreter, t->strings, t->max_depth) : NULL;
    return true;
}

enum sampler_taken sampler_target_take(sampler_target *t, sampler_stack *stack)
{
    if (t->stacks == NULL) /* what is needed could not be read again: it has ended */
        return SAMPLER_GONE;
    enum sampler_taken taken = sampler_stacks_take(t->stacks, stack);
    if (!sampler_process_exists(t->proc))
        return SAMPLER_GONE;
    if (taken == SAMPLER_TAKEN)
        return taken;
    /* It may have executed another program, or end; one that is as it was is torn. */
    if (taken == SAMPLER_TORN && sampler_interpreter_verify(&t->interpreter))
        return taken;
    return SAMPLER_GONE;
}
