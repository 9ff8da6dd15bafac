/* Time and memory in one graph. A sub is one function in both; so is what it runs in another file. Calls that
 * only memory has were made, too: each counts once. */
#include "build.h"

#include "model/grow.h"

/* Makes a sub called that only memory has. */
static void add_sub(cg_graph *g, const cg_graph *memory, uint32_t number)
{
    cg_sub *s = &g->subs[number];
    cg_function own = *cg_graph_function(memory, memory->subs[number].function);
    *s = memory->subs[number];
    s->excl_ticks = 0;
    s->function = g->functions->len;
    memset(own.self, 0, sizeof own.self);
    g_array_append_val(g->functions, own);
}

static uint32_t function_of(cg_graph *g, const cg_graph *memory, const cg_function *f)
{
    if (!g->subs[f->sub].called && f->sub != g->root)
        add_sub(g, memory, f->sub);
    return cg_graph_function_for(g, f->sub, f->is_part ? f->file : CG_NO_FILE);
}

void cg_graph_join(cg_graph *g, const cg_graph *memory, enum cg_amount first)
{
    g_autofree uint32_t *functions = g_new(uint32_t, memory->functions->len);
    for (uint32_t i = 0; i < memory->functions->len; i++) {
        const cg_function *f = cg_graph_function(memory, i);
        functions[i] = function_of(g, memory, f);
        for (int amount = 0; amount < CG_WORK; amount++)
            cg_graph_function(g, functions[i])->self[first + amount] += f->self[amount];
    }
    NYTP_EACH(const cg_cost, one, memory->costs) {
        cg_cost cost = {.function = functions[one->function], .line = one->line};
        for (int amount = 0; amount < CG_WORK; amount++)
            cg_cost_add(g, &cost, first + amount, one->of[amount]);
        g_array_append_val(g->costs, cost);
    }
    NYTP_EACH(const cg_call, one, memory->calls) {
        cg_call call = {.caller = functions[one->caller],
                        .callee = functions[one->callee],
                        .line = one->line,
                        .is_measured = one->is_measured};
        call.incl[first] = one->incl[CG_TIME];
        g_array_append_val(g->calls, call);
    }
    cg_costs_sort(g);
    cg_calls_sort(g);
    NYTP_EACH(cg_call, call, g->calls)
        call->count = MAX(call->count, 1);
}
