#include "heap/samples.h"

#include "basics/alloc.h"
#include "heap/callers.h"
#include "heap/stream.h"
#include "heap/threads.h"
#include "hot.h"
#include "state/signals.h"

#include <math.h>

static double rate_bytes;
static bool is_fixed; /* it does not depend on how fast the program allocates */
static _Atomic uint64_t next_seed;

/* Protected by the lock. */
static prof *of_others; /* the context of what threads without an interpreter allocate */
static pid_t pid;
static bool is_forked; /* the stream is that of the parent process */

/* Takes the lock, and ends the stream of a parent process. That is not done when the process is forked,
 * because most children call exec at once. The thread must have paused: the handler of a signal may wait for
 * the lock, or die, and then nobody would unlock. */
static void enter(void)
{
    prof_heap_lock();
    if (!is_forked)
        return;
    is_forked = false;
    pid = getpid();
    prof_heap_threads_forget_others();
    prof_stream_end();
}

/* ---- random gaps */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static double rate_of(unsigned sparser)
{
    return ldexp(rate_bytes, (int)sparser);
}

/* Draws the number of bytes up to the next sample. */
static int64_t draw_gap(prof_heap_thread *t)
{
    t->random += PROF_MIX;
    t->sparser = is_fixed ? 0 : prof_stream_sparser();
    const double uniform = ((double)(mix(t->random) >> 11) + 0.5) * 0x1p-53;
    return (int64_t)(-log(uniform) * rate_of(t->sparser));
}

/* An address must not be the seed: threads that run one after another have the same. */
static void start_thread(prof_heap_thread *t)
{
    const prof_heap_quiet was = prof_heap_pause();
    t->random = mix(atomic_fetch_add(&next_seed, 1)) | 1;
    t->left_bytes = draw_gap(t);
    prof_heap_thread_add();
    prof_heap_go_on(&was);
}

/* ---- samples */

static nytp_sampled amount_of(const prof_sample *sample)
{
    return nytp_sampled_of((double)sample->size, (double)sample->bytes, rate_of(sample->sparser));
}

static void remove_sample(prof_sample *sample)
{
    if (prof_stream_is_on() && sample->slot != PROF_NO_SLOT) {
        prof_stream_free(sample->slot);
    } else if (prof_stream_is_on()) {
        const nytp_sampled amount = amount_of(sample);
        prof_stream_remove_other(&amount);
    }
    prof_address_remove(sample);
}

static void put_sample(prof_sample sample)
{
    sample.slot = PROF_NO_SLOT;
    if (prof_stream_is_on() && sample.site != 0) {
        sample.slot = prof_stream_alloc(&sample);
    } else if (prof_stream_is_on()) {
        const nytp_sampled amount = amount_of(&sample);
        prof_stream_add_other(&amount);
    }
    prof_address_add(&sample);
}

/* ---- where a sample is taken */

/* Code that is being compiled belongs to the line that the parser has read. */
static prof_heap_place current_place(pTHX)
{
    const COP *cop = PL_curcop;
    const char *file = cop != NULL ? CopFILE(cop) : NULL;
    if (file == NULL)
        return (prof_heap_place){0, 0};
    const bool has_line = CopLINE(cop) != 0 && CopLINE(cop) != NOLINE;
    return (prof_heap_place){prof_stream_file(file), has_line ? (uint32_t)CopLINE(cop) : 1};
}

/* Not perl's contexts: perl may be moving them. Between a switch of coroutines and the next event the frames
 * are those of another one (record/coroutines.h). */
static uint32_t current_node(pTHX_ prof *p)
{
    enum { MOST_CALLS = 1000 };
    const prof_frames *frames = &p->frames;
    uint32_t node = 0, n = 0;
    if (PL_mainstack != frames->mainstack)
        return node;
    if (frames->count > MOST_CALLS) {
        node = prof_heap_child(p, node, PROF_HEAP_DEEPER);
        n = frames->count - MOST_CALLS;
    }
    for (; n < frames->count; n++)
        node = prof_heap_child(p, node, frames->at[n].arc);
    return node;
}

/* Returns the number of the site, in p if that is not NULL, otherwise in of_others. */
static uint32_t current_site(prof *p, uint32_t kind)
{
    if (p == NULL) {
        const uint32_t node = prof_heap_child(of_others, 0, PROF_HEAP_OUTSIDE);
        return prof_heap_site_find(of_others, node, kind, (prof_heap_place){0, 0});
    }
    dTHXa(p->perl);
    const uint32_t node = current_node(aTHX_ p);
    return prof_heap_site_find(p, node, kind, current_place(aTHX));
}

/* p: as for current_site(). */
static void add_sample(prof *p, uint32_t kind, bool is_recorded, prof_sample sample)
{
    prof_sample *stale = prof_address_find(sample.at);
    if (stale != NULL) /* it was freed in a way that we do not see */
        remove_sample(stale);
    if (prof_stream_is_on() && is_recorded)
        sample.site = current_site(p, kind);
    put_sample(sample);
}

/* A handler of a signal may allocate what is there at once, but it cannot wait for memory: it may have
 * interrupted malloc() with its lock. While it runs, its signal is blocked. */
