#include "overview.h"

#include "compare/comparison.h"
#include "export/amount.h"
#include "export/time_parts.h"
#include "diff/difference.h"
#include "model/grow.h"
#include "model/states.h"
#include "text.h"

#include <math.h>
#include <string.h>
#include <time.h>

char *html_overview_title(const html_report *report, const html_options *options)
{
    if (options->title != NULL)
        return html_text_clean(options->title);
    char *programs = html_processes_programs(report);
    if (programs != NULL)
        return programs;
    g_autofree char *program = html_report_setting(report, NYTP_ATTRIBUTE, "application");
    return program != NULL && *program != '\0' ? g_path_get_basename(program)
                                               : html_text_clean(options->inputs->names[0]);
}

/* How many allocations were followed, and which part of all that is. A file that does not say has no rate. */
static void put_samples_of_memory(const html_report *r, FILE *out)
{
    const double per_byte = r->measure.samples_per_base;
    fputs("Sampled", out);
    if (per_byte > 0)
        fprintf(out, ", an allocation in %s", html_amount(r, 1 / per_byte).text);
    if (r->memory.samples > 0)
        fprintf(out, ": %s, which stand for %s", nytp_amount_of(r->memory.samples, "sample").text,
                nytp_amount_of((double)r->statements, "block").text);
    else
        fprintf(out, ": %s", nytp_amount_of((double)r->statements, "block").text);
}

/* What was counted: samples, or statements and calls. */
static void put_events(const html_report *r, FILE *out)
{
    const nytp_amount calls = nytp_amount_of((double)r->calls, "call");
    if (nytp_measure_is_bytes(&r->measure))
        put_samples_of_memory(r, out);
    else if (nytp_measure_is_sampled(&r->measure))
        fprintf(out, "Sampled, %s a second: %s",
                nytp_amount_whole((uint64_t)ceil(r->measure.samples_per_base)).text,
                nytp_amount_of((double)r->statements, "sample").text);
    else if (r->is_tmon)
        fputs(calls.text, out);
    else
        fprintf(out, "%s and %s", nytp_amount_of((double)r->statements, "statement").text, calls.text);
}

/* What a program did that was sampled, if the profile says it. */
static void put_states(const html_report *r, FILE *out)
{
    const nytp_states states = nytp_profile_states(r->profile);
    const double all_s = nytp_states_all_s(states);
    if (all_s > 0)
        fprintf(out,
                ". It ran for %.0f %% of the time, waited for a processor for %.0f %% and slept for %.0f %%",
                100 * states.run_s / all_s, 100 * states.wait_s / all_s, 100 * states.sleep_s / all_s);
}

static void put_counts(const html_report *r, FILE *out)
{
    uint64_t files = r->files->len;
    NYTP_EACH(const html_file, one, r->files)
        files -= one->of->eval_fid != 0;
    fputs("<p class=\"quiet\">", out);
    put_events(r, out);
    if (!r->is_tmon)
        fprintf(out, " in %s and %s", nytp_amount_of((double)files, "file").text,
                nytp_amount_of((double)r->evals, "string eval").text);
    put_states(r, out);
    fputs(".</p>\n", out);
}

/* In UTC: the same profile gives the same bytes everywhere. */
static void put_date(const html_report *r, FILE *out)
{
    const nytp_process *p = nytp_profile_process(r->profile, 0);
    if (p == NULL || !(p->start_s > 0 && p->start_s < 1e11))
        return;
    time_t seconds = (time_t)p->start_s;
    char text[64];
    struct tm utc;
    if (gmtime_r(&seconds, &utc) != NULL && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc) > 0)
        fprintf(out, ", %s", text);
}

static void put_origin_line(const html_report *r, const html_options *o, FILE *out)
{
    enum { MOST_INPUTS = 3 };
    g_autofree char *program = html_report_setting(r, NYTP_ATTRIBUTE, "application");
    g_autofree char *perl = html_report_setting(r, NYTP_ATTRIBUTE, "perl_version");
    g_autofree char *collector = html_report_collector(r);
    const size_t count = nytp_profile_process_count(r->profile);
    html_put(out, "<p class=\"quiet\">Profile of %s",
             program != NULL && *program != '\0' ? program : "a program");
    if (perl != NULL)
        html_put(out, ", perl %s", perl);
    put_date(r, out);
    if (count > 1)
        fprintf(out, ", %s processes", nytp_amount_whole(count).text);
    if (collector != NULL)
        html_put(out, ", recorded by %s", collector);
    for (int i = 0; i < o->inputs->count && i < MOST_INPUTS; i++) {
        g_autofree char *name = html_text_clean(o->inputs->names[i]);
        html_put(out, "%s%s", i > 0 ? ", " : ", from ", name);
    }
    if (o->inputs->count > MOST_INPUTS)
        fprintf(out, " and %d more", o->inputs->count - MOST_INPUTS);
    fputs(".</p>\n", out);
}

