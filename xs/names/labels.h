/* Labels: a call of a sub with a text is a call of a sub of its own, "BASE LABEL". */
#pragma once

#include "prof.h"

#include "labels/labeltext.h"
#include "labels/rules.h"

enum {
    PROF_LABEL_BITS = 11,
    PROF_KEPT_TEXT_BITS = 9,
    PROF_KEPT_TEXT_MAX = 1000, /* bytes */
    PROF_LABELS_AT_MOST = 20000
};

/* How a text becomes a label. */
typedef enum prof_label_form {
    PROF_LABEL_PLAIN,
    PROF_LABEL_PATTERN, /* variant: enum prof_pattern_flag */
    PROF_LABEL_URL,
    PROF_LABEL_DSN,
    PROF_LABEL_SQL /* variant: prof_sql_dialect */
} prof_label_form;

enum prof_pattern_flag { PROF_PATTERN_M = 1, PROF_PATTERN_S = 2, PROF_PATTERN_I = 4, PROF_PATTERN_X = 8 };

typedef struct prof_label_text {
    const char *bytes;
    size_t length;
    bool utf8;
    bool is_constant; /* it is in the program's source, so labelmax does not count it */
    bool stays;       /* its bytes usually keep their address, and are not overwritten */
    prof_label_form form;
    uint32_t variant;
} prof_label_text;

/* Finds the sub of a text that was seen before, as it was and as a label. Other texts with the same 64 bits
 * would be taken for it. */
typedef struct prof_label_slot {
    uint64_t hash; /* of the text and the base */
    uint32_t length;
    uint32_t sub; /* its number + 1; 0 if the slot is empty */
} prof_label_slot;

/* Finds the sub of a text that stays, by its address. There may be another text now, so a copy is compared,
 * which takes less than a hash of the bytes. */
typedef struct prof_kept_text {
    const char *at;           /* NULL if the slot is empty */
    const void *package, *of; /* the base, as prof_kept_label() gets it */
    uint32_t length, variant;
    bool utf8;
    uint32_t sub;
    uint32_t cap; /* of copy */
    char *copy;   /* malloc()ed */
} prof_kept_text;

/* A sub that has a rule. Perl's strings are held (cvkeys.h). */
typedef struct prof_ruled {
    const HEK *package, *name; /* name NULL if the slot is empty */
    const prof_rule *rule;
    uint32_t sub;
} prof_ruled;

enum { PROF_RULED_SLOTS = 64 };

typedef struct prof_labels {
    prof_rules rules;
    prof_ruled ruled[PROF_RULED_SLOTS]; /* a cache */
    prof_label_slot *slots;             /* NULL if no labels are wanted */
    prof_kept_text *kept;               /* allocated with slots */
    uint32_t count;                     /* of labelled subs */
    SV *ids_of_span;                    /* what DB::on_span() was given; NULL if nothing */
    bool has_traces;                    /* some span had ids */
} prof_labels;

/* The whole text of a label that was cut. */
typedef struct prof_whole_text {
    uint32_t hash;
    char bytes[];
} prof_whole_text;

/* complains: warns about words of text, the value of labels=, that are not known. */
void prof_labels_init(pTHX_ prof_labels *labels, const char *text, bool complains);

/* Makes the cache, unless it is there: for labels without labels=. */
void prof_labels_want(prof_labels *labels);
void prof_labels_free(pTHX_ prof_labels *labels);

/* Empties the cache. Call it when perl's strings are no longer held. */
void prof_labels_forget(prof_labels *labels);

/* Writes a text as a label, normalised and clean, to `clean`, which has PROF_LABEL_CLEAN_MAX bytes. Returns
 * the length. */
size_t prof_label_text_clean(const prof_label_text *text, char *clean);

/* Return the number of the labelled sub; PROF_SUB_NONE if nothing is left of the text. Of a built-in, in the
 * package that calls it, and of another sub. Use prof_label_of_op() and prof_label_of_sub() (labelcache.h).
 */
uint32_t prof_label_find_op(pTHX_ prof *p, int op_type, const prof_label_text *text);
uint32_t prof_label_find_sub(pTHX_ prof *p, uint32_t base, const prof_label_text *text);

/* Writes the whole text of a sub's label, if it was cut. Call it once for each sub and output. */
void prof_label_write_whole(prof *p, uint32_t sub);
