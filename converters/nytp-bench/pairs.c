#include "pairs.h"

#include "cli/say.h"
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
static void show_progress(const bench_options *o, const bench_pairs *pairs, uint32_t number)
{
    if (!nytp_is_terminal(STDERR_FILENO))
        return;
    if (number == 0)
        fputs("\r\033[Kfirst runs", stderr);
    else
        fprintf(stderr, "\r\033[Kruns %u of %u", pairs->all->len + 1, o->runs);
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

bool bench_pairs_measure(const bench_options *o, const bench_place *place, bench_pairs *pairs)
{
    *pairs = (bench_pairs){.all = g_array_new(FALSE, FALSE, sizeof(bench_pair))};
    g_array_set_clear_func(pairs->all, clear_pair);
    for (uint32_t number = 0; pairs->all->len < o->runs; number++) {
        bench_pair pair = {.run = {{0}}};
        show_progress(o, pairs, number);
        const bool done = run_pair(o, place, number, &pair);
        const bool repeats = is_disturbed(&pair) && pairs->repeated < o->runs / 2;
        if (done && number > 0 && !repeats) {
            g_array_append_val(pairs->all, pair);
            continue;
        }
        clear_pair(&pair);
        if (!done) {
            end_progress();
            return false;
        }
        pairs->repeated += number > 0;
    }
    end_progress();
    return true;
}

void bench_pairs_clear(bench_pairs *pairs)
{
    if (pairs->all != NULL)
        g_array_unref(pairs->all);
    *pairs = (bench_pairs){0};
}