/* Which runs the pictures are of, and what the numbers are. */
static void put_kind_of_difference(const html_report *r, FILE *out)
{
    const html_difference *d = r->difference;
    const html_words *words = html_words_of(&r->measure);
    const int old_runs = d->sides[NYTP_OLD].count, new_runs = d->sides[NYTP_NEW].count;
    fputs("<p class=\"quiet\">", out);
    if (d->by_share)
        fputs("Times of samples are compared as shares of the whole time; what chance can explain is grey, "
              "with a ~.",
              out);
    else if (nytp_runs_are_few((size_t)old_runs, (size_t)new_runs))
        fputs("Nothing says which differences are chance: that takes four profiles of each side.", out);
    else
        fprintf(out, "%s; what chance can explain is grey, with a ~.", words->medians);
    if (old_runs > 1 || new_runs > 1) {
        g_autofree char *old = html_text_clean(d->shown[NYTP_OLD]),
                        *new = html_text_clean(d->shown[NYTP_NEW]);
        html_put(out, " %s: %s and %s.", words->pictures, old, new);
    }
    fputs("</p>\n", out);
}

/* Writes what there is of the changes of the work and of those of all time, of which the script shows one. */
static void put_of_both(const html_report *r, const char *tag,
                        void (*put)(const html_report *, const html_changes *, FILE *), FILE *out)
{
    const html_difference *d = r->difference;
    if (!d->has_work) {
        put(r, &d->all, out);
        return;
    }
    fprintf(out, "<%s data-times=\"work\">", tag);
    put(r, &d->work, out);
    fprintf(out, "</%s><%s data-times=\"all\" hidden>", tag, tag);
    put(r, &d->all, out);
    fprintf(out, "</%s>", tag);
}

/* "Compared with old.out: 1.2 s → 1.5 s, +25.0 %" */
static void put_compared(const html_report *r, const html_changes *changes, FILE *out)
{
    const html_difference *d = r->difference;
    const double old = changes->whole[NYTP_OLD], new = changes->whole[NYTP_NEW];
    g_autofree char *name = html_text_clean(d->sides[NYTP_OLD].names[0]);
    html_put(out, "Compared with %s", name);
    if (d->sides[NYTP_OLD].count > 1)
        fprintf(out, " and %d more", d->sides[NYTP_OLD].count - 1);
    fprintf(out, ": <strong>%s → %s</strong>", html_amount(r, old).text, html_amount(r, new).text);
    if (old > 0)
        fprintf(out, ", %+.1f %%", (new - old) / old * 100);
    if (changes->verdict == NYTP_VERDICT_CHANCE)
        fputs(", which chance can explain", out);
}

/* A damaged profile may have no process, and where processes do not say how long they waited, sums of calls
 * may say it of all. */
static nytp_time_parts parts_of(const html_report *r)
{
    const nytp_time_parts parts = nytp_time_parts_of_processes(r->process_times, r->measure.ticks_per_base);
    return parts.time_ticks > 0 && parts.asleep_ticks >= 0 ? parts : nytp_profile_time_parts(r->profile);
}

/* "shop.pl, 5 processes: 760 s = 33 s work + 3 s queued + 722 s asleep + 2 s profiler" */
static void put_time(const html_report *r, const char *title, FILE *out)
{
    const size_t processes = nytp_profile_process_count(r->profile);
    const nytp_time_parts parts = parts_of(r);
    g_autofree char *sum = nytp_time_parts_text(&parts, &r->measure);
    g_autoptr(GString) text = g_string_new(sum);
    html_use_micro_sign(text);
    html_put(out, "%s", title);
    if (processes > 1 && !g_str_has_suffix(title, " processes)"))
        fprintf(out, ", %s processes", nytp_amount_whole(processes).text);
    fprintf(out, ": %s", text->str);
}

