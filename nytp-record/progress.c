#include "family.h"

#include "cli/say.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LEAST_LOST_S 0.1 /* that is worth a word */

void record_progress_begin(record_progress *p, bool beside_command)
{
    *p = (record_progress){.on_terminal = !beside_command && nytp_is_terminal(STDERR_FILENO)};
}

/* What writes to a terminal from the background may be stopped (stty tostop). */
static bool is_in_foreground(void)
{
    return tcgetpgrp(STDERR_FILENO) == getpgrp();
}

void record_progress_show(record_progress *p, const record_family *family, double seconds)
{
    if (!p->on_terminal || !is_in_foreground())
        return;
    record_counts counts = record_family_counts(family);
    fprintf(stderr, "\r%s: %.0f s, %s, %llu torn, %s\033[K", nytp_name(), seconds,
            nytp_counted(counts.samples, "sample").text, (unsigned long long)counts.torn,
            nytp_counted(record_family_count(family), "perl").text);
    fflush(stderr);
    p->shown = true;
}

void record_progress_end(record_progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}

/* The command that shows what was written, or merges it first. */
static void say_next(const record_options *options, size_t processes, const char *file)
{
    const record_converter *c = &record_converters[options->format];
    bool is_plain = strpbrk(file, " \t\n\"'\\$`*?[]()<>|&;#~!{}") == NULL;
    g_autofree char *name = is_plain ? g_strdup(file) : g_shell_quote(file);
    if (record_outfile_is_in_place(options->output))
        return;
    if (options->format == RECORD_PROFILE && !options->join && processes > 1)
        nytp_say("next: nytprofmerge %s %s.[0-9]*", name, name);
    else
        nytp_say("next: %s%s%s", c->view_before, name, c->view_after);
}

/* With --cpu, a sample that sees the program run gets the time since the last one that did. */
static const char *effect_of_missed(const record_counts *counts, bool cpu)
{
    if (!cpu)
        return ", so what it runs has too small a share of this profile; with --cpu, shares are those of the "
               "processor time";
    return counts->samples > 0 ? "; that time went to the next sample that did, perhaps of another sub"
                               : ", so this profile has none of it";
}

static void say_missed(const record_counts *counts, bool cpu)
{
    const double missed = record_counts_missed(counts);
    if (missed > 0)
        nytp_say("the program ran for %.0f %% of the time while no sample saw it run%s", missed * 100,
                 effect_of_missed(counts, cpu));
}

static void say_newer(const record_source_counts *counts)
{
    if (counts->newer > 0)
        nytp_say("%s changed after the program began, so that lines may not match",
                 nytp_counted(counts->newer, "source file").text);
    if (counts->hidden > 0)
        nytp_say("%s left out, since a sub does not begin where the program has it",
                 counts->hidden == 1 ? "the text of one of them is" : "the texts of some of them are");
}

/* By process, since one that has lost much has too small a share. */
static void say_lost(const record_counts *counts)
{
    g_autoptr(GString) text = g_string_new(NULL);
    double rest_s = counts->lost_s;
    size_t others = counts->losers;
    for (int n = 0; n < RECORD_LOSSES && counts->worst[n].lost_s > 0; n++, others--) {
        g_string_append_printf(text, "%s%.2f s of process %ld", n > 0 ? ", " : "", counts->worst[n].lost_s,
                               (long)counts->worst[n].pid);
        rest_s -= counts->worst[n].lost_s;
    }
    if (others > 0)
        g_string_append_printf(text, ", %.2f s of %zu more", rest_s, others);
    nytp_say("lost, because samples came too late: %s", text->str);
}

/* What is known of processes that ended is their processor time alone, which their parents get. */
static void say_unseen(const record_counts *counts, bool with_children)
{
    const double least_s = 0.1, least_share = 0.02;
    if (counts->unseen_cpu_s < least_s ||
        counts->unseen_cpu_s < least_share * (counts->unseen_cpu_s + counts->state_s[SAMPLER_RUN]))
        return;
    if (with_children)
        nytp_say("not sampled: %.1f s of processor time of processes that ended before a sample, or are not "
                 "perls; "
                 "-r takes more samples per second",
                 counts->unseen_cpu_s);
    else
        nytp_say("not sampled: %.1f s of processor time of processes that it has started; --children samples "
                 "the perls among them",
                 counts->unseen_cpu_s);
}

void record_progress_sum(const record_counts *counts, const record_options *options, size_t processes,
                         const char *file, double seconds, bool with_children)
{
    char of[64] = "", more[64] = "", lost[64] = "";
    if (processes > 1 && (options->join || file == NULL))
        snprintf(of, sizeof of, " of %s%s", nytp_counted(processes, "process").text,
                 options->threads ? " and threads" : "");
    else if (processes > 1)
        snprintf(more, sizeof more, " and %zu more with .PID appended", processes - 1);
    if (counts->lost_s >= LEAST_LOST_S)
        snprintf(lost, sizeof lost, ", %.1f s lost", counts->lost_s);
    nytp_say("%s%s in %.1f s, %llu torn%s%s%s%s", nytp_counted(counts->samples, "sample").text, of, seconds,
             (unsigned long long)counts->torn, lost, file != NULL ? ": " : "", file != NULL ? file : "",
             more);
    if (counts->cut > 0)
        nytp_say("%llu of the stacks were deeper than --depth=%zu: their outer calls are shown as one",
                 (unsigned long long)counts->cut, options->max_depth);
    if (processes > 1 && counts->lost_s >= LEAST_LOST_S && counts->losers > 0)
        say_lost(counts);
    say_missed(counts, options->cpu);
    say_unseen(counts, with_children);
    say_newer(&counts->sources);
    if (file != NULL && counts->samples + counts->idle > 0)
        say_next(options, processes, file);
}
