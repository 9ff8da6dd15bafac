/* nytp-tree: the calls of profiles as text: trees, every call in order, and dprofpp's table. */
#include "write.h"
#include "nytprof.h"
#include "base/str.h"
#include "cli/tool_options.h"
#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "cli/start.h"

#include <glib.h>
#include <stdlib.h>
#include <unistd.h>

static const char help[] =
    "usage: nytp-tree [OPTION ...] [FILE ...]\n"
    "Shows the calls of Perl profiles (nytprof.out or tmon.out) as dprofpp does: -S (--merged, default) a\n"
    "tree of all stacks, -T (--calls) every call in order, -t (--folded) that with repeats on one line,\n"
    "--table a line for each sub, --json the tree for programs, --callers=SUB the tree turned over.\n"
    "\n"
    "  nytp-tree --min=1 --unit=ms nytprof.out | less -S\n"
    "\n"
    "  -z -v -l -a -U   sort: --by-time, --by-average, --by-calls, --by-name, --unsorted; show a table\n"
    "  -I -E -O N -q    table: --inclusive, --exclusive times, --rows=N (15, -1: all), --no-header\n"
    "  -d               --reverse the order\n"
    "  -g SUB           --root=SUB: only calls of SUB and what they called\n"
    "  -f RE            --filter=RE: leave out subs whose names match\n"
    "  -G RE, -P        --group=RE: one sub of all that match, --pull: and one of all others\n"
    "  -R, -A           --anons: keep anonymous subs apart, --autoload: accepted, no effect\n"
    "  -r -s -u         tmon.out: --real, --system, --user time instead of user+system\n"
    "  -F               tmon.out: --force: take what is there when exit marks are missing\n"
    "  --min=PERCENT    leave out what took less         --depth=N  show N levels of calls\n"
    "  --unit=UNIT      s (default), ms, us, ns or ticks\n"
    "  --unicode        lines between calls              --color[=WHEN]  auto, always or never\n"
    "  -o, --output=FILE  --strict  --salvage  --verbose  -h, --help  -V, --version\n";

enum { OPT_TABLE = 256, OPT_JSON, OPT_CALLERS, OPT_MIN, OPT_DEPTH, OPT_UNIT, OPT_COLOR, OPT_UNICODE };

static const char short_options[] = "ho:zvlaUdIEO:qg:f:G:PRArsuFTtSV";

static const struct option long_options[] = {
    NYTP_TOOL_OPTIONS,
    {"merged", no_argument, NULL, 'S'},
    {"calls", no_argument, NULL, 'T'},
    {"folded", no_argument, NULL, 't'},
    {"table", no_argument, NULL, OPT_TABLE},
    {"json", no_argument, NULL, OPT_JSON},
    {"callers", required_argument, NULL, OPT_CALLERS},
    {"by-time", no_argument, NULL, 'z'},
    {"by-average", no_argument, NULL, 'v'},
    {"by-calls", no_argument, NULL, 'l'},
    {"by-name", no_argument, NULL, 'a'},
    {"unsorted", no_argument, NULL, 'U'},
    {"reverse", no_argument, NULL, 'd'},
    {"inclusive", no_argument, NULL, 'I'},
    {"exclusive", no_argument, NULL, 'E'},
    {"rows", required_argument, NULL, 'O'},
    {"no-header", no_argument, NULL, 'q'},
    {"root", required_argument, NULL, 'g'},
    {"filter", required_argument, NULL, 'f'},
    {"group", required_argument, NULL, 'G'},
    {"pull", no_argument, NULL, 'P'},
    {"anons", no_argument, NULL, 'R'},
    {"autoload", no_argument, NULL, 'A'},
    {"real", no_argument, NULL, 'r'},
    {"system", no_argument, NULL, 's'},
    {"user", no_argument, NULL, 'u'},
    {"force", no_argument, NULL, 'F'},
    {"min", required_argument, NULL, OPT_MIN},
    {"depth", required_argument, NULL, OPT_DEPTH},
    {"unit", required_argument, NULL, OPT_UNIT},
    {"color", optional_argument, NULL, OPT_COLOR},
    {"unicode", no_argument, NULL, OPT_UNICODE},
    {NULL, 0, NULL, 0},
};

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

typedef struct settings {
    tree_options dump;
    nytp_common_options common;
    enum color_when color;
    bool form_set, table_implied, force, show_version;
} settings;

static int set_rows(tree_options *o)
{
    long rows = 0;
    int rc = nytp_tool_whole("-O", -NYTP_WHOLE_MOST, NYTP_WHOLE_MOST, &rows);
    o->rows = (int32_t)rows;
    return rc;
}

