#include "record/coroutines.h"

#include "basics/alloc.h"
#include "hot.h"

static inline uint64_t hash_of(const AV *mainstack)
{
    return ((uint64_t)(uintptr_t)mainstack >> 3) * PROF_MIX >> 32;
}

static inline uint64_t hash_at(const void *coroutines, uint32_t number)
{
    return hash_of(((const prof_coroutine *)coroutines)[number].frames.mainstack);
}

static inline bool is_same(const void *context, uint32_t number)
{
    const prof *p = context;
    return p->coroutines.at[number].frames.mainstack == p->frames.mainstack;
}

/* Returns the slot of the coroutine that p->frames belong to. */
static uint32_t *slot_of(const prof *p)
{
    return nytp_slots_find(&p->coroutines.slots, hash_of(p->frames.mainstack), is_same, p);
}

void prof_coroutines_free(prof_coroutines *coroutines)
{
    for (uint32_t n = 0; n < coroutines->count; n++)
        prof_frames_clear(&coroutines->at[n].frames);
    free(coroutines->at);
    free(coroutines->slots.at);
}

static bool has_any(const prof_frames *frames)
{
    return frames->count > 0 || frames->evals.count > 0;
}

/* Says which coroutine runs, or whose calls come next. */
static void say(prof *p, uint64_t number)
{
    if (p->out == NULL || p->options.calls == 0 || number == p->coroutines.said)
        return;
    prof_output_numbers(p->out, "coroutine", &number, 1);
    p->coroutines.said = (uint32_t)number;
}

/* Moves the current frames to the table. */
static void leave(pTHX_ prof *p, int64_t active_ticks)
{
    prof_coroutines *coroutines = &p->coroutines;
    if (coroutines->count == coroutines->cap)
        coroutines->at = prof_grow_entries(coroutines->at, coroutines->count, &coroutines->cap,
                                           sizeof *coroutines->at, &coroutines->slots, hash_at);
    uint32_t *slot = slot_of(p);
    if (*slot == 0)
        *slot = ++coroutines->count;
    say(p, *slot);
    prof_frames_write_parts(p, active_ticks);
    prof_frames_recount(p, &p->frames, false);
    coroutines->at[*slot - 1] = (prof_coroutine){p->frames, active_ticks, PL_sv_count};
    p->frames.at = NULL;
    p->frames.count = p->frames.cap = 0;
    p->frames.evals = (prof_evals){0};
}

/* Makes the frames of the coroutine that runs now the current ones, if it has any. Serial numbers are those
 * of all coroutines, so they stay. */
static void resume(pTHX_ prof *p, int64_t active_ticks)
{
    const uint32_t number = p->coroutines.count > 0 ? *slot_of(p) : 0;
    say(p, number != 0 ? number : p->coroutines.count + 1);
    if (number == 0 || !has_any(&p->coroutines.at[number - 1].frames))
        return;
    prof_coroutine *c = &p->coroutines.at[number - 1];
    free(p->frames.at);
    free(p->frames.evals.at);
    p->frames.evals = c->frames.evals;
    p->frames.at = c->frames.at;
    p->frames.count = c->frames.count;
    p->frames.cap = c->frames.cap;
    p->frames.idle_ticks = c->frames.idle_ticks + (active_ticks - c->left_ticks);
    for (uint32_t n = 0; n < p->frames.count; n++)
        p->frames.at[n].start_values += PL_sv_count - c->left_values;
    prof_frames_recount(p, &p->frames, true);
    c->frames.at = NULL;
    c->frames.count = c->frames.cap = 0;
    c->frames.evals = (prof_evals){0};
    prof_evals_write_begins(p);
}

void prof_coroutines_switch(pTHX_ prof *p, uint64_t now)
{
    const int64_t active_ticks = prof_active_ticks(p, now);
    if (PL_mainstack == p->frames.mainstack)
        return;
    dSAVE_ERRNO;
    prof_probe_note_unusual(p);
    prof_waits_look(p, active_ticks, p->frames.count);
    if (has_any(&p->frames))
        leave(aTHX_ p, active_ticks);
    p->frames.mainstack = PL_mainstack;
    p->frames.idle_ticks = 0;
    p->frames.has_returns = false;
    resume(aTHX_ p, active_ticks);
    RESTORE_ERRNO;
}

/* Of a coroutine that does not run it is not known how many of its values are mortal, which are few. */
void prof_coroutines_write_open(pTHX_ prof *p, int64_t active_ticks)
{
    const prof_frames running = p->frames;
    prof_frames_write_open(p, active_ticks, prof_values_now(aTHX));
    for (uint32_t n = 0; n < p->coroutines.count; n++) {
        p->frames = p->coroutines.at[n].frames;
        if (has_any(&p->frames))
            say(p, n + 1);
        prof_frames_write_open(p, p->coroutines.at[n].left_ticks, p->coroutines.at[n].left_values);
    }
    p->frames = running;
}

void prof_coroutines_restart(pTHX_ prof *p, int64_t active_ticks)
{
    prof_frames_begin_file(p, &p->frames, active_ticks, prof_values_now(aTHX));
    p->coroutines.said = 0;
    for (uint32_t n = 0; n < p->coroutines.count; n++) {
        prof_coroutine *c = &p->coroutines.at[n];
        c->left_ticks = active_ticks;
        c->left_values = PL_sv_count;
        prof_frames_begin_file(p, &c->frames, active_ticks, c->left_values);
    }
}
