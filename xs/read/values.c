#include "stream.h"

#include "format/chunks.h"

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

/* for_chunks passes the fields in the order of the stream, but for two kinds of chunks. */
/* clang-format off */
#define IN_STREAM_ORDER(CASE)                                                                       \
    NYTP_EVENT_CHUNKS(CASE) CASE(PID_START) CASE(PID_END) CASE(NEW_FID) CASE(SRC_LINE) \
    CASE(COVER_UNIT) CASE(COVER_HIT)
#define FIELDS_SUB_INFO(OP)                                                                         \
    OP(u32, sub_info.fid) OP(u32, sub_info.first_line) OP(u32, sub_info.last_line)                  \
    OP(str, sub_info.name)
#define FIELDS_SUB_CALLERS(OP)                                                                      \
    OP(u32, sub_callers.fid) OP(u32, sub_callers.line) OP(u32, sub_callers.count)                   \
    OP(nv, sub_callers.incl_s) OP(nv, sub_callers.excl_s) OP(nv, sub_callers.reci_s)                \
    OP(u32, sub_callers.max_depth) OP(str, sub_callers.called) OP(str, sub_callers.caller)
/* clang-format on */

#define PUT_u32(field) put_integer(aTHX_ value++, field);
#define PUT_i32(field) put_integer(aTHX_ value++, field);
#define PUT_nv(field)  put_number(aTHX_ value++, field);
#define PUT_str(field) put_string(aTHX_ value++, field);
#define PUT_absent(field)
#define PUT(type, member) PUT_##type(chunk->member)

size_t read_values_of_chunk(pTHX_ SV **values, const nytp_chunk *chunk)
{
    SV **value = values;
    switch (chunk->tag) {
#define CASE(name)                                                                                           \
    case NYTP_##name: NYTP_FIELDS_##name(PUT) break;
        IN_STREAM_ORDER(CASE)
#undef CASE
    case NYTP_SUB_INFO: FIELDS_SUB_INFO(PUT) break;
    case NYTP_SUB_CALLERS: FIELDS_SUB_CALLERS(PUT) break;
    case NYTP_VERSION: PUT(u32, version.major) PUT(u32, version.minor) break;
    case NYTP_ATTRIBUTE:
    case NYTP_OPTION: PUT(str, attribute.key) PUT(str, attribute.value) break;
    case NYTP_COMMENT:
        put_string(aTHX_ value, chunk->comment.text);
        sv_catpvs(*value++, "\n");
        break;
    case NYTP_START_DEFLATE: break;
    }
    return (size_t)(value - values);
}
