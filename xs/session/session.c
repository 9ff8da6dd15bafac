#include "session/session.h"

#include "base/cgroups.h"
#include "base/str.h"
#include "hot.h"
#include "basics/alloc.h"
#include "basics/paths.h"
#include "heap/heap.h"
#include "names/subinfo.h"
#include "heap/samples.h"
#include "heap/stream.h"
#include "session/marks.h"

#include <sys/time.h>

void prof_session_free(prof_session *session)
{
    free(session->path);
}

void prof_session_set_path(prof_session *session, const char *path)
{
    char *absolute = prof_absolute(path, strlen(path), NULL);
    free(session->path);
    session->path = absolute;
}

void prof_session_restart(prof_session *session, uint64_t now)
{
    session->opened_at = session->sums_at = now;
}

/* Replaces newlines in the value, $0 for example, because a newline ends the attribute. */
static void write_attribute(prof *p, nytp_tag tag, const char *key, const char *value)
{
    char *line = prof_strdup(value);
    for (char *c = line; *c != '\0'; c++)
        if (*c == '\n')
            *c = ' ';
    prof_output_chunk(p->out, &(nytp_chunk){.tag = tag, .attribute = {nytp_str_of(key), nytp_str_of(line)}});
    free(line);
}

static void write_number(prof *p, nytp_tag tag, const char *key, long value)
{
    char text[32];
    my_snprintf(text, sizeof text, "%ld", value);
    write_attribute(p, tag, key, text);
}

static void write_option(void *context, const char *key, int value)
{
    write_number(context, NYTP_OPTION, key, value);
}

static void write_directories(void *context, const char *key, const char *list)
{
    write_attribute(context, NYTP_ATTRIBUTE, key, list);
}

static const char *string_of(pTHX_ const char *name)
{
    SV *sv = get_sv(name, 0);
    return sv != NULL && SvPOK(sv) ? SvPVX(sv) : "";
}

/* Programs show it as it is. xs_version alone would be that of stock's collector. */
static void write_collector(pTHX_ prof *p)
{
    char text[128];
    my_snprintf(text, sizeof text, "Devel::NYTProf %.40s of nytprof-tools " NYTP_VERSION_STRING,
                string_of(aTHX_ "Devel::NYTProf::VERSION"));
    write_attribute(p, NYTP_ATTRIBUTE, "collector", text);
}

static void write_labels(prof *p)
{
    char *list = prof_rules_list(&p->labels.rules);
    if (*list != '\0')
        write_attribute(p, NYTP_ATTRIBUTE, "labels", list);
    free(list);
}

static void write_processors(prof *p)
{
    char text[32];
    const double processors = nytp_processors_of(getpid());
    my_snprintf(text, sizeof text, "%g", processors);
    if (processors > 0)
        write_attribute(p, NYTP_ATTRIBUTE, "processors", text);
}

static void write_header(pTHX_ prof *p)
{
    static const nytp_chunk format = {.tag = NYTP_VERSION, .version = {5, 0}};
    nytp_chunk comment = {.tag = NYTP_COMMENT};
    comment.comment.text = nytp_str_of(" Perl profile, written by Devel::NYTProf");
    prof_output_chunk(p->out, &format);
    prof_output_chunk(p->out, &comment);
    write_number(p, NYTP_ATTRIBUTE, "basetime", (long)PL_basetime);
    write_attribute(p, NYTP_ATTRIBUTE, "application", string_of(aTHX_ "0"));
    char version[48];
    my_snprintf(version, sizeof version, "%d.%d.%d", PERL_REVISION, PERL_VERSION, PERL_SUBVERSION);
    write_attribute(p, NYTP_ATTRIBUTE, "perl_version", version);
    write_number(p, NYTP_ATTRIBUTE, "nv_size", (long)sizeof(double));
    write_attribute(p, NYTP_ATTRIBUTE, "xs_version", string_of(aTHX_ "Devel::NYTProf::VERSION"));
    write_collector(aTHX_ p);
    write_number(p, NYTP_ATTRIBUTE, "PL_perldb", (long)PL_perldb);
    write_number(p, NYTP_ATTRIBUTE, "clock_id", (long)p->probe.clock.id);
    write_number(p, NYTP_ATTRIBUTE, "ticks_per_sec", PROF_TICKS_PER_S);
    write_processors(p);
    prof_directories_each(aTHX_ write_directories, p);
    if (p->options.heap != 0)
        write_number(p, NYTP_ATTRIBUTE, "heap", (long)prof_samples_rate());
    if (p->options.heap != 0 && p->options.heap_holders != 0)
        write_number(p, NYTP_ATTRIBUTE, "heap_holders", 1);
    prof_options_each(&p->options, write_option, p);
    write_labels(p);
}

