/* What labels= asks for: kinds of labels, and rules, which say in which arguments of a sub its label is. */
#ifndef PROF_RULES_H
#define PROF_RULES_H

#include "../prof.h"

/* The kinds, as bits. */
enum prof_label_kind {
    PROF_LABELS_SQL = 1,
    PROF_LABELS_REGEX = 2,
    PROF_LABELS_FILE = 4,
    PROF_LABELS_COMMAND = 8,
    PROF_LABELS_HOST = 16,
    PROF_LABELS_HTTP = 32,
    PROF_LABELS_TEMPLATE = 64,
    PROF_LABELS_CALL = 128 /* there are rules of the user */
};

typedef struct prof_rules {
    unsigned kinds;
} prof_rules;

/* Sets what text, the value of labels=, says; it may be NULL. warn: warns about words that are not known. */
void prof_rules_parse(pTHX_ prof_rules *rules, const char *text, bool warn);

/* Returns what a profile records: the kinds and the subs that have rules, with commas between them:
 * "regex,sql=DBI::st::execute". The caller must free() it. */
char *prof_rules_list(const prof_rules *rules);

#endif
