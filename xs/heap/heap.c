#include "heap/heap.h"

#include "heap/callers.h"
#include "heap/holders.h"
#include "heap/imports.h"
#include "heap/samples.h"
#include "heap/stream.h"
#include "heap/threads.h"
#include "basics/alloc.h"
#include "basics/ops.h"
#include "context.h"
#include "base/str.h"
#include "format/heap.h"
#include "format/memory.h"

#include <sys/random.h>

static bool is_running; /* in the process, from the start that could be done on */

bool prof_heap_runs(void)
{
    return is_running;
}

void prof_heap_look(void)
{
    const prof_heap_quiet was = prof_heap_pause();
    if (prof_imports_replace(prof_wrappers())) {
        prof_heap_lock();
        prof_callers_forget();
        prof_heap_unlock();
    }
    prof_heap_go_on(&was);
}

/* Whether perl's own functions allocate through a slot that we have replaced. */
static bool sees_perl(void)
{
    enum { BYTES = 1000 };
    prof_heap_thread *t = &prof_heap_of_thread;
    const prof_heap_thread before = *t;
    char *memory;
    t->busy = true;
    t->left_bytes = (int64_t)2 * BYTES;
    Newx(memory, BYTES, char);
    const bool seen = t->left_bytes <= BYTES;
    Safefree(memory);
    *t = before;
    return seen;
}

static XSUBADDR_t original_load_file;

/* An object that is loaded may allocate at once. */
static void load_file_and_look(pTHX_ CV *cv)
{
    original_load_file(aTHX_ cv);
    dSAVE_ERRNO;
    prof_heap_look();
    RESTORE_ERRNO;
}

static void watch_loading(pTHX)
{
    CV *cv = get_cv("DynaLoader::dl_load_file", 0);
    if (cv == NULL || !CvISXSUB(cv) || CvXSUB(cv) == load_file_and_look)
        return;
    original_load_file = CvXSUB(cv);
    CvXSUB(cv) = load_file_and_look;
}

/* NYTPROF_TEST_HEAP is for tests: RATE,SEED, a rate that the option does not have, and a run that can be
 * repeated. */
static void start_samples(int option)
{
    enum { USUAL = 65536, LEAST = 4096 };
    double rate = option == 1 ? USUAL : option < LEAST ? LEAST : option;
    uint64_t seed = 0;
    const char *test = getenv("NYTPROF_TEST_HEAP");
    if (test != NULL) {
        char *end;
        rate = strtod(test, &end);
        seed = *end == ',' ? strtoull(end + 1, NULL, 10) : 0;
        rate = rate >= 1 ? rate : 1;
    } else if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed) {
        seed = (uint64_t)time(NULL) * 1000003 + (uint64_t)getpid();
    }
    prof_samples_start(rate, option != 1 || test != NULL, seed);
}

static bool start(pTHX_ prof *p)
{
    prof_memory_reserve(2);
    start_samples(p->options.heap);
    const prof_heap_quiet was = prof_heap_pause();
    prof_callers_start();
    prof_heap_go_on(&was);
    prof_imports *wrappers = prof_wrappers();
    if (wrappers != NULL && !prof_imports_start(wrappers)) {
        Perl_warn(aTHX_ "Devel::NYTProf: heap: not available on this system; no profile of memory\n");
        return false;
    }
    if (wrappers != NULL)
        prof_heap_look();
    if (wrappers == NULL || !sees_perl()) {
        Perl_warn(aTHX_ "Devel::NYTProf: heap: perl's own malloc cannot be followed; no profile of memory\n");
        return false;
    }
    return true;
}

static enum nytp_value_type type_of(const SV *sv)
{
    switch (SvTYPE(sv)) {
    case SVt_PVAV: return NYTP_VALUES_OF_arrays;
    case SVt_PVHV: return NYTP_VALUES_OF_hashes;
    case SVt_PVCV:
    case SVt_PVFM: return NYTP_VALUES_OF_subs;
    case SVt_PVGV: return NYTP_VALUES_OF_globs;
    case SVt_REGEXP: return NYTP_VALUES_OF_patterns;
    case SVt_PVIO: return NYTP_VALUES_OF_handles;
#ifdef ObjectFIELDS
    case SVt_PVOBJ: return NYTP_VALUES_OF_objects;
#endif
    case SVt_PVLV:
    case SVt_INVLIST: return NYTP_VALUES_OF_other;
    default: break;
    }
    return SvROK(sv)     ? NYTP_VALUES_OF_references
           : SvPOKp(sv)  ? NYTP_VALUES_OF_strings
           : SvNIOKp(sv) ? NYTP_VALUES_OF_numbers
                         : NYTP_VALUES_OF_undefined;
}

/* Returns the bytes of a value in arenas: its head, its body, without what perl leaves out of short ones, and
 * the entries of a hash. Those of shared keys are not in arenas. */
