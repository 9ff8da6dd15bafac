#include "nytp.h"

#include "base/closest.h"
#include "cli/output.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const verb verbs[] = {
    {"What is slow?", "run", NULL, NULL, "profiles a script, and opens the report"},
    {NULL, "report", "nytprofhtml", NULL, "flame graph, subs, source, timeline"},
    {NULL, "tree", "nytp-tree", NULL, "calls as a tree"},
    {NULL, "table", "nytp-table", NULL, "one of these; nytp FILE is the summary"},
    {NULL, "summary", "nytp-table", "--by=summary", NULL},
    {NULL, "subs", "nytp-table", "--by=subs", NULL},
    {NULL, "lines", "nytp-table", "--by=lines", NULL},
    {NULL, "requests", "nytp-table", "--by=requests", NULL},
    {NULL, "queries", "nytp-table", "--by=queries", NULL},
    {NULL, "processes", "nytp-table", "--by=processes", NULL},
    {NULL, "findings", "nytp-table", "--by=findings", ""},
    {"What is it doing now?", "top", "nytp-top", NULL, "the hot subs of a running program"},
    {NULL, "record", "nytp-record", NULL, "samples a running program into a profile"},
    {"What changed?", "diff", "nytp-diff", NULL, "compares profiles"},
    {NULL, "bench", "nytp-bench", NULL, "whether it became slower, for git bisect"},
    {"Where is the memory?", NULL, NULL, NULL, "NYTPROF=heap=1 nytp run, report"},
    {"Which code has run?", "cover", "nytp-cover", NULL, "lines, branches and subs, or not"},
    {"For another viewer", "calls", "nytprofcalls", NULL, NULL},
    {NULL, "cg", "nytprofcg", NULL, NULL},
    {NULL, "dot", "nytp-dot", NULL, NULL},
    {NULL, "speedscope", "nytp-speedscope", NULL, NULL},
    {NULL, "pprof", "nytp-pprof", NULL, NULL},
    {NULL, "trace", "nytp-trace", NULL, NULL},
    {NULL, "csv", "nytprofcsv", NULL, NULL},
    {NULL, "dprofpp", "nytp-dprofpp", NULL, NULL},
    {NULL, "dprof", "nytp-dprof", NULL,
     "for flamegraph.pl, KCachegrind, Graphviz, speedscope,\n"
     "                        pprof, Perfetto, a spreadsheet or database, dprofpp"},
    {"Many profiles", "merge", "nytprofmerge", NULL, "makes one profile of many"},
};

enum { COUNT = sizeof verbs / sizeof verbs[0] };

const verb *verb_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (verbs[i].name != NULL && strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

const char *verb_closest_hint(const char *name)
{
    nytp_closest closest = {.wrong = name};
    for (size_t i = 0; i < COUNT; i++)
        if (verbs[i].name != NULL)
            nytp_closest_try(&closest, verbs[i].name, strlen(verbs[i].name));
    return nytp_closest_hint(&closest);
}

/* Those without a text of their own share the line, and the text, of the next one. */
static void print_verb(size_t i)
{
    const char *wish = verbs[i].wish != NULL ? verbs[i].wish : "",
               *name = verbs[i].name != NULL ? verbs[i].name : "", *about = verbs[i].about;
    const bool is_first = i == 0 || verbs[i - 1].about != NULL;
    if (is_first && about != NULL)
        printf("%-22s  %-10s  %s\n", wish, name, about);
    else if (is_first)
        printf("%-22s  %s", wish, name);
    else
        printf(" %s%s%s%s", name, about != NULL && *about != '\0' ? "\n                        " : "",
               about != NULL ? about : "", about != NULL ? "\n" : "");
}

int verb_print_list(void)
{
    fputs("usage: nytp VERB [ARG ...]\n"
          "One command for all programs: nytp tree --min=1 is nytp-tree --min=1.\n\n"
          "  nytp run my.pl\n\n",
          stdout);
    for (size_t i = 0; i < COUNT; i++)
        print_verb(i);
    puts("\nnytp help VERB shows its manual page, nytp VERB --help its options.\n"
         "  -h, --help, --version");
    return nytp_flush_stdout();
}

int verb_print_names(void)
{
    puts("help\t");
    for (size_t i = 0; i < COUNT; i++)
        if (verbs[i].name != NULL)
            printf("%s\t\n", verbs[i].name);
    puts("-h\t\n--help\t\n--version\t");
    return nytp_flush_stdout();
}
