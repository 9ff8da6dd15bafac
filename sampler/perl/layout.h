/* The layout of one perl's structures, as a small text file has it: offsets, sizes, flags.
 * offsets/offsets-gen.c writes such a file, compiled against that perl's headers. */
#ifndef SAMPLER_PERL_LAYOUT_H
#define SAMPLER_PERL_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* All fields, in the order of the file. Those of one structure begin with its name: offsets within it, unless
 * the name says otherwise. */
#define SAMPLER_LAYOUT_FIELDS(X)                                                                             \
    X(multiplicity) /* 1: the variables are in a struct interpreter; 0: they are symbols */                  \
    X(pointer_size)                                                                                          \
    X(interp_op)                                                                                             \
    X(interp_curcop)                                                                                         \
    X(interp_curstackinfo)                                                                                   \
    X(interp_curpad)                                                                                         \
    X(interp_defstash)                                                                                       \
    X(interp_main_cv)                                                                                        \
    X(interp_main_root)                                                                                      \
    X(interp_stashpad)                                                                                       \
    X(interp_stashpadmax)                                                                                    \
    X(interp_origfilename)                                                                                   \
    X(interp_perldb)                                                                                         \
    X(interp_cop_seqmax)                                                                                     \
    X(interp_phase)                                                                                          \
    X(phase_destruct) /* a value of the phase */                                                             \
    X(si_size)                                                                                               \
    X(si_stack)                                                                                              \
    X(si_cxstack)                                                                                            \
    X(si_prev)                                                                                               \
    X(si_cxix)                                                                                               \
    X(si_cxmax)                                                                                              \
    X(si_type)                                                                                               \
    X(si_type_sort) /* a value of si_type */                                                                 \
    X(cx_size)                                                                                               \
    X(cx_kind)                                                                                               \
    X(cx_kind_mask)                                                                                          \
    X(cx_kind_sub)                                                                                           \
    X(cx_kind_format)                                                                                        \
    X(cx_kind_eval)                                                                                          \
    X(cx_flag_hasargs)                                                                                       \
    X(cx_flag_in_regex) /* of a sub: code of a regex, which runs in the sub around it */                     \
    X(cx_flag_try)      /* of an eval: a try block */                                                        \
    X(cx_u16)                                                                                                \
    X(cx_u16_op_shift) /* where the type of the op that made an eval is in it */                             \
    X(cx_oldcop)                                                                                             \
    X(cx_sub_cv)                                                                                             \
    X(cx_sub_olddepth)                                                                                       \
    X(cx_format_cv)                                                                                          \
    X(sv_size)                                                                                               \
    X(sv_any)                                                                                                \
    X(sv_flags)                                                                                              \
    X(sv_u)                                                                                                  \
    X(sv_type_mask)                                                                                          \
    X(sv_type_cv)                                                                                            \
    X(sv_type_gv)                                                                                            \
    X(sv_type_hv)                                                                                            \
    X(sv_type_av)                                                                                            \
    X(sv_flag_iok)                                                                                           \
    X(sv_flag_nok)                                                                                           \
    X(sv_flag_pok)                                                                                           \
    X(sv_flag_rok)                                                                                           \
    X(sv_flag_isuv)                                                                                          \
    X(sv_flag_utf8)                                                                                          \
    X(sv_flag_object)                                                                                        \
    X(sv_flag_ook)                                                                                           \
    X(xpv_cur)                                                                                               \
    X(xpviv_iv)                                                                                              \
    X(xpvnv_nv)                                                                                              \
    X(xpvmg_stash)                                                                                           \
    X(nv_size)                                                                                               \
    X(xpvav_fill)                                                                                            \
    X(xpvhv_max)                                                                                             \
    X(hv_aux) /* in the body; absent: it is past the end of the array */                                     \
    X(aux_name)                                                                                              \
    X(aux_name_count)                                                                                        \
    X(hek_len)                                                                                               \
    X(hek_key)                                                                                               \
    X(hek_flag_utf8)                                                                                         \
    X(hek_flag_wasutf8) /* characters that Latin-1 has */                                                    \
    X(xpvgv_stash)                                                                                           \
    X(xpvgv_namehek)                                                                                         \
    X(gp_cv)                                                                                                 \
    X(xpvcv_size)                                                                                            \
    X(xpvcv_stash)                                                                                           \
    X(xpvcv_start)                                                                                           \
    X(xpvcv_root)                                                                                            \
    X(xpvcv_gv)                                                                                              \
    X(xpvcv_outside_seq)                                                                                     \
    X(xpvcv_flags)                                                                                           \
    X(xpvcv_padlist)                                                                                         \
    X(cv_flag_named)                                                                                         \
    X(cv_flag_anon)                                                                                          \
    X(cv_flag_cloned) /* a closure: others have the same code */                                             \
    X(cv_flag_isxsub)                                                                                        \
    X(padlist_alloc)                                                                                         \
    X(padlist_max)                                                                                           \
    X(cop_size)                                                                                              \
    X(cop_line)                                                                                              \
    X(cop_seq)                                                                                               \
    X(cop_file)                                                                                              \
    X(cop_stashoff)                                                                                          \
    X(cop_filegv)                                                                                            \
    X(cop_stash)                                                                                             \
    X(op_next)                                                                                               \
    X(op_sibparent)                                                                                          \
    X(op_type) /* a uint16_t that has these bits */                                                          \
    X(op_type_mask)                                                                                          \
    X(op_moresib)                                                                                            \
    X(op_moresib_mask) /* in the same uint16_t; 0: sibparent is never a parent */                            \
    X(op_flags)                                                                                              \
    X(op_flag_kids)                                                                                          \
    X(op_first)                                                                                              \
    X(op_sv)                                                                                                 \
    X(op_padix)                                                                                              \
    X(op_count) /* how many kinds there are */

typedef struct sampler_layout {
    char version[24];   /* "5.36.0" */
    char options[1024]; /* PL_bincompat_options, without the blank that it begins with */
#define SAMPLER_MEMBER(name) uint32_t name;
    SAMPLER_LAYOUT_FIELDS(SAMPLER_MEMBER)
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

/* Reads a table. false: *why says what is wrong with it (never to be freed, valid until the next call). The
 * members of each structure lie within it; whether they are those of a perl is not known. */
bool sampler_layout_read(sampler_layout *layout, const char *path, const char **why);

#endif
