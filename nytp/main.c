/* nytp: one command, whose verbs are our programs. */
#include "nytp.h"

#include "cli/options.h"
#include "cli/say.h"
#include "cli/sibling.h"

#include <string.h>
#include <unistd.h>

static bool is(const char *word, const char *name, const char *letter)
{
    return strcmp(word, name) == 0 || strcmp(word, letter) == 0;
}

static int wrong_verb(const char *name)
{
    if (*name == '-')
        return nytp_wrong_usage("unrecognized option '%s'", name);
    return nytp_wrong_usage("no verb '%s'%s", name, verb_closest_hint(name));
}

/* Verbs that nytp carries out itself, without another program, are described in its own manual. */
static int help(const char *name)
{
    const verb *v = verb_find(name);
    const bool is_filters = strcmp(name, "filters") == 0;
    if (v == NULL && strcmp(name, "help") != 0 && !is_filters)
        return wrong_verb(name);
    return verb_show_manual(v != NULL && v->program != NULL ? v->program : "nytp", is_filters);
}

static int execute(const verb *v, char **words)
{
    g_autoptr(GPtrArray) arguments = g_ptr_array_new();
    g_ptr_array_add(arguments, words[0]);
    if (v->option != NULL)
        g_ptr_array_add(arguments, (char *)v->option);
    do
        g_ptr_array_add(arguments, *++words);
    while (*words != NULL);
    return nytp_sibling_execute(v->program, (char **)arguments->pdata);
}

/* Does not call nytp_start(), because what it changes would reach the programs that are executed. */
int main(int argc, char **argv)
{
    nytp_set_name("nytp");
    const char *word = argc > 1 ? argv[1] : "help";
    if (is(word, "--help", "-h") || (argc <= 2 && strcmp(word, "help") == 0))
        return verb_print_list();
    if (strcmp(word, "help") == 0)
        return argc == 3 ? help(argv[2]) : nytp_wrong_usage("unexpected argument '%s'", argv[3]);
    if (strcmp(word, "--version") == 0)
        return nytp_help_version();
    if (strcmp(word, "--help-values") == 0)
        return verb_print_names();
    const verb *v = verb_find(word);
    if (v == NULL && access(word, F_OK) == 0)
        return execute(verb_find("summary"), argv);
    if (v == NULL)
        return wrong_verb(word);
    return v->program == NULL ? verb_run(argc - 1, argv + 1) : execute(v, argv + 1);
}
