#include "findings/finder.h"

#include "export/amount.h"
#include "model/sampled.h"

#include <stdlib.h>

enum { LEAST_PERCENT = 1 };

/* Times of samples would have digits that were not measured. */
static nytp_amount amount_of(const nytp_finder *f, double ticks)
{
    if (!f->sampled)
        return nytp_amount_time(ticks / f->ticks_per_s);
    return nytp_amount_of((double)nytp_samples_of(ticks, &f->totals), "sample");
}

void nytp_find(nytp_finder *f, enum nytp_rule rule, double ticks, nytp_found_place place, const char *format,
               ...)
{
    const double share = ticks / f->total_ticks;
    if (!(share * 100 >= LEAST_PERCENT))
        return;
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    const nytp_finding finding = {
        .rule = rule,
        .ticks = ticks,
        .share = share,
        .text = g_strdup_printf("%s: %s, %.0f %% of the time", what, amount_of(f, ticks).text, share * 100),
        .sub = place.sub,
        .fid = place.fid,
        .line = place.line};
    g_array_append_val(f->found, finding);
}

uint32_t nytp_found_number(const nytp_finder *f, nytp_str name)
{
    g_autoptr(GBytes) key = g_bytes_new_static(name.bytes, name.length);
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(f->numbers, key));
    return known > 0 ? known - 1 : UINT32_MAX;
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

char *nytp_found_line(const nytp_finder *f, uint32_t fid, uint32_t line)
{
    g_autofree char *file = nytp_found_file(f, fid);
    return g_strdup_printf("%s:%u", file, line);
}
