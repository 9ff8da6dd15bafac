/* The layout of one perl's structures, as a small text file has it: offsets, sizes, flags.
 * offsets/offsets-gen.c writes such a file, compiled against that perl's headers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What a perl may not have: the interpreter's offsets without MULTIPLICITY, cop_file without threads. */
#define SAMPLER_ABSENT UINT32_MAX

/* The most that a table may say of sizes and counts; one that says more is refused. */
enum {
    SAMPLER_SI_ROOM = 256,
    SAMPLER_CX_ROOM = 4096,
    SAMPLER_SV_ROOM = 256,
    SAMPLER_XPVCV_ROOM = 4096,
    SAMPLER_COP_ROOM = 4096,
    SAMPLER_MOST_OPS = 4096,
};

/* The fields that every table has, in the order of the file, and what offsets/offsets-gen.c computes for
 * them. Those of one structure begin with its name: offsets within it, unless the name says otherwise. */
#define SAMPLER_LAYOUT_FIELDS(X)                                                                             \
    X(multiplicity, HAS_MULTIPLICITY) /* 0: the variables are symbols, not in a struct interpreter */        \
    X(pointer_size, sizeof(void *))                                                                          \
    X(interp_op, INTERP(Iop))                                                                                \
    X(interp_curcop, INTERP(Icurcop))                                                                        \
    X(interp_curstackinfo, INTERP(Icurstackinfo))                                                            \
    X(interp_curpad, INTERP(Icurpad))                                                                        \
    X(interp_defstash, INTERP(Idefstash))                                                                    \
    X(interp_main_cv, INTERP(Imain_cv))                                                                      \
    X(interp_main_root, INTERP(Imain_root))                                                                  \
    X(interp_stashpad, THREADS(INTERP(Istashpad)))                                                           \
    X(interp_stashpadmax, THREADS(INTERP(Istashpadmax)))                                                     \
    X(interp_origfilename, INTERP(Iorigfilename))                                                            \
    X(interp_perldb, INTERP(Iperldb))                                                                        \
    X(interp_cop_seqmax, INTERP(Icop_seqmax))                                                                \
    X(interp_phase, INTERP(Iphase))                                                                          \
    X(phase_destruct, PERL_PHASE_DESTRUCT) /* a value of the phase */                                        \
    X(si_size, sizeof(PERL_SI))                                                                              \
    X(si_stack, MEMBER(PERL_SI, si_stack))                                                                   \
    X(si_cxstack, MEMBER(PERL_SI, si_cxstack))                                                               \
    X(si_prev, MEMBER(PERL_SI, si_prev))                                                                     \
    X(si_cxix, MEMBER(PERL_SI, si_cxix))                                                                     \
    X(si_cxmax, MEMBER(PERL_SI, si_cxmax))                                                                   \
    X(si_type, MEMBER(PERL_SI, si_type))                                                                     \
    X(si_type_sort, PERLSI_SORT) /* a value of si_type */                                                    \
    X(cx_size, sizeof(PERL_CONTEXT))                                                                         \
    X(cx_kind, MEMBER(PERL_CONTEXT, cx_u.cx_blk.blku_type))                                                  \
    X(cx_kind_mask, CXTYPEMASK)                                                                              \
    X(cx_kind_sub, CXt_SUB)                                                                                  \
    X(cx_kind_format, CXt_FORMAT)                                                                            \
    X(cx_kind_eval, CXt_EVAL)                                                                                \
    X(cx_flag_hasargs, CXp_HASARGS)                                                                          \
    X(cx_flag_in_regex, CXp_SUB_RE_FAKE) /* of a sub: code of a regex, which runs in the sub around it */    \
    X(cx_flag_try, CXp_TRY)              /* of an eval: a try block */                                       \
    X(cx_u16, MEMBER(PERL_CONTEXT, cx_u.cx_blk.blku_u16))                                                    \
    X(cx_u16_op_shift, op_shift()) /* where the type of the op that made an eval is in it */                 \
    X(cx_oldcop, MEMBER(PERL_CONTEXT, blk_oldcop))                                                           \
    X(cx_sub_cv, MEMBER(PERL_CONTEXT, blk_sub.cv))                                                           \
    X(cx_sub_olddepth, MEMBER(PERL_CONTEXT, blk_sub.olddepth))                                               \
    X(cx_format_cv, MEMBER(PERL_CONTEXT, blk_format.cv))                                                     \
    X(sv_size, sizeof(SV))                                                                                   \
    X(sv_any, MEMBER(SV, sv_any))                                                                            \
    X(sv_flags, MEMBER(SV, sv_flags))                                                                        \
    X(sv_u, MEMBER(SV, sv_u))                                                                                \
    X(sv_type_mask, SVTYPEMASK)                                                                              \
    X(sv_type_cv, SVt_PVCV)                                                                                  \
    X(sv_type_gv, SVt_PVGV)                                                                                  \
    X(sv_type_hv, SVt_PVHV)                                                                                  \
    X(sv_type_av, SVt_PVAV)                                                                                  \
    X(sv_flag_iok, SVf_IOK)                                                                                  \
    X(sv_flag_nok, SVf_NOK)                                                                                  \
    X(sv_flag_pok, SVf_POK)                                                                                  \
    X(sv_flag_rok, SVf_ROK)                                                                                  \
    X(sv_flag_isuv, SVf_IVisUV)                                                                              \
    X(sv_flag_utf8, SVf_UTF8)                                                                                \
    X(sv_flag_object, SVs_OBJECT)                                                                            \
    X(sv_flag_ook, SVf_OOK)                                                                                  \
    X(xpv_cur, MEMBER(XPV, xpv_cur))                                                                         \
    X(xpviv_iv, MEMBER(XPVIV, xiv_u.xivu_iv))                                                                \
    X(xpvnv_nv, MEMBER(XPVNV, xnv_u.xnv_nv))                                                                 \
    X(xpvmg_stash, MEMBER(XPVMG, xmg_stash))                                                                 \
    X(nv_size, sizeof(NV))                                                                                   \
    X(xpvav_fill, MEMBER(XPVAV, xav_fill))                                                                   \
    X(xpvhv_max, MEMBER(XPVHV, xhv_max))                                                                     \
    X(hv_aux, HV_AUX) /* in the body; absent: it is past the end of the array */                             \
    X(aux_name, MEMBER(struct xpvhv_aux, xhv_name_u))                                                        \
    X(aux_name_count, MEMBER(struct xpvhv_aux, xhv_name_count))                                              \
    X(hek_len, MEMBER(HEK, hek_len))                                                                         \
    X(hek_key, MEMBER(HEK, hek_key))                                                                         \
    X(hek_flag_utf8, HVhek_UTF8)                                                                             \
    X(hek_flag_wasutf8, HVhek_WASUTF8) /* characters that Latin-1 has */                                     \
    X(xpvgv_stash, MEMBER(XPVGV, xnv_u.xgv_stash))                                                           \
    X(xpvgv_namehek, MEMBER(XPVGV, xiv_u.xivu_namehek))                                                      \
    X(gp_cv, MEMBER(GP, gp_cv))                                                                              \
    X(xpvcv_size, sizeof(XPVCV))                                                                             \
    X(xpvcv_stash, MEMBER(XPVCV, xcv_stash))                                                                 \
    X(xpvcv_start, MEMBER(XPVCV, xcv_start_u))                                                               \
    X(xpvcv_root, MEMBER(XPVCV, xcv_root_u))                                                                 \
    X(xpvcv_gv, MEMBER(XPVCV, xcv_gv_u))                                                                     \
    X(xpvcv_outside_seq, MEMBER(XPVCV, xcv_outside_seq))                                                     \
    X(xpvcv_flags, MEMBER(XPVCV, xcv_flags))                                                                 \
    X(xpvcv_padlist, MEMBER(XPVCV, xcv_padlist_u))                                                           \
    X(cv_flag_named, CVf_NAMED)                                                                              \
    X(cv_flag_anon, CVf_ANON)                                                                                \
    X(cv_flag_cloned, CVf_CLONED) /* a closure: others have the same code */                                 \
    X(cv_flag_isxsub, CVf_ISXSUB)                                                                            \
    X(padlist_alloc, MEMBER(PADLIST, xpadl_arr))                                                             \
    X(padlist_max, MEMBER(PADLIST, xpadl_max))                                                               \
    X(cop_size, sizeof(COP))                                                                                 \
    X(cop_line, MEMBER(COP, cop_line))                                                                       \
    X(cop_seq, MEMBER(COP, cop_seq))                                                                         \
    X(cop_file, THREADS(MEMBER(COP, cop_file)))                                                              \
    X(cop_stashoff, THREADS(MEMBER(COP, cop_stashoff)))                                                      \
    X(cop_filegv, NO_THREADS(MEMBER(COP, cop_filegv)))                                                       \
    X(cop_stash, NO_THREADS(MEMBER(COP, cop_stash)))                                                         \
    X(op_next, MEMBER(OP, op_next))                                                                          \
    X(op_sibparent, PARENT(MEMBER(OP, op_sibparent)))                                                        \
    X(op_type, type_bits().offset) /* a uint16_t that has these bits */                                      \
    X(op_type_mask, type_bits().mask)                                                                        \
    X(op_moresib, moresib_bits().offset)                                                                     \
    X(op_moresib_mask, moresib_bits().mask) /* in the same uint16_t; 0: sibparent is never a parent */       \
    X(op_flags, MEMBER(OP, op_flags))                                                                        \
    X(op_flag_kids, OPf_KIDS)                                                                                \
    X(op_first, MEMBER(UNOP, op_first))                                                                      \
    X(op_sv, MEMBER(SVOP, op_sv))                                                                            \
    X(op_padix, MEMBER(PADOP, op_padix))                                                                     \
    X(op_count, MAXO) /* how many kinds there are */

