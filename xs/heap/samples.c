#include "heap/samples.h"

#include "basics/alloc.h"
#include "heap/callers.h"
#include "heap/threads.h"
#include "hot.h"
#include "state/signals.h"

#include <math.h>

static double rate_bytes;
static _Atomic uint64_t next_seed;

/* Protected by the lock. */
static uint32_t last_recording;
static nytp_strings *files;
static prof *of_others; /* the context of what threads without an interpreter allocate */
static pid_t pid;
static bool is_forked; /* the recordings are those of the parent process */

/* Takes the lock, and ends the recordings of a parent process. That is not done when the process is forked,
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
    PROF_EACH_CONTEXT(p)
        prof_sums_forget(&p->heap);
    prof_sums_begin_peak();
}

/* ---- random gaps */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* Draws the number of bytes up to the next sample. */
static int64_t draw_gap(prof_heap_thread *t)
{
    t->random += PROF_MIX;
    const double uniform = ((double)(mix(t->random) >> 11) + 0.5) * 0x1p-53;
    return (int64_t)(-log(uniform) * rate_bytes);
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

static prof_heap_site *site_of(const prof_sample *sample)
{
    PROF_EACH_CONTEXT(p)
        if (p->heap.recording == sample->recording && sample->recording != 0)
            return &p->heap.sites[sample->site];
    return &prof_sums_elsewhere;
}

static prof_amount amount_of(const prof_sample *sample)
{
    const double variance = sample->bytes * sample->bytes * (1 - 1 / sample->blocks);
    return (prof_amount){sample->bytes, sample->blocks, variance, 1};
}

static void remove_sample(const prof_sample *sample)
{
    const prof_amount amount = amount_of(sample);
    prof_heap_site *site = site_of(sample);
    prof_sums_note_peak();
    prof_sums_store_peak(site);
    prof_sums_add(&site->live, &amount, -1);
}

static void put_sample(const prof_sample *sample)
{
    const prof_amount amount = amount_of(sample);
    prof_heap_site *site = site_of(sample);
    prof_sums_store_peak(site);
    prof_sums_add(&site->live, &amount, 1);
    prof_sums_note_peak();
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
    return (prof_heap_place){prof_strings_intern(files, file, strlen(file)) + 1,
                             has_line ? (uint32_t)CopLINE(cop) : 1};
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
        node = prof_heap_child(&p->heap, node, PROF_HEAP_DEEPER);
        n = frames->count - MOST_CALLS;
    }
    for (; n < frames->count; n++)
        node = prof_heap_child(&p->heap, node, frames->at[n].arc);
    return node;
}

/* Returns the number of the site, in p if that is not NULL, otherwise in of_others. */
static uint32_t current_site(prof *p, uint32_t kind)
{
    if (p == NULL) {
        const uint32_t node = prof_heap_child(&of_others->heap, 0, PROF_HEAP_OUTSIDE);
        return prof_heap_site_find(&of_others->heap, node, kind, (prof_heap_place){0, 0});
    }
    dTHXa(p->perl);
    const uint32_t node = current_node(aTHX_ p);
    return prof_heap_site_find(&p->heap, node, kind, current_place(aTHX));
}

/* Begins a recording of the context if it has none. */
static uint32_t recording_of(prof *owner)
{
    bool any = false;
    PROF_EACH_CONTEXT(p)
        any = any || p->heap.recording != 0;
    if (!any)
        prof_sums_begin_peak();
    if (owner->heap.recording == 0)
        owner->heap.recording = ++last_recording;
    return owner->heap.recording;
}

/* p: as for current_site(). */
static void add_sample(prof *p, uint32_t kind, bool is_recorded, prof_sample sample)
{
    const prof_amount amount = amount_of(&sample);
    prof_sample *stale = prof_address_find(sample.at);
    if (stale != NULL) { /* it was freed in a way that we do not see */
        remove_sample(stale);
        prof_address_remove(stale);
    }
    if (is_recorded) {
        sample.recording = recording_of(p != NULL ? p : of_others);
        sample.site = current_site(p, kind);
    }
    prof_address_add(&sample);
    prof_sums_add(&site_of(&sample)->all, &amount, 1);
    put_sample(&sample);
}

/* A handler of a signal may allocate what is there at once, but it cannot wait for memory: it may have
 * interrupted malloc() with its lock. While it runs, its signal is blocked. */
