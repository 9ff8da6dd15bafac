#include "cli/read.h"

#include "bytes/source.h"
#include "cli/start.h"
#include "cli/say.h"
#include "base/str.h"
#include "format/reader.h"
#include "format/tags.h"
#include "model/measure.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A profile that others must go together with. */
typedef struct first_profile {
    char measured[64]; /* what it measures: "time", "live memory"; empty: none was read */
    char name[512];
    bool bytes; /* that is memory */
} first_profile;

/* About the profiles that were read. */
static struct {
    unsigned all, partial, empty; /* an empty one is partial, too */
    char waiting[512];            /* message about an empty one: an error if all are empty, else a warning */
    bool filtered;                /* filters leave out events */
    bool found;                   /* one of them had all that filters name */
    char missing[512];            /* what another did not have, and its name */
    first_profile first, beside;  /* beside: the first one of the other measure, if both are taken */
} inputs;

static void say_waiting(void)
{
    if (inputs.waiting[0] != '\0')
        nytp_say("warning: %s", inputs.waiting);
    inputs.waiting[0] = '\0';
}

/* Whether no profile has what filters name. */
static bool is_missing(void)
{
    return inputs.missing[0] != '\0' && !inputs.found;
}

bool nytp_read_nothing(const char *purpose)
{
    const bool all_empty = inputs.all > 0 && inputs.empty == inputs.all;
    if (!all_empty)
        say_waiting();
    if (all_empty || is_missing())
        nytp_say("there is nothing to %s: %s", purpose, all_empty ? inputs.waiting : inputs.missing);
    return all_empty || is_missing();
}

static void say_warnings(const nytp_reader *reader)
{
    const char *first;
    size_t count = nytp_reader_warnings(reader, &first);
    if (count > 1)
        nytp_say("warning: %s (and %zu more)", first, count - 1);
    else if (count == 1)
        nytp_say("warning: %s", first);
}

/* Where a profile was cut is of interest to few. */
static int report_cut(const nytp_reader *reader, const char *name, bool verbose)
{
    const nytp_error *e = nytp_reader_error(reader);
    const size_t open = nytp_reader_open_processes(reader);
    inputs.partial++;
    if (e->offset == 0) {
        inputs.empty++;
        if (e->tag == 0)
            snprintf(inputs.waiting, sizeof inputs.waiting, "%s is empty", name);
        else
            snprintf(inputs.waiting, sizeof inputs.waiting, "%s", e->message);
        return 1;
    }
    if (verbose)
        nytp_say("warning: %s (what is there is used)", e->message);
    else if (open == 0)
        nytp_say("warning: %s: it was cut; what is there is used", name);
    else
        nytp_say("warning: %s: %s killed or still running; what is there is used", name,
                 nytp_counted(open, "process").text);
    return 1;
}

static int report_error(const nytp_error *e, const char *name)
{
    if (e->code == NYTP_ERR_MEMORY)
        nytp_limit_report(e->message);
    else
        nytp_say("%s%s", e->message,
                 e->code == NYTP_ERR_FORMAT && e->offset > 0 ? " (--salvage uses what precedes it)" : "");
    if (e->code == NYTP_ERR_IO && strcmp(name, "nytprof.out") == 0 && access(name, F_OK) != 0)
        nytp_advise("nytp run PROGRAM makes one");
    return -1;
}

/* Says how reading ended. Returns what nytp_read() does. */
static int report_end(const nytp_reader *reader, const char *name, const nytp_common_options *options)
{
    const nytp_error *e = nytp_reader_error(reader);
    const char *collector = nytp_reader_collector(reader);
    if (options->is_again)
        return e->code != NYTP_OK;
    say_waiting();
    say_warnings(reader);
    if (nytp_reader_cut_processes(reader) > 0)
        nytp_say(
            "warning: %s: when it was merged, %s had no end (still running, killed, or the file was cut)",
            name, nytp_counted(nytp_reader_cut_processes(reader), "process").text);
    if (options->verbose && collector[0] != '\0')
        nytp_say("%s: recorded by %s", name, collector);
    inputs.all++;
    if (e->code == NYTP_OK && options->strict && nytp_reader_wrong_memory(reader)[0] != '\0') {
        nytp_say("%s", nytp_reader_wrong_memory(reader));
        return -1;
    }
    if (e->code == NYTP_OK)
        return 0;
    if (e->code == NYTP_CUT && !options->strict)
        return report_cut(reader, name, options->verbose);
    if (e->code != NYTP_CUT && options->salvage && e->offset > 0) {
        inputs.partial++;
        nytp_say("warning: %s (what precedes it is used)", e->message);
        return 1;
    }
    return report_error(e, name);
}

