#include "basics/ops.h"

Perl_ppaddr_t prof_original[MAXO + 1];

void prof_ops_set(int op_type, Perl_ppaddr_t handler)
{
    __atomic_store_n(&PL_ppaddr[op_type], handler, __ATOMIC_RELEASE);
}

static void replace(int op_type, Perl_ppaddr_t handler)
{
    if (prof_original[op_type] == NULL) {
        prof_original[op_type] = PL_ppaddr[op_type];
        prof_ops_set(op_type, handler);
    }
}

void prof_ops_replace(const prof_handler *handlers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        replace(handlers[i].op_type, handlers[i].run);
}
