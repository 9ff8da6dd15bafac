#include "bench.h"

#include "cli/say.h"

#include <math.h>

static const bench_pair *pair_at(const bench_pairs *pairs, guint index)
{
    return &g_array_index(pairs->all, bench_pair, index);
}

static double ratio_of(const bench_pair *pair)
{
    const double least_s = 1e-6; /* what the system counts */
    return fmax(pair->run[NYTP_NEW].taken_s, least_s) / fmax(pair->run[NYTP_OLD].taken_s, least_s);
}

static double median_taken(const bench_pairs *pairs, enum nytp_side side)
{
    g_autofree double *values = g_new(double, pairs->all->len);
    for (guint i = 0; i < pairs->all->len; i++)
        values[i] = pair_at(pairs, i)->run[side].taken_s;
    return nytp_middle_of(values, pairs->all->len).median;
}

static bench_number number_of(const bench_pairs *pairs, uint64_t (*get)(const bench_counts *counts))
{
    bench_number number = {.varies = false};
    double least[NYTP_SIDES], most[NYTP_SIDES];
    g_autofree double *values = g_new(double, pairs->all->len);
    for (int side = 0; side < NYTP_SIDES; side++) {
        least[side] = INFINITY;
        most[side] = 0;
        for (guint i = 0; i < pairs->all->len; i++) {
            values[i] = (double)get(&pair_at(pairs, i)->run[side].counts);
            least[side] = fmin(least[side], values[i]);
            most[side] = fmax(most[side], values[i]);
        }
        number.median[side] = nytp_middle_of(values, pairs->all->len).median;
        number.varies |= least[side] < most[side];
    }
    number.grew = least[NYTP_NEW] > most[NYTP_OLD];
    return number;
}

static uint64_t calls_of(const bench_counts *counts)
{
    return counts->calls;
}

static uint64_t statements_of(const bench_counts *counts)
{
    return counts->statements;
}

bench_verdict bench_verdict_of(const bench_pairs *pairs, double limit, int look)
{
    const guint count = pairs->all->len;
    bench_verdict v = {.busy_share = 0};
    g_autofree double *logs = g_new(double, count);
    for (guint i = 0; i < count; i++) {
        const bench_pair *pair = pair_at(pairs, i);
        logs[i] = log(ratio_of(pair));
        v.busy_share += (pair->run[NYTP_OLD].busy_share + pair->run[NYTP_NEW].busy_share) / 2 / count;
    }
    v.p = nytp_signed_rank_test(logs, count);
    const double ratio = exp(nytp_middle_of(logs, count).median);
    for (enum nytp_side side = NYTP_OLD; side < NYTP_SIDES; side++)
        v.taken_s[side] = median_taken(pairs, side);
    v.change = ratio - 1;
    v.is_chance = !(v.p < bench_most_p[look]);
    v.is_slower = !v.is_chance && v.change > limit;
    v.calls = number_of(pairs, calls_of);
    v.statements = number_of(pairs, statements_of);
    return v;
}

bool bench_verdict_is_in_doubt(const bench_verdict *v, double limit)
{
    return !v->is_slower && v->change > limit / 2;
}

int bench_verdict_status(const bench_verdict *v, const bench_options *o)
{
    const bool more = o->fail_calls && (v->calls.grew || v->statements.grew);
    return v->is_slower || more ? NYTP_EXIT_OVER : NYTP_EXIT_DONE;
}