/* What a profile measures, in words. */
static void describe_measure(const nytp_reader *reader, const nytp_common_options *options,
                             char text[sizeof inputs.first.measured])
{
    const char *unit = nytp_reader_unit(reader);
    const bool is_sampled = nytp_reader_is_sampled(reader) && !options->takes_mixed;
    snprintf(text, sizeof inputs.first.measured, "%s",
             *unit == '\0'                ? is_sampled ? "sampled time" : "time"
             : strcmp(unit, "bytes") == 0 ? nytp_memory_in_words(nytp_reader_memory_of(reader))
                                          : unit);
}

int nytp_read_refuse_memory(const char *name)
{
    nytp_say("%s is a profile of memory; nytp-tree, nytp-table, nytprofcalls, nytp-dot, nytprofcg, "
             "nytprofcsv, nytprofhtml, nytp-speedscope, nytp-pprof and nytp-diff show it",
             name);
    return -1;
}

/* Whether a profile does not go together with those before it. */
static bool is_other_measure(const first_profile *first, const char *measured, bool bytes,
                             const nytp_common_options *options)
{
    const bool are_memory = bytes && first->bytes;
    return strcmp(first->measured, measured) != 0 && (options->takes < NYTP_TAKES_BESIDE || !are_memory);
}

#define OF_MEMORY "a profile of memory: "

/* Returns what a profile is that an option does not go with, and which option; NULL: all go with it. */
static const char *complaint(bool bytes, const nytp_common_options *options)
{
    const nytp_filter_options *filters = &options->filters;
    if (!bytes)
        return nytp_options_given("kinds") ? "not a profile of memory: it has no kinds (--kinds)" : NULL;
    return filters->work      ? OF_MEMORY "nothing in it waits (--work)"
           : filters->no_wait ? OF_MEMORY "nothing in it waits (--no-wait)"
           : nytp_stretch_is_given(&filters->range) && !options->memory.is_given ? OF_MEMORY
               "what is in it has no time (--range)"
           : filters->slowest.count > 0 ? OF_MEMORY "what is in it has no time (--slowest)"
           : nytp_min_is_duration()     ? OF_MEMORY "what is in it has no duration (--min)"
                                        : NULL;
}

/* Refuses a profile that the program does not take, or not together with those before it. Returns 0, or -1
 * after saying why. */
static int check_measure(const nytp_reader *reader, const char *name, const nytp_common_options *options)
{
    char measured[sizeof inputs.first.measured];
    const bool bytes = strcmp(nytp_reader_unit(reader), "bytes") == 0;
    const char *why = complaint(bytes, options);
    describe_measure(reader, options, measured);
    if (bytes && options->takes == NYTP_TAKES_TIME)
        return nytp_read_refuse_memory(name);
    if (why != NULL) {
        nytp_say("%s is %s", name, why);
        return -1;
    }
    first_profile *first = &inputs.first;
    if (options->takes == NYTP_TAKES_BESIDE && first->measured[0] != '\0' && first->bytes != bytes)
        first = &inputs.beside;
    if (first->measured[0] == '\0') {
        snprintf(first->measured, sizeof first->measured, "%s", measured);
        snprintf(first->name, sizeof first->name, "%s", name);
        first->bytes = bytes;
    } else if (is_other_measure(first, measured, bytes, options)) {
        nytp_say("%s is a profile of %s and %s one of %s: they do not go together", first->name,
                 first->measured, name, measured);
        return -1;
    }
    return 0;
}

char *nytp_read_attribute(const char *path, const char *key)
{
    nytp_reader *reader = nytp_can_be_read_again(path) ? nytp_reader_new(nytp_source_file(path)) : NULL;
    char *value = NULL;
    for (nytp_chunk c; reader != NULL && value == NULL && nytp_reader_next(reader, &c) == NYTP_OK;) {
        if (c.tag == NYTP_PID_START)
            break;
        if (c.tag == NYTP_ATTRIBUTE && nytp_str_is(c.attribute.key, key))
            value = nytp_name_clean(c.attribute.value);
    }
    nytp_reader_free(reader);
    return value;
}