static uint64_t bytes_of(pTHX_ const SV *sv)
{
#define SHORT(body) (sizeof(body) - STRUCT_OFFSET(XPV, xpv_cur))
    static const uint16_t bodies[SVt_LAST] = {
        [SVt_NV] = NVSIZE > IVSIZE ? sizeof(NV) : 0,
        [SVt_PV] = SHORT(XPV),
        [SVt_PVIV] = SHORT(XPVIV),
        [SVt_PVNV] = SHORT(XPVNV),
        [SVt_INVLIST] = SHORT(XINVLIST),
        [SVt_PVMG] = sizeof(XPVMG),
        [SVt_REGEXP] = sizeof(regexp),
        [SVt_PVGV] = sizeof(XPVGV),
        [SVt_PVLV] = sizeof(XPVLV),
        [SVt_PVAV] = sizeof(XPVAV),
        [SVt_PVHV] = sizeof(XPVHV),
        [SVt_PVCV] = sizeof(XPVCV),
        [SVt_PVFM] = sizeof(XPVFM),
        [SVt_PVIO] = sizeof(XPVIO),
#ifdef ObjectFIELDS
        [SVt_PVOBJ] = sizeof(XPVOBJ),
#endif
    };
#undef SHORT
    uint64_t bytes = sizeof *sv + bodies[SvTYPE(sv)];
    if (SvTYPE(sv) == SVt_PVHV && (const HV *)sv != PL_strtab)
        bytes += HvTOTALKEYS((const HV *)sv) * sizeof(HE);
#if PERL_VERSION >= 36 /* part of the body since then */
    if (SvTYPE(sv) == SVt_PVHV && (SvFLAGS(sv) & SVf_OOK))
        bytes += sizeof(struct xpvhv_aux);
#endif
    return bytes;
}

/* Perl keeps values in arenas. The first value of an arena says how many there are in it, and where the next
 * arena is. A million takes some 10 ms. */
static void count_values(pTHX_ uint64_t counts[NYTP_VALUE_TYPE_COUNT])
{
    for (const SV *arena = PL_sv_arenaroot; arena != NULL; arena = (const SV *)SvANY(arena))
        for (const SV *sv = arena + 1; sv < arena + SvREFCNT(arena); sv++) {
            const bool is_free = SvTYPE(sv) == (svtype)SVTYPEMASK;
            counts[is_free ? NYTP_VALUES_OF_free : type_of(sv)]++;
            counts[NYTP_VALUES_OF_bytes] += is_free ? 0 : bytes_of(aTHX_ sv);
        }
}

/* Only types of which there are values. */
static void write_values(pTHX_ prof *p)
{
    uint64_t counts[NYTP_VALUE_TYPE_COUNT] = {0};
    count_values(aTHX_ counts);
    for (int type = 0; type < NYTP_VALUE_TYPE_COUNT; type++) {
        char key[48], value[24];
        my_snprintf(key, sizeof key, NYTP_VALUES_KEY "%s", nytp_value_types[type]);
        my_snprintf(value, sizeof value, "%llu", (unsigned long long)counts[type]);
        if (counts[type] > 0)
            prof_output_attribute(p->out, key, nytp_str_of(value));
    }
}

bool prof_heap_mark(pTHX_ prof *p, const char *name)
{
    if (p->out == NULL || !prof_stream_is_of(p))
        return false;
    write_values(aTHX_ p);
    prof_arcs_write(p); /* with the values that calls have kept up to here */
    if (p->options.heap_holders)
        prof_holders_write(aTHX);
    prof_stream_mark(aTHX_ p, name, prof_now(p));
    return true;
}

static Perl_ppaddr_t original_exit, original_die, original_last;

static void mark_end(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p == NULL || !p->enabled.any || p->options.heap == 0)
        return;
    dSAVE_ERRNO;
    prof_heap_mark(aTHX_ p, NYTP_HEAP_END);
    RESTORE_ERRNO;
}

static OP *exit_and_mark(pTHX)
{
    mark_end(aTHX);
    return original_exit(aTHX);
}

/* If the program goes on, it has another end later. */
static OP *die_and_mark(pTHX)
{
    if (!PL_in_eval)
        mark_end(aTHX);
    return original_die(aTHX);
}

/* The last op of the program. */
static OP *leave_and_mark(pTHX)
{
    mark_end(aTHX);
    return original_last(aTHX);
}

void prof_heap_watch_end(pTHX)
{
    if (!is_running || PL_main_root == NULL || PL_main_root->op_ppaddr == leave_and_mark)
        return;
    original_last = PL_main_root->op_ppaddr;
    PL_main_root->op_ppaddr = leave_and_mark;
}

static void watch_ends(void)
{
    original_exit = PL_ppaddr[OP_EXIT];
    original_die = PL_ppaddr[OP_DIE];
    prof_ops_set(OP_EXIT, exit_and_mark);
    prof_ops_set(OP_DIE, die_and_mark);
}

void prof_heap_start(pTHX_ prof *p)
{
    if (p->options.heap == 0)
        return;
    if (!is_running && !start(aTHX_ p)) {
        p->options.heap = 0;
        return;
    }
    if (!is_running) {
        prof_samples_give_others_to(p);
        watch_ends();
    }
    is_running = true;
    watch_loading(aTHX);
    prof_heap_watch_end(aTHX);
}
