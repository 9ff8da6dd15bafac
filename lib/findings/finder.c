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

static const char *share_of(const nytp_finder *f, bool is_wait)
{
    const double noticed = 0.995;
    if (f->memory != NULL)
        return f->memory;
    return f->work_ticks > noticed * f->whole_ticks ? "the time" : is_wait ? "all time" : "the work";
}

void nytp_find(nytp_finder *f, enum nytp_rule rule, double ticks, nytp_found_place place, const char *format,
               ...)
{
    const bool is_wait = rule == NYTP_FOUND_WAITING || rule == NYTP_FOUND_BUSY_MACHINE;
    const double share = fmin(ticks / (is_wait ? f->whole_ticks : f->work_ticks), 1);
    if (!(share * 100 >= LEAST_PERCENT) || f->work_ticks <= 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    uint32_t line = place.line;
    const nytp_file *file = file_of(f, place.fid, &line);
    g_autofree char *short_place = place.subject == NULL ? place_name(f, place.fid, place.line) : NULL;
    g_autofree char *of_whole = g_strdup_printf(", %.0f %% of %s", share * 100, share_of(f, is_wait));
    g_autofree char *said = g_strdup_printf("%s: %s%s", what, amount_of(f, ticks).text, of_whole);
    char *text = g_strdup_printf("%s %s", place.subject != NULL ? place.subject : short_place, said);
    const nytp_finding finding = {.rule = rule,
                                  .ticks = ticks,
                                  .order_ticks = ticks,
                                  .share = share,
                                  .text = text,
                                  .share_at = strlen(text) - strlen(of_whole),
                                  .without_place = place.subject != NULL
                                                       ? g_strdup_printf("%s %s", place.subject, said)
                                                       : g_strdup(said),
                                  .path = line > 0 ? path_of(file) : NULL,
                                  .path_line = line,
                                  .sub = place.sub,
                                  .fid = place.fid,
                                  .line = place.line};
    g_array_append_val(f->found, finding);
}

void nytp_find_growing(nytp_finder *f, uint32_t sub, double bytes, double share, const char *what,
                       const char *of_whole)
{
    if (!(share * 100 >= LEAST_PERCENT))
        return;
    char *text = g_strconcat(what, of_whole, NULL);
    const nytp_finding finding = {.rule = NYTP_FOUND_GROWTH,
                                  .bytes = bytes,
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
