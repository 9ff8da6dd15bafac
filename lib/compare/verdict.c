#include "compare/comparison.h"

#include <math.h>

static bool all_equal(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (values[i] != values[0])
            return false;
    return true;
}

/* The standard error of a share that was found by samples. */
static double sampling_error(double share, double samples)
{
    return samples > 0 && share > 0 && share < 1 ? sqrt(share * (1 - share) / samples) : 0;
}

/* The standard error of the difference of two shares of which each is 0 or 1, if they were the same: what all
 * samples of both sides say together. */
static double pooled_error(const nytp_change *change, const double samples[NYTP_SIDES])
{
    const double all = samples[NYTP_OLD] + samples[NYTP_NEW];
    const double share =
        (change->median[NYTP_OLD] * samples[NYTP_OLD] + change->median[NYTP_NEW] * samples[NYTP_NEW]) /
        fmax(all, 1);
    return hypot(sampling_error(share, samples[NYTP_OLD]), sampling_error(share, samples[NYTP_NEW]));
}

static const double LEAST_SHARE = 0.005; /* of the time; less is not tested */
static const double ALPHA = 0.05;

static enum nytp_verdict by_p(double p)
{
    return p < ALPHA ? NYTP_VERDICT_MORE : NYTP_VERDICT_CHANCE;
}

/* Returns the standard error of a sum of bytes on a side. If it is not known otherwise, that of B bytes in
 * small blocks is sqrt(rate * B), where rate is the number of bytes for each sample. */
static double bytes_error(const nytp_values *values, double bytes, int side)
{
    const double count = (double)values->count[side];
    return isnan(values->variance[side]) ? sqrt(values->bytes_per_sample * fmax(bytes, 0) / count)
                                         : sqrt(values->variance[side]) / count;
}

/* Sets the spread, p and verdict of a share that few recordings of samples have, or of few profiles' bytes.
 */
static void judge_samples(const nytp_values *values, nytp_change *change)
{
    NYTP_EACH_SIDE(side)
        change->spread[side] = values->bytes_per_sample > 0
                                   ? bytes_error(values, change->median[side], side)
                                   : sampling_error(change->median[side], values->samples[side]);
    double error = hypot(change->spread[NYTP_OLD], change->spread[NYTP_NEW]);
    const bool is_exact = error == 0 && values->bytes_per_sample > 0;
    if (error == 0 && change->difference != 0)
        error = pooled_error(change, values->samples);
    change->p = error > 0 ? erfc(fabs(change->difference) / error / sqrt(2)) : 1;
    change->verdict = !is_exact                 ? by_p(change->p)
                      : change->difference != 0 ? NYTP_VERDICT_EXACT
                                                : NYTP_VERDICT_NONE;
}

void nytp_judge(const nytp_values *values, enum nytp_figure figure, bool is_share, nytp_change *change)
{
    const bool few = nytp_runs_are_few(values->count[NYTP_OLD], values->count[NYTP_NEW]);
    const bool is_estimate = is_share || values->bytes_per_sample > 0;
    change->p = 1;
    if (nytp_figure_is_count(figure) && !is_estimate &&
        all_equal(values->of[NYTP_OLD], values->count[NYTP_OLD]) &&
        all_equal(values->of[NYTP_NEW], values->count[NYTP_NEW]))
        change->verdict = change->difference != 0 ? NYTP_VERDICT_EXACT : NYTP_VERDICT_NONE;
    else if (values->largest_share < LEAST_SHARE || (few && !(is_estimate && figure <= NYTP_FIGURE_INCL)))
        change->verdict = NYTP_VERDICT_UNTESTED;
    else if (few)
        judge_samples(values, change);
    else
        change->verdict = by_p(change->p = nytp_rank_test(values->of[NYTP_OLD], values->count[NYTP_OLD],
                                                          values->of[NYTP_NEW], values->count[NYTP_NEW]));
}
