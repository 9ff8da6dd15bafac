/* What caused the difference between two sets of profiles: calls that are more or fewer, calls that take
 * longer or shorter, subs that are new or gone; the largest first.
 *
 *     causes.c       finds them
 *     call_graph.c   how often each sub calls each other one, in both sides
 *     slowdown.c     whether all takes longer, and not single subs
 *     cause_text.c   says them in sentences
 *
 * The time of a sub's calls is e + r1 t1 + r2 t2 + ..., where e is what a call takes itself, and r how often
 * it calls subs whose calls take t. So a difference of the whole is a sum, over subs, of what e changed,
 * times the calls of NEW, and, over pairs of a caller and a callee, of what r changed, times the calls of the
 * caller in NEW and the t of OLD. Each summand is a cause. A sub that is called more often only because its
 * caller is, is none. */
#pragma once

#include "compare/comparison.h"

/* How often each sub calls each other one, in both sides of a comparison. Subs with a label are one node for
 * each label, which is called by one caller: that with most of its time. */

typedef struct nytp_call_node {
    size_t sub, label;        /* one is SIZE_MAX; both: code outside of subs */
    double calls[NYTP_SIDES]; /* of labels, runs */
    /* Of subs, excl is without waiting for a processor, where that is measured. */
    double excl[NYTP_SIDES], incl[NYTP_SIDES];
    uint32_t cycle; /* subs that call each other have the same */
    bool is_span;
    bool has_spans; /* spans are below its calls */
    bool by_chance; /* the time that a call takes itself differs by chance */
} nytp_call_node;

typedef struct nytp_call_edge {
    uint32_t caller, callee; /* nodes */
    double calls[NYTP_SIDES], incl[NYTP_SIDES];
    bool by_chance; /* the number of calls differs by chance */
} nytp_call_edge;

typedef struct nytp_call_graph {
    GArray *nodes;               /* nytp_call_node; the first is code outside of subs */
    GArray *edges;               /* nytp_call_edge, sorted by caller */
    uint32_t cycles;             /* how many */
    bool knows_queued;           /* it is measured which subs waited for a processor: */
    double queued_s[NYTP_SIDES]; /* all of them together */
} nytp_call_graph;

/* Spans are called from outside, and not by the subs that begin them: a server has a request at a time,
 * whoever hands it on. */
nytp_call_graph *nytp_call_graph_new(nytp_comparison *comparison);
void nytp_call_graph_free(nytp_call_graph *graph);

/* Whether all of a program takes longer or shorter: all subs differ by about one factor. That is the machine
 * if the program also waited much for a processor in both sides, while others ran. */

/* How long the program waited for a processor, in seconds, and in how many sides that is much. */
typedef struct nytp_queued {
    double s[NYTP_SIDES];
    int much;
} nytp_queued;
nytp_queued nytp_queued_of(nytp_comparison *comparison);

/* Whether both sides waited much, also where the times that are compared are without that. */
bool nytp_both_queued_much(nytp_comparison *comparison);

/* Returns by how much most subs, and most of the time, take longer in each call of NEW; 1 if subs differ in
 * that, if it is less than a tenth, or if fewer than five subs take least or more. */
double nytp_slowdown(const nytp_call_graph *graph, double least);

/* Whether the time that a call takes itself has changed by about that factor. */
bool nytp_slowdown_explains(double factor, const nytp_call_node *node);

enum nytp_cause_kind {
    NYTP_CAUSE_CALLS, /* more or fewer calls of a sub by a caller, or runs of what a label names */
    NYTP_CAUSE_CYCLE, /* subs that call each other, or one that calls itself, do so more or less often */
    NYTP_CAUSE_EACH,  /* each call takes longer or shorter itself */
    NYTP_CAUSE_NEW,
    NYTP_CAUSE_GONE,
    NYTP_CAUSE_SELF,   /* the amount that a sub has itself: of profiles that do not count calls */
    NYTP_CAUSE_ALL,    /* all subs take longer or shorter by about one factor */
    NYTP_CAUSE_QUEUED, /* it waited longer or shorter for a processor */
    NYTP_CAUSE_KINDS
};

/* Their names, such as "calls". */
extern const char *const nytp_cause_kinds[NYTP_CAUSE_KINDS];

/* Subs and labels are indexes of the comparison. */
typedef struct nytp_cause {
    enum nytp_cause_kind kind;
    double amount; /* of the difference, in the measure's base unit or as a share */
    /* What it is about; one is SIZE_MAX, and both are of code outside of subs, of all, and of what was
     * queued.
     */
    size_t sub, label;
    size_t caller;  /* that calls, or most of several; of cycles, the second; SIZE_MAX: outside of subs */
    size_t callers; /* how many call, or are in a cycle; 0: it does not matter */
    double calls[NYTP_SIDES]; /* by that caller; of new and gone ones by all, and of cycles within them */
    double caller_calls[NYTP_SIDES]; /* calls of the caller */
    /* What a call takes itself; of NYTP_CAUSE_SELF, what all have; of NYTP_CAUSE_ALL, 1 and the factor; of
     * NYTP_CAUSE_QUEUED, what was queued. */
    double each[NYTP_SIDES];
} nytp_cause;

/* Returns a new array of nytp_cause, of which none explains less than 1 % of the larger side and none is a
 * change that chance can explain. Labels are causes if they were added to the comparison. The caller must
 * g_array_unref() it. */
GArray *nytp_causes_new(nytp_comparison *comparison);

/* Returns what the list of causes is, "What caused the difference", or that it may be chance, if the profiles
 * are too few to test that. The caller must g_free() it. */
char *nytp_causes_heading(const nytp_comparison *comparison);

/* A name in a sentence. */
typedef struct nytp_cause_name {
    size_t at, length; /* bytes */
    size_t sub, label; /* as in nytp_cause */
} nytp_cause_name;

/* A sentence, such as "main::f is called 3 times as often by main::g: 100 -> 300 calls". */
typedef struct nytp_cause_text {
    GString *sentence; /* valid UTF-8 on one line */
    nytp_cause_name names[2];
    size_t name_count;
} nytp_cause_text;

/* The caller must g_string_free() the sentence. */
nytp_cause_text nytp_cause_say(nytp_comparison *comparison, const nytp_cause *cause);
