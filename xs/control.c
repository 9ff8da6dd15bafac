/* Run-time control: what DB::enable_profile() and its kin do, and what comes up while profiling. */
#include "context.h"

#include <fcntl.h>
#include <stdarg.h>

enum { SAVE_EVERY_MS = 400 }; /* a killed process loses no more than this and the output's 0.3 s */

static void switch_on(pTHX_ prof *p, bool on)
{
    p->enabled = on;
    p->stmts_on = on && p->options.stmts && !p->options.use_db_sub;
    p->subs_on = on && p->options.subs;
    p->time_tag = p->options.blocks ? NYTP_TIME_BLOCK : NYTP_TIME_LINE;
    prof_note_rare(p);
}

/* Wherever the program goes; children find their place beside it. */
void prof_set_path(prof *p, const char *path)
{
    size_t length;
    char *whole = prof_absolute(path, strlen(path), &length);
    free(p->path);
    p->path = whole;
}

void prof_set_log(prof *p)
{
    char *given = p->options.log;
    size_t length;
    p->options.log = given != NULL ? prof_absolute(given, strlen(given), &length) : NULL;
    free(given);
}

void prof_know_stderr(pTHX_ prof *p)
{
    struct stat is;
    GV *gv = PL_stderrgv;
    IO *io = gv != NULL && SvREFCNT(gv) > 0 && isGV_with_GP(gv) ? GvIO(gv) : NULL;
    PerlIO *handle = io != NULL ? IoOFP(io) : NULL;
    p->stderr_lost = p->stderr_lost || fstat(STDERR_FILENO, &is) != 0;
    if (p->stderr_lost || handle == NULL || PerlIO_fileno(handle) != STDERR_FILENO)
        return;
    p->stderr_known = true;
    p->stderr_device = is.st_dev;
    p->stderr_inode = is.st_ino;
}

/* A program that has closed STDERR may have opened a file of its own there. */
static bool may_use_stderr(const prof *p)
{
    struct stat is;
    return p->stderr_known && !p->stderr_lost && fstat(STDERR_FILENO, &is) == 0 &&
           is.st_dev == p->stderr_device && is.st_ino == p->stderr_inode;
}

/* Past perl's handles: the program may have tied or closed STDERR. */
void prof_say(const prof *p, const char *format, ...)
{
    char text[1024];
    va_list args;
    const int log =
        p->options.log != NULL ? open(p->options.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (log >= 0 || may_use_stderr(p))
        dprintf(log >= 0 ? log : STDERR_FILENO, "Devel::NYTProf: %s\n", text);
    if (log >= 0)
        close(log);
}

static void schedule(prof *p, uint64_t now)
{
    p->checkpoint_at =
        now + (uint64_t)(SAVE_EVERY_MS * (PROF_TICKS_PER_S / 1000.0) / prof_ticks_per_count(&p->clock));
}

/* Time begins now for everything that is under way. */
static void restart_time(prof *p)
{
    uint64_t now = prof_now(&p->clock);
    p->stmt_ticks = prof_active_ticks(p, now);
    schedule(p, now);
}

/* ---- forks ---- */

/* Also without pthread_atfork(), by syscall(2), of which nobody tells. */
static bool is_forked_child(prof *p)
{
    if (!p->forked_child && p->pid != getpid()) {
        p->forked_child = true;
        p->forks_unseen++;
    }
    return p->forked_child;
}

/* What the child inherited is the parent's: its output, its sums, its time. */
static void become_child(pTHX_ prof *p)
{
    const bool was_open = p->out != NULL;
    p->forked_child = false;
    p->pid = getpid();
    if (was_open)
        prof_output_abandon(p->out);
    p->out = NULL;
    prof_arcs_forget(p);
    prof_frames_restart(p, prof_active_ticks(p, prof_now(&p->clock)));
    restart_time(p);
    p->place_length = 0;
    p->is_child = true;
    p->options.forkdepth -= p->forks_unseen; /* as stock tells it: one less in each generation */
    p->too_deep = p->too_deep || (p->forks_left >= 0 && p->forks_left < p->forks_unseen);
    if (p->forks_left >= 0)
        p->forks_left = p->too_deep ? 0 : p->forks_left - p->forks_unseen;
    p->forks_unseen = 0;
    if (p->too_deep) {
        switch_on(aTHX_ p, false);
        return;
    }
    if (p->enabled && !prof_session_open(aTHX_ p))
        switch_on(aTHX_ p, false);
}

/* What a window usually lasts: at first the least of some, then an average that leaves out those that were
 * interrupted, and forgets at once when it was one of them itself. */
static uint32_t usual_counts(const prof *p, prof_window kind, uint64_t counts)
{
    const uint64_t usual = p->window_samples[kind] > 0 ? p->window_counts[kind] : UINT32_MAX;
    if (p->window_samples[kind] < PROF_FIRST_SAMPLES)
        return (uint32_t)(counts < usual ? counts : usual);
    if (counts < usual / 2)
        return (uint32_t)counts;
    if (counts > 4 * (usual + p->clock.read_counts))
        return (uint32_t)usual;
    return (uint32_t)((7 * usual + counts) / 8);
}

/* The clock is read once more in here than in a window that is not measured; only where it
 * was not read at the beginning either does that have to be taken out. */
void prof_measure_window(prof *p, prof_window kind, uint64_t opened)
{
    uint64_t counts = prof_now(&p->clock) - opened;
    if (kind == PROF_WINDOW_SHARED)
        counts = counts > p->clock.read_counts ? counts - p->clock.read_counts : 0;
    p->overhead += counts;
    if (!p->rare) {
        p->window_counts[kind] = usual_counts(p, kind, counts);
        if (p->window_samples[kind] < PROF_FIRST_SAMPLES)
            p->window_samples[kind]++;
    }
    p->windows_left[kind] = p->window_samples[kind] == PROF_FIRST_SAMPLES ? PROF_SAMPLE : 0;
    p->rare = false;
}

bool prof_checkpoint(pTHX_ prof *p, uint64_t now)
{
    prof_stop_if_process_ends(p);
    dSAVE_ERRNO;
    prof_note_rare(p);
    if (is_forked_child(p)) {
        become_child(aTHX_ p);
    } else {
        const bool went_back = now < p->checkpoint_at;
        if (prof_clock_refine(&p->clock, now - p->overhead) || went_back)
            p->opened_at = p->sums_at = now;
        if (p->out != NULL)
            prof_session_save(aTHX_ p, now);
        schedule(p, now);
    }
    RESTORE_ERRNO;
    return p->enabled;
}

/* ---- enable, disable, finish ---- */

/* A fork that no event has told of yet. */
static prof *up_to_date(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p != NULL && is_forked_child(p))
        become_child(aTHX_ p);
    return p;
}

