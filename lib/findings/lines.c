#include "findings/finder.h"

#include "export/amount.h"
#include "model/hashes.h"

static void find_hot_lines(nytp_finder *f, const nytp_file *file)
{
    const double least_share = 0.2;
    nytp_line line;
    for (uint64_t from = 0; nytp_profile_next_line(f->profile, file->fid, &from, &line);) {
        const double ticks =
            (double)line.ticks - nytp_waited_ticks(nytp_found_waits_at(f, file->fid, line.line));
        if (ticks < least_share * f->work_ticks)
            continue;
        const nytp_found_place place = {NULL, UINT32_MAX, file->fid, line.line};
        if (nytp_measure_is_sampled(&f->measure))
            nytp_find(f, NYTP_FOUND_HOT_LINE, ticks, place, "is a hot line");
        else if (line.count == 0) /* it is what perl compiles next */
            nytp_find(f, NYTP_FOUND_HOT_LINE, ticks, place, "is a hot line, where perl compiles");
        else
            nytp_find(f, NYTP_FOUND_HOT_LINE, ticks, place, "is a hot line, which ran %s",
                      nytp_amount_of((double)line.count, "time").text);
    }
}

/* A line that makes string evals. */
typedef struct maker {
    uint32_t fid, line;
    uint32_t evals;
    double ticks; /* of work of the code in them, and then of the line */
} maker;

static void add_line(const nytp_finder *f, maker *m, uint32_t fid, const nytp_line *line)
{
    m->ticks += (double)line->ticks - nytp_waited_ticks(nytp_found_waits_at(f, fid, line->line));
}

static void add_lines(const nytp_finder *f, maker *m, const nytp_file *file)
{
    nytp_line line;
    for (uint64_t from = 0; nytp_profile_next_line(f->profile, file->fid, &from, &line);)
        add_line(f, m, file->fid, &line);
}

static maker *maker_of(GHashTable *makers, const nytp_file *file)
{
    const gint64 key = (gint64)((guint64)file->eval_fid << 32 | file->eval_line);
    maker *m = g_hash_table_lookup(makers, &key);
    if (m == NULL) {
        m = g_new0(maker, 1);
        m->fid = file->eval_fid;
        m->line = file->eval_line;
        g_hash_table_insert(makers, g_memdup2(&key, sizeof key), m);
    }
    return m;
}

/* Perl compiles the text each time, and the time of that is the line's. */
static void find_evals(nytp_finder *f, maker *m)
{
    enum { MANY = 100 };
    nytp_line line;
    uint64_t from = m->line;
    if (m->evals < MANY)
        return;
    if (nytp_profile_next_line(f->profile, m->fid, &from, &line) && line.line == m->line)
        add_line(f, m, m->fid, &line);
    nytp_find(f, NYTP_FOUND_EVALS, m->ticks, (nytp_found_place){NULL, UINT32_MAX, m->fid, m->line},
              "makes %s string evals; that line and their code", nytp_amount_count(m->evals).text);
}

void nytp_find_in_lines(nytp_finder *f)
{
    g_autoptr(GHashTable) makers = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, g_free);
    for (size_t i = 0; i < nytp_profile_file_count(f->profile); i++) {
        const nytp_file *file = nytp_profile_file(f->profile, i);
        find_hot_lines(f, file);
        if (file->eval_fid == 0)
            continue;
        maker *m = maker_of(makers, file);
        m->evals++;
        add_lines(f, m, file);
    }
    GHashTableIter each;
    gpointer m;
    g_hash_table_iter_init(&each, makers);
    while (g_hash_table_iter_next(&each, NULL, &m))
        find_evals(f, m);
}