bool nytp_read_is_memory(const char *path, const nytp_common_options *options)
{
    if (options->memory.is_given)
        return true;
    g_autofree char *unit = nytp_read_attribute(path, "unit");
    return g_strcmp0(unit, "bytes") == 0;
}

bool nytp_read_has_root(const char *path, const nytp_common_options *options)
{
    return options->memory.view.of != NYTP_MEMORY_HELD && nytp_read_is_memory(path, options);
}

int nytp_read_unit(enum nytp_unit_word *unit, double largest_bytes)
{
    const double most = 9999;
    const bool is_of_memory = nytp_unit_bytes(*unit) > 0;
    if (*unit == NYTP_UNIT_TICKS || is_of_memory == inputs.first.bytes)
        return 0;
    if (nytp_options_given("unit")) {
        nytp_say("%s is a profile of %s, which is not in %s (--unit)", inputs.first.name,
                 inputs.first.measured, nytp_units[*unit]);
        return -1;
    }
    *unit = NYTP_UNIT_B;
    while (*unit < NYTP_UNIT_GIB && largest_bytes / nytp_unit_bytes(*unit) > most)
        ++*unit;
    return 0;
}

typedef struct reading {
    nytp_reader *reader;
    const char *name;
    const nytp_common_options *options; /* which the handler may change, when it knows what it reads */
    nytp_common_options of_file;        /* as they were, with what is chosen of this file */
    const nytp_read_handler *handler;
    nytp_progress_line progress;
    const char *path; /* NULL if it is not a file that has a name */
    size_t profiles;  /* that have ended */
} reading;

static const reading *ending; /* of which a profile ends */

/* Reads a profile to its end. Returns what nytp_read() does. */
static int read_to_end(reading *r)
{
    uint64_t read_bytes, size_bytes;
    int rc = nytp_limit_input(r->name);
    while (rc == 0 && r->handler->read_some(r->handler->context, r->reader) == NYTP_OK) {
        nytp_reader_position(r->reader, &read_bytes, &size_bytes);
        nytp_progress_show(&r->progress, read_bytes, size_bytes);
    }
    nytp_progress_end(&r->progress);
    if (rc == 0)
        rc = report_end(r->reader, r->name, r->options);
    return rc >= 0 && check_measure(r->reader, r->name, r->options) != 0 ? -1 : rc;
}

/* Continues with the next profile. Returns 0 if there is one, 1 at the end, or -1 after saying why not. */
static int go_on(const reading *r)
{
    uint64_t offset;
    int rc = nytp_reader_next_profile(r->reader, &offset);
    say_warnings(r->reader);
    if (rc == NYTP_OK && r->handler->end_profile == NULL) {
        nytp_say("%s: a second profile begins at byte %llu; merge them with nytprofmerge", r->name,
                 (unsigned long long)offset);
        return -1;
    }
    if (rc < 0)
        return report_error(nytp_reader_error(r->reader), r->name);
    return rc == NYTP_OK ? 0 : 1;
}

nytp_profile *nytp_read_calls_again(void)
{
    uint64_t taken_bytes, size_bytes;
    if (ending == NULL || ending->path == NULL || !nytp_can_be_read_again(ending->path))
        return NULL;
    nytp_reader_position(ending->reader, &taken_bytes, &size_bytes);
    nytp_profile *calls = nytp_profile_new();
    nytp_read_sums(ending->path, &ending->of_file, (nytp_part_of_file){ending->profiles, taken_bytes}, calls);
    return calls;
}

/* Reads all profiles. Returns what nytp_read() does. */
static int read_all(reading *r)
{
    const nytp_read_handler *h = r->handler;
    bool whole = true;
    int next;
    do {
        nytp_reader_set_tags(r->reader, h->tags);
        int rc = read_to_end(r);
        ending = r;
        const bool goes_on = rc >= 0 && (h->end_profile == NULL || h->end_profile(h->context));
        ending = NULL;
        if (!goes_on)
            return -1;
        r->profiles++;
        whole = whole && rc == 0;
        next = nytp_reader_error(r->reader)->code >= 0 ? go_on(r) : 1; /* nothing can follow damage */
    } while (next == 0);
    return next < 0 ? -1 : !whole;
}

