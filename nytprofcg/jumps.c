/* The turns of loops are jumps within a function. */
#include "build.h"

#include "base/order.h"
#include "calls/turns.h"
#include "model/group.h"
#include "model/records.h"

static int by_function_and_lines(const void *a, const void *b)
{
    const cg_jump *x = a, *y = b;
    return nytp_order3(NYTP_ORDER(x->function, y->function), NYTP_ORDER(x->line, y->line),
                       NYTP_ORDER(x->to, y->to));
}

static void add_jump(void *record, const void *other)
{
    ((cg_jump *)record)->count += ((const cg_jump *)other)->count;
}

/* Returns the function that runs a line; CG_NO_FUNCTION if there is none, as for a line whose file is
 * damaged. */
static uint32_t function_at(const cg_graph *g, const nytp_line_map *map, uint32_t file, uint32_t line)
{
    const uint32_t sub = nytp_line_map_find(map, file, line).sub;
    return cg_graph_find_function(g, sub != CG_NO_SUB ? sub : g->scope_sub[file], file);
}

/* What looks as a turn from one function to another one is a call, made after the end of a block. */
void cg_jumps_find(const cg_graph *g, const nytp_records *turns, bool only_own)
{
    nytp_line_map *map = cg_subs_lines(g);
    NYTP_EACH_RECORD(const nytp_turn, turn, turns) {
        const uint32_t file = cg_graph_file_number(g, turn->fid);
        if (file == CG_NO_FILE)
            continue;
        const cg_jump jump = {function_at(g, map, file, turn->from), turn->from, turn->to, turn->count};
        if (jump.function != CG_NO_FUNCTION && function_at(g, map, file, turn->to) == jump.function &&
            (!only_own || cg_is_own_code(g, jump.function)))
            g_array_append_val(g->jumps, jump);
    }
    nytp_line_map_free(map);
    nytp_group_sort(g->jumps, by_function_and_lines);
    nytp_group_merge(g->jumps, by_function_and_lines, add_jump);
}
