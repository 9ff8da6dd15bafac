#include "state/signals.h"

#include "base/thread.h"
#include "context.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>
#include <unwind.h>

/* Calls are found by libgcc's unwinder, which allocates nothing. The objects that matter: perl, the
 * collector, what has malloc(), and what malloc() calls. */
enum { PERL, OWN, ALLOCATOR, LIBC, LINKER, KERNEL, OBJECTS };
static struct {
    uintptr_t inside, begin, end; /* inside: an address that is known before the others */
} objects[OBJECTS];

static const char *const allocator_names[] = {"malloc", "calloc", "realloc", "free", "posix_memalign"};
enum { ALLOCATORS = sizeof allocator_names / sizeof allocator_names[0] };
static uintptr_t allocators[ALLOCATORS]; /* where the functions begin */

static bool is_in(int number, uintptr_t at)
{
    return at >= objects[number].begin && at < objects[number].end;
}

static int find_object(struct dl_phdr_info *loaded, size_t size, void *unused)
{
    uintptr_t begin = UINTPTR_MAX, end = 0;
    (void)size, (void)unused;
    for (size_t i = 0; i < loaded->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
        const uintptr_t at = loaded->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD) {
            begin = at < begin ? at : begin;
            end = at + segment->p_memsz > end ? at + segment->p_memsz : end;
        }
    }
    for (int n = 0; n < OBJECTS; n++) {
        if (objects[n].inside >= begin && objects[n].inside < end) {
            objects[n].begin = begin;
            objects[n].end = end;
        }
    }
    return 0;
}

/* Returns whether the unwinder sees malloc()'s callers: musl has no frames of its functions. */
static bool find_functions(void)
{
    for (int n = 0; n < ALLOCATORS; n++)
        allocators[n] = (uintptr_t)dlsym(RTLD_DEFAULT, allocator_names[n]);
    objects[PERL].inside = (uintptr_t)dlsym(RTLD_DEFAULT, "Perl_safesysmalloc");
    objects[OWN].inside = (uintptr_t)&objects;
    objects[ALLOCATOR].inside = allocators[0];
    objects[LIBC].inside = (uintptr_t)dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
    objects[LINKER].inside = (uintptr_t)getauxval(AT_BASE);
    objects[KERNEL].inside = (uintptr_t)getauxval(AT_SYSINFO_EHDR);
    dl_iterate_phdr(find_object, NULL);
    return objects[LIBC].inside != 0;
}

static bool is_allocator(uintptr_t start)
{
    for (int n = 0; n < ALLOCATORS; n++)
        if (allocators[n] == start)
            return true;
    return false;
}

/* The first calls of a thread are no frames that the unwinder knows, as those of Coro, so it is not to look
 * at them. A handler is called by the kernel, or by two functions of perl that the kernel calls. malloc() has
 * few callees. */
enum { MOST_STEPS = 64, STEPS_TO_KERNEL = 8 };

/* A search among the calls of the thread, from the newest. */
typedef struct search {
    int steps_left;
    bool is_interrupted; /* the calls that the signal has interrupted have begun */
    bool found;
} search;

