/* What names that perl or the profiler made up mean. */
#include "overview.h"

#include "base/labels.h"

#include <string.h>

typedef struct explanation {
    const char *name, *text;
} explanation;

/* Ops, by perl's names of them, and what calls under a name of its own. */
static const explanation of_subs[] = {
    {"main::RUNTIME", "The code of the main program outside of all subs"},
    {"main::NULL",
     "Perl itself: what is called outside of all subs while the main program does not run, such as "
     "BEGIN and END blocks"},
    {"sselect", "select with four arguments: waits for files to be ready, or for some time"},
    {"regcomp", "Compiling a regular expression"},
    {"substcont", "The replacement of s///"},
    {"prtf", "printf"},
};

static const explanation of_kinds[] = {
    {"other", "What none of the others is"},
    {"value heads", "The fixed part of each value. Perl allocates them in arenas of 4,080 bytes"},
    {"value bodies", "What a value has besides its head, by its type. Perl allocates them in arenas, too"},
    {"net values", "Heads and bodies of values: those that calls of a sub made, less those that they freed, "
                   "also if others made these"},
    {"room for values",
     "What is free in the arenas of heads and bodies, and what other threads have of them"},
    {"strings", "The text of strings"},
    {"arrays", "The slots of arrays"},
    {"hashes", "The buckets, entries and keys of hashes"},
    {"symbols", "Names of packages, subs and variables, and what they lead to"},
    {"code", "Compiled code: what perl makes of the source of a file when it loads it"},
    {"patterns", "Compiled regular expressions"},
    {"perl's stacks", "Where perl keeps arguments, results and calls that go on"},
    {"files", "Buffers of open files"},
    {"magic", "What tied, tainted, weak and other special values have besides"},
};

static const char *found_in(const explanation *list, size_t count, nytp_str name)
{
    for (size_t i = 0; i < count; i++)
        if (nytp_str_is(name, list[i].name))
            return list[i].text;
    return NULL;
}

char *html_explanation_of_sub(nytp_str name)
{
    static const char file_tests[] =
        " rread R rwrite W rexec X eread r ewrite w eexec x is e size s mtime M atime A ctime C rowned O "
        "eowned o zero z sock S chr c blk b file f dir d pipe p suid u sgid g svtx k link l tty t text T "
        "binary B ";
    const nytp_str op = nytp_sub_op(name);
    if (op.length > 2 && memcmp(op.bytes, "ft", 2) == 0) {
        g_autofree char *test = g_strdup_printf(" %.*s ", (int)op.length - 2, op.bytes + 2);
        const char *at = strstr(file_tests, test);
        if (at != NULL)
            return g_strdup_printf("The file test -%c", at[strlen(test)]);
    }
    return g_strdup(found_in(of_subs, G_N_ELEMENTS(of_subs), op.length > 0 ? op : name));
}

char *html_explanation_of_kind(nytp_str name)
{
    const char *text = found_in(of_kinds, G_N_ELEMENTS(of_kinds), name);
    return text != NULL ? g_strdup(text)
                        : g_strdup_printf("Allocated by %.*s, a library or an XS module", (int)name.length,
                                          name.bytes);
}
