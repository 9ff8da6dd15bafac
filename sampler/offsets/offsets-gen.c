/* Prints the layout of one perl's structures, as sampler/layout.h reads it. Compiled and run for a perl by
 * `make offsets PERL=...`; its argument is that perl's PL_bincompat_options. Besides the collector only this
 * includes perl's headers. */
#define PERL_CORE
#define PERLIO_NOT_STDIO 0 /* leaves printf() alone */
#include "EXTERN.h"
#include "perl.h"

#include "../perl/layout.h"

#define MEMBER(type, member) ((uint32_t)offsetof(type, member))
#ifdef MULTIPLICITY
#define INTERP(member) MEMBER(struct interpreter, member)
#else
#define INTERP(member) SAMPLER_ABSENT
#endif

static sampler_layout layout;

static void measure_interpreter(void)
{
#ifdef MULTIPLICITY
    layout.multiplicity = 1;
#endif
    layout.pointer_size = sizeof(void *);
    layout.interp_op = INTERP(Iop);
    layout.interp_curcop = INTERP(Icurcop);
    layout.interp_curstackinfo = INTERP(Icurstackinfo);
    layout.interp_curpad = INTERP(Icurpad);
    layout.interp_defstash = INTERP(Idefstash);
    layout.interp_main_cv = INTERP(Imain_cv);
    layout.interp_main_root = INTERP(Imain_root);
#ifdef USE_ITHREADS
    layout.interp_stashpad = INTERP(Istashpad);
    layout.interp_stashpadmax = INTERP(Istashpadmax);
#else
    layout.interp_stashpad = layout.interp_stashpadmax = SAMPLER_ABSENT;
#endif
    layout.interp_origfilename = INTERP(Iorigfilename);
    layout.interp_perldb = INTERP(Iperldb);
    layout.interp_cop_seqmax = INTERP(Icop_seqmax);
    layout.interp_phase = INTERP(Iphase);
    layout.phase_destruct = PERL_PHASE_DESTRUCT;
}

static void measure_stacks(void)
{
    layout.si_size = sizeof(PERL_SI);
    layout.si_stack = MEMBER(PERL_SI, si_stack);
    layout.si_cxstack = MEMBER(PERL_SI, si_cxstack);
    layout.si_prev = MEMBER(PERL_SI, si_prev);
    layout.si_cxix = MEMBER(PERL_SI, si_cxix);
    layout.si_cxmax = MEMBER(PERL_SI, si_cxmax);
    layout.si_type = MEMBER(PERL_SI, si_type);
    layout.si_type_sort = PERLSI_SORT;
    layout.cx_size = sizeof(PERL_CONTEXT);
    layout.cx_kind = MEMBER(PERL_CONTEXT, cx_u.cx_blk.blku_type);
    layout.cx_kind_mask = CXTYPEMASK;
    layout.cx_kind_sub = CXt_SUB;
    layout.cx_kind_format = CXt_FORMAT;
    layout.cx_kind_eval = CXt_EVAL;
    layout.cx_flag_hasargs = CXp_HASARGS;
    layout.cx_flag_in_regex = CXp_SUB_RE_FAKE;
#ifdef CXp_TRY
    layout.cx_flag_try = CXp_TRY;
#endif
    layout.cx_u16 = MEMBER(PERL_CONTEXT, cx_u.cx_blk.blku_u16);
    PERL_CONTEXT eval;
    memset(&eval, 0xFF, sizeof eval);
    for (unsigned bits = CxOLD_OP_TYPE(&eval); bits < 0xFFFF; bits = bits << 1 | 1)
        layout.cx_u16_op_shift++;
    layout.cx_oldcop = MEMBER(PERL_CONTEXT, blk_oldcop);
    layout.cx_sub_cv = MEMBER(PERL_CONTEXT, blk_sub.cv);
    layout.cx_sub_olddepth = MEMBER(PERL_CONTEXT, blk_sub.olddepth);
    layout.cx_format_cv = MEMBER(PERL_CONTEXT, blk_format.cv);
}

static void measure_values(void)
{
    layout.sv_size = sizeof(SV);
    layout.sv_any = MEMBER(SV, sv_any);
    layout.sv_flags = MEMBER(SV, sv_flags);
    layout.sv_u = MEMBER(SV, sv_u);
    layout.sv_type_mask = SVTYPEMASK;
    layout.sv_type_cv = SVt_PVCV;
    layout.sv_type_gv = SVt_PVGV;
    layout.sv_type_hv = SVt_PVHV;
    layout.sv_type_av = SVt_PVAV;
    layout.sv_flag_iok = SVf_IOK;
    layout.sv_flag_nok = SVf_NOK;
    layout.sv_flag_pok = SVf_POK;
    layout.sv_flag_rok = SVf_ROK;
    layout.sv_flag_isuv = SVf_IVisUV;
    layout.sv_flag_utf8 = SVf_UTF8;
    layout.sv_flag_object = SVs_OBJECT;
    layout.sv_flag_ook = SVf_OOK;
    layout.xpv_cur = MEMBER(XPV, xpv_cur);
    layout.xpviv_iv = MEMBER(XPVIV, xiv_u.xivu_iv);
    layout.xpvnv_nv = MEMBER(XPVNV, xnv_u.xnv_nv);
    layout.xpvmg_stash = MEMBER(XPVMG, xmg_stash);
    layout.nv_size = sizeof(NV);
    layout.xpvav_fill = MEMBER(XPVAV, xav_fill);
}

