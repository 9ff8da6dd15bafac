/* A whole profile as perl data, for Devel::NYTProf::Data:
 *
 *   load.c    the loop, attributes and sums
 *   files.c   fid_fileinfo, fid_srclines
 *   subs.c    sub_subinfo
 *   lines.c   fid_line_time and its like
 */
#ifndef NYTP_READ_LOAD_H
#define NYTP_READ_LOAD_H

#include "lines.h"
#include "pids.h"
#include "stream.h"

/* What perl takes for things of which there may be many, rather too much than too little; texts come on top.
 */
enum {
    LOAD_STRING_BYTES = 80,
    LOAD_SLOT_BYTES = 120,
    LOAD_HASH_BYTES = 200,
    LOAD_ARRAY_BYTES = 150,
    LOAD_FILE_BYTES = 850,
    LOAD_SUB_BYTES = 500,
    LOAD_CALL_BYTES = 700,
    LOAD_PROCESS_BYTES = 40
};

typedef struct load {
    nytp_reader *reader;
    bound bound;
    HV *profile; /* what is made; the caller's */
    HV *attributes, *options, *subs;
    AV *files, *source;
    lines line_times, block_times, sub_times;
    bool discounted; /* a DISCOUNT came, and its statement has not */
    uint64_t statements, discounts, calls;
    int64_t statement_ticks;
    nytp_pids open_pids;
    double *open_start_s; /* by index */
    size_t open_room;
    double start_s, end_s, duration_s;
} load;

/* Fills an empty hash. Error and warning: messages or undef, for the caller to free. */
void load_profile(pTHX_ HV *profile, const char *path, SV **error, SV **warning);

/* ---- files.c ---- */

void load_new_fid(pTHX_ load *l, const nytp_chunk *chunk);
void load_src_line(pTHX_ load *l, const nytp_chunk *chunk);

/* The item of a file, or NULL. */
AV *load_file(pTHX_ const load *l, uint32_t fid);
enum { FILE_SUBS = 10, FILE_CALLS = 11 };

/* ---- subs.c ---- */

void load_sub_info(pTHX_ load *l, const nytp_chunk *chunk);
void load_sub_callers(pTHX_ load *l, const nytp_chunk *chunk);

/* Gives subs that the stream does not place to the first file. */
void load_place_subs(pTHX_ load *l);

/* ---- small things ---- */

static inline SV *load_string(pTHX_ load *l, nytp_str s)
{
    bound_take(aTHX_ & l->bound, LOAD_STRING_BYTES + s.length);
    return newSVpvn_utf8(s.length > 0 ? s.bytes : "", s.length, s.utf8);
}

/* Makes a fresh SV a reference to what it takes. */
static inline void load_refer(pTHX_ SV *sv, SV *to)
{
    SvUPGRADE(sv, SVt_IV);
    SvRV_set(sv, to);
    SvROK_on(sv);
}

/* Before an element of an array is made. Perl arrays have no holes that cost nothing, and grow by a fifth. */
static inline void load_reach(pTHX_ load *l, AV *av, uint32_t index)
{
    if ((SSize_t)index > AvMAX(av))
        bound_take(aTHX_ & l->bound, ((uint64_t)index - (uint64_t)AvMAX(av)) * sizeof(SV *) * 6 / 5);
}

/* Makes a fresh SV a reference to an array. */
static inline void load_array(pTHX_ load *l, SV *sv)
{
    bound_take(aTHX_ & l->bound, LOAD_ARRAY_BYTES);
    load_refer(aTHX_ sv, MUTABLE_SV(newAV()));
}

/* The place of a key in a hash, which is made if need be. */
SV **load_slot(pTHX_ load *l, HV *hv, nytp_str key);

/* The profile, for items to refer to without keeping it. */
SV *load_owner(pTHX_ const load *l);

#endif