/* The fields that older tables lack; they are absent then. With them, xsubs that are called as methods or by
 * reference are found, also when perl began, which thread executes it, and values that only perl knows. */
#define SAMPLER_LAYOUT_LATER_FIELDS(X)                                                                       \
    X(interp_stack_sp, INTERP(Istack_sp))                                                                    \
    X(op_targ, MEMBER(OP, op_targ))                                                                          \
    X(op_meth_sv,                                                                                            \
      MEMBER(METHOP, op_u.op_meth_sv)) /* the name of a method, or 0: with threads it is in the pad */       \
    X(he_next, MEMBER(HE, hent_next))                                                                        \
    X(he_hek, MEMBER(HE, hent_hek))                                                                          \
    X(he_value, MEMBER(HE, he_valu))                                                                         \
    X(interp_size, INTERP_SIZE)   /* which a perl with threads has in PL_interp_size */                      \
    X(cx_kind_most, CX_KIND_MOST) /* the last kind of a context */                                           \
    X(interp_sv_count, INTERP(Isv_count))                                                                    \
    X(interp_basetime, INTERP(Ibasetime))                                                                    \
    X(interp_top_env, INTERP(Itop_env)) /* on the stack of the thread that executes the interpreter */       \
    X(sv_flag_gmg, SVs_GMG)             /* a value that perl computes when it is read */