static double now_s(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* What the process waits for a processor counts from when it began by its profile. A process that has just
 * been forked often loses its processor as it reads the counts: they are of another moment then, and read
 * again. */
static void begin_cpu_times(prof *p)
{
    enum { TRIES = 4 };
    const double moment_s = 0.0002;
    double read_s = 1;
    for (int i = 0; i < TRIES && read_s > moment_s; i++) {
        const double start_s = now_s();
        prof_cpu_times_begin(&p->session.cpu_times, prof_now(p));
        read_s = now_s() - start_s;
    }
    p->session.cpu_wait_s = 0;
}

static void write_pid_start(prof *p)
{
    nytp_chunk chunk = {.tag = NYTP_PID_START};
    chunk.pid_start.pid = (uint32_t)p->process.pid;
    chunk.pid_start.parent = (uint32_t)getppid();
    chunk.pid_start.time_s = now_s();
    prof_output_chunk(p->out, &chunk);
    prof_clock_marks_begin(p);
}

static void write_pid_end(prof *p, double end_s)
{
    nytp_chunk chunk = {.tag = NYTP_PID_END};
    chunk.pid_end.pid = (uint32_t)p->process.pid;
    chunk.pid_end.time_s = end_s;
    prof_output_chunk(p->out, &chunk);
}

/* Returns FILE[.PID[.tN]][.EPOCH]; N is the thread, 0 for none. The caller must free() it. */
static char *output_path(const prof *p, unsigned thread)
{
    const prof_session *session = &p->session;
    const prof_process *process = &p->process;
    const size_t cap = strlen(session->path) + 64;
    char *path = prof_alloc(cap);
    size_t length = (size_t)my_snprintf(path, cap, "%s", session->path);
    const bool in_thread = thread > 0 && !session->path_is_given;
    if (p->options.addpid || process->is_child || in_thread)
        length += (size_t)my_snprintf(path + length, cap - length, ".%d", (int)process->pid);
    if (in_thread)
        length += (size_t)my_snprintf(path + length, cap - length, ".t%u", thread);
    if (p->options.addtimestamp)
        my_snprintf(path + length, cap - length, ".%ld", (long)time(NULL));
    return path;
}

/* Notes that the interpreter writes the file at path, unless an earlier one of the process has written it.
 * Returns whether one has. Call it with the contexts locked. */
static bool belongs_to_earlier(const prof *p, const char *path)
{
    static nytp_strings *paths;
    static unsigned *interpreters; /* for each path */
    static uint32_t cap;
    if (paths == NULL)
        paths = prof_strings_new();
    const uint32_t count = nytp_strings_count(paths);
    const uint32_t number = prof_strings_intern(paths, path, strlen(path));
    interpreters = prof_grow(interpreters, &cap, number, sizeof *interpreters);
    if (number == count)
        interpreters[number] = p->process.interpreter;
    return interpreters[number] != p->process.interpreter;
}

/* Opens the output, with the contexts locked. An interpreter that comes after another one has the name of a
 * thread, so that it does not replace that one's file. Sets *path, which the caller must free(). */
static prof_output *open_output(prof *p, char **path, const char **why)
{
    unsigned thread = p->process.thread;
    *path = output_path(p, thread);
    while (!p->session.path_is_given && belongs_to_earlier(p, *path)) {
        free(*path);
        *path = output_path(p, ++thread);
    }
    return prof_output_open(*path, p->options.compress, why);
}

/* Without the time in accept(). */
static uint64_t overhead_of(const prof *p)
{
    return p->probe.overhead - p->probe.idle;
}

bool prof_session_open(pTHX_ prof *p)
{
    const char *why = NULL;
    char *path;
    prof_note_stderr(aTHX_ & p->messages);
    prof_contexts_lock();
    p->out = open_output(p, &path, &why);
    prof_contexts_unlock();
    if (p->out == NULL) {
        prof_say(&p->messages, "cannot write %s: %s; not profiling", path, why);
        free(path);
        return false;
    }
    free(path);
    if (p->options.trace > 0)
        prof_say(&p->messages, "process %d writes %s", (int)p->process.pid, prof_output_path(p->out));
    const uint64_t now = prof_now(p);
    prof_session_restart(&p->session, now);
    p->session.opened_overhead = overhead_of(p);
    write_header(aTHX_ p);
    prof_output_begin(p->out, p->options.thread != 0 && !prof_at_once_interrupts(aTHX));
    begin_cpu_times(p);
    write_pid_start(p);
    p->session.opened_at = prof_now(p);
    prof_waits_begin(p);
    if (p->options.heap != 0)
        prof_samples_begin(p);
    prof_requests_restart(&p->requests);
    prof_memory_marks_write(aTHX_ p, now, true);
    prof_subs_forget_output(&p->subs);
    prof_arcs_forget(&p->arcs); /* of calls that ended since the last output, or of the parent process */
    prof_callsites_forget(&p->callsites); /* what is in the cache was called in this output */
    prof_files_write(p, 1);
    prof_evals_write_begins(p);
    return true;
}

static void report_failure(prof *p)
{
    const char *message;
    if (prof_output_failed(p->out, &message) && message != NULL)
        prof_say(&p->messages, "%s; the profile ends here", message);
}

static void write_seconds(prof *p, const char *key, double seconds)
{
    char text[32];
    my_snprintf(text, sizeof text, "%.6f", seconds);
    write_attribute(p, NYTP_ATTRIBUTE, key, text);
}

/* Writes how long the process waited for a processor, if that is known and has grown by least_s. */
static void write_cpu_wait(prof *p, uint64_t now, double least_s)
{
    prof_session *session = &p->session;
    prof_cpu_times_read(&session->cpu_times, now);
    if (!session->cpu_times.known || session->cpu_times.wait_s - session->cpu_wait_s < least_s)
        return;
    write_seconds(p, "wait_for_cpu", session->cpu_times.wait_s);
    session->cpu_wait_s = session->cpu_times.wait_s;
}

/* At the end: also how long it ran. */
static void write_cpu_times(prof *p, uint64_t now)
{
    write_cpu_wait(p, now, 0);
    if (p->session.cpu_times.known)
        write_seconds(p, "process_cpu_s", p->session.cpu_times.run_s);
}

void prof_session_save(pTHX_ prof *p, uint64_t now)
{
    enum { LOST_AT_MOST = 64 }; /* a killed process loses 1/64 of the time in the sums */
    const double least_wait_s = 0.001;
    prof_session *session = &p->session;
    prof_note_stderr(aTHX_ & p->messages);
    prof_sub_infos_catch_up(aTHX_ p);
    if (now >= session->sums_at) {
        prof_arcs_write(p);
        session->sums_at = now + (now - session->opened_at) / LOST_AT_MOST;
    }
    if (prof_cpu_times_is_due(&session->cpu_times, &p->probe.clock, now))
        write_cpu_wait(p, now, least_wait_s);
    prof_output_keep_up(p->out);
    report_failure(p);
}

static void write_overhead(prof *p)
{
    const int64_t ticks = prof_ticks_of_counts(&p->probe.clock, overhead_of(p) - p->session.opened_overhead);
    write_number(p, NYTP_ATTRIBUTE, "cumulative_overhead_ticks", (long)ticks);
}

/* Whether the statement that runs is to be written at the end. With leave=1 the op that left it has written
 * it, unless a call has ended since, as one does that dies or exits, or goes on: it must not last longer than
 * its statements. A statement that has disabled profiling is not written, as in stock. */
static bool has_rest(const prof *p)
{
    return !p->options.leave || p->frames.count > 0 || p->frames.last_end_ticks > p->statements.start_ticks;
}

/* Writes the last chunks. If perl has freed its data, leaves out the chunks that need them. */
static void write_end(pTHX_ prof *p, bool perl_lives)
{
    const uint64_t now = prof_now(p);
    const double end_s = now_s();
    if (p->options.stmts && !p->statements.paused && has_rest(p))
        prof_statement_end(p, now);
    if (!p->options.leave && p->options.stmts && perl_lives) /* so that any program has a file */
        prof_place_of(aTHX_ p, PL_curcop, NYTP_FID_VIA_STMT);
    if (!p->marks.paused)
        prof_clock_marks_write(p, now, true);
    if (perl_lives)
        prof_memory_marks_write(aTHX_ p, now, true);
    prof_coroutines_write_open(aTHX_ p, prof_active_ticks(p, now));
    prof_requests_write_open(p, prof_passed_ticks(p, now));
    write_overhead(p);
    write_cpu_times(p, now);
    const uint32_t files_before = prof_file_count(&p->files);
    if (perl_lives)
        prof_sub_infos_write_rest(aTHX_ p);
    prof_arcs_write(p);
    if (perl_lives)
        prof_files_write_source(aTHX_ p, files_before);
    write_pid_end(p, end_s);
}

static void report_end(const prof *p)
{
    unsigned files = prof_file_count(&p->files), subs = prof_sub_count(&p->subs);
    prof_say(&p->messages, "%s is finished: %u file%s, %u sub%s", prof_output_path(p->out), files,
             files == 1 ? "" : "s", subs, subs == 1 ? "" : "s");
}

void prof_session_end(pTHX_ prof *p, bool perl_lives)
{
    if (perl_lives)
        prof_note_stderr(aTHX_ & p->messages);
    prof_waits_look_again(p, prof_active_ticks(p, prof_now(p)));
    prof_stream_write(aTHX_ p, prof_now(p), perl_lives);
    write_end(aTHX_ p, perl_lives);
    prof_output_finish(p->out);
    report_failure(p);
    if (p->options.trace > 0)
        report_end(p);
}

void prof_session_close(pTHX_ prof *p, bool perl_lives)
{
    if (p->out == NULL)
        return;
    prof_contexts_lock();
    if (!p->process.ends) {
        prof_session_end(aTHX_ p, perl_lives);
        if (p->options.heap != 0)
            prof_samples_end(p);
        prof_output_close(p->out);
        p->out = NULL;
    }
    prof_contexts_unlock();
    prof_coroutines_restart(aTHX_ p, prof_active_ticks(p, prof_now(p)));
}

void prof_session_end_for_exec(pTHX_ prof *p)
{
    prof_sub_infos_catch_up(aTHX_ p);
    prof_arcs_write(p);
    prof_waits_look_again(p, prof_active_ticks(p, prof_now(p)));
    prof_stream_write(aTHX_ p, prof_now(p), true);
    prof_output_mark(p->out);
    p->session.files_before_exec = prof_file_count(&p->files);
    const prof_statements statements = p->statements; /* which goes on if the program does */
    const prof_encoded current = p->places.current;
    write_end(aTHX_ p, true);
    p->statements = statements;
    p->places.current = current;
    prof_output_end_for_exec(p->out);
}

/* The end that is cut off also contains the arcs of calls that have not returned, which will come again, and
 * files and subs that became known while it was written. Those are written again. */
void prof_session_resume(prof *p)
{
    p->session.resumes = false;
    prof_output_resume(p->out);
    prof_files_write(p, p->session.files_before_exec + 1);
    prof_sub_infos_forget(p);
}

void prof_session_end_for_now(pTHX_ prof *p)
{
    prof_session_end_for_exec(aTHX_ p);
    p->session.resumes = true;
    prof_probe_hurry(&p->probe);
}
