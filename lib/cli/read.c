#include "cli/read.h"

#include "cli/limit.h"
#include "cli/say.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- progress ---- */

typedef struct progress_line {
    const char *path; /* NULL: nothing is shown */
    double started_s, shown_s;
    bool shown;
} progress_line;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void progress_begin(progress_line *p, const char *path)
{
    p->path = nytp_is_terminal(STDERR_FILENO) ? path : NULL;
    p->started_s = p->shown_s = now_s();
    p->shown = false;
}

/* One line that is written over itself: how far, how fast, how long still. What the terminal has no room for
 * must not go to its next line, where it would stay: \033[?7l. */
static void progress_show(progress_line *p, uint64_t taken, uint64_t size)
{
    enum { MIB = 1 << 20 };
    double now = now_s();
    if (now - p->shown_s < (p->shown ? 0.2 : 1.0))
        return;
    double rate = (double)taken / (now - p->started_s);
    fprintf(stderr, "\r\033[K\033[?7l%s: %.1f MiB, %.1f MiB/s", nytp_name(), (double)taken / MIB, rate / MIB);
    if (size > taken && rate > 0) /* the file may be growing */
        fprintf(stderr, ", %.0f%%, %.0f s left", 100.0 * (double)taken / (double)size,
                (double)(size - taken) / rate);
    fprintf(stderr, ": %s\033[?7h", p->path);
    p->shown_s = now;
    p->shown = true;
}

static void progress_end(const progress_line *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
}

/* ---- reading ---- */

/* How many were read so far, and how many of those end before their first line does. */
static struct {
    unsigned all, empty;
} inputs;

bool nytp_read_nothing(void)
{
    return inputs.all > 0 && inputs.all == inputs.empty;
}

static void tell_warnings(const nytp_reader *reader)
{
    const char *first;
    uint32_t count = nytp_reader_warnings(reader, &first);
    if (count > 1)
        nytp_say("warning: %s (and %u more)", first, count - 1);
    else if (count == 1)
        nytp_say("warning: %s", first);
}

/* Says what the end was like; returns what nytp_read() does. */
static int judge(const nytp_reader *reader, const nytp_common_options *options)
{
    const nytp_error *e = nytp_reader_error(reader);
    tell_warnings(reader);
    inputs.all++;
    inputs.empty += e->code == NYTP_CUT && e->offset == 0;
    if (e->code == NYTP_OK)
        return 0;
    if (e->code == NYTP_CUT && !options->strict) {
        nytp_say("warning: %s (taking what is there)", e->message);
        return 1;
    }
    if (e->code != NYTP_CUT && options->salvage && e->offset > 0) {
        nytp_say("warning: %s (salvaging what came before)", e->message);
        return 1;
    }
    if (e->code == NYTP_ERR_MEMORY)
        nytp_limit_tell(e->message);
    else
        nytp_say("%s", e->message);
    return -1;
}

int nytp_read_source(nytp_source *source, const char *shown, const nytp_common_options *options,
                     uint32_t wanted, nytp_read_some_fn *read_some, void *context)
{
    nytp_reader *reader = nytp_reader_new(source);
    if (reader == NULL) {
        nytp_say("out of memory");
        return -1;
    }
    nytp_reader_set_wanted(reader, wanted);
    nytp_reader_set_dprof(reader, &options->dprof);
    progress_line progress;
    uint64_t taken, size;
    progress_begin(&progress, shown);
    nytp_reader_position(reader, &taken, &size);
    int rc = nytp_limit_input(shown, size);
    while (rc == 0 && read_some(context, reader) == NYTP_OK) {
        nytp_reader_position(reader, &taken, &size);
        nytp_limit_taken(taken);
        if (progress.path != NULL)
            progress_show(&progress, taken, size);
    }
    progress_end(&progress);
    rc = rc == 0 ? judge(reader, options) : rc;
    nytp_reader_free(reader);
    return rc;
}

int nytp_read(const char *path, const nytp_common_options *options, uint32_t wanted,
              nytp_read_some_fn *read_some, void *context)
{
    bool is_stdin = strcmp(path, "-") == 0;
    const char *shown = is_stdin ? "standard input" : path;
    struct stat st;
    if ((is_stdin ? fstat(STDIN_FILENO, &st) : stat(path, &st)) == 0 &&
        nytp_output_refuses(options->output, shown, &st))
        return -1;
    return nytp_read_source(nytp_source_file(path), shown, options, wanted, read_some, context);
}

/* ---- into a profile, into a call tree ---- */

typedef struct models {
    nytp_profile *profile;
    nytp_calltree *tree;
} models;

static int read_models(void *context, nytp_reader *reader)
{
    const models *m = context;
    if (m->tree == NULL)
        return nytp_profile_read(m->profile, reader);
    if (m->profile == NULL)
        return nytp_calltree_read(m->tree, reader);
    return nytp_profile_read_with_calls(m->profile, m->tree, reader);
}

int nytp_read_profile(const char *path, const nytp_common_options *options, nytp_profile *profile)
{
    return nytp_read(path, options, nytp_profile_wanted(), read_models, &(models){profile, NULL});
}

int nytp_read_calltree(const char *path, const nytp_common_options *options, nytp_calltree *tree)
{
    int rc = nytp_read(path, options, nytp_calltree_wanted(), read_models, &(models){NULL, tree});
    nytp_calltree_end_profile(tree);
    return rc;
}

int nytp_read_profile_with_calls(const char *path, const nytp_common_options *options, nytp_profile *profile,
                                 nytp_calltree *tree)
{
    int rc = nytp_read(path, options, nytp_profile_wanted() | nytp_calltree_wanted(), read_models,
                       &(models){profile, tree});
    nytp_calltree_end_profile(tree);
    return rc;
}

void nytp_warn_no_calls(void)
{
    nytp_say("warning: there are no calls in the profile (recorded with calls=0 or subs=0?)");
}

nytp_output *nytp_read_open_output(const char *path)
{
    if (!nytp_read_nothing())
        return nytp_output_open(path);
    nytp_say("there is nothing to write: no profile was read");
    return NULL;
}
