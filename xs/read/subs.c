#include "data.h"

enum {
    SUB_FID,
    SUB_FIRST,
    SUB_LAST,
    SUB_CALLS,
    SUB_INCL,
    SUB_EXCL,
    SUB_NAME,
    SUB_PROFILE,
    SUB_DEPTH,
    SUB_RECI,
    SUB_PLACES
};
enum { CALL_COUNT, CALL_INCL, CALL_EXCL, CALL_RECI = 5, CALL_DEPTH, CALL_CALLERS };

/* Where a sub, or a call, has its sums. */
typedef struct sum_columns {
    SSize_t count, incl_s, excl_s, reci_s, max_depth;
} sum_columns;
static const sum_columns of_sub = {SUB_CALLS, SUB_INCL, SUB_EXCL, SUB_RECI, SUB_DEPTH},
                         of_call = {CALL_COUNT, CALL_INCL, CALL_EXCL, CALL_RECI, CALL_DEPTH};

static void add_number(pTHX_ AV *av, SSize_t index, double number)
{
    SV *sv = AvARRAY(av)[index];
    sv_setnv(sv, SvNV(sv) + number);
}

static void add_sums(pTHX_ AV *to, sum_columns at, const nytp_chunk *chunk)
{
    SV *count = AvARRAY(to)[at.count], *depth = AvARRAY(to)[at.max_depth];
    sv_setiv(count, SvIV(count) + (IV)chunk->sub_callers.count);
    add_number(aTHX_ to, at.incl_s, chunk->sub_callers.incl_s);
    add_number(aTHX_ to, at.excl_s, chunk->sub_callers.excl_s);
    add_number(aTHX_ to, at.reci_s, chunk->sub_callers.reci_s);
    if (SvIV(depth) < (IV)chunk->sub_callers.max_depth)
        sv_setiv(depth, (IV)chunk->sub_callers.max_depth);
}

static SV *new_sub(pTHX_ read_data *l, nytp_str name)
{
    read_bound_charge(aTHX_ & l->bound, READ_SUB_BYTES);
    SV *shown = read_data_string(aTHX_ l, name);
    AV *item = newAV();
    av_extend(item, SUB_PLACES);
    for (int i = SUB_FID; i <= SUB_LAST; i++)
        av_push(item, newSV(0));
    av_push(item, newSViv(0));
    av_push(item, newSVnv(0));
    av_push(item, newSVnv(0));
    av_push(item, shown);
    av_push(item, read_data_owner(aTHX_ l));
    av_push(item, newSViv(0));
    av_push(item, newSVnv(0));
    return sv_bless(newRV_noinc(MUTABLE_SV(item)), gv_stashpvs("Devel::NYTProf::SubInfo", GV_ADD));
}

/* Returns a reference to the item of a sub. Creates it if it is not there. */
static SV *sub_of(pTHX_ read_data *l, nytp_str name)
{
    SV **slot = read_data_slot(aTHX_ l, l->subs, name);
    if (!SvROK(*slot)) {
        SvREFCNT_dec(*slot);
        *slot = new_sub(aTHX_ l, name);
    }
    return *slot;
}

static void define_in(pTHX_ read_data *l, AV *file, nytp_str name, SV *sub)
{
    SV **subs = av_fetch(file, READ_FILE_SUBS, 0);
    sv_setsv(*read_data_slot(aTHX_ l, MUTABLE_HV(SvRV(*subs)), name), sub);
}

void read_subs_add_info(pTHX_ read_data *l, const nytp_chunk *chunk)
{
    uint32_t fid = chunk->sub_info.fid;
    SV *sub = sub_of(aTHX_ l, chunk->sub_info.name);
    SV **columns = AvARRAY(MUTABLE_AV(SvRV(sub)));
    /* If several evals define it, the first one counts. */
    if (!SvOK(columns[SUB_FID]) || SvUV(columns[SUB_FID]) >= fid) {
        sv_setuv(columns[SUB_FID], fid);
        sv_setuv(columns[SUB_FIRST], chunk->sub_info.first_line);
        sv_setuv(columns[SUB_LAST], chunk->sub_info.last_line);
    }
    AV *file = read_files_find(aTHX_ l, fid);
    if (file != NULL)
        define_in(aTHX_ l, file, chunk->sub_info.name, sub);
}