static _Unwind_Reason_Code next_step(search *s, bool is_done)
{
    return is_done || --s->steps_left == 0 ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static _Unwind_Reason_Code find_handler(struct _Unwind_Context *context, void *search_)
{
    search *s = search_;
    int is_interrupted;
    const uintptr_t ip = (uintptr_t)_Unwind_GetIPInfo(context, &is_interrupted);
    s->found = is_interrupted != 0;
    return next_step(s, s->found || ip == 0 || is_in(PERL, ip - 1));
}

bool prof_in_handler(void)
{
    search s = {.steps_left = MOST_STEPS};
    _Unwind_Backtrace(find_handler, &s);
    return s.found;
}

static bool may_be_called_by_allocator(uintptr_t at)
{
    return is_in(LIBC, at) || is_in(LINKER, at) || is_in(KERNEL, at) ||
           (is_in(ALLOCATOR, at) && !is_in(PERL, at));
}

/* A call that is the last instruction of its function returns to what follows the function. */
static _Unwind_Reason_Code find_allocation(struct _Unwind_Context *context, void *search_)
{
    search *s = search_;
    int is_first; /* of those that the signal has interrupted */
    const uintptr_t ip = (uintptr_t)_Unwind_GetIPInfo(context, &is_first);
    const uintptr_t at = is_first ? ip : ip - 1;
    if (is_first)
        *s = (search){.steps_left = MOST_STEPS, .is_interrupted = true};
    if (!s->is_interrupted)
        return next_step(s, ip == 0);
    s->found = is_in(OWN, at) || is_allocator((uintptr_t)_Unwind_GetRegionStart(context));
    return next_step(s, s->found || !may_be_called_by_allocator(at));
}

/* Returns whether the signal whose handler calls this has interrupted malloc() or its like, or the collector.
 * Not what the collector has called: that may wait, and then its handler must run. */
static bool interrupts_allocation(void)
{
    search s = {.steps_left = STEPS_TO_KERNEL};
    _Unwind_Backtrace(find_allocation, &s);
    return s.found;
}

/* What perl would have called, in the whole process. Before 5.32 one function ran all handlers. */
static despatch_signals_proc_t original_hook;
#if PERL_VERSION >= 32
static Sighandler1_t original_run;
static Sighandler3_t original_run_with_info;
#else
static Sighandler_t original_run_with_info;
#define original_run(number) original_run_with_info(number, NULL, NULL)
#endif

static void run_handler(int number, siginfo_t *info, void *machine)
{
    if (info != NULL)
        original_run_with_info(number, info, machine);
    else
        original_run(number);
}

/* After what an instruction or abort() raises, the program does not go on without the handler. */
static bool can_wait(int number)
{
    switch (number) {
    case SIGILL:
    case SIGBUS:
    case SIGSEGV:
    case SIGFPE:
    case SIGTRAP:
    case SIGSYS:
    case SIGABRT: return false;
    default: return true;
    }
}

/* Returns whether the signal has a handler, and sets *action. It has none after its first signal if the
 * program wants that (SA_RESETHAND). */
static bool has_handler(int number, struct sigaction *action)
{
    return sigaction(number, NULL, action) == 0 && action->sa_handler != SIG_DFL &&
           action->sa_handler != SIG_IGN;
}

static bool is_waiting(const prof_at_once *signals, int number)
{
    for (int n = 0; n < signals->count; n++)
        if (signals->waiting[n].number == number)
            return true;
    return false;
}

static bool add(prof *p, int number, const siginfo_t *info)
{
    prof_at_once *signals = &p->at_once;
    struct sigaction action;
    dTHXa(p->perl);
    if (is_waiting(signals, number))
        return true;
    if (signals->count == PROF_SIGNALS_MAX || !has_handler(number, &action))
        return false;
    struct prof_waiting_signal *w = &signals->waiting[signals->count++];
    w->number = number;
    w->has_info = info != NULL;
    if (info != NULL)
        w->info = *info;
    if (PL_sig_pending == 0)
        PL_sig_pending = 1;
    return true;
}

/* Returns whether the signal waits for perl. */
static bool waits(prof *p, int number, const siginfo_t *info)
{
    const int error_number = errno;
    const sigset_t before = nytp_signals_block();
    const bool is_added = add(p, number, info);
    nytp_signals_restore(&before);
    errno = error_number;
    return is_added;
}

static bool is_freed(const PerlInterpreter *perl)
{
    dTHXa(perl);
    PERL_UNUSED_VAR(perl);
    return PL_phase == PERL_PHASE_DESTRUCT;
}

/* The handler in C, with and without what the kernel says of the signal. A signal that interrupts malloc()
 * while perl frees the interpreter is too late. */
static void handle_with_info(int number, siginfo_t *info, void *machine)
{
    const PerlInterpreter *perl = prof_running_perl();
    prof *p = perl != NULL ? prof_running() : NULL;
    if (perl == NULL || !can_wait(number) || !interrupts_allocation() ||
        (p != NULL ? !waits(p, number, info) : !is_freed(perl)))
        run_handler(number, info, machine);
}

#if PERL_VERSION >= 32
static void handle(int number)
{
    handle_with_info(number, NULL, NULL);
}
#endif

/* Runs the handler with those signals blocked that the kernel would have blocked. If it dies, they stay so,
 * except the one that it handles, as after a handler that dies at once. */
static void run_first(prof *p)
{
    prof_at_once *signals = &p->at_once;
    struct sigaction action;
    sigset_t blocked;
    const sigset_t before = nytp_signals_block();
    struct prof_waiting_signal first = signals->waiting[0];
    signals->count--;
    memmove(signals->waiting, signals->waiting + 1, (size_t)signals->count * sizeof first);
    if (has_handler(first.number, &action)) {
        sigorset(&blocked, &before, &action.sa_mask);
        sigaddset(&blocked, first.number);
        pthread_sigmask(SIG_SETMASK, &blocked, NULL);
        run_handler(first.number, first.has_info ? &first.info : NULL, NULL);
    }
    nytp_signals_restore(&before);
}

/* Perl calls it between ops when PL_sig_pending is set, which the original clears. */
static void run_waiting(pTHX)
{
    prof *p = prof_of(aTHX);
    dSAVE_ERRNO;
    while (p != NULL && p->at_once.count > 0)
        run_first(p);
    RESTORE_ERRNO;
    original_hook(aTHX);
    if (p != NULL && p->at_once.count > 0)
        PL_sig_pending = 1;
}

static bool is_known; /* what a signal interrupts */

void prof_at_once_start(pTHX)
{
    is_known = find_functions();
    if (!is_known || PL_signalhook == run_waiting)
        return;
    original_hook = PL_signalhook;
    PL_signalhook = run_waiting;
#if PERL_VERSION >= 32
    original_run = PL_sighandler1p;
    original_run_with_info = PL_sighandler3p;
    PL_sighandler1p = handle;
    PL_sighandler3p = handle_with_info;
#ifndef PERL_USE_3ARG_SIGHANDLER
    if (PL_signals & PERL_SIGNALS_UNSAFE_FLAG)
        PL_sighandlerp = handle;
#endif
#else
    original_run_with_info = PL_sighandlerp;
    PL_sighandlerp = handle_with_info;
#endif
}

bool prof_at_once_interrupts(pTHX)
{
    return (PL_signals & PERL_SIGNALS_UNSAFE_FLAG) != 0 && !is_known;
}
