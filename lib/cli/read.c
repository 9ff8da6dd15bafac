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

/* Says what the end was like; the result is nytp_read_chunks()'s. */
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
                     uint32_t wanted, nytp_take_some_fn *take_some, void *context)
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
    while (rc == 0 && take_some(context, reader) == NYTP_OK) {
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

typedef struct taker {
    nytp_take_fn *take;
    nytp_take_run_fn *take_run; /* may be NULL */
    void *context;
} taker;

static int take_chunks(void *context, nytp_reader *reader)
{
    enum { SOME = 1 << 13 };
    const taker *t = context;
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t n = 0; rc == NYTP_OK && n < SOME; n++) {
        if (t->take_run != NULL)
            n += t->take_run(t->context, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            t->take(t->context, reader, &chunk);
    }
    return rc;
}

static int read_file(const char *path, const nytp_common_options *options, uint32_t wanted,
                     nytp_take_some_fn *take_some, void *context)
{
    bool is_stdin = strcmp(path, "-") == 0;
    const char *shown = is_stdin ? "standard input" : path;
    struct stat st;
    if ((is_stdin ? fstat(STDIN_FILENO, &st) : stat(path, &st)) == 0 &&
        nytp_output_refuses(options->output, shown, &st))
        return -1;
    return nytp_read_source(nytp_source_file(path), shown, options, wanted, take_some, context);
}

int nytp_read_chunks(const char *path, const nytp_common_options *options, uint32_t wanted,
                     nytp_take_fn *take, nytp_take_run_fn *take_run, void *context)
{
    return read_file(path, options, wanted, take_chunks, &(taker){take, take_run, context});
}

static int take_into_profile(void *context, nytp_reader *reader)
{
    return nytp_profile_read(context, reader);
}

int nytp_read_profile(const char *path, const nytp_common_options *options, nytp_profile *profile)
{
    return read_file(path, options, nytp_profile_wanted(), take_into_profile, profile);
}

nytp_output *nytp_read_open_output(const char *path)
{
    if (!nytp_read_nothing())
        return nytp_output_open(path);
    nytp_say("there is nothing to write: no profile was read");
    return NULL;
}
