#include "output.h"

#include "base/cgroups.h"
#include "base/newfile.h"
#include "base/str.h"
#include "base/ticks.h"
#include "cli/say.h"
#include "sampler/sampler.h"

#include <glib.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((format(printf, 4, 5))) static void write_setting(nytp_writer *writer, nytp_tag tag,
                                                                const char *key, const char *format, ...)
{
    char value[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    for (char *p = value; *p != '\0'; p++)
        if (*p == '\n')
            *p = ' ';
    nytp_writer_chunk(writer, &(nytp_chunk){.tag = tag, .attribute = {nytp_str_of(key), nytp_str_of(value)}});
}

/* Among all programs of a machine, what it belongs to is a part of its name. */
static void write_application(nytp_writer *writer, const sampler_target *target, bool with_unit)
{
    char name[3072], unit[512] = "";
    sampler_target_program(target, name, sizeof name);
    if (with_unit)
        sampler_unit_read(target->proc, unit, sizeof unit);
    write_setting(writer, NYTP_ATTRIBUTE, "application", unit[0] != '\0' ? "%s (%s)" : "%s%s", name, unit);
}

/* Errors stick to the writer. from_s: when what is counted begins, in seconds since 1970. */
static void record_profile_begin(nytp_writer *writer, const record_options *options,
                                 const sampler_target *target, enum sampler_source source, double from_s)
{
    static const char *const settings[][2] = {{"subs", "1"},  {"blocks", "0"},  {"leave", "1"},
                                              {"stmts", "1"}, {"slowops", "2"}, {"calls", "2"},
                                              {"evals", "0"}};
    static const char comment[] = " Perl profile of samples, by nytp-record " NYTP_VERSION_STRING;
    uint32_t perldb = sampler_memory_u32(&target->interpreter.memory, target->interpreter.at.perldb);
    const double processors = nytp_processors_of(target->pid);
    nytp_chunk chunk = {.tag = NYTP_VERSION};
    chunk.version.major = 5;
    nytp_writer_chunk(writer, &chunk);
    chunk = (nytp_chunk){.tag = NYTP_COMMENT};
    chunk.comment.text = (nytp_str){comment, sizeof comment - 1, false};
    nytp_writer_chunk(writer, &chunk);
    write_setting(writer, NYTP_ATTRIBUTE, "basetime", "%.0f", sampler_process_start_s(&target->process));
    write_application(writer, target, options->every_perl);
    write_setting(writer, NYTP_ATTRIBUTE, "perl_version", "%s", target->identity.version);
    write_setting(writer, NYTP_ATTRIBUTE, "nv_size", "%zu", sizeof(double));
    write_setting(writer, NYTP_ATTRIBUTE, "xs_version", "%s", "6.12");
    write_setting(writer, NYTP_ATTRIBUTE, "collector", "%s", "nytp-record " NYTP_VERSION_STRING);
    write_setting(writer, NYTP_ATTRIBUTE, "PL_perldb", "%u", (unsigned)perldb);
    write_setting(writer, NYTP_ATTRIBUTE, "clock_id", "%d", CLOCK_MONOTONIC);
    write_setting(writer, NYTP_ATTRIBUTE, "ticks_per_sec", "%.0f", NYTP_USUAL_TICKS_PER_SEC);
    if (processors > 0)
        write_setting(writer, NYTP_ATTRIBUTE, "processors", "%g", processors);
    write_setting(writer, NYTP_ATTRIBUTE, "sampled_hz", "%g", options->rate_hz);
    write_setting(writer, NYTP_ATTRIBUTE, "sampled_clock", "%s", options->cpu ? "cpu" : "wall");
    write_setting(writer, NYTP_ATTRIBUTE, "sampled_source", "%s", sampler_source_names[source]);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        write_setting(writer, NYTP_OPTION, settings[i][0], "%s", settings[i][1]);
    nytp_writer_compress(writer);
    chunk = (nytp_chunk){.tag = NYTP_PID_START};
    chunk.pid_start.pid =
        (uint32_t)target->tid; /* a thread is like a process that the first one has started */
    chunk.pid_start.parent = (uint32_t)(target->tid == target->pid ? target->process.parent : target->pid);
    chunk.pid_start.time_s = from_s;
    nytp_writer_chunk(writer, &chunk);
}

/* Has programs read no files for source: those of these names may be other ones where they are read. */
static void record_profile_keep_to_source(nytp_writer *writer)
{
    write_setting(writer, NYTP_ATTRIBUTE, "source_files", "none");
}

static void record_profile_end(nytp_writer *writer, const record_counts *counts, long threads, pid_t pid)
{
    write_setting(writer, NYTP_ATTRIBUTE, "sampled_count", "%llu", (unsigned long long)counts->samples);
    write_setting(writer, NYTP_ATTRIBUTE, "sampled_torn", "%llu", (unsigned long long)counts->torn);
    if (counts->cut > 0)
        write_setting(writer, NYTP_ATTRIBUTE, "sampled_cut", "%llu", (unsigned long long)counts->cut);
    write_setting(writer, NYTP_ATTRIBUTE, "sampled_lost_s", "%.3f", counts->lost_s);
    write_setting(writer, NYTP_ATTRIBUTE, "sampled_missed_s", "%.3f", counts->missed_s);
    write_setting(writer, NYTP_ATTRIBUTE, "wait_for_cpu", "%.6f", counts->state_s[SAMPLER_WAIT]);
    if (counts->sources.newer > 0)
        write_setting(writer, NYTP_ATTRIBUTE, "source_newer", "%llu",
                      (unsigned long long)counts->sources.newer);
    if (counts->cpu_s >= 0)
        write_setting(writer, NYTP_ATTRIBUTE, "process_cpu_s", "%.6f", counts->cpu_s);
    write_setting(writer, NYTP_ATTRIBUTE, "cumulative_overhead_ticks", "0"); /* stock's reader expects it */
    if (threads > 1)
        write_setting(writer, NYTP_ATTRIBUTE, "sampled_threads", "1 of %ld", threads);
    nytp_chunk chunk = {.tag = NYTP_PID_END};
    chunk.pid_end.pid = (uint32_t)pid;
    chunk.pid_end.time_s = counts->until_s;
    nytp_writer_chunk(writer, &chunk);
}

enum { LEVEL = 6 };

/* FILE.PID.2 or the next one that is not there; FILE if that is wanted, or without files. */
static char *name_of(const record_output *o, enum record_name_kind kind)
{
    const char *output = o->options->output;
    char *name = kind == RECORD_NAME_AGAIN && !nytp_newfile_is_device(output) ? NULL : g_strdup(output);
    for (unsigned nth = 2; name == NULL; nth++) {
        name = g_strdup_printf("%s.%ld.%u", output, (long)o->target->tid, nth);
        if (access(name, F_OK) == 0)
            g_clear_pointer(&name, g_free);
    }
    return name;
}

/* What is sent has no source: profiles of pprof have none. */
static void begin_chunks(record_output *o, enum sampler_source source)
{
    const bool with_source = !o->options->no_source && o->options->push == NULL;
    o->sources = record_sources_new(o->writer, o->target, with_source);
    o->fold = record_fold_new(o->writer, o->target->strings, o->sources);
    record_profile_begin(o->writer, o->options, o->target, source, o->before.until_s);
    if (with_source || !record_sources_are_here(o->sources))
        record_profile_keep_to_source(o->writer);
}

static bool begin_file(record_output *o, const char *name, bool add_pid, char *why, size_t why_size)
{
    o->outfile = record_outfile_open(o->options->format, name, o->target->tid, add_pid, why, why_size);
    if (o->outfile == NULL)
        return false;
    const char *profile = record_outfile_profile(o->outfile);
    o->writer = nytp_writer_new(nytp_sink_fd(record_outfile_fd(o->outfile), profile), LEVEL);
    if (o->writer != NULL)
        return true;
    snprintf(why, why_size, "%s: out of memory", profile);
    record_outfile_close(o->outfile, false);
    o->outfile = NULL;
    return false;
}

static int discard(void *context, const void *bytes, size_t size)
{
    (void)context, (void)bytes, (void)size;
    return 0;
}

/* Without room for this profile, sampling goes on: there may be room for the next one. */
static void begin_pushed(record_output *o)
{
    char why[512];
    g_autofree char *name = record_push_profile_name(o->options->push);
    o->series = record_push_series_of(o->options->push, o->target, o->options->every_perl);
    o->begun_ns = sampler_now_ns();
    if (begin_file(o, name, false, why, sizeof why))
        return;
    o->lost_why = g_strdup(why);
    o->writer = nytp_writer_new(nytp_sink_callback(discard, NULL, "nowhere"), LEVEL);
    if (o->writer == NULL)
        g_error("out of memory");
}

bool record_output_begin(record_output *o, enum sampler_source source, enum record_name_kind kind,
                         const record_counts *now, char *why, size_t why_size)
{
    o->before = *now;
    if (o->options->push != NULL) {
        begin_pushed(o);
    } else {
        g_autofree char *name = name_of(o, kind);
        if (!begin_file(o, name, kind == RECORD_NAME_PID, why, why_size))
            return false;
    }
    begin_chunks(o, source);
    return true;
}

/* The time of day may have been set back since the profile was begun. */
static void hand_over(record_output *o, uint64_t samples, bool written)
{
    record_push *push = o->options->push;
    const double until_s = nytp_time_s(CLOCK_REALTIME);
    const double from_s = until_s - (double)(sampler_now_ns() - o->begun_ns) / 1e9;
    g_autofree char *path = o->outfile != NULL ? g_strdup(record_outfile_profile(o->outfile)) : NULL;
    const bool is_there = path != NULL && record_outfile_close_profile(o->outfile, written) == 0;
    if (is_there) {
        record_push_add(push, &(record_push_profile){path, samples, from_s, until_s, o->series});
        return;
    }
    record_push_lose(push, o->lost_why != NULL ? o->lost_why : nytp_writer_error(o->writer)->message,
                     samples);
    if (path != NULL)
        unlink(path);
}

int record_output_end(record_output *o, const record_counts *now, long threads)
{
    const record_counts counts = record_counts_between(&o->before, now);
    record_outfile *outfile = o->outfile;
    int rc = 0;
    record_profile_end(o->writer, &counts, threads, o->target->tid);
    const bool written = nytp_writer_finish(o->writer) >= 0;
    if (!written && o->options->push == NULL)
        nytp_say("%s", nytp_writer_error(o->writer)->message);
    if (o->options->push != NULL)
        hand_over(o, counts.samples, written);
    record_output_clear(o);
    if (o->options->push == NULL)
        rc = (o->options->join ? record_outfile_close_profile : record_outfile_close)(outfile, written);
    o->outfile = NULL;
    return rc;
}

void record_output_clear(record_output *o)
{
    g_clear_pointer(&o->fold, record_fold_free);
    g_clear_pointer(&o->sources, record_sources_free);
    g_clear_pointer(&o->writer, nytp_writer_free);
    g_clear_pointer(&o->series, g_free);
    g_clear_pointer(&o->lost_why, g_free);
}
