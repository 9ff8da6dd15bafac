/* What labels= asks for: kinds of labels, and rules, which say in which arguments of a sub its label is. */
#pragma once

#include "labels/values.h"
#include "prof.h"

/* The kinds, as bits. */
enum prof_label_kind {
    PROF_LABELS_SQL = 1,
    PROF_LABELS_REGEX = 2,
    PROF_LABELS_FILE = 4,
    PROF_LABELS_COMMAND = 8,
    PROF_LABELS_HOST = 16,
    PROF_LABELS_HTTP = 32,
    PROF_LABELS_TEMPLATE = 64
};

enum { PROF_RULES_MAX = 128, PROF_PARTS_MAX = 4, PROF_STEPS_MAX = 4, PROF_ARGUMENT_MAX = 99 };

/* From a reference to a value of a hash or an element of an array. */
typedef struct prof_rule_step {
    prof_key key; /* its bytes are NULL: index counts */
    SSize_t index;
} prof_rule_step;

/* How the text of a part is normalised. */
typedef enum prof_part_form {
    PROF_PART_PLAIN,
    PROF_PART_URL,
    PROF_PART_PORT, /* of a URL that is in parts: ":80" after the host */
    PROF_PART_PATH, /* the same: directly after host and port */
    PROF_PART_DSN,
    PROF_PART_SQL,
    PROF_PART_STATEMENT /* SQL, or a handle of DBI, which has it */
} prof_part_form;

typedef struct prof_rule_part {
    SSize_t argument;
    prof_rule_step steps[PROF_STEPS_MAX];
    unsigned step_count;
    bool follows; /* the scalar that a reference points to */
    prof_part_form form;
} prof_rule_part;

typedef struct prof_rule {
    const char *kind; /* its name, for the profile */
    const char *name; /* of the sub */
    size_t length;
    prof_rule_part parts[PROF_PARTS_MAX];
    unsigned part_count;
} prof_rule;

typedef struct prof_rules {
    unsigned kinds;
    char *text;    /* keys and names point into it */
    prof_rule *at; /* malloc()ed */
    unsigned count;
    prof_handles handles;
    uint64_t filter[4]; /* a bit for the hash of each name without its package; see prof_rules_may_have() */
} prof_rules;

/* Sets what text, the value of labels=, says; it may be NULL. complains: warns about words that are not
 * known, and rules that cannot be. */
void prof_rules_parse(pTHX_ prof_rules *rules, const char *text, bool complains);
void prof_rules_free(pTHX_ prof_rules *rules);

/* Returns whether there may be a rule for a sub with that name in some package. */
static inline bool prof_rules_may_have(const prof_rules *rules, const HEK *name)
{
    const U32 hash = HEK_HASH(name);
    return (rules->filter[hash >> 6 & 3] >> (hash & 63) & 1) != 0;
}

/* Returns the number of the rule for a sub; -1 if there is none. */
int prof_rule_find(const prof_rules *rules, const char *name, size_t length);

/* Returns what a profile records: the kinds, and the subs that have rules as KIND=NAME, with commas between
 * them: "regex,sql=DBI::st::execute". The caller must free() it. */
char *prof_rules_list(const prof_rules *rules);
