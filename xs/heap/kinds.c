#include "heap/kinds.h"

#include <stddef.h>
#include <string.h>

#define NAME(name, text) [PROF_KIND_##name] = (text),
const char *const prof_kind_names[PROF_KIND_COUNT] = {PROF_KINDS(NAME)};

/* The functions of a kind, with blanks between them, also those that copy it for a new thread. The kind is
 * that of the longest start of the function's name, less Perl_ or S_; one with a "$" must be the whole name.
 */
typedef struct row {
    prof_kind kind;
    const char *starts;
} row;

/* The kind of its caller. */
#define CALLER PROF_KIND_COUNT

static const row rows[] = {
    {CALLER,
     "safesys savepv savesharedpv savesharedsvpv savesvpv malloc calloc realloc repeatcpy new_collate "
     "croak_memory_wrap xs_ my_cxt_init"},
    {PROF_KIND_HEADS, "more_sv$ sv_add_arena$"},
    {PROF_KIND_BODIES, "more_bodies$ sv_upgrade$ newSV_type$ new_body"},
    {PROF_KIND_STRINGS,
     "sv_ newSV vnewSVpvf pp_concat$ pp_multiconcat$ pp_join$ pp_repeat$ pp_sprintf$ pp_substr$ "
     "pp_trans do_join$ do_trans do_sprintf$ do_vecset$ do_vop$ bytes_from_utf8 bytes_to_utf8 "
     "utf16_to_utf8 pp_pack$ pp_reverse$ pp_lc$ pp_uc$ pp_ucfirst$ pp_quotemeta$ pp_stringify$"},
    {PROF_KIND_ARRAYS, "av_ newAV pp_aassign$ pp_push$ pp_unshift$ pp_splice$ pp_split$ pp_list pp_anonlist$ "
                       "sv_dup$ sv_dup_inc$"},
    {PROF_KIND_HASHES, "hv_ newHV newSVhek share_hek$ unshare_hek refcounted_he_ pp_anonhash$ pp_helem$ "
                       "ptr_table_ he_dup$ hek_dup$"},
    {PROF_KIND_SYMBOLS, "newGP$ gv_ mro_ newGV gp_ init_stashes save_gp"},
    {PROF_KIND_CODE,
     "Slab_Alloc$ newOP newUNOP newBINOP newLOGOP newLISTOP newPMOP newPADOP newPVOP newSVOP newGVOP "
     "newMETHOP "
     "newSTATEOP newCONDOP newLOOPOP newFOROP newWHILEOP newRANGE newSLICEOP newASSIGNOP newDEFSVOP "
     "newTRYCATCHOP "
     "newDEFEROP newATTRSUB newMYSUB newXS newCONSTSUB newFORM newPROG newPADNAME newPADNAMELIST newSTUB "
     "newANON newCV pad_ padname padlist_ rpeep$ peep$ lex_ yylex$ yyparse$ parser_ block_ ck_ op_ cv_ "
     "utilize package localize dopoptosub pmruntime start_subparse save_pushptr scan_ skipspace "
     "keyword_plugin_ alloccopstash alloc_LOGOP finalize_optree optimize_optree fold_constants "
     "new_warnings_bitfield "
     "bind_match convert allocmy my_attrs apply_builtin_cv doeval_compile multideref maybe_multideref "
     "emulate_cop_io dup_warnings$ "
     "parse_ tied_method jmaybe cop_ require_file pp_entereval$ pp_require$ intro_my$"},
    {PROF_KIND_PATTERNS,
     "re_ reg reginitcolors invlist _invlist _new_invlist _add_range_to_invlist pregcomp pregexec "
     "pp_match$ pp_subst$ pp_regcomp$ pp_qr$ swash_ new_regcurly scan_commit study_chunk core_regclass"},
    {PROF_KIND_STACKS,
     "stack_grow$ cxinc$ savestack_grow tmps_grow_p$ new_stackinfo markstack_grow$ push_scope$ "
     "init_stacks$ my_exit pp_pushmark cx_dup$ si_dup$ ss_dup$"},
    {PROF_KIND_FILES,
     "PerlIO PerlSIO PerlUnix do_readline$ do_open nextargv$ do_openn dirp_dup fp_dup$ pp_readline$ newIO"},
    {PROF_KIND_MAGIC, "sv_magicext$ sv_magic$ magic_ newSV_magic mg_"},
};

/* Returns the length of the row's longest start of the name; one that is the whole name counts as longer. */
static size_t match(const char *starts, const char *name)
{
    size_t best = 0;
    for (const char *at = starts; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        const bool whole = at[length - 1] == '$';
        const size_t compared = whole ? length - 1 : length;
        if (strncmp(at, name, compared) == 0 && (!whole || name[compared] == '\0') && best < length)
            best = length;
        at += length;
        at += strspn(at, " ");
    }
    return best;
}

bool prof_kind_of_function(const char *function, prof_kind *kind)
{
    static const char prefix[] = "Perl_";
    size_t best = 0;
    *kind = PROF_KIND_OTHER;
    if (strncmp(function, prefix, sizeof prefix - 1) == 0)
        function += sizeof prefix - 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t length = match(rows[i].starts, function);
        if (length > best) {
            best = length;
            *kind = rows[i].kind;
        }
    }
    return *kind != CALLER;
}

/* Returns the part of the path after its last "/auto/" as a module if it is auto/Some/Module/Module.so; NULL
 * if it is not. *length excludes the object's own name. */
static const char *module_part(const char *path, const char *base, size_t base_length, size_t *length)
{
    const char *start = NULL;
    for (const char *found = strstr(path, "/auto/"); found != NULL; found = strstr(found + 1, "/auto/"))
        start = found + strlen("/auto/");
    if (start == NULL || start >= base || (size_t)(base - 1 - start) < base_length)
        return NULL;
    *length = (size_t)(base - 1 - start);
    return memcmp(base - 1 - base_length, base, base_length) == 0 ? start : NULL;
}

/* Appends what fits. A byte that would end or break the line of an attribute becomes "?". */
static void append(char *name, size_t size, const char *from, size_t length)
{
    size_t at = strlen(name);
    for (size_t i = 0; i < length && at + 1 < size; i++)
        name[at++] = (char)((unsigned char)from[i] < ' ' ? '?' : from[i]);
    name[at] = '\0';
}

bool prof_kind_of_object(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const size_t length = strcspn(base, ".");
    size_t module_length;
    name[0] = '\0';
    const char *module = module_part(path, base, length, &module_length);
    for (size_t i = 0; module != NULL && i < module_length;) {
        const size_t part = strcspn(module + i, "/");
        append(name, size, i > 0 ? "::" : "", i > 0 ? 2 : 0);
        append(name, size, module + i, part);
        i += part + 1;
    }
    if (module == NULL)
        append(name, size, base, length);
    return name[0] != '\0' && strcmp(name, "libc") != 0 && strcmp(name, "libstdc++") != 0 &&
           strcmp(name, "libpthread") != 0;
}