static void measure_names(void)
{
    layout.xpvhv_max = MEMBER(XPVHV, xhv_max);
#if PERL_VERSION >= 36
    layout.hv_aux = MEMBER(struct xpvhv_with_aux, xhv_aux);
#else
    layout.hv_aux = SAMPLER_ABSENT;
#endif
    layout.aux_name = MEMBER(struct xpvhv_aux, xhv_name_u);
    layout.aux_name_count = MEMBER(struct xpvhv_aux, xhv_name_count);
    layout.hek_len = MEMBER(HEK, hek_len);
    layout.hek_key = MEMBER(HEK, hek_key);
    layout.hek_flag_utf8 = HVhek_UTF8;
    layout.hek_flag_wasutf8 = HVhek_WASUTF8;
    layout.xpvgv_stash = MEMBER(XPVGV, xnv_u.xgv_stash);
    layout.xpvgv_namehek = MEMBER(XPVGV, xiv_u.xivu_namehek);
    layout.gp_cv = MEMBER(GP, gp_cv);
}

static void measure_subs(void)
{
    layout.xpvcv_size = sizeof(XPVCV);
    layout.xpvcv_stash = MEMBER(XPVCV, xcv_stash);
    layout.xpvcv_start = MEMBER(XPVCV, xcv_start_u);
    layout.xpvcv_root = MEMBER(XPVCV, xcv_root_u);
    layout.xpvcv_gv = MEMBER(XPVCV, xcv_gv_u);
    layout.xpvcv_outside_seq = MEMBER(XPVCV, xcv_outside_seq);
    layout.xpvcv_flags = MEMBER(XPVCV, xcv_flags);
    layout.xpvcv_padlist = MEMBER(XPVCV, xcv_padlist_u);
    layout.cv_flag_named = CVf_NAMED;
    layout.cv_flag_anon = CVf_ANON;
    layout.cv_flag_cloned = CVf_CLONED;
    layout.cv_flag_isxsub = CVf_ISXSUB;
    layout.padlist_alloc = MEMBER(PADLIST, xpadl_arr);
    layout.padlist_max = MEMBER(PADLIST, xpadl_max);
}

static void measure_statements(void)
{
    layout.cop_size = sizeof(COP);
    layout.cop_line = MEMBER(COP, cop_line);
    layout.cop_seq = MEMBER(COP, cop_seq);
#ifdef USE_ITHREADS
    layout.cop_file = MEMBER(COP, cop_file);
    layout.cop_stashoff = MEMBER(COP, cop_stashoff);
    layout.cop_filegv = layout.cop_stash = SAMPLER_ABSENT;
#else
    layout.cop_file = layout.cop_stashoff = SAMPLER_ABSENT;
    layout.cop_filegv = MEMBER(COP, cop_filegv);
    layout.cop_stash = MEMBER(COP, cop_stash);
#endif
}

/* Where the bits of a bit field are: in which uint16_t of an op whose other bits are all 0. */
static void find_bits(const OP *op, uint32_t *offset, uint32_t *mask)
{
    for (size_t at = 0; at + sizeof(uint16_t) <= sizeof *op; at += sizeof(uint16_t)) {
        uint16_t bits;
        memcpy(&bits, (const char *)op + at, sizeof bits);
        if (bits != 0) {
            *offset = (uint32_t)at;
            *mask = bits;
        }
    }
}

static void measure_ops(void)
{
    OP op;
    layout.op_next = MEMBER(OP, op_next);
    layout.op_flags = MEMBER(OP, op_flags);
    layout.op_flag_kids = OPf_KIDS;
    memset(&op, 0, sizeof op);
    op.op_type = (1 << 9) - 1;
    find_bits(&op, &layout.op_type, &layout.op_type_mask);
#ifdef PERL_OP_PARENT
    layout.op_sibparent = MEMBER(OP, op_sibparent);
    memset(&op, 0, sizeof op);
    op.op_moresib = 1;
    find_bits(&op, &layout.op_moresib, &layout.op_moresib_mask);
#else
    layout.op_sibparent = SAMPLER_ABSENT;
#endif
    layout.op_first = MEMBER(UNOP, op_first);
    layout.op_sv = MEMBER(SVOP, op_sv);
    layout.op_padix = MEMBER(PADOP, op_padix);
    layout.op_count = MAXO;
}

int main(int argc, char **argv)
{
    measure_interpreter();
    measure_stacks();
    measure_values();
    measure_names();
    measure_subs();
    measure_statements();
    measure_ops();
    printf("perl %d.%d.%d\noptions %s\n", PERL_REVISION, PERL_VERSION, PERL_SUBVERSION,
           argc > 1 ? argv[1] : "");
#define PRINT(name)                                                                                          \
    if (layout.name == SAMPLER_ABSENT)                                                                       \
        printf("%s -\n", #name);                                                                             \
    else                                                                                                     \
        printf("%s %u\n", #name, (unsigned)layout.name);
    SAMPLER_LAYOUT_FIELDS(PRINT)
    return fflush(stdout) == 0 ? 0 : 1;
}
