#include "sampler/sample/target.h"

#include "sampler/perl/layouts.h"
#include "sampler/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_STRING_BYTES = 1 << 20,
    MOST_VARIABLES = 4096, /* of the environment */
    MOST_KEPT = 1 << 14,   /* statements and subs, each of about 200 bytes with its entry in a table */
};

static nytp_strings *new_strings(void)
{
    nytp_strings *strings = nytp_strings_new();
    if (strings == NULL)
        g_error("out of memory");
    return strings;
}

sampler_subject sampler_subject_of(sampler_process_id process)
{
    return (sampler_subject){.process.id = process, .tid = process.pid, .is_asked_for = true};
}

/* The directory of a thread is like that of a process. */
static int open_thread(int process, pid_t tid)
{
    char name[32];
    snprintf(name, sizeof name, "task/%ld", (long)tid);
    int fd = openat(process, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error_number = errno;
    close(process);
    errno = error_number;
    return fd;
}

void sampler_target_init(sampler_target *t, const sampler_subject *subject, const char *offsets,
                         size_t max_depth)
{
    const sampler_process_id id = subject->process.id;
    *t = (sampler_target){.pid = id.pid,
                          .tid = subject->tid,
                          .slot = subject->slot,
                          .offsets = offsets,
                          .max_depth = max_depth,
                          .strings = new_strings(),
                          .proc = sampler_process_open(id)};
    t->open_error = errno;
    if (t->proc < 0 || !sampler_process_read_open(&t->process, t->proc))
        t->process.id = id;
    if (t->proc >= 0 && t->tid != t->pid) {
        t->proc = open_thread(t->proc, t->tid);
        t->open_error = errno;
    }
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
        sampler_layouts_list(t->offsets, &t->identity, list);
        fclose(list);
    }
    snprintf(
        t->why, sizeof t->why,
        "%ld: the layout of its perl %s (%s) is not known. On a machine with that perl and its headers, run "
        "`make offsets PERL=/path/to/perl` in the sources of nytprof-tools, and pass the table with "
        "--offsets=FILE. Known layouts:%.5000s",
        (long)t->pid, t->identity.version, t->identity.machine,
        known != NULL && known[0] != '\0' ? known : " none");
    free(known);
}

static void explain_not_perl(sampler_target *t)
{
    char exe[512];
    sampler_process_link(t->pid, "exe", exe, sizeof exe);
    const char *program = exe[0] != '\0' ? exe : "the program";
    if (t->identity.is_stripped)
        snprintf(t->why, sizeof t->why,
                 "%ld: %s is statically linked and has no symbols (strip), so a perl in it cannot be found",
                 (long)t->pid, program);
    else
        snprintf(t->why, sizeof t->why, "%ld: %s is not a perl, and does not contain one", (long)t->pid,
                 program);
}

/* Why nothing could be read of a process. Returns what was found. */
static enum sampler_found explain_not_readable(sampler_target *t, int error_number)
{
    sampler_process p = {0};
    if (t->proc < 0)
        return sampler_permission_explain_absent(t->pid, t->open_error, t->why, sizeof t->why)
                   ? SAMPLER_NOT_READABLE
                   : SAMPLER_ENDED;
    if (!sampler_process_read_open(&p, t->proc) || sampler_process_has_ended(&p)) {
        snprintf(t->why, sizeof t->why, "%ld: the process has ended%s", (long)t->pid,
                 p.state == 'Z' ? " (a zombie)" : "");
        return SAMPLER_ENDED;
    }
    if (p.kernel) {
        snprintf(t->why, sizeof t->why, "%ld: not a perl: a thread of the kernel", (long)t->pid);
        return SAMPLER_NOT_PERL;
    }
    sampler_permission_explain(t->pid, error_number, t->why, sizeof t->why);
    return SAMPLER_NOT_READABLE;
}

static enum sampler_found explain(sampler_target *t, enum sampler_found found, int error_number)
{
    if (found == SAMPLER_NOT_READABLE)
        return explain_not_readable(t, error_number);
    if (t->identity.other_width)
        snprintf(t->why, sizeof t->why,
                 "%ld: not a 64-bit program: only perls with pointers of 8 bytes can be read", (long)t->pid);
    else if (found == SAMPLER_NO_LAYOUT)
        explain_no_layout(t);
    else if (found == SAMPLER_NOT_STARTED)
        snprintf(t->why, sizeof t->why, "%ld: its perl has no interpreter, or none yet", (long)t->pid);
    else
        explain_not_perl(t);
    return found;
}

static void note_guess(sampler_target *t)
{
    const sampler_layout *l = &t->interpreter.layout;
    t->guess[0] = '\0';
    if (!sampler_layout_has_release(l, t->identity.version))
        snprintf(t->guess, sizeof t->guess,
                 "perl %s is not known: its structures are taken to be those of perl %s", t->identity.version,
                 l->version);
}

