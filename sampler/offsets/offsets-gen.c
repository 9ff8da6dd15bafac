/* Prints the layout of one perl's structures, as sampler/perl/layout.h describes it. Compiled and run for a
 * perl by `make offsets PERL=...`; its arguments are that perl's PL_bincompat_options, and the processor as
 * uname -m has it. Besides xs/ only this and programs of the tests include perl's headers. */
#define PERL_CORE
#define PERLIO_NOT_STDIO 0 /* leaves printf() alone */
#include "EXTERN.h"
#include "perl.h"

#include "../perl/layout.h"

#define MEMBER(type, member) ((uint32_t)offsetof(type, member))
#ifdef MULTIPLICITY
#define HAS_MULTIPLICITY 1
#define INTERP(member)   MEMBER(struct interpreter, member)
#else
#define HAS_MULTIPLICITY 0
#define INTERP(member)   SAMPLER_ABSENT
#endif
#ifdef USE_ITHREADS
#define THREADS(value)    value
#define NO_THREADS(value) SAMPLER_ABSENT
#else
#define THREADS(value)    SAMPLER_ABSENT
#define NO_THREADS(value) value
#endif
#ifdef PERL_OP_PARENT
#define PARENT(value) value
#else
#define PARENT(value) SAMPLER_ABSENT
#endif
#if PERL_VERSION >= 36
#define HV_AUX MEMBER(struct xpvhv_with_aux, xhv_aux)
#else
#define HV_AUX SAMPLER_ABSENT
#endif
#ifdef MULTIPLICITY
#define INTERP_SIZE ((uint32_t)sizeof(struct interpreter))
#else
#define INTERP_SIZE SAMPLER_ABSENT
#endif
#ifdef CXt_DEFER
#define CX_KIND_MOST CXt_DEFER
#else
#define CX_KIND_MOST CXt_SUBST
#endif
#ifndef CXp_TRY
#define CXp_TRY 0
#endif

/* Where the type of the op that made an eval is in cx_u16. */
static uint32_t op_shift(void)
{
    uint32_t shift = 0;
    PERL_CONTEXT eval;
    memset(&eval, 0xFF, sizeof eval);
    for (unsigned bits = CxOLD_OP_TYPE(&eval); bits < 0xFFFF; bits = bits << 1 | 1)
        shift++;
    return shift;
}

/* Where a bit field is: in which uint16_t of an op, and which bits of it. */
typedef struct bit_field {
    uint32_t offset, mask;
} bit_field;

/* Returns where the bits of an op are that are set. */
static bit_field find_bits(const OP *op)
{
    bit_field found = {0, 0};
    for (size_t at = 0; at + sizeof(uint16_t) <= sizeof *op; at += sizeof(uint16_t)) {
        uint16_t bits;
        memcpy(&bits, (const char *)op + at, sizeof bits);
        if (bits != 0)
            found = (bit_field){(uint32_t)at, bits};
    }
    return found;
}

static bit_field type_bits(void)
{
    OP op;
    memset(&op, 0, sizeof op);
    op.op_type = (1 << 9) - 1;
    return find_bits(&op);
}

static bit_field moresib_bits(void)
{
    OP op;
    memset(&op, 0, sizeof op);
#ifdef PERL_OP_PARENT
    op.op_moresib = 1;
#endif
    return find_bits(&op);
}

static void print(const char *name, uint32_t value)
{
    if (value == SAMPLER_ABSENT)
        printf("%s -\n", name);
    else
        printf("%s %u\n", name, (unsigned)value);
}

int main(int argc, char **argv)
{
    printf("perl %d.%d.%d\noptions %s\n", PERL_REVISION, PERL_VERSION, PERL_SUBVERSION,
           argc > 1 ? argv[1] : "");
    if (argc > 2)
        printf("machine %s\n", argv[2]);
#define PRINT(name, value) print(#name, value);
    SAMPLER_LAYOUT_FIELDS(PRINT)
    SAMPLER_LAYOUT_LATER_FIELDS(PRINT)
    return fflush(stdout) == 0 ? 0 : 1;
}
