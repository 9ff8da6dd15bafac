/* Finding a label that was found before, inline: it runs for each call that has one. */
#pragma once

#include "hot.h"

/* Returns the only slot in which a text that stays can be. The base of a built-in is the addresses of perl's
 * strings for the package and the op, and that of another sub NULL and its number + 1. */
static inline prof_kept_text *prof_kept_slot(const prof_labels *labels, const void *package, const void *of,
                                             const char *at)
{
    const uint64_t hash = ((uintptr_t)at ^ (uintptr_t)package ^ (uint64_t)(uintptr_t)of << 8) * PROF_MIX;
    return &labels->kept[hash >> (64 - PROF_KEPT_TEXT_BITS)];
}

/* Returns the number of the sub; PROF_SUB_NONE if the text is not there. */
static inline uint32_t prof_kept_label(const prof_labels *labels, const void *package, const void *of,
                                       const prof_label_text *text)
{
    const prof_kept_text *kept = prof_kept_slot(labels, package, of, text->bytes);
    const bool is_kept = kept->at == text->bytes && kept->of == of && kept->package == package &&
                         kept->length == text->length && kept->variant == text->variant &&
                         kept->utf8 == text->utf8 && memcmp(kept->copy, text->bytes, kept->length) == 0;
    return is_kept ? kept->sub : PROF_SUB_NONE;
}

static inline uint32_t prof_label_of_op(pTHX_ prof *p, int op_type, const prof_label_text *text)
{
    HEK *package = NULL;
    const HEK *name = prof_name_of_op(aTHX_ op_type, &package);
    const uint32_t sub = text->stays ? prof_kept_label(&p->labels, package, name, text) : PROF_SUB_NONE;
    return LIKELY(sub != PROF_SUB_NONE) ? sub : prof_label_find_op(aTHX_ p, op_type, text);
}

static inline uint32_t prof_label_of_sub(pTHX_ prof *p, uint32_t base, const prof_label_text *text)
{
    const uint32_t sub = text->stays
                             ? prof_kept_label(&p->labels, NULL, NUM2PTR(const void *, base + 1), text)
                             : PROF_SUB_NONE;
    return LIKELY(sub != PROF_SUB_NONE) ? sub : prof_label_find_sub(aTHX_ p, base, text);
}