/* Returns how many seconds passed from the begin of the first process to the end of the last one. */
static double elapsed_s(const html_report *r)
{
    double end_s = 0;
    for (size_t i = 0; i < nytp_profile_process_count(r->profile); i++)
        end_s = MAX(end_s, nytp_profile_process(r->profile, i)->end_s);
    return end_s - nytp_processes_begin_s(r->profile);
}

/* Says why much of the time was queued, if it was and the profile knows how many processors there were. */
static void put_why_queued(const html_report *r, FILE *out)
{
    const double much = 0.2, most_used = 0.6;
    const nytp_time_parts parts = parts_of(r);
    const double profiler = MAX(parts.profiler_ticks, 0), lasted = parts.time_ticks + profiler,
                 ran = lasted - parts.asleep_ticks - parts.queued_ticks,
                 processors = nytp_str_number(nytp_profile_attribute(r->profile, "processors"));
    if (!(processors > 0) || !(parts.queued_ticks > much * lasted))
        return;
    const char *s = processors == 1 ? "" : "s"; /* control groups may let it have 0.5 */
    if (ran < most_used * processors * elapsed_s(r) * r->measure.ticks_per_base)
        fprintf(out, ". Other programs had the %g processor%s that it could use", processors, s);
    else
        fprintf(out, ". %g processor%s %s too few for it", processors, s, processors == 1 ? "is" : "are");
}

static double lasted_ticks(const nytp_time_parts *parts)
{
    return parts->time_ticks + MAX(parts->profiler_ticks, 0);
}

/* How long it lasted, as a bar; the sentence above has the same for who cannot see it. */
static void put_parts(const html_report *r, const char *id, double width, FILE *out)
{
    nytp_time_part list[NYTP_TIME_PARTS];
    const nytp_time_parts parts = parts_of(r);
    const double whole = lasted_ticks(&parts);
    const size_t count = nytp_time_parts_list(&parts, list);
    if (nytp_measure_is_bytes(&r->measure) || count < 2)
        return;
    fprintf(out, "<div id=\"%s\" class=\"share-bar\" aria-hidden=\"true\"", id);
    fprintf(out, width < 1 ? " style=\"width:%.2f%%\">" : ">", 100 * width);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "<span class=\"%.*s\" style=\"flex-grow:%.4f\"><strong>%s</strong> %s</span>",
                (int)strcspn(list[i].name, " "), list[i].name, list[i].ticks / whole,
                html_amount(r, list[i].ticks).text, list[i].name);
    fputs("</div>\n", out);
}

/* Those of both runs that are shown, on one scale. */
static void put_both_parts(const html_report *new, const html_report *old, FILE *out)
{
    const nytp_time_parts new_parts = parts_of(new), old_parts = parts_of(old);
    const double new_s = lasted_ticks(&new_parts) / new->measure.ticks_per_base,
                 old_s = lasted_ticks(&old_parts) / old->measure.ticks_per_base, most_s = fmax(new_s, old_s);
    if (!(most_s > 0))
        return;
    fputs("<div class=\"sides\">\n<span>old</span>", out);
    put_parts(old, "old-parts", old_s / most_s, out);
    fputs("<span>new</span>", out);
    put_parts(new, "parts", new_s / most_s, out);
    fputs("</div>\n", out);
}

/* "13.1 MiB of live memory in 3 processes, 123,030 blocks; sum of their peaks: 13.7 MiB". The peaks of
 * processes were at different moments. */
static void put_memory(const html_report *r, FILE *out)
{
    const nytp_memory_about *about = &r->memory;
    const size_t processes = nytp_profile_process_count(r->profile);
    fprintf(out, "<strong>%s</strong> of %s", html_amount(r, (double)r->ticks).text,
            nytp_memory_in_words(about->of));
    if (processes > 1)
        fprintf(out, " in %s processes", nytp_amount_whole(processes).text);
    fprintf(out, ", %s", nytp_amount_of((double)r->statements, "block").text);
    if (about->peak_bytes > 0 && about->peak_bytes < 0x1p63 && strcmp(about->of, "peak") != 0)
        fprintf(out, "; %s: %s",
                processes > 1 || about->peaks > 1 ? "sum of their peaks" : "peak of the process",
                html_amount(r, about->peak_bytes).text);
}

