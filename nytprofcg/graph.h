/* A profile as callgrind sees it: functions, the calls between them, and the costs of their lines.
 *
 * Each sub that was called is a function. So is the root, main::RUNTIME, which stands for all code outside of
 * called subs. In callgrind a function is in one file, but a sub can run code of other files, too: string
 * evals, and the file scope of files that it requires. For each such file the sub, or the root, has another
 * function, which we call a part of it.
 */
#pragma once

#include "events/waited.h"
#include "nytprof-model.h"

#include <glib.h>

#define CG_NO_FILE     UINT32_MAX
#define CG_NO_SUB      UINT32_MAX
#define CG_NO_FUNCTION UINT32_MAX

/* A profile that a file shows. Its name is what --memory or memory_of calls it, or "time". */
typedef struct cg_view {
    char *name;
    nytp_profile *profile;
} cg_view;

enum { CG_VIEWS = 6 }; /* at most: of time, and five of memory */

/* What a line or a call costs, in the order of the file's columns: time, which must be the first; statements,
 * their number and their time; the parts of the first, in which the program was queued for a processor, was
 * asleep (events/waited.h), and did neither; and the first three, CG_WORK, of each further view. */
enum cg_amount {
    CG_TIME,
    CG_STATEMENTS,
    CG_STATEMENT_TIME,
    CG_WORK,
    CG_QUEUED,
    CG_ASLEEP,
    CG_BYTES,
    CG_AMOUNTS = CG_BYTES + CG_WORK * (CG_VIEWS - 1)
};

/* Returns the first amount of a view. */
static inline enum cg_amount cg_first_amount(uint32_t view)
{
    return view == 0 ? CG_TIME : CG_BYTES + CG_WORK * (view - 1);
}

/* Returns the first amount of the view that has this one. */
static inline enum cg_amount cg_first_of(enum cg_amount amount)
{
    return amount < CG_BYTES ? CG_TIME : amount - (amount - CG_BYTES) % CG_WORK;
}

/* A sub of the profile, or the root, which comes after all subs. */
typedef struct cg_sub {
    enum nytp_sub_kind kind;
    bool called;         /* false: the root, and subs that no arc leads to */
    bool is_counted;     /* by an arc that is a call (cg_is_call()), also one of a view before */
    bool is_root_name;   /* main::RUNTIME or main::NULL */
    bool runs_files;     /* has statements: a perl sub, the root, require and do FILE */
    uint32_t home;       /* number of the file where it is, or CG_NO_FILE */
    uint32_t first_line; /* in that file */
    uint64_t excl_ticks; /* of all its functions; 0 for the root, whose time costs.c finds */
    uint32_t as_caller;  /* the sub that its calls are attributed to: itself, or the root */
    uint32_t function;   /* its own function, not a part; set for called subs and the root */
} cg_sub;

typedef struct cg_function {
    uint32_t sub;
    uint32_t file; /* number, or CG_NO_FILE */
    uint32_t first_line;
    bool is_part; /* for code in a file that is not the sub's home */
    bool is_way;  /* for those calls of the function `of` that lead to `to` (recursion.h); it has no costs */
    uint32_t of, to;
    uint64_t self[CG_AMOUNTS];
    uint32_t object; /* index in objects */
    char *name;      /* as shown; unique */
} cg_function;

typedef struct cg_call {
    uint32_t caller, callee; /* functions */
    uint32_t line;           /* in the caller's file */
    bool is_measured;        /* it has arcs in the profile; other calls lead from a sub to a part of it */
    bool has_waits;          /* how long it waited is set already (recursion.h) */
    uint64_t count;
    uint64_t incl[CG_AMOUNTS]; /* as measured; after cg_flow_balance(), as shown */
} cg_call;

/* What a function spent at a line: its exclusive time (costs.c), and statements. Few lines wait, or have
 * memory, so that is kept apart. */
typedef struct cg_cost {
    uint32_t function, line;
    uint64_t of[CG_WORK];
    uint32_t rare; /* number in the graph's, from 1 on; 0: it has none */
} cg_cost;