static void note_missing(const reading *r)
{
    char *missing = nytp_filters_missing(r->reader);
    inputs.found |= missing == NULL;
    if (missing != NULL && inputs.missing[0] == '\0')
        snprintf(inputs.missing, sizeof inputs.missing, "%s has %s", r->name, missing);
    g_free(missing);
}

static int read_source(nytp_source *source, const char *name, const char *path,
                       const nytp_common_options *options, const nytp_read_handler *handler)
{
    reading r = {.path = path, .name = name, .options = options, .of_file = *options, .handler = handler};
    if (path != NULL && nytp_slowest_of_file(path, options, &r.of_file.filters.slowest) != 0) {
        nytp_source_free(source);
        return -1;
    }
    r.reader = nytp_read_open(source, &r.of_file, handler->tags);
    if (r.reader == NULL)
        return -1;
    inputs.filtered = nytp_filters_leave_out_events(&options->filters);
    nytp_progress_begin(&r.progress, name);
    int rc = read_all(&r);
    note_missing(&r);
    g_autofree char *wrong = rc >= 0 ? nytp_filters_wrong(r.reader) : NULL;
    if (wrong != NULL) {
        nytp_say("%s %s", name, wrong);
        rc = -1;
    }
    nytp_reader_free(r.reader);
    return rc;
}

int nytp_read_source(nytp_source *source, const char *name, const nytp_common_options *options,
                     const nytp_read_handler *handler)
{
    return read_source(source, name, NULL, options, handler);
}

int nytp_read(const char *path, const nytp_common_options *options, const nytp_read_handler *handler)
{
    bool is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "standard input" : path;
    struct stat st;
    if ((is_stdin ? fstat(STDIN_FILENO, &st) : stat(path, &st)) == 0 &&
        nytp_output_refuses(options->output, name, &st))
        return -1;
    return read_source(nytp_source_file(path), name, path, options, handler);
}

void nytp_warn_lack(const char *what)
{
    if (inputs.partial == 0 && !is_missing())
        nytp_say("warning: the profile has %s", what);
}

void nytp_warn_no_calls(void)
{
    if (!inputs.first.bytes) /* memory need not be in calls */
        nytp_warn_lack(inputs.filtered ? "no calls that pass the filters"
                                       : "no calls (recorded with calls=0 or subs=0?)");
}

nytp_output *nytp_read_open_output(const char *path)
{
    return nytp_read_nothing("write") ? NULL : nytp_output_open(path);
}

nytp_output *nytp_read_open_large_output(const char *path, uint32_t most_mb, const char *advice)
{
    nytp_output *output = nytp_read_open_output(path);
    if (output != NULL && nytp_output_warn_above(output, most_mb, advice) != 0) {
        nytp_output_discard(output);
        return NULL;
    }
    return output;
}

/* Samples may all be outside of subs. */
static bool is_sampled(const nytp_process_calls *calls)
{
    size_t count;
    const nytp_process_of_calls *processes = nytp_process_calls_processes(calls, &count);
    return count > 0 && nytp_measure_is_sampled(&processes[0].measure);
}

int nytp_read_process_calls(const nytp_operands *files, const nytp_common_options *options,
                            nytp_process_calls *calls)
{
    const nytp_read_handler handler = {
        .tags = nytp_process_calls_tags(calls), .read_some = nytp_process_calls_read, .context = calls};
    for (int i = 0; i < files->count; i++) {
        if (nytp_read(files->names[i], options, &handler) < 0)
            return -1;
        nytp_process_calls_end_profile(calls);
    }
    if (nytp_process_calls_count(calls) == 0 && !is_sampled(calls))
        nytp_warn_no_calls();
    else if (options->verbose)
        nytp_say("%s", nytp_counted(nytp_process_calls_count(calls), "call").text);
    return 0;
}

nytp_outdir *nytp_read_open_outdir(const char *path)
{
    return nytp_read_nothing("write") ? NULL : nytp_outdir_open(path);
}
