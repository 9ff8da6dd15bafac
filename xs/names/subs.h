/* Subs, numbered by name in the order in which they become known. */
#pragma once

#include "prof.h"

#include "basics/symbols.h"
#include "output/output.h"
#include "base/stringtable.h"

typedef enum prof_exits {
    PROF_RETURNS,
    PROF_MAY_EXIT, /* an _exit of some package: it probably calls that of C, if it is an xsub */
    PROF_EXITS     /* POSIX::_exit */
} prof_exits;

typedef struct prof_sub {
    unsigned char *encoded; /* the name, as a string of the profile; malloc()ed */
    size_t encoded_length;
    uint32_t package_length; /* bytes of the name before its last "::" */
    bool xsub;               /* it is an xsub or a built-in */
    bool called;             /* in the current output */
    bool seen;               /* called in any output, also in the processes that this one was forked from */
    bool mark_written;       /* the SUB_CALLERS that marks an xsub is in the current output */
    uint8_t rule;            /* of labels=: see rule_of() in ops/labelsubs.c */
    uint8_t exits;           /* prof_exits */
    bool is_shared;          /* by several pieces of code: see note_code() in record/callsites.c */
    /* For a BEGIN block: where it is defined, since perl forgets that. fid 0: %DB::sub says where. */
    uint32_t fid, first_line, last_line;
    uint32_t open; /* its frames of the running coroutine that prof_frame_count() has counted */
    uint32_t info_fid, info_first, info_last; /* of the SUB_INFO in the current output; info_fid 0 if none */
    /* Labels (names/labels.h). */
    uint32_t base;        /* of a labelled sub: the number + 1 of the one that it is a part of; otherwise 0 */
    uint32_t label_count; /* of a sub that is a base: how many of its labels count for labelmax */
    struct prof_whole_text *whole_text; /* of a label that was cut; malloc()ed */
} prof_sub;

#define PROF_SUB_NONE UINT32_MAX

typedef struct prof_subs {
    nytp_strings *names; /* the number of a name is the index in at */
    prof_sub *at;
    const OP **code; /* of each sub, the root of its code when a call was looked up last; NULL: none was */
    uint32_t cap, code_cap;
    /* PROF_SUB_NONE until needed */
    uint32_t runtime, null;    /* main::RUNTIME and main::NULL (callsites.c) */
    uint32_t span;             /* NYTProf::span, the base of all spans (ops/spans.c) */
    uint32_t begin_duplicates; /* BEGIN blocks that would have had the name of an earlier one */
} prof_subs;

void prof_subs_init(prof_subs *subs);
void prof_subs_free(prof_subs *subs);

uint32_t prof_sub_count(const prof_subs *subs);
nytp_str prof_sub_name(const prof_subs *subs, uint32_t sub);

/* Returns the name under which perl knows the sub: without a label. */
nytp_str prof_sub_base_name(const prof_subs *subs, uint32_t sub);

/* Call it for a new output, which has no SUB_INFO and no calls. */
void prof_subs_forget_output(prof_subs *subs);

/* Each of the following functions returns the number of a sub, and adds the sub if it is new. */

uint32_t prof_sub_of_cv(pTHX_ prof *p, CV *cv);

/* A sub that is not defined, by its glob. */
uint32_t prof_sub_of_gv(pTHX_ prof *p, GV *gv);

/* The sub as which a built-in is recorded. */
uint32_t prof_sub_of_op(pTHX_ prof *p, int op_type);

/* The sub as which loading a file, by require or do FILE, is recorded. */
uint32_t prof_sub_of_load(pTHX_ prof *p, int op_type, SV *file);

/* A sub by its name, whose first package_length bytes are the package. */
uint32_t prof_sub_named(prof *p, const char *name, STRLEN package_length);

/* Labelled subs are named "BASE LABEL". label is clean (labels/labeltext.h). The first of the two returns
 * PROF_SUB_NONE if there is none. */
uint32_t prof_sub_find_labelled(pTHX_ prof *p, uint32_t base, const char *label, STRLEN length);
uint32_t prof_sub_add_labelled(pTHX_ prof *p, uint32_t base, const char *label, STRLEN length);

/* Like prof_sub_of_cv(), but all BEGIN blocks of a package share one sub. Returns PROF_SUB_NONE if cv has no
 * name. */
uint32_t prof_sub_of_any_begin(pTHX_ prof *p, CV *cv);

/* Returns whether all CVs with that name are one sub. BEGIN blocks are not: a package may have many. */
bool prof_name_is_one_sub(const HEK *name);

/* Returns the name under which a CV was defined, and sets *package to that of its glob, so an imported sub
 * keeps its own. Returns NULL if the CV has no name. */
static inline HEK *prof_name_of_cv(pTHX_ CV *cv, HEK **package)
{
    HV *stash;
    HEK *name;
    if (CvNAMED(cv)) {
        name = CvNAME_HEK(cv);
        stash = CvSTASH(cv);
    } else {
        GV *gv = CvGV(cv);
        if (gv == NULL || SvTYPE(gv) != SVt_PVGV)
            return NULL;
        name = GvNAME_HEK(gv);
        stash = GvSTASH(gv);
    }
    *package = prof_hek_of_stash(stash);
    return name;
}

/* Returns the name of a built-in: perl's name of the op, which is not a HEK but has an address of its own.
 * Sets *package to the one that calls it; NULL if even main has no name any more (undef %main::). */
static inline HEK *prof_name_of_op(pTHX_ int op_type, HEK **package)
{
    HV *stash = PL_curcop != NULL ? CopSTASH(PL_curcop) : NULL; /* NULL while perl frees the code that ran */
    *package = prof_hek_of_stash(stash);
    if (*package == NULL)
        *package = prof_hek_of_stash(PL_defstash);
    return (HEK *)(uintptr_t)PL_op_name[op_type];
}
