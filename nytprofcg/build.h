/* Makes the graph of a profile. */
#pragma once

#include "recursion.h"
#include "model/line_map.h"
#include "model/records.h"

/* How much calls have of an amount, as it was measured. Those of time are in the profile, and work is what
 * they leave. */
typedef struct cg_measured {
    nytp_records arcs;     /* nytp_arc, for each caller and callee; none if it was not measured */
    int64_t outside_ticks; /* outside of calls; not of statements */
} cg_measured;

/* Returns the graph of views, which must live as long. Those after the first have lines and arcs by the
 * numbers of its files and subs. stacks: cg_stacks; NULL if cycles shall stay as they are. The caller must
 * cg_graph_free() the graph. */
cg_graph *cg_build(const GArray *views, const cg_measured measured[CG_AMOUNTS], const GArray *stacks);

/* the steps, in their order */

/* Sets root, subs, and the functions of called subs and the root. */
void cg_subs_find(cg_graph *g);

/* Returns whether an arc is one of calls: not of parts that go on, and not of values that a sub keeps, which
 * come from no known place (memory/kept.h). Callers get those as they get the rest. */
bool cg_is_call(const cg_graph *g, const nytp_arc *arc);

/* Returns the lines of all called perl subs; where several have the same, they are those of the sub that took
 * the most time. */
nytp_line_map *cg_subs_lines(const cg_graph *g);

/* Sets scope_sub: the sub that ran the file scope of a file, which is its code outside of called subs. */
void cg_scopes_find(cg_graph *g);

/* Sets costs, what each function spent at each line, and of the functions themselves their time and
 * statements. Adds parts. */
void cg_costs_find(cg_graph *g);

/* Gives each sub as many samples, or blocks of memory, as it has itself. arcs: nytp_arc, whose times are
 * samples. May add parts. */
void cg_samples_move(cg_graph *g, const nytp_records *arcs);

/* Sets calls: one for each arc of the profile, and one from each sub to each of its parts. Needs all parts
 * that have costs. May add more parts. */
void cg_calls_find(cg_graph *g);

/* Adds the functions, calls and costs of a graph of memory, whose first amounts become those from `first` on.
 */
void cg_graph_join(cg_graph *g, const cg_graph *memory, enum cg_amount first);

/* Sorts costs. Those of the same function and line become one. */
void cg_costs_sort(cg_graph *g);

/* Sorts calls. Those of the same function from the same line become one. */
void cg_calls_sort(cg_graph *g);

/* Gives the functions that recur indirectly others for their calls, by what these lead to (recursion.h). If
 * that is impossible, sets not_split. */
void cg_cycles_split(cg_graph *g, const GArray *stacks);

/* Adds calls from the root to functions that it would not reach otherwise. */
void cg_cycles_enter(cg_graph *g);

/* Sets how long calls, costs and functions waited and worked, has_waits, and the statements of calls. */
void cg_measured_share(cg_graph *g, const cg_measured measured[CG_AMOUNTS]);

/* Sets what all calls include, so that it agrees with what functions have themselves, and the calls into a
 * cycle have what it spends. If calls have waited, their time is the sum of its parts. */
void cg_flow_balance(cg_graph *g);

/* Of samples, sets the numbers of calls to those of the samples that they include, since calls were not
 * counted. */
void cg_calls_count_samples(cg_graph *g);

/* Sets the objects of all functions. */
void cg_objects_find(cg_graph *g);

/* Returns whether the object of a function is own code. */
bool cg_is_own_code(const cg_graph *g, uint32_t function);

/* Sets the names of all functions. gprof2dot knows a function by its name alone, so each is unique. */
void cg_function_names_make(cg_graph *g);

/* After all that: sets jumps, of turns of loops (nytp_turn). */
void cg_jumps_find(const cg_graph *g, const nytp_records *turns, bool only_own);