static bool in_handler(const sigset_t *blocked)
{
    return !sigisemptyset(blocked) && prof_in_handler();
}

/* What handlers of signals allocate is left out. The function is inlined, because each call would be one more
 * step of the unwinder. */
__attribute__((always_inline)) static inline void follow(void *at, size_t size, size_t bytes)
{
    prof *p = prof_running();
    const prof *owner = p != NULL ? p : of_others;
    const bool is_recorded = owner != NULL && owner->enabled.any && owner->options.heap != 0;
    const double q = -expm1(-(double)size / rate_bytes);
    const prof_heap_quiet was = prof_heap_pause();
    if (!in_handler(&was.signals)) {
        const uint32_t kind = is_recorded ? prof_callers_kind() : PROF_KIND_OTHER;
        enter();
        add_sample(p, kind, is_recorded,
                   (prof_sample){.at = at, .bytes = (double)bytes / q, .blocks = 1 / q});
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
        t->left_bytes = draw_gap(t);
        follow(at, size, bytes);
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
        remove_sample(sample);
        if (was != NULL)
            *was = *sample;
        prof_address_remove(sample);
    }
    prof_heap_unlock();
    prof_heap_go_on(&before);
    return found;
}

void prof_samples_put_back(const prof_sample *was)
{
    const prof_heap_quiet before = prof_heap_pause();
    enter();
    prof_address_add(was);
    put_sample(was);
    prof_heap_unlock();
    prof_heap_go_on(&before);
}

/* ---- recordings */

void prof_samples_keep_end(prof *p)
{
    const prof_heap_quiet before = prof_heap_pause();
    enter();
    prof_sums_note_peak();
    p->heap.calibration[PROF_HEAP_END] = prof_sums_calibration(PROF_HEAP_LIVE);
    for (uint32_t n = 0; n < p->heap.site_count; n++)
        p->heap.sites[n].end = p->heap.sites[n].live;
    p->heap.has_end = true;
    prof_heap_unlock();
    prof_heap_go_on(&before);
}

static void *copy_of(const void *array, uint32_t count, size_t size)
{
    return count > 0 ? memcpy(prof_alloc(count * size), array, count * size) : NULL;
}

double prof_samples_snapshot(const prof *p, prof_heap *copy)
{
    enter();
    prof_sums_note_peak();
    *copy = (prof_heap){.node_count = p->heap.node_count,
                        .site_count = p->heap.site_count,
                        .has_end = p->heap.has_end,
                        .values = p->heap.values};
    copy->nodes = copy_of(p->heap.nodes, copy->node_count, sizeof *copy->nodes);
    copy->sites = copy_of(p->heap.sites, copy->site_count, sizeof *copy->sites);
    for (uint32_t n = 0; n < copy->site_count; n++)
        prof_sums_store_peak(&copy->sites[n]);
    for (int part = 0; part < PROF_HEAP_END; part++)
        copy->calibration[part] = prof_sums_calibration((prof_heap_part)part);
    copy->calibration[PROF_HEAP_END] = p->heap.calibration[PROF_HEAP_END];
    const double peak = prof_sums_peak(&copy->calibration[PROF_HEAP_PEAK]);
    prof_heap_unlock();
    return peak;
}

void prof_samples_forget(prof *p)
{
    const prof_heap_quiet before = prof_heap_pause();
    enter();
    prof_sums_forget(&p->heap);
    prof_heap_unlock();
    prof_heap_go_on(&before);
}

void prof_samples_end(prof *p)
{
    const prof_heap_quiet before = prof_heap_pause();
    enter();
    prof_sums_forget(&p->heap);
    if (of_others == p)
        of_others = NULL;
    prof_heap_free(&p->heap);
    p->heap = (prof_heap){0};
    prof_heap_unlock();
    prof_heap_go_on(&before);
}

void prof_samples_give_others_to(prof *p)
{
    const prof_heap_quiet before = prof_heap_pause();
    enter();
    of_others = p;
    prof_heap_unlock();
    prof_heap_go_on(&before);
}

const char *prof_samples_file(uint32_t file)
{
    size_t length;
    prof_heap_lock();
    const char *name = nytp_strings_get(files, file - 1, &length);
    prof_heap_unlock();
    return name;
}

double prof_samples_rate(void)
{
    return rate_bytes;
}

void prof_samples_start(double rate, uint64_t seed)
{
    rate_bytes = rate;
    next_seed = seed;
    pid = getpid();
    files = prof_strings_new();
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