/* Returns the place of a number in a hash. */
static SV **slot_at(pTHX_ read_data *l, HV *hv, uint32_t number)
{
    char key[16];
    int length = my_snprintf(key, sizeof key, "%u", (unsigned)number);
    return read_data_slot(aTHX_ l, hv, (nytp_str){key, (size_t)length, false});
}

/* Returns the hash that sv refers to. A fresh SV becomes a reference to a new one. */
static HV *hash_of(pTHX_ read_data *l, SV *sv)
{
    if (!SvROK(sv)) {
        read_bound_charge(aTHX_ & l->bound, READ_HASH_BYTES);
        read_data_refer(aTHX_ sv, MUTABLE_SV(newHV()));
    }
    return MUTABLE_HV(SvRV(sv));
}

/* Returns the calls of a sub, a hash by fid and line. */
static HV *places_of(pTHX_ read_data *l, AV *sub)
{
    return hash_of(aTHX_ l, *av_fetch(sub, SUB_PLACES, 1));
}

static AV *new_call(pTHX_ read_data *l)
{
    read_bound_charge(aTHX_ & l->bound, READ_CALL_BYTES);
    AV *call = newAV();
    av_extend(call, CALL_CALLERS);
    av_push(call, newSViv(0));
    for (int i = CALL_INCL; i <= CALL_RECI; i++)
        av_push(call, newSVnv(0));
    av_push(call, newSViv(0));
    av_push(call, newRV_noinc(MUTABLE_SV(newHV())));
    return call;
}

/* Returns the item of the calls from one line, which the sub and the line's file share. */
static AV *call_at(pTHX_ read_data *l, AV *sub, const nytp_chunk *chunk)
{
    uint32_t fid = chunk->sub_callers.fid, line = chunk->sub_callers.line;
    HV *by_line = hash_of(aTHX_ l, *slot_at(aTHX_ l, places_of(aTHX_ l, sub), fid));
    SV **slot = slot_at(aTHX_ l, by_line, line);
    if (!SvROK(*slot)) {
        read_data_refer(aTHX_ * slot, MUTABLE_SV(new_call(aTHX_ l)));
        AV *file = read_files_find(aTHX_ l, fid);
        if (file != NULL) {
            HV *calls = MUTABLE_HV(SvRV(*av_fetch(file, READ_FILE_CALLS, 0)));
            HV *by_name = hash_of(aTHX_ l, *slot_at(aTHX_ l, calls, line));
            sv_setsv(*read_data_slot(aTHX_ l, by_name, chunk->sub_callers.called), *slot);
        }
    }
    return MUTABLE_AV(SvRV(*slot));
}

void read_subs_add_callers(pTHX_ read_data *l, const nytp_chunk *chunk)
{
    AV *sub = MUTABLE_AV(SvRV(sub_of(aTHX_ l, chunk->sub_callers.called)));
    l->calls += chunk->sub_callers.count;
    add_sums(aTHX_ sub, of_sub, chunk);
    if (chunk->sub_callers.fid == 0) { /* marks an xsub or built-in, which has no lines */
        hash_of(aTHX_ l, *slot_at(aTHX_ l, places_of(aTHX_ l, sub), 0));
        for (int i = SUB_FIRST; i <= SUB_LAST; i++)
            if (!SvOK(AvARRAY(sub)[i]))
                sv_setuv(AvARRAY(sub)[i], 0);
        return;
    }
    AV *call = call_at(aTHX_ l, sub, chunk);
    add_sums(aTHX_ call, of_call, chunk);
    read_data_slot(aTHX_ l, MUTABLE_HV(SvRV(AvARRAY(call)[CALL_CALLERS])), chunk->sub_callers.caller);
}

void read_subs_place_rest(pTHX_ read_data *l)
{
    AV *first = read_files_find(aTHX_ l, 1);
    HE *entry;
    if (first == NULL)
        return;
    HV *defined = MUTABLE_HV(SvRV(*av_fetch(first, READ_FILE_SUBS, 0)));
    hv_iterinit(l->subs);
    while ((entry = hv_iternext(l->subs)) != NULL) {
        SV *sub = HeVAL(entry);
        SV *fid = AvARRAY(MUTABLE_AV(SvRV(sub)))[SUB_FID];
        if (SvOK(fid))
            continue;
        sv_setiv(fid, 1);
        (void)hv_store_ent(defined, hv_iterkeysv(entry), SvREFCNT_inc_NN(sub), 0);
    }
}
