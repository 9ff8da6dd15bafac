/* The op calls like perl code: it pushes the chunk on perl's stack and enters the sub, which returns to the
 * op. No C function waits for the callback, so that may be left in any way: `last`, `die` and `goto` find
 * perl's own contexts, and the stream is freed with the lexical that holds it. It is also the fastest way. */
#include "stream.h"

/* Executes the statement deliver($stream); */
static OP *pp_deliver(pTHX)
{
    /* Restores the stack of the statement's beginning, since a callback in C may have left values on it. */
    SV **sp = PL_stack_base + cxstack[cxstack_ix].blk_oldsp + 1;
    read_stream *s = read_stream_of(*sp);
    nytp_chunk chunk;

    FREETMPS;
    PERL_ASYNC_CHECK();
    if (!read_stream_next(aTHX_ s, &chunk)) {
        PL_stack_sp = sp - 1;
        return PL_op->op_next;
    }
    read_stream_kind *kind = read_stream_kind_of(s, chunk.tag);
    const size_t count = read_values_of_chunk(aTHX_ kind->values, &chunk);
    PUSHMARK(sp);
    EXTEND(sp, READ_VALUES_MAX + 2);
    *++sp = kind->name;
    for (size_t i = 0; i < count; i++)
        *++sp = kind->values[i];
    *++sp = MUTABLE_SV(kind->callback);
    PUTBACK;
    s->call.op_next = PL_op;
    PL_op = (OP *)&s->call;
    return PL_ppaddr[OP_ENTERSUB](aTHX);
}

/* Replaces the call of deliver(), which is not a sub, with the op. */
static OP *make_deliver(pTHX_ OP *call, GV *name, SV *unused)
{
    PERL_UNUSED_ARG(name);
    PERL_UNUSED_ARG(unused);
    OP *mark = cUNOPx(call)->op_first;
    if (!OpHAS_SIBLING(mark))
        mark = cUNOPx(mark)->op_first;
    OP *argument = op_sibling_splice(NULL, mark, 1, NULL);
    op_free(call);
    OP *deliver = newUNOP(OP_CUSTOM, 0, argument);
    deliver->op_ppaddr = pp_deliver;
    return deliver;
}

void read_deliver_boot(pTHX)
{
    static XOP description;
    XopENTRY_set(&description, xop_name, "nytp_deliver");
    XopENTRY_set(&description, xop_desc, "delivery of a profile");
    XopENTRY_set(&description, xop_class, OA_UNOP);
    Perl_custom_op_register(aTHX_ pp_deliver, &description);
    CV *cv = get_cv("Devel::NYTProf::ReadStream::deliver", 0);
    cv_set_call_checker(cv, make_deliver, MUTABLE_SV(cv));
}