typedef struct cg_rare {
    uint64_t of[CG_AMOUNTS - CG_QUEUED];
} cg_rare;

/* Turns of a loop, which go on at the line `to`. */
typedef struct cg_jump {
    uint32_t function, line, to;
    uint64_t count;
} cg_jump;

typedef struct cg_graph {
    const nytp_profile *profile; /* its files and subs */
    const nytp_profile *counts;  /* its lines and arcs */
    const GArray *views;         /* cg_view: the profile is that of the first one */
    int amounts;                 /* of these views */
    bool is_memory;              /* counts */
    uint32_t root;               /* the number of subs */
    cg_sub *subs;                /* root + 1 of them */
    uint32_t *scope_sub;         /* by file number: the sub that runs the code outside of called subs */
    bool has_waits; /* it is known how long calls waited, and some did; otherwise there is only time */
    bool measures_statements; /* it is known which statements calls ran */
    char *not_split;    /* why cycles are as the profile has them; NULL: they are not, or there are none */
    GArray *functions;  /* cg_function */
    GPtrArray *objects; /* char *: names of those whose code functions are */
    GHashTable *parts;  /* functions that are parts, by sub and file */
    GArray *calls;      /* cg_call, sorted by caller, line, callee */
    GArray *costs;      /* cg_cost, sorted by function, line */
    GArray *rare;       /* cg_rare, of costs */
    GArray *jumps;      /* cg_jump, sorted by function, line */
} cg_graph;

/* Returns an empty graph without views. The profiles must live as long. */
cg_graph *cg_graph_new(const nytp_profile *profile, const nytp_profile *counts);
void cg_graph_free(cg_graph *g);

static inline cg_function *cg_graph_function(const cg_graph *g, uint32_t i)
{
    return &g_array_index(g->functions, cg_function, i);
}

static inline cg_call *cg_graph_call(const cg_graph *g, uint32_t i)
{
    return &g_array_index(g->calls, cg_call, i);
}

static inline cg_cost *cg_graph_cost(const cg_graph *g, uint32_t i)
{
    return &g_array_index(g->costs, cg_cost, i);
}

/* Returns how much of an amount a cost is. What is not waiting is work. */
uint64_t cg_cost_of(const cg_graph *g, const cg_cost *cost, enum cg_amount amount);

/* Adds to an amount from CG_QUEUED on. */
void cg_cost_add(cg_graph *g, cg_cost *cost, enum cg_amount amount, uint64_t more);

/* Returns what each function spends itself and in its calls. The caller must g_free() the array. */
uint64_t *cg_graph_spent(const cg_graph *g, enum cg_amount amount);

static inline enum cg_amount cg_amount_of(enum nytp_wait wait)
{
    return wait == NYTP_ASLEEP ? CG_ASLEEP : CG_QUEUED;
}

static inline cg_function *cg_graph_root_function(const cg_graph *g)
{
    return cg_graph_function(g, g->subs[g->root].function);
}

/* Returns the function of a called sub, or the root, for its code in a file; CG_NO_FUNCTION if there is none.
 */
uint32_t cg_graph_find_function(const cg_graph *g, uint32_t sub, uint32_t file);

/* Returns the function of a sub for its code in a file, which may be a new part. CG_NO_FILE means the sub's
 * own file. */
uint32_t cg_graph_function_for(cg_graph *g, uint32_t sub, uint32_t file);

/* How many levels of evals within evals are followed. In damaged profiles evals may contain each other. */
enum { CG_DEEPEST_NEST = 1000 };

/* Returns the file that has the eval statement; NULL if it is not known, or the file is not an eval. */
const nytp_file *cg_graph_file_around(const cg_graph *g, const nytp_file *eval);

/* Returns the name of the file of that number; empty for CG_NO_FILE. */
nytp_str cg_graph_file_name(const cg_graph *g, uint32_t file);

/* Returns the number of the file with that fid, or CG_NO_FILE. */
uint32_t cg_graph_file_number(const cg_graph *g, uint32_t fid);