static void put_lede(const html_report *r, const char *title, FILE *out)
{
    fputs("<p id=\"lede\" class=\"lede\">", out);
    if (r->difference != NULL)
        put_of_both(r, "span", put_compared, out);
    else if (nytp_measure_is_bytes(&r->measure))
        put_memory(r, out);
    else {
        put_time(r, title, out);
        put_why_queued(r, out);
    }
    /* The script says in the next one what a reader has chosen. */
    fputs(".</p>\n<p id=\"chosen\" class=\"lede\" hidden></p>\n", out);
    if (r->difference == NULL)
        put_parts(r, "parts", 1, out);
    else
        put_both_parts(r, r->difference->old, out);
    fputs("<figure id=\"fork\" hidden></figure>\n", out);
}

static void put_difference(const html_report *r, FILE *out)
{
    put_kind_of_difference(r, out);
    fputs("<section id=\"causes\">", out);
    put_of_both(r, "div", html_causes_write, out);
    fputs("</section>\n<div id=\"changes\"></div>\n", out);
}

static void put_problems(const html_report *r, FILE *out)
{
    for (guint i = 0; i < r->problems->len; i++)
        html_put(out, "<p class=\"banner\" role=\"note\">%s</p>\n", (const char *)r->problems->pdata[i]);
}

/* Adds the options, as they may be typed. */
static void add_filters(const nytp_filter_options *f, GString *words)
{
    g_autofree char *span = f->span != NULL ? g_shell_quote(f->span) : NULL;
    if (f->process > 0)
        g_string_append_printf(words, " --process=%u", f->process);
    if (f->range.text != NULL)
        g_string_append_printf(words, " --range=%s", f->range.text);
    if (span != NULL)
        g_string_append_printf(words, " --span=%s", span);
    if (f->slowest.count > 0)
        g_string_append_printf(words, " --slowest=%g%s", f->slowest.count, f->slowest.is_percent ? "%" : "");
    if (f->no_wait)
        g_string_append(words, " --no-wait");
    if (f->work)
        g_string_append(words, " --work");
}

static void put_filters(const html_options *o, FILE *out)
{
    g_autoptr(GString) words = g_string_new(NULL);
    if (o->filters != NULL)
        add_filters(o->filters, words);
    if (words->len == 0)
        return;
    g_autofree char *shown = html_text_clean(words->str + 1);
    html_put(
        out,
        "<p id=\"filters\" class=\"quiet\">Filtered by <code>%s</code>: the rest of the profile is not in "
        "this report.</p>\n",
        shown);
}

static void put_settings(const html_report *r, nytp_tag tag, const char *title, FILE *out)
{
    const nytp_setting *s;
    fprintf(out, "<details><summary>%s</summary><dl class=\"settings\">\n", title);
    for (size_t i = 0; (s = nytp_profile_setting(r->profile, i)) != NULL; i++) {
        if (s->tag != tag)
            continue;
        g_autofree char *key = nytp_name_clean(s->key), *value = nytp_name_clean(s->value);
        fprintf(out, "<div><dt%s>",
                nytp_str_is(s->key, "sampled_torn") ? " title=\"Torn samples: the program changed while its "
                                                      "stack was read, so they are left out\""
                                                    : "");
        html_put(out, "%s</dt><dd>%s</dd></div>\n", key, value);
    }
    fputs("</dl></details>\n", out);
}

void html_overview_write(const html_report *report, const html_options *options, FILE *out)
{
    g_autofree char *title = html_overview_title(report, options);
    const html_difference *d = report->difference;
    g_autofree char *answer = d == NULL ? html_findings_headline(report)
                                        : html_causes_headline(report, d->has_work ? &d->work : &d->all);
    g_autofree char *of_all = d != NULL && d->has_work ? html_causes_headline(report, &d->all) : NULL;
    fputs("<section id=\"overview\">\n<h1", out);
    if (of_all != NULL)
        html_put(out, " data-all=\"%s\"", of_all);
    html_put(out, ">%s</h1>\n", answer != NULL ? answer : title);
    put_lede(report, title, out);
    put_filters(options, out);
    put_problems(report, out);
    if (report->difference != NULL)
        put_difference(report, out);
    fputs("<div id=\"hot\">\n", out);
    html_findings_write(report, out);
    html_tops_write(report, out);
    html_processes_write(report, out);
    fputs("<section><h2>Recorded</h2>\n", out);
    put_origin_line(report, options, out);
    put_counts(report, out);
    put_settings(report, NYTP_ATTRIBUTE, "Attributes", out);
    put_settings(report, NYTP_OPTION, "Options of the profiler", out);
    fputs("</section>\n</section>\n", out);
}
