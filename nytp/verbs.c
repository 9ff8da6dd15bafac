#include "nytp.h"

#include "cli/output.h"

#include <stdio.h>
#include <string.h>

static const verb verbs[] = {
    {"What is slow?", "run", NULL, "profiles a script, and opens the report"},
    {NULL, "report", "nytprofhtml", "flame graph, subs, source, timeline"},
    {NULL, "tree", "nytp-tree", "the tree of stacks, or a table of subs"},
    {"What is it doing now?", "top", "nytp-top", "the hot subs of a running program"},
    {NULL, "record", "nytp-record", "samples a running program into a profile"},
    {"What changed?", "diff", "nytp-diff", "compares profiles"},
    {NULL, "bench", "nytp-bench", "whether it became slower, for git bisect"},
    {"Where is the memory?", NULL, NULL, "NYTPROF=heap=1 nytp run, report"},
    {"Which code has run?", "cover", "nytp-cover", "lines, branches and subs, or not"},
    {"For another viewer", "calls", "nytprofcalls", "collapsed stacks, for flamegraph.pl"},
    {NULL, "cg", "nytprofcg", "KCachegrind and callgrind_annotate"},
    {NULL, "dot", "nytp-dot", "Graphviz"},
    {NULL, "speedscope", "nytp-speedscope", "speedscope, VS Code and DevTools"},
    {NULL, "pprof", "nytp-pprof", "pprof, Pyroscope and Parca"},
    {NULL, "trace", "nytp-trace", "Perfetto and viewers of Chrome traces"},
    {NULL, "csv", "nytprofcsv", "a spreadsheet or a database"},
    {NULL, "dprof", "nytp-dprof", "dprofpp"},
    {"Many profiles", "merge", "nytprofmerge", "makes one profile of many"},
};

enum { COUNT = sizeof verbs / sizeof verbs[0] };

const verb *verb_find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (verbs[i].name != NULL && strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

int verb_print_list(void)
{
    fputs("usage: nytp VERB [ARG ...]\n"
          "One command for all programs: nytp tree --table is nytp-tree --table.\n\n"
          "  nytp run my.pl\n\n",
          stdout);
    for (size_t i = 0; i < COUNT; i++)
        printf("%-22s  %-10s  %s\n", verbs[i].wish != NULL ? verbs[i].wish : "",
               verbs[i].name != NULL ? verbs[i].name : "", verbs[i].about);
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
