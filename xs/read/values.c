#include "values.h"

/* Returns the SV, or a new one if a callback has kept it or changed its type. */
static SV *assignable(pTHX_ SV **value)
{
    SV *sv = *value;
    if (sv == NULL || SvREFCNT(sv) > 1 || SvTYPE(sv) >= SVt_PVMG || SvREADONLY(sv)) {
        SvREFCNT_dec(sv);
        *value = sv = newSV(0);
    }
    return sv;
}

static inline void put_integer(pTHX_ SV **value, IV integer)
{
    SV *sv = *value;
    if (sv != NULL && SvREFCNT(sv) == 1 && SvFLAGS(sv) == (SVt_IV | SVf_IOK | SVp_IOK))
        SvIV_set(sv, integer);
    else
        sv_setiv(assignable(aTHX_ value), integer);
}

static inline void put_number(pTHX_ SV **value, double number)
{
    SV *sv = *value;
    if (sv != NULL && SvREFCNT(sv) == 1 && SvFLAGS(sv) == (SVt_NV | SVf_NOK | SVp_NOK))
        SvNV_set(sv, number);
    else
        sv_setnv(assignable(aTHX_ value), number);
}

static void put_string(pTHX_ SV **value, nytp_str s)
{
    SV *sv = assignable(aTHX_ value);
    sv_setpvn(sv, s.length > 0 ? s.bytes : "", s.length);
    if (s.utf8)
        SvUTF8_on(sv);
    else
        SvUTF8_off(sv);
}

static SV **put_new_fid(pTHX_ SV **value, const nytp_chunk *chunk)
{
    put_integer(aTHX_ value++, chunk->new_fid.fid);
    put_integer(aTHX_ value++, chunk->new_fid.eval_fid);
    put_integer(aTHX_ value++, chunk->new_fid.eval_line);
    put_integer(aTHX_ value++, chunk->new_fid.flags);
    put_integer(aTHX_ value++, chunk->new_fid.size);
    put_integer(aTHX_ value++, chunk->new_fid.mtime);
    put_string(aTHX_ value++, chunk->new_fid.name);
    return value;
}

static SV **put_sub_callers(pTHX_ SV **value, const nytp_chunk *chunk)
{
    put_integer(aTHX_ value++, chunk->sub_callers.fid);
    put_integer(aTHX_ value++, chunk->sub_callers.line);
    put_integer(aTHX_ value++, chunk->sub_callers.count);
    put_number(aTHX_ value++, chunk->sub_callers.incl_s);
    put_number(aTHX_ value++, chunk->sub_callers.excl_s);
    put_number(aTHX_ value++, chunk->sub_callers.reci_s);
    put_integer(aTHX_ value++, chunk->sub_callers.max_depth);
    put_string(aTHX_ value++, chunk->sub_callers.called);
    put_string(aTHX_ value++, chunk->sub_callers.caller);
    return value;
}

/* The rare chunks: a few for each file or process. */
static SV **put_other(pTHX_ SV **value, const nytp_chunk *chunk)
{
    switch (chunk->tag) {
    case NYTP_VERSION:
        put_integer(aTHX_ value++, chunk->version.major);
        put_integer(aTHX_ value++, chunk->version.minor);
        break;
    case NYTP_COMMENT:
        put_string(aTHX_ value, chunk->comment.text);
        sv_catpvs(*value++, "\n");
        break;
    case NYTP_ATTRIBUTE:
    case NYTP_OPTION:
        put_string(aTHX_ value++, chunk->attribute.key);
        put_string(aTHX_ value++, chunk->attribute.value);
        break;
    case NYTP_PID_START:
        put_integer(aTHX_ value++, chunk->pid_start.pid);
        put_integer(aTHX_ value++, chunk->pid_start.parent);
        put_number(aTHX_ value++, chunk->pid_start.time_s);
        break;
    case NYTP_PID_END:
        put_integer(aTHX_ value++, chunk->pid_end.pid);
        put_number(aTHX_ value++, chunk->pid_end.time_s);
        break;
    default: break;
    }
    return value;
}

size_t read_values_of_chunk(pTHX_ SV **values, const nytp_chunk *chunk)
{
    SV **value = values;
    switch (chunk->tag) {
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK:
        put_integer(aTHX_ value++, chunk->time.ticks);
        put_integer(aTHX_ value++, chunk->time.fid);
        put_integer(aTHX_ value++, chunk->time.line);
        if (chunk->tag == NYTP_TIME_LINE)
            break;
        put_integer(aTHX_ value++, chunk->time.block_line);
        put_integer(aTHX_ value++, chunk->time.sub_line);
        break;
    case NYTP_SUB_ENTRY:
        put_integer(aTHX_ value++, chunk->sub_entry.fid);
        put_integer(aTHX_ value++, chunk->sub_entry.line);
        break;
    case NYTP_SUB_RETURN:
        put_integer(aTHX_ value++, chunk->sub_return.depth);
        put_number(aTHX_ value++, chunk->sub_return.incl_ticks);
        put_number(aTHX_ value++, chunk->sub_return.excl_ticks);
        put_string(aTHX_ value++, chunk->sub_return.name);
        break;
    case NYTP_SUB_INFO:
        put_integer(aTHX_ value++, chunk->sub_info.fid);
        put_integer(aTHX_ value++, chunk->sub_info.first_line);
        put_integer(aTHX_ value++, chunk->sub_info.last_line);
        put_string(aTHX_ value++, chunk->sub_info.name);
        break;
    case NYTP_SRC_LINE:
        put_integer(aTHX_ value++, chunk->src_line.fid);
        put_integer(aTHX_ value++, chunk->src_line.line);
        put_string(aTHX_ value++, chunk->src_line.text);
        break;
    case NYTP_NEW_FID: value = put_new_fid(aTHX_ value, chunk); break;
    case NYTP_SUB_CALLERS: value = put_sub_callers(aTHX_ value, chunk); break;
    default: value = put_other(aTHX_ value, chunk); break;
    }
    return (size_t)(value - values);
}
