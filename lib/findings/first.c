#include "findings/finder.h"

#include "export/amount.h"
#include "model/waits.h"

/* Where the sub begins. */
static nytp_found_place place_of(uint32_t number, const nytp_sub *sub, const char *subject)
{
    const nytp_range *range = nytp_sub_main_range(sub);
    if (range == NULL || range->first_line == 0)
        return (nytp_found_place){subject, number, 0, 0};
    return (nytp_found_place){subject, number, range->fid, range->first_line};
}

/* Few calls prove nothing. */
static bool is_first_long(const nytp_distribution *d)
{
    const uint64_t least_others = 9;
    const double times_longer = 10;
    return nytp_distribution_count(d) >= d->first_count + least_others &&
           d->first_ticks > times_longer * nytp_distribution_get(d, NYTP_P50);
}

static double inclusive_ticks(const nytp_finder *f, uint32_t number)
{
    double sum = 0;
    const nytp_arc *arc;
    for (size_t i = 0; (arc = nytp_profile_arc(f->profile, i)) != NULL; i++)
        if (arc->callee == number)
            sum += (double)arc->incl_ticks;
    return sum;
}

/* The first call of such a sub has the time of those within it. */
static bool calls_itself(const nytp_finder *f, uint32_t number)
{
    const nytp_arc *arc;
    for (size_t i = 0; (arc = nytp_profile_arc(f->profile, i)) != NULL; i++)
        if (arc->callee == number && arc->max_depth > 0)
            return true;
    return false;
}

static void find_first_calls(nytp_finder *f, uint32_t number, const nytp_distribution *d, double rate)
{
    const double scale = f->measure.ticks_per_base / rate;
    nytp_sub sub;
    if (!nytp_profile_sub(f->profile, number, &sub) || nytp_sub_waits(sub.name) || calls_itself(f, number))
        return;
    const double work = nytp_found_work(f, number, d->sum_first_ticks * scale, inclusive_ticks(f, number));
    g_autofree char *name = nytp_found_name(f, sub.name);
    const nytp_amount first = nytp_amount_measured(&f->measure, d->first_ticks / rate),
                      others = nytp_amount_measured(&f->measure, nytp_distribution_get(d, NYTP_P50) / rate);
    const nytp_found_place place = place_of(number, &sub, name);
    if (d->first_count == 1)
        nytp_find(f, NYTP_FOUND_FIRST_CALL, work, place, "takes %s in its first call, and usually %s",
                  first.text, others.text);
    else
        nytp_find(f, NYTP_FOUND_FIRST_CALL, work, place,
                  "takes up to %s in its first call in a process, and usually %s", first.text, others.text);
}

void nytp_find_first_calls(nytp_finder *f, const nytp_sub_durations *durations)
{
    const double least_share = 0.02; /* what nytp_find() leaves out need not be looked at */
    for (uint32_t i = 0; i < durations->of->len; i++) {
        const nytp_distribution *d = nytp_sub_durations_of(durations, i);
        const double first_s = d->sum_first_ticks / durations->ticks_per_sec;
        if (first_s * f->measure.ticks_per_base >= least_share * f->work_ticks && is_first_long(d))
            find_first_calls(f, i, d, durations->ticks_per_sec);
    }
}