/* Another file: the old one is completed. */
static void change_path(pTHX_ prof *p, const char *file)
{
    char *before = p->path;
    p->path = NULL;
    prof_set_path(p, file);
    if (strcmp(before, p->path) != 0)
        prof_session_close(aTHX_ p, true);
    p->path_is_given = true;
    free(before);
}

static bool enable(pTHX_ const char *file, bool amid_statement)
{
    prof *p = up_to_date(aTHX);
    if (p == NULL)
        return false;
    const bool was = p->enabled;
    if (file != NULL && *file != '\0')
        change_path(aTHX_ p, file);
    if (p->out == NULL && (p->too_deep || !prof_session_open(aTHX_ p))) {
        switch_on(aTHX_ p, false);
        p->place_length = 0;
        return was;
    }
    switch_on(aTHX_ p, true);
    restart_time(p);
    if (!was && amid_statement && p->options.stmts)
        prof_statement_resume(aTHX_ p, prof_now(&p->clock));
    return was;
}

bool prof_enable(pTHX_ const char *file)
{
    dSAVE_ERRNO; /* an END block, which start=end makes of this, may look at it */
    const bool was = enable(aTHX_ file, true);
    RESTORE_ERRNO;
    return was;
}

bool prof_begin_profile(pTHX)
{
    return enable(aTHX_ NULL, false);
}

bool prof_disable(pTHX)
{
    dSAVE_ERRNO;
    prof *p = up_to_date(aTHX);
    const bool was = p != NULL && p->enabled;
    if (was) {
        prof_statement_pause(p, prof_now(&p->clock));
        switch_on(aTHX_ p, false);
    }
    RESTORE_ERRNO;
    return was;
}

bool prof_finish(pTHX)
{
    dSAVE_ERRNO;
    prof *p = up_to_date(aTHX);
    const bool was = p != NULL && p->enabled;
    if (p == NULL)
        return false;
    switch_on(aTHX_ p, false);
    prof_session_close(aTHX_ p, true);
    p->place_length = 0;
    RESTORE_ERRNO;
    return was;
}

/* ---- options ---- */

const prof_options *prof_options_of(pTHX)
{
    return &prof_of(aTHX)->options;
}

void prof_set_option(pTHX_ const char *key, const char *value)
{
    prof *p = prof_of(aTHX);
    if (p == NULL)
        return;
    dSAVE_ERRNO;
    prof_options_set(aTHX_ & p->options, key, value);
    if (strcmp(key, "file") == 0)
        prof_set_path(p, p->options.file);
    if (strcmp(key, "log") == 0)
        prof_set_log(p);
    if (strcmp(key, "blocks") == 0 || strcmp(key, "stmts") == 0)
        prof_statement_retag(p);
    if (strcmp(key, "slowops") == 0)
        prof_names_forget(aTHX_ p);
    p->forks_left = strcmp(key, "forkdepth") == 0 ? p->options.forkdepth : p->forks_left;
    switch_on(aTHX_ p, p->enabled);
    RESTORE_ERRNO;
}

/* ---- use_db_sub=1 ---- */

void prof_db_sub(pTHX)
{
    prof *p = prof_of(aTHX);
    uint64_t now;
    if (p == NULL || !p->enabled || !p->options.stmts || !prof_open_window(aTHX_ p, &p->enabled, &now))
        return;
    prof_statement(aTHX_ p, now);
}

/* ---- for Devel::NYTProf::Test ---- */

void prof_ticks_for_usleep(pTHX_ long us, double *elapsed_ticks, double *overflow, double *ticks_per_s,
                           int *clock_id)
{
    prof *p = prof_of(aTHX);
    prof_clock own;
    if (p == NULL)
        prof_clock_start(&own, -1);
    const prof_clock *clock = p != NULL ? &p->clock : &own;
    const uint64_t before = prof_now(clock);
    usleep((useconds_t)us);
    *elapsed_ticks = (double)(prof_ticks(clock, prof_now(clock)) - prof_ticks(clock, before));
    *overflow = 0;
    *ticks_per_s = PROF_TICKS_PER_S;
    *clock_id = (int)clock->id;
}