/* A program may set $^T to anything. */
double sampler_target_start_s(const sampler_target *t)
{
    const double process_s = sampler_process_start_s(&t->process);
    const uint64_t base_s = sampler_memory_pointer(&t->interpreter.memory, t->interpreter.at.basetime);
    const double latest_s = (double)base_s + 1;
    return latest_s > process_s && (double)base_s <= nytp_time_s(CLOCK_REALTIME) ? latest_s : process_s;
}

static uint64_t interpreter_of_thread(const sampler_target *t)
{
    return sampler_memory_pointer(&t->interpreter.memory, t->slot);
}

enum sampler_found sampler_target_attach(sampler_target *t)
{
    sampler_stacks_free(t->stacks);
    t->stacks = NULL;
    enum sampler_found found = SAMPLER_NOT_READABLE;
    errno = 0;
    if (t->proc >= 0)
        found = sampler_interpreter_find(&t->interpreter, &t->pid, t->offsets, &t->identity, &t->pthreads);
    int error_number = errno;
    if (found == SAMPLER_FOUND && t->slot != 0 &&
        !sampler_interpreter_move(&t->interpreter, interpreter_of_thread(t)))
        found = SAMPLER_NOT_STARTED;
    if (found == SAMPLER_FOUND && !sampler_process_exists(t->proc))
        found = SAMPLER_NOT_READABLE;
    if (found == SAMPLER_FOUND) {
        note_guess(t);
        t->stacks = sampler_stacks_new(&t->interpreter, t->strings, t->max_depth);
        if (t->stacks != NULL)
            return SAMPLER_FOUND;
        snprintf(t->why, sizeof t->why, "%ld: the names of its perl's ops cannot be read", (long)t->pid);
        return SAMPLER_NOT_STARTED;
    }
    return explain(t, found, error_number);
}

bool sampler_target_program(const sampler_target *t, char *to, size_t size)
{
    const sampler_memory *memory = &t->interpreter.memory;
    uint64_t address = sampler_memory_pointer(memory, t->interpreter.at.origfilename);
    if (sampler_memory_string(memory, address, to, size))
        return true;
    sampler_process_arguments(t->pid, to, size);
    return false;
}

static bool take_variable(const char *text, const char *name, char *to, size_t size)
{
    const size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || text[length] != '=')
        return false;
    g_strlcpy(to, text + length + 1, size);
    return true;
}

static bool find_first_environment(const sampler_target *t, const char *name, char *to, size_t size)
{
    int fd = openat(t->proc, "environ", O_RDONLY | O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
    g_autofree char *text = NULL;
    size_t room = 0;
    bool found = false;
    if (file == NULL)
        return false;
    while (!found && getdelim(&text, &room, '\0', file) > 0)
        found = take_variable(text, name, to, size);
    fclose(file);
    return found;
}

void sampler_target_environment(const sampler_target *t, const char *name, char *to, size_t size)
{
    const sampler_memory *memory = &t->interpreter.memory;
    char text[PATH_MAX + 64];
    if (find_first_environment(t, name, to, size))
        return;
    uint64_t list = sampler_memory_pointer(memory, t->interpreter.environ), one;
    to[0] = '\0';
    for (int n = 0; list != 0 && n < MOST_VARIABLES; n++, list += sizeof one) {
        if ((one = sampler_memory_pointer(memory, list)) == 0)
            return;
        if (sampler_memory_string(memory, one, text, sizeof text) && take_variable(text, name, to, size))
            return;
    }
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

/* An IV, which is never negative, and of which no program has more than memory has bytes. */
uint64_t sampler_target_values(const sampler_target *t)
{
    const uint64_t at = t->interpreter.at.sv_count;
    const uint64_t values = at != 0 ? sampler_memory_pointer(&t->interpreter.memory, at) : 0;
    return values <= UINT64_C(1) << 48 ? values : 0;
}

enum sampler_taken sampler_target_take(sampler_target *t, sampler_stack *stack)
{
    if (t->stacks == NULL) /* what is needed could not be read again: it has ended */
        return SAMPLER_GONE;
    enum sampler_taken taken = sampler_stacks_take(t->stacks, stack);
    if (!sampler_process_exists(t->proc) ||
        (t->slot != 0 && interpreter_of_thread(t) != t->interpreter.address))
        return SAMPLER_GONE;
    if (taken == SAMPLER_TAKEN)
        return taken;
    /* It may have executed another program, or end; one that is as it was is torn. */
    if (taken == SAMPLER_TORN && sampler_interpreter_verify(&t->interpreter))
        return taken;
    return SAMPLER_GONE;
}
