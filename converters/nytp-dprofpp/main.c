/* nytp-dprofpp: the calls of profiles as dprofpp shows them: its table, trees, and every call in order. */
#include "command.h"
#include "view.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/sibling.h"
#include "cli/start.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

/* Prints the program's version and, if a file is at path, the version of the profiler that wrote it. Returns
 * the exit status. */
static int print_versions(const char *path)
{
    nytp_help_version();
    g_autofree char *of_dprof = nytp_read_attribute(path, "dprof_XS_VERSION"),
                    *of_ours = nytp_read_attribute(path, "xs_version");
    if (of_dprof != NULL || of_ours != NULL)
        printf("XS_VERSION: %s\n", of_dprof != NULL ? of_dprof : of_ours);
    return nytp_flush_stdout();
}

typedef struct reading {
    dprofpp_calls *calls;
    nytp_common_options common; /* of the current profile */
    bool strict;                /* of all profiles */
    bool force;
} reading;

/* A profile can be recognised as a tmon.out only after a process has begun. */
static int read_some(void *context, nytp_reader *reader)
{
    reading *r = context;
    int rc = dprofpp_calls_read(r->calls, reader);
    if (r->calls->is_dprof && r->calls->has_process && !r->force)
        r->common.strict = true;
    return rc;
}

static bool end_profile(void *context)
{
    reading *r = context;
    dprofpp_calls_end_profile(r->calls);
    r->common.strict = r->strict;
    return true;
}

/* Adds the calls of all files. force: accept missing exit marks in a tmon.out, which are an error otherwise,
 * as in dprofpp. Returns 0, or -1 after saying why. */
static int read_files(dprofpp_calls *c, const nytp_operands *files, const nytp_common_options *common,
                      bool force)
{
    for (int i = 0; i < files->count; i++) {
        reading r = {c, *common, common->strict, force};
        const nytp_read_handler handler = {.tags = nytp_events_tags(c->events),
                                           .read_some = read_some,
                                           .end_profile = end_profile,
                                           .context = &r};
        if (nytp_read(files->names[i], &r.common, &handler) < 0)
            return -1;
    }
    if (nytp_measure_is_bytes(&c->measure) && c->order != NULL) {
        nytp_say("a profile of memory has no order of calls: -T and -t cannot show it");
        return -1;
    }
    if (c->some_other && !c->some_dprof)
        nytp_options_warn("real system user force", "on a nytprof.out");
    if (c->count == 0)
        nytp_warn_no_calls();
    else if (c->labels != NULL && !dprofpp_labels_any(c))
        nytp_warn_lack("no labels of that kind (NYTPROF=labels=... records them)");
    else if (common->verbose)
        nytp_say("%s", nytp_counted(c->count, "call").text);
    return 0;
}

static int write_result(dprofpp_calls *c, const char *path)
{
    enum { MANY_MB = 20 }; /* more than anyone reads */
    g_autofree char *why = NULL;
    nytp_output *output = nytp_read_open_large_output(
        path, MANY_MB,
        c->order != NULL ? "--depth=N makes it smaller" : "--depth=N and --min=1% make it smaller");
    if (output == NULL)
        return -1;
    if (dprofpp_write(c, nytp_output_stream(output), &why))
        return nytp_output_commit(output);
    nytp_say("%s", why);
    nytp_output_discard(output);
    return -1;
}

static int fit_unit(dprofpp_command *command, const dprofpp_calls *c)
{
    uint64_t calls;
    double ticks;
    nytp_calltree_totals(c->tree, &calls, &ticks);
    return nytp_read_unit(&command->options.unit, ticks);
}

static int run(dprofpp_command *command)
{
    const nytp_common_options *common = &command->common;
    command->options.show_root |= nytp_read_has_root(command->files.names[0], common);
    dprofpp_calls *c = dprofpp_calls_new(&command->options);
    const bool done = read_files(c, &command->files, common, command->force) == 0 &&
                      fit_unit(command, c) == 0 && write_result(c, common->output) == 0;
    dprofpp_calls_free(c);
    return nytp_exit(done);
}

int main(int argc, char **argv)
{
    dprofpp_command command = {0};
    g_autofree char *name = g_path_get_basename(argv[0]);
    command.common.takes = NYTP_TAKES_MEASURE;
    command.is_tree = strcmp(name, "nytp-tree") == 0;
    nytp_start(command.is_tree ? name : "nytp-dprofpp", argv);
    g_autofree char **words = g_memdup2(argv, (size_t)(argc + 1) * sizeof *argv); /* in their order */
    int status = dprofpp_command_parse(&command, argc, argv);
    if (status < 0 && command.show_version)
        status = print_versions(command.files.names[0]);
    if (status < 0 && command.is_other)
        status = nytp_sibling_execute("nytp-table", words);
    if (status < 0)
        status = run(&command);
    g_clear_pointer(&command.options.group, g_regex_unref);
    g_clear_pointer(&command.options.filter, g_regex_unref);
    return status;
}
