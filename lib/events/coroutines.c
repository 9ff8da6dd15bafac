#include "events/state.h"
#include "model/grow.h"

#include "model/hashes.h"

/* Only damaged profiles have more calls that go on, or more parts in a row. */
enum { MOST_GOING = 1 << 20 };

typedef struct part {
    uint64_t call; /* number of the coroutine, depth */
    double ticks;
} part;

nytp_coroutines nytp_coroutines_new(void)
{
    return (nytp_coroutines){
        .parts = NYTP_ARRAY(part),
        .going = g_hash_table_new_full(nytp_hash_of_int64, g_int64_equal, g_free, NULL),
    };
}

void nytp_coroutines_clear(nytp_coroutines *coroutines)
{
    g_array_free(coroutines->parts, TRUE);
    g_hash_table_destroy(coroutines->going);
}

void nytp_coroutines_reset(nytp_coroutines *coroutines)
{
    coroutines->running = 0;
    g_array_set_size(coroutines->parts, 0);
    g_hash_table_remove_all(coroutines->going);
}

static void add_part(nytp_coroutines *c, const part *added)
{
    part *going = g_hash_table_lookup(c->going, &added->call);
    if (going != NULL)
        going->ticks += added->ticks;
    else if (g_hash_table_size(c->going) < MOST_GOING)
        g_hash_table_add(c->going, g_memdup2(added, sizeof *added));
}

/* Other parts are not those of calls that a coroutine leaves: a whole call follows them, or nothing does. */
void nytp_coroutines_switch(nytp_coroutines *coroutines, uint32_t number)
{
    NYTP_EACH(part, p, coroutines->parts)
        add_part(coroutines, p);
    g_array_set_size(coroutines->parts, 0);
    coroutines->running = number;
}

static double take_parts(nytp_coroutines *c, uint64_t call)
{
    const part *going = g_hash_table_lookup(c->going, &call);
    const double ticks = going != NULL ? going->ticks : 0;
    if (going != NULL)
        g_hash_table_remove(c->going, &call);
    return ticks;
}

double nytp_coroutines_leave(nytp_coroutines *coroutines, uint32_t depth, double ticks, bool is_part)
{
    const part left = {(uint64_t)coroutines->running << 32 | depth, ticks};
    if (!is_part) {
        g_array_set_size(coroutines->parts, 0);
        return take_parts(coroutines, left.call);
    }
    if (coroutines->parts->len < MOST_GOING)
        g_array_append_val(coroutines->parts, left);
    return 0;
}
