/* The subs whose calls a reader has seen: which of them have statements of their own, as far as the profile
 * has said, for its clock, and what else is looked up by their names. */
#pragma once

#include "nytprof-model.h"

#include "events/clock.h"
#include "format/runs.h"
#include "model/names.h"

#include <glib.h>

/* A sub, by its name. It stays where it is. */
struct nytp_known_sub {
    nytp_str name; /* valid as long as the sub */
    enum nytp_own_statements kind;
    nytp_range lines; /* where it is, if it is perl code; fid 0: not known, or in several places */
    bool waits;       /* by its name */
    bool is_begin;    /* a BEGIN block, by its name */
    uint32_t number;  /* of its name where filtered calls are read, + 1; 0: not looked up */
};
typedef struct nytp_known_sub nytp_known_sub;

/* The profile may name subs that no call has, which the names of the events do not know. */
typedef struct nytp_known_subs {
    nytp_names *names;
    GPtrArray *subs;      /* nytp_known_sub, by number of name */
    GPtrArray *by_number; /* nytp_known_sub, by that of the name in events; NULL: not looked up */
} nytp_known_subs;

nytp_known_subs nytp_known_subs_new(void);
void nytp_known_subs_clear(nytp_known_subs *subs);

/* Takes SUB_INFO, and the SUB_CALLERS that marks an xsub; of other chunks nothing. */
void nytp_known_subs_add(const nytp_known_subs *subs, const nytp_chunk *chunk);

/* Forgets what the profile said, and the numbers. */
void nytp_known_subs_forget(const nytp_known_subs *subs);

/* Use nytp_known_sub_find(). Adds a sub whose name is new in names. */
void nytp_known_sub_begin(const nytp_known_subs *subs, uint32_t number);

/* Returns the sub of that name. */
static inline nytp_known_sub *nytp_known_sub_find(const nytp_known_subs *subs, const nytp_str *name)
{
    bool is_new;
    const uint32_t number = nytp_names_intern(subs->names, name, &is_new);
    if (is_new)
        nytp_known_sub_begin(subs, number);
    return g_ptr_array_index(subs->subs, number);
}

/* Use nytp_known_sub_nth(). */
nytp_known_sub *nytp_known_sub_look_up(const nytp_known_subs *subs, const nytp_names *names, uint32_t number);

/* Returns the sub whose name has that number in names, which are always the same. */
static inline nytp_known_sub *nytp_known_sub_nth(const nytp_known_subs *subs, const nytp_names *names,
                                                 uint32_t number)
{
    nytp_known_sub *known = number < subs->by_number->len ? g_ptr_array_index(subs->by_number, number) : NULL;
    return known != NULL ? known : nytp_known_sub_look_up(subs, names, number);
}

/* Returns the number of the name of a call that is read, in names, which are always the same. */
static inline uint32_t nytp_return_name(const nytp_return *returned, nytp_names *names)
{
    nytp_known_sub *sub = returned->sub;
    if (sub == NULL)
        return nytp_names_intern(names, &returned->name, NULL);
    if (sub->number == 0)
        sub->number = nytp_names_intern(names, &sub->name, NULL) + 1;
    return sub->number - 1;
}
