#include "session/control.h"

#include "heap/heap.h"
#include "hot.h"

/* Returns the context, after noticing a fork; NULL if there is none. */
static prof *current_context(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p != NULL)
        prof_notice_fork(aTHX_ p);
    return p;
}

/* Sets the path of the file. Completes the current file if that is another one. */
static void change_path(pTHX_ prof *p, const char *path)
{
    prof_session given = {0};
    prof_session_set_path(&given, path);
    const bool differs = strcmp(p->session.path, given.path) != 0;
    prof_session_free(&given);
    if (differs)
        prof_session_close(aTHX_ p, true);
    prof_session_set_path(&p->session, path);
    p->session.path_is_given = true;
}

/* Opens the file if none is open, and switches recording on. Returns whether that could be done. */
static bool start_recording(pTHX_ prof *p)
{
    const bool opens = p->out == NULL, can = !opens || prof_session_open(aTHX_ p);
    prof_enabled_set(p, can);
    if (can) {
        const uint64_t now = prof_now(p);
        if (opens)
            prof_waits_leave_out(p, prof_active_ticks(p, now));
        prof_cpu_times_resume(&p->session.cpu_times, now);
        prof_statement_restart(p, now);
        prof_probe_schedule(&p->probe, now);
    } else {
        prof_statement_drop(p);
    }
    return can;
}

static void die_if_strict(pTHX_ const prof *p)
{
    if (p->options.strict)
        Perl_croak(aTHX_ "Devel::NYTProf: strict=1: the program does not run without a profile\n");
}

static void resume(pTHX_ prof *p)
{
    const uint64_t now = prof_now(p);
    prof_waits_leave_out(p, prof_active_ticks(p, now));
    if (p->options.stmts)
        prof_statement_resume(aTHX_ p, now);
    prof_clock_marks_resume(p, now);
    p->probe.checkpoint_at = 0;
}

static bool enable(pTHX_ prof *p, const char *path)
{
    const bool was_enabled = p->enabled.any;
    if (path != NULL && *path != '\0')
        change_path(aTHX_ p, path);
    p->process.too_deep = false; /* the program asks for a profile of this generation */
    if (!start_recording(aTHX_ p))
        die_if_strict(aTHX_ p);
    else if (!was_enabled)
        resume(aTHX_ p);
    return was_enabled;
}

bool prof_enable(pTHX_ const char *file)
{
    dSAVE_ERRNO; /* with start=end this is called before END blocks, which may look at it */
    prof *p = current_context(aTHX);
    const bool was_enabled = p != NULL && enable(aTHX_ p, file);
    RESTORE_ERRNO;
    return was_enabled;
}

void prof_begin_profile(pTHX)
{
    prof *p = current_context(aTHX);
    if (p != NULL && !p->process.too_deep && !start_recording(aTHX_ p))
        die_if_strict(aTHX_ p);
}

void prof_begin_thread(pTHX_ prof *p)
{
    if (p->process.too_deep || !start_recording(aTHX_ p))
        return;
    prof_cpu_times_move(&p->session.cpu_times);
    prof_probe_hurry(&p->probe);
}

/* Nothing is recorded from here on. */
static void switch_off(prof *p, uint64_t now)
{
    prof_waits_look_again(p, prof_active_ticks(p, now));
    prof_enabled_set(p, false);
}

bool prof_disable(pTHX)
{
    dSAVE_ERRNO;
    prof *p = current_context(aTHX);
    const bool was_enabled = p != NULL && p->enabled.any;
    if (was_enabled) {
        const uint64_t now = prof_now(p);
        switch_off(p, now);
        prof_statement_pause(p, now);
        prof_clock_marks_pause(p, now);
        prof_cpu_times_pause(&p->session.cpu_times, now);
    }
    RESTORE_ERRNO;
    return was_enabled;
}

bool prof_finish(pTHX)
{
    dSAVE_ERRNO;
    prof *p = current_context(aTHX);
    if (p == NULL)
        return false;
    const bool was_enabled = p->enabled.any;
    switch_off(p, prof_now(p));
    prof_session_close(aTHX_ p, true);
    prof_statement_drop(p);
    RESTORE_ERRNO;
    return was_enabled;
}

bool prof_heap_snapshot(pTHX_ const char *name)
{
    dSAVE_ERRNO;
    prof *p = current_context(aTHX);
    if (p != NULL && p->out != NULL && p->session.resumes)
        prof_session_resume(p);
    const bool done = p != NULL && name != NULL && *name != '\0' && prof_heap_mark(aTHX_ p, name);
    RESTORE_ERRNO;
    return done;
}

static void follow(pTHX_ prof *p, prof_change change)
{
    switch (change) {
    case PROF_CHANGE_NONE: break;
    case PROF_CHANGE_FILE: prof_session_set_path(&p->session, p->options.file); break;
    case PROF_CHANGE_LOG: prof_set_log(&p->messages, p->options.log); break;
    case PROF_CHANGE_BLOCKS: prof_statement_retag(p); break;
    case PROF_CHANGE_BUILTINS: /* forgets their numbers, so that they are looked up by name again */
        prof_cv_keys_clear(aTHX_ & p->cv_keys);
        prof_callsites_forget(&p->callsites);
        prof_labels_forget(&p->labels);
        break;
    case PROF_CHANGE_FORKS: p->process.forks_left = p->options.forkdepth; break;
    }
}

void prof_set_option(pTHX_ const char *key, const char *value)
{
    prof *p = prof_of(aTHX);
    if (p == NULL)
        return;
    dSAVE_ERRNO;
    follow(aTHX_ p, prof_options_set(aTHX_ & p->options, key, value));
    prof_enabled_set(p, p->enabled.any);
    RESTORE_ERRNO;
}
