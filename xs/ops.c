#include "ops.h"

Perl_ppaddr_t prof_original[MAXO + 1];

static void replace(int op_type, Perl_ppaddr_t handler)
{
    if (prof_original[op_type] == NULL) {
        prof_original[op_type] = PL_ppaddr[op_type];
        /* If other threads compile while the collector is loaded, they may run the handler at once. */
        __atomic_store_n(&PL_ppaddr[op_type], handler, __ATOMIC_RELEASE);
    }
}

void prof_ops_replace(const prof_handler *handlers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        replace(handlers[i].op_type, handlers[i].run);
}
