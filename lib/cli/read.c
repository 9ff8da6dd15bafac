#include "cli/read.h"

#include "cli/limit.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "format/reader.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* About the profiles that were read. */
static struct {
    unsigned all, partial, empty; /* an empty one is partial, too */
    char waiting[512];            /* message about an empty one: an error if all are empty, else a warning */
    bool filtered;                /* filters leave out events */
    bool found;                   /* one of them had all that filters name */
    char missing[512];            /* what another did not have, and its name */
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

static int report_cut(const nytp_reader *reader, const char *name)
{
    const nytp_error *e = nytp_reader_error(reader);
    inputs.partial++;
    if (e->offset == 0) {
        inputs.empty++;
        if (e->tag == 0)
            snprintf(inputs.waiting, sizeof inputs.waiting, "%s is empty", name);
        else
            snprintf(inputs.waiting, sizeof inputs.waiting, "%s", e->message);
    } else if (nytp_reader_open_processes(reader) > 0) {
        nytp_say("warning: %s (still running, killed, or the file was cut; what is there is used)",
                 e->message);
    } else {
        nytp_say("warning: %s (what is there is used)", e->message);
    }
    return 1;
}

static int report_error(const nytp_error *e, const char *name)
{
    if (e->code == NYTP_ERR_MEMORY)
        nytp_limit_report(e->message);
    else if (e->code == NYTP_ERR_IO && strcmp(name, "nytprof.out") == 0 && access(name, F_OK) != 0)
        nytp_say("%s (perl -d:NYTProf PROGRAM writes it)", e->message);
    else if (e->code == NYTP_ERR_FORMAT && e->offset > 0)
        nytp_say("%s (--salvage uses what precedes it)", e->message);
    else
        nytp_say("%s", e->message);
    return -1;
}

/* Says how reading ended. Returns what nytp_read() does. */
static int report_end(const nytp_reader *reader, const char *name, const nytp_common_options *options)
{
    const nytp_error *e = nytp_reader_error(reader);
    const char *collector = nytp_reader_collector(reader);
    say_waiting();
    say_warnings(reader);
    if (nytp_reader_cut_processes(reader) > 0)
        nytp_say(
            "warning: %s: when it was merged, %s had no end (still running, killed, or the file was cut)",
            name, nytp_counted(nytp_reader_cut_processes(reader), "process").text);
    if (options->verbose && collector[0] != '\0')
        nytp_say("%s: recorded by %s", name, collector);
    inputs.all++;
    if (e->code == NYTP_OK)
        return 0;
    if (e->code == NYTP_CUT && !options->strict)
        return report_cut(reader, name);
    if (e->code != NYTP_CUT && options->salvage && e->offset > 0) {
        inputs.partial++;
        nytp_say("warning: %s (what precedes it is used)", e->message);
        return 1;
    }
    return report_error(e, name);
}

typedef struct reading {
    nytp_reader *reader;
    const char *name;
    const nytp_common_options *options;
    const nytp_read_handler *handler;
    nytp_progress_line progress;
} reading;

/* Reads a profile to its end. Returns what nytp_read() does. */
static int read_to_end(reading *r)
{
    uint64_t read_bytes, size_bytes;
    nytp_reader_position(r->reader, &read_bytes, &size_bytes);
    int rc = nytp_limit_input(r->name, size_bytes);
    while (rc == 0 && r->handler->read_some(r->handler->context, r->reader) == NYTP_OK) {
        nytp_reader_position(r->reader, &read_bytes, &size_bytes);
        nytp_limit_read(read_bytes, nytp_reader_chunks(r->reader));
        nytp_progress_show(&r->progress, read_bytes, size_bytes);
    }
    nytp_progress_end(&r->progress);
    return rc == 0 ? report_end(r->reader, r->name, r->options) : rc;
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

/* Reads all profiles. Returns what nytp_read() does. */
static int read_all(reading *r)
{
    const nytp_read_handler *h = r->handler;
    bool whole = true;
    int next;
    do {
        nytp_reader_set_tags(r->reader, h->tags);
        int rc = read_to_end(r);
        if (rc < 0 || (h->end_profile != NULL && !h->end_profile(h->context)))
            return -1;
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

nytp_reader *nytp_read_open(nytp_source *source, const nytp_common_options *options)
{
    nytp_reader *reader = nytp_reader_new(source);
    if (reader != NULL && nytp_filters_attach(&options->filters, reader) == 0) {
        nytp_reader_set_dprof(reader, &options->dprof);
        inputs.filtered = nytp_filters_leave_out_events(&options->filters);
        return reader;
    }
    nytp_reader_free(reader);
    return NULL;
}

int nytp_read_source(nytp_source *source, const char *name, const nytp_common_options *options,
                     const nytp_read_handler *handler)
{
    reading r = {
        .reader = nytp_read_open(source, options), .name = name, .options = options, .handler = handler};
    if (r.reader == NULL) {
        nytp_say("out of memory");
        return -1;
    }
    nytp_progress_begin(&r.progress, name);
    int rc = read_all(&r);
    note_missing(&r);
    if (rc >= 0 && nytp_filters_lack_calls(r.reader)) {
        nytp_say("%s has only sums of its calls: filters need profiles that were recorded with calls=1 or 2",
                 name);
        rc = -1;
    }
    nytp_reader_free(r.reader);
    return rc;
}

int nytp_read(const char *path, const nytp_common_options *options, const nytp_read_handler *handler)
{
    bool is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "standard input" : path;
    struct stat st;
    if ((is_stdin ? fstat(STDIN_FILENO, &st) : stat(path, &st)) == 0 &&
        nytp_output_refuses(options->output, name, &st))
        return -1;
    return nytp_read_source(nytp_source_file(path), name, options, handler);
}

void nytp_warn_lack(const char *what)
{
    if (inputs.partial == 0 && !is_missing())
        nytp_say("warning: the profile has %s", what);
}

void nytp_warn_no_calls(void)
{
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
    if (nytp_process_calls_count(calls) == 0)
        nytp_warn_no_calls();
    else if (options->verbose)
        nytp_say("%s", nytp_counted(nytp_process_calls_count(calls), "call").text);
    return 0;
}

nytp_outdir *nytp_read_open_outdir(const char *path)
{
    return nytp_read_nothing("write") ? NULL : nytp_outdir_open(path);
}
