#include "nytp.h"

#include "cli/sibling.h"
#include "cli/options.h"
#include "cli/say.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

static const nytp_program program = {
    .about = "Profiles a Perl script and the perls that it starts, and opens the report in a browser.\n",
    .examples = "  nytp run my.pl --its=options\n"
                "  nytp run -S prove t\n",
    .operands = NYTP_OTHER_OPERANDS,
    .operands_usage = "[-PERL'S-OPTION ...] SCRIPT [ARG ...]",
    .operands_about =
        "perl is given all from the first option with one dash on: nytp run -Ilib -e 'f() for 1 .. 9'.\n"
        "NYTPROF may have options of the collector. The exit status is that of the program.\n",
    .passes_letters = true,
    .ends_at_operand = true,
};

/* perl -d:NYTProf ARGUMENTS: with -T it ignores PERL5OPT. */
static int profile(const nytp_parts *parts, const nytp_operands *operands)
{
    g_auto(GStrv) environment = nytp_parts_environment(parts);
    g_autoptr(GPtrArray) arguments = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(arguments, g_strdup("perl"));
    g_ptr_array_add(arguments, g_strdup("-d:NYTProf"));
    for (int i = 0; i < operands->count; i++)
        g_ptr_array_add(arguments, g_strdup(operands->names[i]));
    g_ptr_array_add(arguments, NULL);
    const nytp_job job = {.arguments = (char **)arguments->pdata, .environment = environment};
    return nytp_job_run(&job).status;
}

static bool report(const nytp_parts *parts, bool no_open)
{
    g_autofree char *profile_path = nytp_parts_end(parts);
    if (profile_path == NULL)
        return false;
    g_autofree char *page = g_build_filename(parts->directory, "index.html", NULL);
    /* The directory, not the page: pages of memory go beside that. */
    const char *const arguments[] = {
        "nytprofhtml", "--out", parts->directory, profile_path, no_open ? NULL : "--open", NULL};
    if (!nytp_sibling_run(arguments))
        return false;
    nytp_say("the report is %s, the profile %s", page, profile_path);
    nytp_say("next: nytp %s", profile_path);
    return true;
}

/* Where a program finds its profile if it is given none: a directory of an earlier run, or a new one.
 * Otherwise returns NULL, after saying that it will be another one. */
static const char *usual_directory(void)
{
    static const char name[] = "nytprof", profile[] = "nytprof/nytprof.out";
    const bool is_there = access(name, F_OK) == 0;
    if (is_there ? access(profile, F_OK) == 0 && access(name, W_OK) == 0 : access(".", W_OK) == 0)
        return name;
    nytp_say(is_there ? "%s is not of an earlier run, so the report goes below %s"
                      : "%s cannot be made here, so the report goes below %s",
             name, g_get_tmp_dir());
    return NULL;
}

/* perl has said that it cannot open the script. */
static void hint_at_path(const char *script)
{
    g_autofree char *found = strchr(script, '/') == NULL ? g_find_program_in_path(script) : NULL;
    if (found != NULL && !g_file_test(script, G_FILE_TEST_EXISTS))
        nytp_say("%s is in PATH: nytp run -S %s", script, script);
}

int verb_run(int argc, char **argv)
{
    const char *output = NULL;
    bool no_open = false;
    const nytp_option table[] = {
        {'o', "output", "DIR", "where the profile and the report go (default nytprof)", .path = &output},
        {0, "no-open", NULL, "only print the name of the report", .flag = &no_open},
        NYTP_TABLE_END,
    };
    nytp_operands operands;
    nytp_set_name("nytp run");
    int status = nytp_options_parse(&program, table, argc, argv, &operands);
    if (status >= 0)
        return status;
    if (operands.count == 0)
        return nytp_wrong_usage("which script? give its name, or -S and that of a program in PATH");
    nytp_parts parts;
    bool done = nytp_parts_begin(&parts, output != NULL ? output : usual_directory());
    if (done) {
        status = profile(&parts, &operands);
        done = report(&parts, no_open);
        if (!done)
            hint_at_path(operands.names[0]);
    }
    nytp_parts_free(&parts);
    return status > 0 ? status : nytp_exit(done);
}
