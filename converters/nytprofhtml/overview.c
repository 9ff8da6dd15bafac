#include "overview.h"

#include "export/amount.h"
#include "difference.h"
#include "model/states.h"
#include "processes.h"
#include "shares.h"
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

static double real_s(const html_report *r)
{
    const nytp_process *p;
    double sum = 0;
    for (size_t i = 0; (p = nytp_profile_process(r->profile, i)) != NULL; i++)
        if (p->ended && p->end_s > p->start_s)
            sum += p->end_s - p->start_s;
    return sum;
}

/* What was counted: samples, or statements and calls. */
static void put_events(const html_report *r, FILE *out)
{
    const nytp_amount calls = nytp_amount_of((double)r->calls, "call");
    if (r->sampled_hz > 0)
        fprintf(out, ", sampled, %s a second: %s", nytp_amount_whole((uint64_t)ceil(r->sampled_hz)).text,
                nytp_amount_of((double)r->statements, "sample").text);
    else if (r->is_tmon)
        fprintf(out, " in %s", calls.text);
    else
        fprintf(out, ", executing %s and %s", nytp_amount_of((double)r->statements, "statement").text,
                calls.text);
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

static void put_lede(const html_report *r, FILE *out)
{
    uint64_t files = r->files->len;
    for (guint i = 0; i < r->files->len; i++)
        files -= html_report_file(r, i)->of->eval_fid != 0;
    fprintf(out, "<p id=\"lede\" class=\"lede\"><strong>%s</strong>",
            html_time((double)r->ticks / r->ticks_per_s, html_step_s(r->sampled_hz)).text);
    if (real_s(r) > 0)
        fprintf(out, " (of %s)", html_time(real_s(r), 0).text);
    put_events(r, out);
    if (!r->is_tmon)
        fprintf(out, " in %s and %s", nytp_amount_of((double)files, "file").text,
                nytp_amount_of((double)r->evals, "string eval").text);
    put_states(r, out);
    /* The script says in the next one what a reader has chosen. */
    fputs(".</p>\n<p id=\"chosen\" class=\"lede\" hidden></p>\n", out);
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
static void put_kind_of_difference(const html_difference *d, FILE *out)
{
    const int old_runs = d->sides[NYTP_OLD].count, new_runs = d->sides[NYTP_NEW].count;
    fputs("<p class=\"quiet\">", out);
    if (d->by_share)
        fputs("Times of samples are compared as shares of the whole time; what chance can explain is grey, "
              "with a ~.",
              out);
    else if (old_runs < 4 || new_runs < 4)
        fputs("Nothing says which differences are chance: that takes four profiles of each side.", out);
    else
        fputs("Times are medians; what chance can explain is grey, with a ~.", out);
    if (old_runs > 1 || new_runs > 1) {
        g_autofree char *old = html_text_clean(d->shown[NYTP_OLD]),
                        *new = html_text_clean(d->shown[NYTP_NEW]);
        html_put(
            out,
            " The flame graph, the time line, the modules and the source show one run of each side, whose "
            "time is nearest to the median: %s and %s.",
            old, new);
    }
    fputs("</p>\n", out);
}

static void put_difference(const html_report *r, FILE *out)
{
    const html_difference *d = r->difference;
    const double old_s = d->whole[NYTP_OLD] / r->ticks_per_s, new_s = d->whole[NYTP_NEW] / r->ticks_per_s,
                 step_s = html_step_s(r->sampled_hz);
    g_autofree char *old = html_text_clean(d->sides[NYTP_OLD].names[0]);
    html_put(out, "<p class=\"lede\">Compared with %s", old);
    if (d->sides[NYTP_OLD].count > 1)
        fprintf(out, " and %d more", d->sides[NYTP_OLD].count - 1);
    fprintf(out, ": <strong>%s → %s</strong>", html_time(old_s, step_s).text, html_time(new_s, step_s).text);
    if (old_s > 0)
        fprintf(out, ", %+.1f %%", (new_s - old_s) / old_s * 100);
    fprintf(out, "%s.</p>\n", d->verdict == NYTP_VERDICT_CHANCE ? ", which chance can explain" : "");
    put_kind_of_difference(d, out);
    fputs("<div id=\"changes\"></div>\n", out);
}

static void put_problems(const html_report *r, FILE *out)
{
    for (guint i = 0; i < r->problems->len; i++)
        html_put(out, "<p class=\"banner\" role=\"note\">%s</p>\n", (const char *)r->problems->pdata[i]);
}

static void put_share(const char *name, double ticks, double all, FILE *out)
{
    double share = all > 0 ? MAX(ticks, 0) / all : 0;
    fprintf(out, "<tr><th scope=\"row\">%s</th><td class=\"n\">%.1f %%</td><td class=\"meter\">", name,
            share * 100);
    fprintf(out,
            "<svg width=\"100%%\" height=\"10\" aria-hidden=\"true\"><rect width=\"%.1f%%\" height=\"10\" "
            "fill=\"currentColor\"></rect></svg></td></tr>\n",
            share * 100);
}

static void put_phases(const html_shares *shares, double all, FILE *out)
{
    static const char *const phases[] = {"compile phase (use, BEGIN)", "run", "END blocks"};
    fputs("<table id=\"phases\" class=\"shares\">\n<caption class=\"quiet\">The compile phase took at least "
          "this: "
          "compiling outside of BEGIN blocks counts as run.</caption>\n<tbody>\n",
          out);
    for (int i = 0; i < HTML_PHASES; i++)
        put_share(phases[i], shares->phases[i], all, out);
    fputs("</tbody></table>\n", out);
}

static void put_origins(const html_shares *shares, double all, bool judged_by_paths, FILE *out)
{
    static const char *const origins[] = {"own code", "installed modules", "perl's own modules",
                                          "XS and built-ins", "waiting"};
    fprintf(out,
            "<table id=\"by-origin\" class=\"shares\">\n<caption class=\"quiet\">Whose subs take the time, "
            "judged by "
            "%s.</caption>\n<tbody>\n",
            judged_by_paths ? "the paths of files" : "perl's directories, which the profile names");
    for (int i = 0; i < HTML_ORIGINS; i++)
        if (shares->origins[i] > 0)
            put_share(origins[i], shares->origins[i], all, out);
    if (shares->outside > 0)
        put_share("outside of subs", shares->outside, all, out);
    if (shares->unknown > 0)
        put_share("not known", shares->unknown, all, out);
    fputs("</tbody></table>\n", out);
}

static void put_shares(const html_report *r, FILE *out)
{
    const html_shares shares = html_shares_of(r);
    fputs("<section><h2>Phases and origins</h2>\n", out);
    put_phases(&shares, (double)r->ticks, out);
    if (!r->is_tmon)
        put_origins(&shares, (double)r->ticks, !nytp_origins_known(r->origins), out);
    fputs("</section>\n", out);
}

static void put_settings(const html_report *r, nytp_tag tag, const char *title, FILE *out)
{
    const nytp_setting *s;
    fprintf(out, "<details><summary>%s</summary><dl class=\"settings\">\n", title);
    for (size_t i = 0; (s = nytp_profile_setting(r->profile, i)) != NULL; i++) {
        if (s->tag != tag)
            continue;
        g_autofree char *key = nytp_name_clean(s->key), *value = nytp_name_clean(s->value);
        html_put(out, "<div><dt>%s</dt><dd>%s</dd></div>\n", key, value);
    }
    fputs("</dl></details>\n", out);
}

void html_overview_write(const html_report *report, const html_options *options, FILE *out)
{
    g_autofree char *title = html_overview_title(report, options);
    html_put(out, "<section id=\"overview\">\n<h1>%s</h1>\n", title);
    put_lede(report, out);
    put_problems(report, out);
    if (report->difference != NULL)
        put_difference(report, out);
    html_findings_write(report, out);
    if (report->stacks->len > 0) {
        fputs("<figure id=\"overview-flame\">\n", out);
        html_flame_write(report, out);
        fputs("</figure>\n", out);
    } else {
        fputs("<p class=\"quiet\">No stacks of calls in this profile: record with calls=1 for a flame "
              "graph.</p>\n",
              out);
    }
    html_tops_write(report, out);
    fputs("<div class=\"columns\">\n", out);
    put_shares(report, out);
    fputs("<section><h2>Recorded</h2>\n", out);
    put_origin_line(report, options, out);
    put_settings(report, NYTP_ATTRIBUTE, "Attributes", out);
    put_settings(report, NYTP_OPTION, "Options of the profiler", out);
    html_processes_write(report, out);
    fputs("</section></div>\n</section>\n", out);
}
