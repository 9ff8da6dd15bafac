/* The perl data that a profile is loaded into, and what the files that fill them share. */
#pragma once

#include "base/pids.h"
#include "stream.h"

/* Ticks and executions by file and line. Lines are kept in pages, because after "#line 5000000" most line
 * numbers are unused. */

typedef struct read_lines_file read_lines_file;

/* Initialize it with zeros, except for the bound. */
typedef struct read_lines {
    read_bound *bound;
    read_lines_file *files; /* by fid */
    size_t file_count;
} read_lines;

void read_lines_add(pTHX_ read_lines *l, uint32_t fid, uint32_t line, int64_t ticks, bool executed);

/* Frees what l points to. */
void read_lines_free(read_lines *l);

/* Fills an empty array: [fid][line] => [ seconds, executions ]. Frees the lines file by file, so that both
 * forms never exist as a whole at the same time. */
void read_lines_to_av(pTHX_ read_lines *l, AV *av, double ticks_per_sec);

/* How many bytes perl needs for things that may be many; estimates that are rather too high. Texts are
 * counted in addition. */
enum {
    READ_STRING_BYTES = 80,
    READ_SLOT_BYTES = 120,
    READ_HASH_BYTES = 200,
    READ_ARRAY_BYTES = 150,
    READ_FILE_BYTES = 850,
    READ_SUB_BYTES = 500,
    READ_CALL_BYTES = 700,
    READ_PROCESS_BYTES = 40
};

typedef struct read_data {
    nytp_reader *reader;
    read_bound bound;
    HV *profile; /* the result; belongs to the caller */
    HV *attributes, *options, *subs;
    AV *files, *source;
    read_lines line_times, block_times, sub_times;
    bool discounted; /* a DISCOUNT came, and its statement has not */
    uint64_t statements, discounts, calls;
    int64_t statement_ticks;
    nytp_pids open_pids;
    double *open_start_s; /* by index in open_pids */
    size_t open_cap;
    double start_s, end_s, duration_s;
} read_data;

static inline SV *read_data_string(pTHX_ read_data *l, nytp_str s)
{
    read_bound_charge(aTHX_ & l->bound, READ_STRING_BYTES + s.length);
    return newSVpvn_utf8(s.length > 0 ? s.bytes : "", s.length, s.utf8);
}

/* Makes a fresh SV a reference to `to`, of which it takes ownership. */
static inline void read_data_refer(pTHX_ SV *sv, SV *to)
{
    SvUPGRADE(sv, SVt_IV);
    SvRV_set(sv, to);
    SvROK_on(sv);
}

/* Call it before creating an element of an array. Perl arrays allocate all elements below it, and grow by a
 * fifth. */
static inline void read_data_reach(pTHX_ read_data *l, AV *av, uint32_t index)
{
    if ((SSize_t)index > AvMAX(av))
        read_bound_charge(aTHX_ & l->bound, ((uint64_t)index - (uint64_t)AvMAX(av)) * sizeof(SV *) * 6 / 5);
}

/* Makes a fresh SV a reference to a new array. */
static inline void read_data_array(pTHX_ read_data *l, SV *sv)
{
    read_bound_charge(aTHX_ & l->bound, READ_ARRAY_BYTES);
    read_data_refer(aTHX_ sv, MUTABLE_SV(newAV()));
}

/* Returns the place of a key in a hash. Creates it if it is not there. */
static inline SV **read_data_slot(pTHX_ read_data *l, HV *hv, nytp_str key)
{
    I32 length = (I32)key.length;
    size_t before = HvTOTALKEYS(hv);
    SV **slot = hv_fetch(hv, key.length > 0 ? key.bytes : "", key.utf8 ? -length : length, 1);
    if (HvTOTALKEYS(hv) > before)
        read_bound_charge(aTHX_ & l->bound, READ_SLOT_BYTES + key.length);
    return slot;
}

/* Returns a weak reference to the profile, for its items. */
static inline SV *read_data_owner(pTHX_ const read_data *l)
{
    return sv_rvweaken(newRV_inc(MUTABLE_SV(l->profile)));
}

/* files.c */

/* Columns of a file that subs.c fills: hashes by sub name, and by line. */
enum { READ_FILE_SUBS = 10, READ_FILE_CALLS = 11 };

/* Adds a NEW_FID. */
void read_files_add(pTHX_ read_data *l, const nytp_chunk *chunk);
/* Adds a SRC_LINE. */
void read_files_add_source(pTHX_ read_data *l, const nytp_chunk *chunk);

/* Returns the item of a file, or NULL. */
AV *read_files_find(pTHX_ const read_data *l, uint32_t fid);

/* subs.c */

/* Adds a SUB_INFO. */
void read_subs_add_info(pTHX_ read_data *l, const nytp_chunk *chunk);
/* Adds a SUB_CALLERS. */
void read_subs_add_callers(pTHX_ read_data *l, const nytp_chunk *chunk);

/* Assigns the subs that have no place in the stream to the first file. Call it when everything was read. */
void read_subs_place_rest(pTHX_ read_data *l);
