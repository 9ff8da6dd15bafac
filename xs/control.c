#include "control.h"

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

/* amid_statement: a statement of the program runs. */
static bool enable(pTHX_ const char *path, bool amid_statement)
{
    prof *p = current_context(aTHX);
    if (p == NULL)
        return false;
    const bool was_enabled = p->enabled.any;
    if (path != NULL && *path != '\0')
        change_path(aTHX_ p, path);
    if (p->out == NULL && (p->process.too_deep || !prof_session_open(aTHX_ p))) {
        prof_enabled_set(p, false);
        prof_statement_drop(p);
        if (p->options.strict && !p->process.too_deep)
            Perl_croak(aTHX_ "Devel::NYTProf: strict=1: the program does not run without a profile\n");
        return was_enabled;
    }
    prof_enabled_set(p, true);
    const uint64_t now = prof_now(&p->probe.clock);
    prof_statement_restart(p, now);
    prof_probe_schedule(&p->probe, now);
    if (!was_enabled && amid_statement && p->options.stmts)
        prof_statement_resume(aTHX_ p, prof_now(&p->probe.clock));
    return was_enabled;
}

bool prof_enable(pTHX_ const char *file)
{
    dSAVE_ERRNO; /* with start=end this is called before END blocks, which may look at it */
    const bool was_enabled = enable(aTHX_ file, true);
    RESTORE_ERRNO;
    return was_enabled;
}

bool prof_begin_profile(pTHX)
{
    return enable(aTHX_ NULL, false);
}

bool prof_disable(pTHX)
{
    dSAVE_ERRNO;
    prof *p = current_context(aTHX);
    const bool was_enabled = p != NULL && p->enabled.any;
    if (was_enabled) {
        prof_statement_pause(p, prof_now(&p->probe.clock));
        prof_enabled_set(p, false);
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
    prof_enabled_set(p, false);
    prof_session_close(aTHX_ p, true);
    prof_statement_drop(p);
    RESTORE_ERRNO;
    return was_enabled;
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
