#include "profile.h"

#include "sampler/sampler.h"

#include "base/str.h"
#include "base/ticks.h"

#include <stdarg.h>
#include <stdio.h>

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

void record_profile_begin(nytp_writer *writer, const record_options *options, const sampler_target *target,
                          enum sampler_source source, double from_s)
{
    static const char *const settings[][2] = {{"subs", "1"},  {"blocks", "0"},  {"leave", "1"},
                                              {"stmts", "1"}, {"slowops", "2"}, {"calls", "2"},
                                              {"evals", "0"}};
    static const char comment[] = " Perl profile of samples, by nytp-record " NYTP_VERSION_STRING;
    uint32_t perldb = sampler_memory_u32(&target->interpreter.memory, target->interpreter.at.perldb);
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

void record_profile_keep_to_source(nytp_writer *writer)
{
    write_setting(writer, NYTP_ATTRIBUTE, "source_files", "none");
}

void record_profile_end(nytp_writer *writer, const record_counts *counts, long threads, pid_t pid)
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