static int set_unit(tree_options *o)
{
    static const char *const names[] = {
        [TREE_UNIT_S] = "s",   [TREE_UNIT_MS] = "ms",       [TREE_UNIT_US] = "us",
        [TREE_UNIT_NS] = "ns", [TREE_UNIT_TICKS] = "ticks", NULL};
    int unit = 0;
    int rc = nytp_tool_word("--unit", names, &unit);
    o->unit = (enum tree_unit)unit;
    return rc;
}

static int set_color(settings *s)
{
    static const char *const names[] = {
        [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never", NULL};
    int when = COLOR_ALWAYS;
    int rc = optarg != NULL ? nytp_tool_word("--color", names, &when) : -1;
    s->color = (enum color_when)when;
    return rc;
}

/* Calls in order come before the tree, as with dprofpp, whichever is named first. */
static int set_form(settings *s, enum tree_form form)
{
    if (!s->form_set || form == TREE_CALLS || (form == TREE_FOLDED && s->dump.form != TREE_CALLS))
        s->dump.form = form;
    s->form_set = true;
    return -1;
}

static int set_sort(settings *s, enum tree_sort sort)
{
    s->dump.sort = sort;
    s->table_implied = true;
    return -1;
}

static int set_flag(bool *flag)
{
    *flag = true;
    return -1;
}

static int set_text(const char **text)
{
    *text = optarg;
    return -1;
}

/* What only a table has. */
static int set_table_option(settings *s, int c)
{
    s->table_implied = true;
    switch (c) {
    case 'I': return set_flag(&s->dump.inclusive);
    case 'E': s->dump.inclusive = false; return -1;
    case 'q': return set_flag(&s->dump.no_headers);
    default: return set_rows(&s->dump);
    }
}

/* Returns -1 to go on, or the exit status. */
static int set_option(settings *s, int c)
{
    tree_options *o = &s->dump;
    switch (c) {
    case 'S': return set_form(s, TREE_MERGED);
    case 'T': return set_form(s, TREE_CALLS);
    case 't': return set_form(s, TREE_FOLDED);
    case OPT_TABLE: return set_form(s, TREE_TABLE);
    case OPT_JSON: return set_form(s, TREE_JSON);
    case OPT_CALLERS: return set_text(&o->callers);
    case 'z': return set_sort(s, TREE_SORT_TIME);
    case 'v': return set_sort(s, TREE_SORT_AVERAGE);
    case 'l': return set_sort(s, TREE_SORT_CALLS);
    case 'a': return set_sort(s, TREE_SORT_NAME);
    case 'U': return set_sort(s, TREE_SORT_FOUND);
    case 'd': return set_flag(&o->reverse);
    case 'I':
    case 'E':
    case 'O':
    case 'q': return set_table_option(s, c);
    case 'g': return set_text(&o->root);
    case 'f': return set_text(&o->filter);
    case 'G': return set_text(&o->group);
    case 'P': return set_flag(&o->pull);
    case 'R': return set_flag(&o->keep_anons);
    case 'A': return -1;
    case 'r': o->clock = NYTP_CLOCK_REAL; return -1;
    case 's': o->clock = NYTP_CLOCK_SYSTEM; return -1;
    case 'u': o->clock = NYTP_CLOCK_USER; return -1;
    case 'F': return set_flag(&s->force);
    case OPT_MIN: return nytp_tool_percent("--min", &o->min_percent);
    case OPT_DEPTH: return nytp_tool_count("--depth", &o->max_depth);
    case OPT_UNIT: return set_unit(o);
    case OPT_COLOR: return set_color(s);
    case OPT_UNICODE: return set_flag(&o->unicode);
    case 'V': return set_flag(&s->show_version);
    default: return nytp_tool_option(&s->common, c, help);
    }
}

/* What the options together come to. Returns -1 to go on, or the exit status. */
static int conclude(settings *s)
{
    tree_options *o = &s->dump;
    if (!s->form_set && o->callers == NULL && s->table_implied)
        o->form = TREE_TABLE;
    if (o->callers != NULL && o->form != TREE_MERGED && o->form != TREE_JSON) {
        nytp_say("--callers is a tree: it goes with -S and --json only");
        return nytp_tool_usage();
    }
    if (o->min_percent > 0 && (o->form == TREE_CALLS || o->form == TREE_FOLDED)) {
        nytp_say("--min does not go with -T and -t, which show no times");
        return nytp_tool_usage();
    }
    if (o->form == TREE_JSON && o->unit != TREE_UNIT_S && o->unit != TREE_UNIT_TICKS) {
        nytp_say("--unit does not go with --json, whose times are ticks");
        return nytp_tool_usage();
    }
    bool on_terminal =
        s->common.output == NULL && nytp_is_terminal(STDOUT_FILENO) && getenv("NO_COLOR") == NULL;
    o->color = s->color == COLOR_ALWAYS || (s->color == COLOR_AUTO && on_terminal);
    s->common.dprof.clock = o->clock;
    s->common.dprof.number_anons = o->keep_anons;
    return -1;
}

/* ---- reading ---- */

typedef struct reading {
    settings *settings;
    tree_calls *dump;
} reading;

/* As with dprofpp, missing exit marks of a tmon.out are an error unless -F is given. */
static int read_some(void *context, nytp_reader *reader)
{
    const reading *r = context;
    int rc = tree_calls_read(r->dump, reader);
    if (tree_calls_is_dprof(r->dump) && !r->settings->force)
        r->settings->common.strict = true;
    return rc;
}

static const char *default_file(void)
{
    return access("nytprof.out", F_OK) != 0 && access("tmon.out", F_OK) == 0 ? "tmon.out" : "nytprof.out";
}

static bool is_xs_version(const nytp_chunk *chunk)
{
    static const char *const keys[] = {"dprof_XS_VERSION", "xs_version"};
    nytp_str key = chunk->attribute.key;
    for (size_t i = 0; chunk->tag == NYTP_ATTRIBUTE && i < G_N_ELEMENTS(keys); i++)
        if (nytp_str_is(key, keys[i]))
            return true;
    return false;
}

/* Ours, and if there is a profile, that of the profiler which wrote it. */
static int show_versions(const char *path)
{
    printf("nytp-tree %s\n", NYTP_VERSION_STRING);
    if (access(path, F_OK) == 0) {
        nytp_reader *reader = nytp_reader_new(nytp_source_file(path));
        nytp_chunk chunk;
        while (reader != NULL && nytp_reader_next(reader, &chunk) == NYTP_OK && chunk.tag != NYTP_PID_START)
            if (is_xs_version(&chunk)) {
                char *version = nytp_name_clean(chunk.attribute.value);
                printf("XS_VERSION: %s\n", version);
                g_free(version);
            }
        nytp_reader_free(reader);
    }
    return nytp_flush_stdout();
}

static int read_profiles(settings *s, tree_calls *d, char **files, int count)
{
    const bool strict = s->common.strict;
    bool whole = true;
    for (int i = 0; i < MAX(count, 1); i++) {
        const char *path = count > 0 ? files[i] : default_file();
        s->common.strict = strict;
        int rc = nytp_read(path, &s->common, tree_calls_wanted(), read_some, &(reading){s, d});
        if (rc < 0)
            return -1;
        whole = whole && rc == 0;
        tree_calls_end_profile(d);
    }
    if (tree_calls_count(d) == 0 && whole)
        nytp_say("warning: no calls in there (recorded with calls=0 or subs=0?)");
    else if (s->common.verbose)
        nytp_say("%s", nytp_counted(tree_calls_count(d), "call").text);
    return 0;
}

static int write_result(tree_calls *d, const char *path)
{
    char *why = NULL;
    nytp_output *output = nytp_read_open_output(path);
    if (output == NULL)
        return -1;
    if (tree_write(d, nytp_output_stream(output), &why))
        return nytp_output_commit(output);
    nytp_say("%s", why);
    g_free(why);
    nytp_output_discard(output);
    return -1;
}

static int make_dump(settings *s, char **files, int count)
{
    char *why = NULL;
    tree_calls *d = tree_calls_new(&s->dump, &why);
    if (d == NULL) {
        nytp_say("%s", why);
        g_free(why);
        return nytp_tool_usage();
    }
    bool done = read_profiles(s, d, files, count) == 0 && write_result(d, s->common.output) == 0;
    tree_calls_free(d);
    return done ? NYTP_EXIT_DONE : NYTP_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    settings s = {0};
    int c, status;
    nytp_start("nytp-tree", argv);
    while ((c = getopt_long(argc, argv, short_options, long_options, NULL)) != -1)
        if ((status = set_option(&s, c)) >= 0)
            return status;
    if (s.show_version)
        return show_versions(optind < argc ? argv[optind] : default_file());
    if ((status = conclude(&s)) >= 0)
        return status;
    return make_dump(&s, argv + optind, argc - optind);
}
