/* A recording: from opening an output to its last chunk. */
#include "context.h"

#include <sys/time.h>

/* ---- chunks ---- */

static nytp_str str_of(const char *text)
{
    return (nytp_str){text, strlen(text), false};
}

/* A newline would end the line: $0 may hold anything. */
static void write_attribute(prof *p, nytp_tag tag, const char *key, const char *value)
{
    nytp_chunk chunk = {.tag = tag};
    char *line = prof_strdup(value);
    for (char *c = line; *c != '\0'; c++)
        if (*c == '\n')
            *c = ' ';
    chunk.attribute.key = str_of(key);
    chunk.attribute.value = str_of(line);
    prof_output_chunk(p->out, &chunk);
    free(line);
}

static void write_number(prof *p, const char *key, long value)
{
    char text[32];
    my_snprintf(text, sizeof text, "%ld", value);
    write_attribute(p, NYTP_ATTRIBUTE, key, text);
}

static void write_option(void *context, const char *key, int value)
{
    char text[32];
    my_snprintf(text, sizeof text, "%d", value);
    write_attribute(context, NYTP_OPTION, key, text);
}

static double now_s(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static const char *string_of(pTHX_ const char *name)
{
    SV *sv = get_sv(name, 0);
    return sv != NULL && SvPOK(sv) ? SvPVX(sv) : "";
}

static void write_comment(prof *p, const char *text)
{
    nytp_chunk chunk = {.tag = NYTP_COMMENT};
    chunk.comment.text = str_of(text);
    prof_output_chunk(p->out, &chunk);
}

static void write_header(pTHX_ prof *p)
{
    nytp_chunk chunk = {.tag = NYTP_VERSION};
    chunk.version.major = 5;
    prof_output_chunk(p->out, &chunk);
    write_comment(p, " Perl profile, written by Devel::NYTProf");
    write_number(p, "basetime", (long)PL_basetime);
    write_attribute(p, NYTP_ATTRIBUTE, "application", string_of(aTHX_ "0"));
    char version[48];
    my_snprintf(version, sizeof version, "%d.%d.%d", PERL_REVISION, PERL_VERSION, PERL_SUBVERSION);
    write_attribute(p, NYTP_ATTRIBUTE, "perl_version", version);
    write_number(p, "nv_size", (long)sizeof(double));
    write_attribute(p, NYTP_ATTRIBUTE, "xs_version", string_of(aTHX_ "Devel::NYTProf::VERSION"));
    write_number(p, "PL_perldb", (long)PL_perldb);
    write_number(p, "clock_id", (long)p->clock.id);
    write_number(p, "ticks_per_sec", PROF_TICKS_PER_S);
    prof_options_each(&p->options, write_option, p);
}

static void write_pid_start(prof *p)
{
    nytp_chunk chunk = {.tag = NYTP_PID_START};
    chunk.pid_start.pid = (uint32_t)p->pid;
    chunk.pid_start.parent = (uint32_t)getppid();
    chunk.pid_start.time_s = now_s();
    prof_output_chunk(p->out, &chunk);
}

static void write_pid_end(prof *p)
{
    nytp_chunk chunk = {.tag = NYTP_PID_END};
    chunk.pid_end.pid = (uint32_t)p->pid;
    chunk.pid_end.time_s = now_s();
    prof_output_chunk(p->out, &chunk);
}

/* ---- opening ---- */

/* FILE[.PID[.tN]][.EPOCH]; malloc()ed. */
static char *path_of(const prof *p)
{
    size_t room = strlen(p->path) + 64;
    char *path = prof_alloc(room);
    size_t length = (size_t)my_snprintf(path, room, "%s", p->path);
    const bool in_thread = p->thread > 0 && !p->path_is_given;
    if (p->options.addpid || p->is_child || in_thread)
        length += (size_t)my_snprintf(path + length, room - length, ".%d", (int)p->pid);
    if (in_thread)
        length += (size_t)my_snprintf(path + length, room - length, ".t%u", p->thread);
    if (p->options.addtimestamp)
        my_snprintf(path + length, room - length, ".%ld", (long)time(NULL));
    return path;
}

bool prof_session_open(pTHX_ prof *p)
{
    const char *why = NULL;
    char *path = path_of(p);
    prof_know_stderr(aTHX_ p);
    prof_contexts_lock();
    p->out = prof_output_open(path, p->options.compress, &why);
    prof_contexts_unlock();
    if (p->out == NULL) {
        prof_say(p, "cannot write %s: %s; not profiling", path, why);
        free(path);
        return false;
    }
    free(path);
    if (p->options.trace > 0)
        prof_say(p, "process %d writes %s", (int)p->pid, prof_output_path(p->out));
    p->opened_at = p->sums_at = prof_now(&p->clock);
    write_header(aTHX_ p);
    prof_output_begin(p->out);
    write_pid_start(p);
    prof_sub_infos_forget(p);
    prof_files_write(p, 1);
    return true;
}

/* ---- while it runs ---- */

static void tell_failure(prof *p)
{
    const char *message;
    if (prof_output_failed(p->out, &message) && message != NULL)
        prof_say(p, "%s; the profile ends here", message);
}

void prof_session_save(pTHX_ prof *p, uint64_t now)
{
    enum { LOST_AT_MOST = 64 }; /* this part of the time, if the process is killed */
    prof_know_stderr(aTHX_ p);
    prof_sub_infos_catch_up(aTHX_ p);
    if (now >= p->sums_at) {
        prof_arcs_write(p);
        p->sums_at = now + (now - p->opened_at) / LOST_AT_MOST;
    }
    tell_failure(p);
}

/* ---- the end ---- */

/* perl may be gone already: then without what only perl knows. */
static void write_end(pTHX_ prof *p, bool perl_lives)
{
    uint64_t now = prof_now(&p->clock);
    if (!p->options.leave && p->options.stmts) { /* else the op that left it has written it */
        prof_statement_end(p, now);
        if (perl_lives) /* a program without statements has a file, too */
            prof_place_of(aTHX_ p, PL_curcop, NYTP_FID_VIA_STMT);
    }
    prof_frames_write_open(p, prof_active_ticks(p, now));
    int64_t overhead_ticks =
        prof_ticks(&p->clock, p->clock.base_count + (p->overhead - p->idle)) - p->clock.base_ticks;
    write_number(p, "cumulative_overhead_ticks", (long)overhead_ticks);
    const uint32_t files_before = prof_file_count(p);
    if (perl_lives)
        prof_sub_infos_write(aTHX_ p);
    prof_arcs_write(p);
    if (perl_lives)
        prof_files_write_source(aTHX_ p, files_before);
    write_pid_end(p);
}

static void tell_end(const prof *p)
{
    unsigned files = prof_file_count(p), subs = prof_table_count(p->sub_names);
    prof_say(p, "%s is finished: %u file%s, %u sub%s", prof_output_path(p->out), files, files == 1 ? "" : "s",
             subs, subs == 1 ? "" : "s");
}

void prof_session_end(pTHX_ prof *p, bool perl_lives)
{
    if (perl_lives)
        prof_know_stderr(aTHX_ p);
    write_end(aTHX_ p, perl_lives);
    prof_output_finish(p->out);
    tell_failure(p);
    if (p->options.trace > 0)
        tell_end(p);
}

void prof_session_close(pTHX_ prof *p, bool perl_lives)
{
    if (p->out == NULL)
        return;
    prof_contexts_lock();
    if (!p->ends) {
        prof_session_end(aTHX_ p, perl_lives);
        prof_output_close(p->out);
        p->out = NULL;
    }
    prof_contexts_unlock();
    prof_arcs_forget(p);
    prof_frames_restart(p, prof_active_ticks(p, prof_now(&p->clock)));
}

/* ---- exec ---- */

void prof_session_end_for_now(pTHX_ prof *p)
{
    prof_sub_infos_catch_up(aTHX_ p);
    prof_arcs_write(p);
    prof_output_mark(p->out);
    p->files_before_end = prof_file_count(p);
    write_end(aTHX_ p, true);
    prof_output_end_for_exec(p->out);
}

/* The arcs of open calls were written too early, and go with what is taken back. So do files and places of
 * subs that became known by it; of the places, all are told again. */
void prof_session_resume(prof *p)
{
    prof_output_resume(p->out);
    prof_files_write(p, p->files_before_end + 1);
    for (uint32_t n = 0; n < prof_table_count(p->sub_names); n++) {
        p->subs[n].mark_written = false;
        p->subs[n].info_fid = 0;
    }
}
