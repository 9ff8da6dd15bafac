#include "heap/callers.h"

#include "basics/alloc.h"
#include "basics/ops.h"
#include "heap/addresses.h"

#include <dlfcn.h>
#include <unwind.h>

static const void *own_object, *perl_object;

/* A place in a function, and its kind. */
typedef struct caller {
    uintptr_t at;
    uint32_t kind;
} caller;

/* Not the number of a kind: the function's caller decides. */
#define ITS_CALLER UINT32_MAX

static prof_entries callers;
static nytp_strings *objects; /* the number of a name + PROF_KIND_COUNT is that of the kind */

static uint32_t kind_of_object(const char *path)
{
    char name[64];
    if (path == NULL || !prof_kind_of_object(path, name, sizeof name))
        return ITS_CALLER;
    if (strcmp(name, "re") == 0)
        return PROF_KIND_PATTERNS;
    prof_heap_lock();
    const uint32_t number = prof_strings_intern(objects, name, strlen(name));
    prof_heap_unlock();
    return PROF_KIND_COUNT + number;
}

/* Returns whether the handler of an op that has a kind begins there, and sets *kind to it. */
static bool kind_of_handler(uintptr_t start, prof_kind *kind)
{
    *kind = PROF_KIND_OTHER;
    for (int op = 0; op < MAXO && *kind == PROF_KIND_OTHER; op++) {
        char name[64];
        if (PTR2UV(prof_original[op] != NULL ? prof_original[op] : PL_ppaddr[op]) != start)
            continue;
        snprintf(name, sizeof name, "pp_%s", PL_op_name[op]);
        (void)prof_kind_of_function(name, kind);
    }
    return *kind != PROF_KIND_OTHER;
}

/* dladdr() finds no name of a function that perl does not export, as the handlers of ops since 5.38. */
static uint32_t look_up(uintptr_t at, uintptr_t start)
{
    Dl_info info;
    prof_kind kind;
    if (dladdr(NUM2PTR(void *, at), &info) == 0 || info.dli_fbase == own_object)
        return ITS_CALLER;
    if (info.dli_fbase != perl_object)
        return kind_of_object(info.dli_fname);
    const bool is_known =
        info.dli_sname != NULL ? prof_kind_of_function(info.dli_sname, &kind) : kind_of_handler(start, &kind);
    return is_known ? kind : ITS_CALLER;
}

static uint32_t kind_at(uintptr_t at, struct _Unwind_Context *context)
{
    caller one = {at, ITS_CALLER};
    prof_heap_lock();
    const uint32_t known = prof_entries_find(&callers, &at, sizeof one, sizeof at);
    if (known > 0)
        one = ((const caller *)callers.at)[known - 1];
    prof_heap_unlock();
    if (known > 0)
        return one.kind;
    one.kind = look_up(at, (uintptr_t)_Unwind_GetRegionStart(context));
    prof_heap_lock();
    prof_entries_add(&callers, &one, sizeof one, sizeof at); /* unless another thread has meanwhile */
    prof_heap_unlock();
    return one.kind;
}

typedef struct walk {
    int steps_left;
    uint32_t kind;
} walk;

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *walk_)
{
    walk *w = walk_;
    const uintptr_t at = (uintptr_t)_Unwind_GetIP(context);
    w->kind = at != 0 ? kind_at(at - 1, context) : PROF_KIND_OTHER;
    return w->kind != ITS_CALLER || --w->steps_left == 0 ? _URC_END_OF_STACK : _URC_NO_REASON;
}

uint32_t prof_callers_kind(void)
{
    enum { STEPS = 12 }; /* four of them in our own object */
    walk w = {STEPS, PROF_KIND_OTHER};
    _Unwind_Backtrace(step, &w);
    return w.kind != ITS_CALLER ? w.kind : PROF_KIND_OTHER;
}

static const void *object_of(const void *at)
{
    Dl_info info;
    return dladdr(at, &info) != 0 ? info.dli_fbase : NULL;
}

const char *prof_callers_kind_name(uint32_t kind)
{
    size_t length;
    return kind < PROF_KIND_COUNT ? prof_kind_names[kind]
                                  : nytp_strings_get(objects, kind - PROF_KIND_COUNT, &length);
}

void prof_callers_forget(void)
{
    prof_entries_forget(&callers);
}

void prof_callers_start(void)
{
    own_object = object_of(&callers);
    perl_object = object_of(dlsym(RTLD_DEFAULT, "Perl_safesysmalloc"));
    objects = prof_strings_new();
    prof_callers_kind();
}