static bool in_handler(const sigset_t *blocked)
{
    return !sigisemptyset(blocked) && prof_in_handler();
}

/* What handlers of signals allocate is left out. The function is inlined, because each call would be one more
 * step of the unwinder. */
__attribute__((always_inline)) static inline void follow(prof_sample sample)
{
    prof *p = prof_running();
    const prof *owner = p != NULL ? p : of_others;
    const bool is_recorded = owner != NULL && owner->enabled.any && owner->options.heap != 0;
    const prof_heap_quiet was = prof_heap_pause();
    if (!in_handler(&was.signals)) {
        const uint32_t kind = is_recorded ? prof_callers_kind() : PROF_KIND_OTHER;
        enter();
        add_sample(p, kind, is_recorded, sample);
        prof_heap_unlock();
    }
    prof_heap_go_on(&was);
}

void *prof_samples_take(void *at, size_t size, size_t bytes)
{
    prof_heap_thread *t = &prof_heap_of_thread;
    t->left_bytes = 0;
    if (t->busy)
        return at;
    dSAVE_ERRNO;
    if (t->random == 0)
        start_thread(t);
    if (size <= (size_t)t->left_bytes) {
        t->left_bytes -= (int64_t)size;
    } else {
        const prof_sample sample = {.at = at, .size = size, .bytes = bytes, .sparser = t->sparser};
        t->left_bytes = draw_gap(t);
        follow(sample);
    }
    RESTORE_ERRNO;
    return at;
}

bool prof_samples_drop(void *at, prof_sample *was)
{
    bool found = false;
    if (prof_heap_of_thread.busy)
        return false;
    const prof_heap_quiet before = prof_heap_pause();
    enter();
    prof_sample *sample = prof_address_find(at);
    if (sample != NULL) {
        found = true;
        if (was != NULL)
            *was = *sample;
        remove_sample(sample);
    }
    prof_heap_unlock();
    prof_heap_go_on(&before);
    return found;
}

void prof_samples_put_back(const prof_sample *was)
{
    const prof_heap_quiet before = prof_heap_pause();
    enter();
    put_sample(*was);
    prof_heap_unlock();
    prof_heap_go_on(&before);
}

/* ---- the stream */

static void begin_sample(void *unused, prof_sample *sample)
{
    const nytp_sampled amount = amount_of(sample);
    (void)unused;
    sample->site = 0;
    sample->slot = PROF_NO_SLOT;
    prof_stream_add_other(&amount);
}

void prof_samples_begin(prof *p)
{
    const prof_heap_quiet was = prof_heap_pause();
    enter();
    if (of_others == p) {
        PROF_EACH_CONTEXT(one)
            prof_heap_clear(&one->heap);
        prof_stream_begin(p);
        prof_address_each(begin_sample, NULL);
    }
    prof_heap_unlock();
    prof_heap_go_on(&was);
}

static void end(const prof *p)
{
    if (prof_stream_is_of(p))
        prof_stream_end();
}

void prof_samples_end(prof *p)
{
    const prof_heap_quiet was = prof_heap_pause();
    enter();
    end(p);
    prof_heap_unlock();
    prof_heap_go_on(&was);
}

void prof_samples_free(prof *p)
{
    const prof_heap_quiet was = prof_heap_pause();
    enter();
    end(p);
    if (of_others == p)
        of_others = NULL;
    prof_heap_free(&p->heap);
    p->heap = (prof_heap){0};
    prof_heap_unlock();
    prof_heap_go_on(&was);
}

void prof_samples_give_others_to(prof *p)
{
    const prof_heap_quiet was = prof_heap_pause();
    enter();
    of_others = p;
    prof_heap_unlock();
    prof_heap_go_on(&was);
}

double prof_samples_rate(void)
{
    return rate_bytes;
}

void prof_samples_start(double rate, bool rate_is_fixed, uint64_t seed)
{
    rate_bytes = rate;
    is_fixed = rate_is_fixed;
    next_seed = seed;
    pid = getpid();
    prof_heap_threads_start();
}

/* ---- forks */

/* Protected by the lock. */
static prof_heap_quiet before_fork;
static uint64_t forks;

void prof_samples_before_fork(void)
{
    const prof_heap_quiet before = prof_heap_pause();
    prof_heap_lock();
    before_fork = before;
    forks++;
}

/* Children of one parent must not draw the same gaps. */
static void start_child(prof_heap_thread *t)
{
    is_forked = true;
    t->random = mix(t->random + mix(forks)) | 1;
    t->left_bytes = draw_gap(t);
}

void prof_samples_after_fork(bool is_child)
{
    if (is_child)
        start_child(&prof_heap_of_thread);
    const prof_heap_quiet before = before_fork;
    prof_heap_unlock();
    prof_heap_go_on(&before);
}

void prof_samples_notice_fork(void)
{
    const prof_heap_quiet before = prof_heap_pause();
    prof_heap_lock();
    is_forked = is_forked || pid != getpid();
    prof_heap_unlock();
    prof_heap_go_on(&before);
}