typedef struct sampler_layout {
    char version[24];   /* "5.36.0" */
    char releases[512]; /* those that were found to have the same layout, with blanks between them; "": the
                           one */
    char options[1024]; /* PL_bincompat_options, without the blank that it begins with */
    char machine[64];   /* processors, as uname -m has them, with blanks between them; "" in older tables */
#define SAMPLER_MEMBER(name, value) uint32_t name;
    SAMPLER_LAYOUT_FIELDS(SAMPLER_MEMBER)
    SAMPLER_LAYOUT_LATER_FIELDS(SAMPLER_MEMBER)
#undef SAMPLER_MEMBER
} sampler_layout;

/* Where a COP has its file and its stash, or, with threads, the number of its stash. */
static inline uint32_t sampler_layout_file(const sampler_layout *layout)
{
    return layout->cop_file != SAMPLER_ABSENT ? layout->cop_file : layout->cop_filegv;
}
static inline uint32_t sampler_layout_stash(const sampler_layout *layout)
{
    return layout->cop_stashoff != SAMPLER_ABSENT ? layout->cop_stashoff : layout->cop_stash;
}

/* Reads a table. Returns false and sets *why to what is wrong with it (never to be freed, valid until the
 * next call). The members of each structure lie within it; whether they are those of a perl is not known. */
bool sampler_layout_read(sampler_layout *layout, const char *path, const char **why);
bool sampler_layout_parse(sampler_layout *layout, FILE *table, const char **why);
