#include "sampler/perl/contexts.h"

#include "sampler/perl/interpreter.h"

static const unsigned char *context_at(const sampler_contexts *c, int32_t at)
{
    return c->bytes + (size_t)(at - c->first) * c->layout->cx_size;
}

bool sampler_contexts_call(const sampler_contexts *c, int32_t at, sampler_call *call)
{
    const sampler_layout *l = c->layout;
    const unsigned char *cx = context_at(c, at);
    uint32_t kind = cx[l->cx_kind] & l->cx_kind_mask, flags = cx[l->cx_kind] & ~l->cx_kind_mask;
    memset(call, 0, sizeof *call);
    if ((kind == l->cx_kind_sub && (flags & l->cx_flag_in_regex) != 0) ||
        (kind == l->cx_kind_eval && (flags & l->cx_flag_try) != 0))
        return false;
    if (kind == l->cx_kind_sub) {
        call->kind = SAMPLER_CALL_SUB;
        call->cv = sampler_u64(cx + l->cx_sub_cv);
        call->depth = sampler_i32(cx + l->cx_sub_olddepth);
        call->has_args = (flags & l->cx_flag_hasargs) != 0;
    } else if (kind == l->cx_kind_format) {
        call->kind = SAMPLER_CALL_FORMAT;
        call->cv = sampler_u64(cx + l->cx_format_cv);
    } else if (kind == l->cx_kind_eval) {
        call->kind = SAMPLER_CALL_EVAL;
        call->eval_op = (uint16_t)(sampler_u16(cx + l->cx_u16) >> l->cx_u16_op_shift);
    } else {
        return false;
    }
    call->cop = sampler_u64(cx + l->cx_oldcop);
    return true;
}

uint64_t sampler_contexts_base_cop(const sampler_contexts *c)
{
    return c->first == 0 && c->end > 0 ? sampler_u64(c->bytes + c->layout->cx_oldcop) : 0;
}

/* Perl takes the sub out of a context that it removes. */
sampler_extent sampler_contexts_extent(const sampler_contexts *c, int32_t at)
{
    sampler_call call;
    sampler_extent extent = {c->first - 1, at};
    for (int32_t n = c->first; n < c->end; n++) {
        if (!sampler_contexts_call(c, n, &call) || !sampler_call_has_sub(&call))
            continue;
        if (call.cv == 0) {
            extent.last = n - 1 < at ? n - 1 : at;
            break;
        }
        extent.sub = n;
    }
    if (extent.last < extent.sub)
        extent.last = extent.sub;
    return extent;
}

int sampler_contexts_ended(const sampler_contexts *c, int32_t last, uint64_t *cops, int room)
{
    sampler_call call;
    int count = 0;
    for (int32_t at = last + 1; at < c->end && count < room; at++)
        if (sampler_contexts_call(c, at, &call) && sampler_call_has_sub(&call))
            cops[count++] = call.cop;
    return count;
}

size_t sampler_contexts_count_calls(const sampler_contexts *c, int32_t from, int32_t last)
{
    sampler_call call;
    size_t count = 0;
    for (int32_t at = from; at <= last; at++)
        count += sampler_contexts_call(c, at, &call);
    return count;
}
