#include "findings/finder.h"

#include "export/amount.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_PERCENT = 2, MOST_NESTED = 100 /* evals of a damaged profile may contain one another */ };

/* Times of samples would have digits that were not measured. */
static nytp_amount amount_of(const nytp_finder *f, double ticks)
{
    if (!nytp_measure_counts_samples(&f->measure))
        return nytp_amount_measured(&f->measure, ticks / f->measure.ticks_per_base);
    return nytp_amount_of((double)nytp_samples_of(ticks, &f->totals), "sample");
}

/* The file that has the place, and the line there: a string eval is where it was made. */
static const nytp_file *file_of(const nytp_finder *f, uint32_t fid, uint32_t *line)
{
    const nytp_file *file = nytp_profile_file_by_fid(f->profile, fid);
    for (int i = 0; i < MOST_NESTED && file != NULL && file->eval_fid != 0; i++) {
        *line = file->eval_line;
        file = nytp_profile_file_by_fid(f->profile, file->eval_fid);
    }
    return file;
}

/* A name that an editor opens, wherever it was started. Names in profiles are absolute, except of those that
 * were made elsewhere. */
static char *path_of(const nytp_file *file)
{
    if (file == NULL || file->name.length == 0)
        return NULL;
    g_autofree char *name = nytp_name_clean(file->name);
    return g_path_is_absolute(name) || !g_file_test(name, G_FILE_TEST_EXISTS)
               ? g_strdup(name)
               : g_canonicalize_filename(name, NULL);
}

/* "A/B.pm:12" */
static char *place_name(const nytp_finder *f, uint32_t fid, uint32_t line)
{
    g_autofree char *file = nytp_found_file(f, fid);
    return g_strdup_printf("%s:%u", file, line);
}

/* Returns where the share of few samples is in 95 of 100 cases (Wilson's interval), for g_free(): " (30 to
 * 80)". */
static char *interval_of(const nytp_finder *f, const nytp_finding *finding)
{
    const double few = 100, z2 = 1.96 * 1.96, share = finding->share,
                 all = (double)nytp_samples_of(finding->ticks / share, &f->totals),
                 middle = (share + z2 / (2 * all)) / (1 + z2 / all),
                 half = sqrt(z2 * (share * (1 - share) / all + z2 / (4 * all * all))) / (1 + z2 / all);
    const bool is_exact = !nytp_measure_counts_samples(&f->measure) || all < 1 || share * all >= few ||
                          finding->rule == NYTP_FOUND_BUSY_MACHINE;
    return is_exact ? g_strdup("")
                    : g_strdup_printf(" (%.0f to %.0f)", 100 * (middle - half), 100 * (middle + half));
}

/* Adds the share to what was found, and then the finding. */
static void add_finding(nytp_finder *f, nytp_finding finding, const char *subject, const char *said)
{
    g_autofree char *place = subject == NULL ? place_name(f, finding.fid, finding.line) : NULL,
                    *interval = interval_of(f, &finding),
                    *share = g_strdup_printf(", %s%s of %s", nytp_amount_percent(finding.share).text,
                                             interval, finding.share_of);
    finding.text = g_strdup_printf("%s %s%s", subject != NULL ? subject : place, said, share);
    finding.share_at = strlen(finding.text) - strlen(share);
    finding.without_place =
        g_strconcat(subject != NULL ? subject : "", subject != NULL ? " " : "", said, share, NULL);
    g_array_append_val(f->found, finding);
}

void nytp_find(nytp_finder *f, enum nytp_rule rule, double ticks, nytp_found_place place, const char *format,
               ...)
{
    const bool is_work = f->memory == NULL && rule != NYTP_FOUND_WAITING && rule != NYTP_FOUND_BUSY_MACHINE;
    const double whole_ticks = is_work ? f->work_ticks : f->whole_ticks;
    if (!(whole_ticks > 0) || !(ticks * 100 >= LEAST_PERCENT * whole_ticks))
        return;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *said = g_strdup_printf("%s: %s", what, amount_of(f, ticks).text);
    uint32_t line = place.line;
    const nytp_file *file = file_of(f, place.fid, &line);
    add_finding(f,
                (nytp_finding){.rule = rule,
                               .ticks = ticks,
                               .share = fmin(ticks / whole_ticks, 1),
                               .share_of = g_strdup(f->memory != NULL ? f->memory
                                                    : is_work         ? "the work"
                                                                      : "all time"),
                               .path = line > 0 ? path_of(file) : NULL,
                               .path_line = line,
                               .sub = place.sub,
                               .span = UINT32_MAX,
                               .around = place.sub,
                               .fid = place.fid,
                               .line = place.line},
                place.subject, said);
}

void nytp_find_growing(nytp_finder *f, uint32_t sub, double values, double share, uint32_t pid,
                       const char *span, const char *said)
{
    if (!(share * 100 >= LEAST_PERCENT))
        return;
    add_finding(f,
                (nytp_finding){.rule = NYTP_FOUND_GROWTH,
                               .values = values,
                               .share = fmin(share, 1),
                               .share_of = g_strdup_printf("the values of process %u", pid),
                               .sub = sub,
                               .span = UINT32_MAX,
                               .around = UINT32_MAX},
                span, said);
}

uint32_t nytp_found_number(const nytp_finder *f, nytp_str name)
{
    g_autoptr(GBytes) key = g_bytes_new_static(name.bytes, name.length);
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(f->numbers, key));
    return known > 0 ? known - 1 : UINT32_MAX;
}

bool nytp_found_is_own(const nytp_finder *f, nytp_str name)
{
    nytp_sub sub;
    uint32_t line;
    const uint32_t number = nytp_found_number(f, name);
    if (number == UINT32_MAX || !nytp_profile_sub(f->profile, number, &sub) || sub.kind != NYTP_SUB_PERL)
        return false;
    const nytp_range *range = nytp_sub_main_range(&sub);
    const nytp_file *file = range != NULL ? file_of(f, range->fid, &line) : NULL;
    return file != NULL && nytp_origin_of(f->origins, file->name) == NYTP_OWN;
}

/* Mojo loads an application into a package of its own, with a name that nobody wrote: it is the program. */
static nytp_str without_sandbox(nytp_str name)
{
    static const char sandbox[] = "Mojo::Server::Sandbox::";
    const size_t length = strlen(sandbox) + 32 /* digits */ + strlen("::");
    if (name.length > length && memcmp(name.bytes, sandbox, strlen(sandbox)) == 0)
        return (nytp_str){name.bytes + length, name.length - length, name.utf8};
    return name;
}

char *nytp_found_name(const nytp_finder *f, nytp_str name)
{
    name = without_sandbox(name);
    g_autoptr(GString) portable = nytp_portable_name(f->portable, name);
    return nytp_name_clean((nytp_str){portable->str, portable->len, name.utf8});
}

char *nytp_found_file(const nytp_finder *f, uint32_t fid)
{
    const nytp_file *file = nytp_profile_merged_file(f->profile, fid);
    return file != NULL && file->name.length > 0 ? nytp_found_name(f, file->name)
                                                 : g_strdup("(unknown file)");
}
