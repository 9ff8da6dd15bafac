/* nytp cover COMMAND: each perl below it leaves a recording in the directory nytcover. */
#include "inputs.h"

#include "cli/output.h"
#include "cli/say.h"
#include "cli/sibling.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#define LOAD "-MDevel::NYTProf::Cover"

static bool is_recording(const char *path)
{
    return nytp_file_mentions(path, "\n:cover=1\n");
}

bool cover_is_command(const nytp_operands *operands, bool after_dashes)
{
    if (operands->count == 0 || after_dashes)
        return operands->count > 0;
    const char *word = operands->names[0];
    g_autofree char *program = g_find_program_in_path(word);
    return program != NULL && !is_recording(word) && !g_file_test(word, G_FILE_TEST_IS_DIR);
}

/* Creates the directory of the recordings, or removes those of an earlier run. Returns its path; NULL after
 * saying why not. */
static char *empty_directory(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_canonicalize_filename(NYTP_COVERAGE_DIRECTORY, NULL);
    GDir *dir = g_mkdir_with_parents(path, 0777) == 0 ? g_dir_open(path, 0, &error) : NULL;
    if (dir == NULL) {
        nytp_say("%s: cannot write there: %s", path, error != NULL ? error->message : strerror(errno));
        return NULL;
    }
    for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *old = g_build_filename(path, name, NULL);
        if (is_recording(old))
            g_unlink(old);
    }
    g_dir_close(dir);
    return g_steal_pointer(&path);
}

static char **add_switch(char **environment, const char *variable)
{
    g_autofree char *switches = nytp_perl_switches(LOAD, g_environ_getenv(environment, variable));
    return g_environ_setenv(environment, variable, switches, TRUE);
}

/* With -T perl ignores PERL5OPT, but TAP::Harness gives its own switches to such tests. */
static char **environment_of(const char *directory)
{
    char **environment = nytp_sibling_environment();
    const char *of_user = g_environ_getenv(environment, "NYTPROF");
    g_autoptr(GString) options = g_string_new(of_user);
    g_autofree char *file = g_build_filename(directory, "of", NULL), *project = g_get_current_dir();
    nytp_collector_option(options, "cover_file", file);
    nytp_collector_option(options, "cover_dir", project);
    nytp_collector_option(options, "cover_addpid", "1");
    environment = g_environ_setenv(environment, "NYTPROF", options->str, TRUE);
    environment = add_switch(environment, "PERL5OPT");
    return add_switch(environment, "HARNESS_PERL_SWITCHES");
}

/* Returns whether the command is a perl with -M. It loads that module before those of PERL5OPT. With -T it
 * would not find ours. */
static bool is_perl_with_module(const nytp_operands *command)
{
    bool has_module = false;
    g_autofree char *program = g_path_get_basename(command->names[0]);
    for (int i = 1; i < command->count && command->names[i][0] == '-'; i++) {
        const char *word = command->names[i] + 1;
        if (*word == 'M' || *word == 'm')
            has_module = true;
        else if (*word != 'I' && strpbrk(word, "Tt") != NULL)
            return false;
    }
    return has_module && g_str_has_prefix(program, "perl");
}

int cover_run(const nytp_operands *operands)
{
    g_autofree char *directory = empty_directory();
    if (directory == NULL)
        return -1;
    g_auto(GStrv) environment = environment_of(directory);
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < operands->count; i++) {
        g_ptr_array_add(arguments, g_strdup(operands->names[i]));
        if (i == 0 && is_perl_with_module(operands))
            g_ptr_array_add(arguments, g_strdup(LOAD));
    }
    g_ptr_array_add(arguments, NULL);
    const nytp_job job = {.arguments = (char **)arguments->pdata, .environment = environment};
    return nytp_job_run(&job).status;
}
