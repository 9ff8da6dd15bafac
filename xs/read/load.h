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

/* What may be an index of an array: perl arrays have no holes that cost nothing. So files are told one after
 * the other, but for some that are missing. */
enum { LOAD_LAST_INDEX = 1 << 25, LOAD_MISSING_FIDS = 1 << 12 };

typedef struct load {
    nytp_reader *reader;
    HV *profile; /* what is made; the caller's */
    HV *attributes, *options, *subs;
    AV *files, *source;
    uint32_t last_fid; /* the largest of a NEW_FID */
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

static inline SV *load_string(pTHX_ nytp_str s)
{
    return newSVpvn_utf8(s.length > 0 ? s.bytes : "", s.length, s.utf8);
}

/* Makes a fresh SV a reference to what it takes. */
static inline void load_refer(pTHX_ SV *sv, SV *to)
{
    SvUPGRADE(sv, SVt_IV);
    SvRV_set(sv, to);
    SvROK_on(sv);
}

/* The place of a key in a hash, which is made if need be. */
static inline SV **load_slot(pTHX_ HV *hv, nytp_str key)
{
    I32 length = (I32)key.length;
    return hv_fetch(hv, key.length > 0 ? key.bytes : "", key.utf8 ? -length : length, 1);
}

/* The hash at a key that is a number. */
HV *load_hash_at(pTHX_ HV *hv, uint32_t number);

/* The profile, for items to refer to without keeping it. */
SV *load_owner(pTHX_ const load *l);

#endif
