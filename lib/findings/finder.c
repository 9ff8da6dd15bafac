#include "findings/finder.h"

#include "export/amount.h"

#include <math.h>
#include <stdlib.h>

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

/* Whether the work is less than all time by what can be seen. */
static bool has_waits(const nytp_finder *f)
{
    const double noticed = 0.995;
    return f->memory == NULL && f->work_ticks <= noticed * f->whole_ticks;
}

/* " (577 ms, 63 % of the work)": of what the finding is about, the part that is work, and its share. */
static char *work_in_words(const nytp_finder *f, const nytp_finding *found)
{
    if (!has_waits(f) || !(found->work_share > 0))
        return g_strdup("");
    g_autofree char *amount = found->work_ticks < found->ticks
                                  ? g_strconcat(amount_of(f, found->work_ticks).text, ", ", NULL)
                                  : g_strdup("");
    return g_strdup_printf(" (%s%s of the work)", amount, nytp_amount_percent(found->work_share).text);
}

void nytp_find(nytp_finder *f, enum nytp_rule rule, double ticks, nytp_found_place place, const char *format,
               ...)
{
    const bool is_work = f->memory == NULL && rule != NYTP_FOUND_WAITING && rule != NYTP_FOUND_BUSY_MACHINE;
    nytp_finding finding = {.rule = rule,
                            .ticks = ticks + place.waited_ticks,
                            .order_ticks = ticks,
                            .share = fmin((ticks + place.waited_ticks) / f->whole_ticks, 1),
                            .work_ticks = is_work ? ticks : 0,
                            .work_share = is_work ? fmin(ticks / f->work_ticks, 1) : 0,
                            .sub = place.sub,
                            .fid = place.fid,
                            .line = place.line};
    if (!((is_work ? finding.work_share : finding.share) * 100 >= LEAST_PERCENT) ||
        (is_work ? f->work_ticks : f->whole_ticks) <= 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    uint32_t line = place.line;
    const nytp_file *file = file_of(f, place.fid, &line);
    g_autofree char *short_place = place.subject == NULL ? place_name(f, place.fid, place.line) : NULL;
    g_autofree char *of_work = work_in_words(f, &finding);
    g_autofree char *of_whole = g_strdup_printf(", %s of %s", nytp_amount_percent(finding.share).text,
                                                f->memory != NULL ? f->memory
                                                : has_waits(f)    ? "all time"
                                                                  : "the time");
    g_autofree char *said =
        g_strdup_printf("%s: %s%s%s", what, amount_of(f, finding.ticks).text, of_work, of_whole);
    finding.text = g_strdup_printf("%s %s", place.subject != NULL ? place.subject : short_place, said);
    finding.share_at = strlen(finding.text) - strlen(of_whole);
    finding.without_place =
        place.subject != NULL ? g_strdup_printf("%s %s", place.subject, said) : g_strdup(said);
    finding.path = line > 0 ? path_of(file) : NULL;
    finding.path_line = line;
    g_array_append_val(f->found, finding);
}

void nytp_find_growing(nytp_finder *f, uint32_t sub, double values, double share, const char *what,
                       const char *of_whole)
{
    if (!(share * 100 >= LEAST_PERCENT))
        return;
    char *text = g_strconcat(what, of_whole, NULL);
    const nytp_finding finding = {.rule = NYTP_FOUND_GROWTH,
                                  .values = values,
                                  .order_ticks = fmin(share, 1) * f->work_ticks,
                                  .share = fmin(share, 1),
                                  .text = text,
                                  .share_at = strlen(what),
                                  .without_place = g_strdup(text),
                                  .sub = sub};
    g_array_append_val(f->found, finding);
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

char *nytp_found_name(const nytp_finder *f, nytp_str name)
{
    g_autoptr(GString) portable = nytp_portable_name(f->portable, name);
    return nytp_name_clean((nytp_str){portable->str, portable->len, name.utf8});
}

char *nytp_found_file(const nytp_finder *f, uint32_t fid)
{
    const nytp_file *file = nytp_profile_merged_file(f->profile, fid);
    return file != NULL && file->name.length > 0 ? nytp_found_name(f, file->name)
                                                 : g_strdup("(unknown file)");
}
