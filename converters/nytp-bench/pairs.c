#include "bench.h"

#include "cli/say.h"
#include "model/grow.h"
#include "model/states.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static void clear_pair(gpointer pair)
{
    for (int side = 0; side < NYTP_SIDES; side++)
        bench_run_clear(&((bench_pair *)pair)->run[side]);
}

/* A line on a terminal that is overwritten. */
static void show_progress(const bench_pairs *pairs, uint32_t count)
{
    if (!nytp_is_terminal(STDERR_FILENO))
        return;
    if (pairs->begun == 0)
        fputs("\r\033[Kfirst runs", stderr);
    else
        fprintf(stderr, "\r\033[Kruns %u of %u", pairs->all->len + 1, count);
    fflush(stderr);
}

static void end_progress(void)
{
    if (nytp_is_terminal(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

/* The side that runs first changes, because what the first run leaves may help or hinder the second one. */
static bool run_pair(const bench_options *o, const bench_place *place, uint32_t number, bench_pair *pair)
{
    const enum nytp_side first = number % 2 == 0 ? NYTP_OLD : NYTP_NEW, second = NYTP_SIDES - 1 - first;
    return bench_run_once(o, place, first, number, &pair->run[first]) &&
           bench_run_once(o, place, second, number, &pair->run[second]);
}

static bool is_disturbed(const bench_pair *pair)
{
    return fmax(pair->run[NYTP_OLD].busy_share, pair->run[NYTP_NEW].busy_share) > NYTP_BUSY_SHARE;
}

bench_pairs bench_pairs_new(void)
{
    bench_pairs pairs = {.all = NYTP_ARRAY(bench_pair)};
    g_array_set_clear_func(pairs.all, clear_pair);
    return pairs;
}

bool bench_pairs_measure(const bench_options *o, const bench_place *place, bench_pairs *pairs, uint32_t count)
{
    bool done = true;
    while (done && pairs->all->len < count) {
        bench_pair pair = {.run = {{0}}};
        show_progress(pairs, count);
        done = run_pair(o, place, pairs->begun, &pair);
        const bool is_first = pairs->begun++ == 0;
        const bool repeats = is_disturbed(&pair) && pairs->repeated < count / 2;
        if (done && !is_first && !repeats) {
            g_array_append_val(pairs->all, pair);
        } else {
            clear_pair(&pair);
            pairs->repeated += done && !is_first;
        }
    }
    end_progress();
    return done;
}

void bench_pairs_clear(bench_pairs *pairs)
{
    g_array_unref(pairs->all);
    *pairs = (bench_pairs){0};
}
