#include "record/coroutines.h"

#include "basics/alloc.h"
#include "hot.h"

static prof_coroutine **bucket_of(const prof_coroutines *coroutines, const AV *mainstack)
{
    const uint64_t hash = ((uint64_t)(uintptr_t)mainstack >> 3) * PROF_MIX;
    return &coroutines->buckets[(hash >> 32) & coroutines->mask];
}

static void add(prof_coroutines *coroutines, prof_coroutine *c)
{
    prof_coroutine **bucket = bucket_of(coroutines, c->frames.mainstack);
    c->next = *bucket;
    *bucket = c;
    coroutines->count++;
}

static void grow(prof_coroutines *coroutines)
{
    const prof_coroutines old = *coroutines;
    coroutines->mask = old.buckets != NULL ? old.mask * 2 + 1 : 15;
    coroutines->buckets = prof_alloc(((size_t)coroutines->mask + 1) * sizeof *coroutines->buckets);
    coroutines->count = 0;
    for (uint32_t i = 0; old.buckets != NULL && i <= old.mask; i++) {
        for (prof_coroutine *c = old.buckets[i], *next; c != NULL; c = next) {
            next = c->next;
            add(coroutines, c);
        }
    }
    free(old.buckets);
}

/* Removes the coroutine from the table and returns it; NULL if it is not there. The caller owns it. */
static prof_coroutine *take(prof_coroutines *coroutines, const AV *mainstack)
{
    if (coroutines->count == 0)
        return NULL;
    for (prof_coroutine **at = bucket_of(coroutines, mainstack); *at != NULL; at = &(*at)->next) {
        prof_coroutine *c = *at;
        if (c->frames.mainstack == mainstack) {
            *at = c->next;
            coroutines->count--;
            return c;
        }
    }
    return NULL;
}

static void each(const prof_coroutines *coroutines, void (*visit)(prof_coroutine *c, void *context),
                 void *context)
{
    for (uint32_t i = 0; coroutines->count > 0 && i <= coroutines->mask; i++)
        for (prof_coroutine *c = coroutines->buckets[i]; c != NULL; c = c->next)
            visit(c, context);
}

void prof_coroutines_free(prof_coroutines *coroutines)
{
    for (uint32_t i = 0; coroutines->buckets != NULL && i <= coroutines->mask; i++) {
        for (prof_coroutine *c = coroutines->buckets[i], *next; c != NULL; c = next) {
            next = c->next;
            prof_frames_clear(&c->frames);
            free(c);
        }
    }
    free(coroutines->buckets);
}

/* Moves the current frames to the table. */
static void leave(prof *p, int64_t active_ticks)
{
    prof_coroutines *coroutines = &p->coroutines;
    prof_frames_write_parts(p, active_ticks);
    if (coroutines->buckets == NULL || coroutines->count > coroutines->mask)
        grow(coroutines);
    prof_coroutine *c = prof_alloc(sizeof *c);
    prof_frames_recount(p, &p->frames, false);
    c->frames = p->frames;
    c->left_ticks = active_ticks;
    add(coroutines, c);
    p->frames.at = NULL;
    p->frames.count = p->frames.cap = 0;
}

/* Makes the frames of c the current ones, and frees c. Serial numbers are those of all coroutines, so they
 * stay. */
static void resume(prof *p, prof_coroutine *c, int64_t active_ticks)
{
    free(p->frames.at);
    p->frames.at = c->frames.at;
    p->frames.count = c->frames.count;
    p->frames.cap = c->frames.cap;
    prof_frames_recount(p, &p->frames, true);
    p->frames.idle_ticks = c->frames.idle_ticks + (active_ticks - c->left_ticks);
    free(c);
}

void prof_coroutines_switch(pTHX_ prof *p, uint64_t now)
{
    const int64_t active_ticks = prof_active_ticks(p, now);
    if (PL_mainstack == p->frames.mainstack)
        return;
    dSAVE_ERRNO;
    prof_probe_note_unusual(p);
    if (p->frames.count > 0)
        leave(p, active_ticks);
    p->frames.mainstack = PL_mainstack;
    p->frames.idle_ticks = 0;
    p->frames.has_returns = false;
    prof_coroutine *c = take(&p->coroutines, PL_mainstack);
    if (c != NULL)
        resume(p, c, active_ticks);
    RESTORE_ERRNO;
}

static void write_open(prof_coroutine *c, void *context)
{
    prof *p = context;
    const prof_frames running = p->frames;
    p->frames = c->frames;
    prof_frames_write_open(p, c->left_ticks);
    p->frames = running;
}

void prof_coroutines_write_open(prof *p, int64_t active_ticks)
{
    prof_frames_write_open(p, active_ticks);
    each(&p->coroutines, write_open, p);
}

static void restart(prof_coroutine *c, void *active_ticks)
{
    c->left_ticks = *(const int64_t *)active_ticks;
    prof_frames_restart(&c->frames, c->left_ticks);
}

void prof_coroutines_restart(prof *p, int64_t active_ticks)
{
    prof_frames_restart(&p->frames, active_ticks);
    each(&p->coroutines, restart, &active_ticks);
}
