#include "sampler/sample/values.h"

#include "sampler/perl/interpreter.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 20, MOST_ELEMENTS = 1 << 24 };

/* What a reference refers to, as perl prints it: Some::Class=HASH(0x...). */
static size_t print_reference(const sampler_interpreter *i, const sampler_sv *v, char *to, size_t size)
{
    const sampler_layout *l = &i->layout;
    sampler_sv referent;
    sampler_name name = {0};
    if (!sampler_sv_read(i, v->u, &referent))
        return (size_t)snprintf(to, size, "REF(0x%" PRIx64 ")", v->u);
    const char *kind = sampler_sv_is(l, &referent, l->sv_type_hv)   ? "HASH"
                       : sampler_sv_is(l, &referent, l->sv_type_av) ? "ARRAY"
                       : sampler_sv_is(l, &referent, l->sv_type_cv) ? "CODE"
                       : sampler_sv_is(l, &referent, l->sv_type_gv) ? "GLOB"
                                                                    : "SCALAR";
    if ((referent.flags & l->sv_flag_object) != 0)
        sampler_name_add_stash(i, &name, sampler_memory_pointer(&i->memory, referent.body + l->xpvmg_stash));
    int shown = name.length > SAMPLER_VALUE_SHOWN ? SAMPLER_VALUE_SHOWN : (int)name.length;
    return (size_t)snprintf(to, size, "%.*s%s%s(0x%" PRIx64 ")", shown, name.bytes, shown > 0 ? "=" : "",
                            kind, v->u);
}

/* The first characters; those of UTF-8 are not cut in two. *is_string: it could be read. */
static size_t read_string(const sampler_interpreter *i, const sampler_sv *v, char *to, size_t size,
                          bool *is_string)
{
    uint64_t length = sampler_memory_pointer(&i->memory, v->body + i->layout.xpv_cur);
    bool utf8 = (v->flags & i->layout.sv_flag_utf8) != 0;
    size_t wanted = utf8 ? SAMPLER_VALUE_SHOWN * 4 : SAMPLER_VALUE_SHOWN, characters = 0, at = 0;
    if (wanted > size - 1)
        wanted = size - 1;
    if (length < wanted)
        wanted = (size_t)length;
    *is_string = wanted == 0 || sampler_memory_read(&i->memory, v->u, to, wanted);
    if (!*is_string)
        return 0;
    for (; at < wanted; at++)
        if ((!utf8 || ((unsigned char)to[at] & 0xC0) != 0x80) && ++characters > SAMPLER_VALUE_SHOWN)
            break;
    if (at < length && at + 4 <= size) {
        memcpy(to + at, "...", 4);
        return at + 3;
    }
    to[at] = '\0';
    return at;
}

/* A glob by its name. */
static size_t print_glob(const sampler_interpreter *i, uint64_t sv, char *to, size_t size)
{
    sampler_name name = {0};
    if (!sampler_name_add_gv(i, &name, sv))
        return 0;
    const int shown = name.length > SAMPLER_VALUE_SHOWN ? SAMPLER_VALUE_SHOWN : (int)name.length;
    return (size_t)snprintf(to, size, "*%.*s", shown, name.bytes);
}

/* Whether a value is undef, and not one that only perl can read. The bits of values that perl alone uses are
 * above those of the values (PRIVSHIFT of sv.h). */
static bool is_undef(const sampler_layout *l, const sampler_sv *v)
{
    enum { PRIVSHIFT = 4 };
    const uint32_t values = l->sv_flag_iok | l->sv_flag_nok | l->sv_flag_pok;
    return l->sv_flag_gmg != SAMPLER_ABSENT && (v->flags & l->sv_type_mask) < l->sv_type_gv &&
           (v->flags & (values | values << PRIVSHIFT | l->sv_flag_rok)) == 0;
}

/* Perl computes it when it is read: `$1`, a tied value, an element that may come to be. What is there is what
 * it was the last time. */
static bool is_computed(const sampler_layout *l, const sampler_sv *v)
{
    return l->sv_flag_gmg != SAMPLER_ABSENT && (v->flags & l->sv_flag_gmg) != 0;
}

static size_t print_number(const sampler_interpreter *i, const sampler_sv *v, char *to, size_t size)
{
    const sampler_layout *l = &i->layout;
    uint64_t integer;
    double number;
    if ((v->flags & l->sv_flag_iok) != 0 &&
        sampler_memory_read(&i->memory, v->body + l->xpviv_iv, &integer, sizeof integer))
        return (size_t)snprintf(to, size, (v->flags & l->sv_flag_isuv) != 0 ? "%" PRIu64 : "%" PRId64,
                                integer);
    if ((v->flags & l->sv_flag_nok) != 0 && l->nv_size == sizeof number &&
        sampler_memory_read(&i->memory, v->body + l->xpvnv_nv, &number, sizeof number))
        return (size_t)snprintf(to, size, "%.15g", number);
    return 0;
}

/* Prints a value. Returns how long it is; 0: it is not known, unless it is a string. */
static size_t print_value(const sampler_interpreter *i, uint64_t sv, const sampler_sv *v, char *to,
                          size_t size, bool *is_string)
{
    const sampler_layout *l = &i->layout;
    if (sampler_sv_is(l, v, l->sv_type_gv))
        return print_glob(i, sv, to, size);
    if (is_computed(l, v))
        return 0;
    if ((v->flags & l->sv_flag_rok) != 0)
        return print_reference(i, v, to, size);
    if ((v->flags & l->sv_flag_pok) != 0)
        return read_string(i, v, to, size, is_string);
    if (is_undef(l, v))
        return (size_t)snprintf(to, size, "undef");
    return print_number(i, v, to, size);
}

/* An element that is not there is undef. */
static void use_value(const sampler_interpreter *i, uint64_t sv, sampler_value_fn *use, void *context)
{
    char text[SAMPLER_VALUE_SHOWN * 4 + 64] = "undef";
    sampler_sv v;
    size_t length = strlen(text);
    bool is_string = false;
    if (sv != 0)
        length = sampler_sv_read(i, sv, &v) ? print_value(i, sv, &v, text, sizeof text, &is_string) : 0;
    if (length == 0 && !is_string)
        length = (size_t)snprintf(text, sizeof text, "?");
    use(context, text, length, is_string);
}

/* The first variable of a sub's pad is @_, at each depth of recursion another one. */
static uint64_t find_array(const sampler_interpreter *i, const sampler_frame *frame)
{
    const sampler_layout *l = &i->layout;
    const sampler_memory *m = &i->memory;
    sampler_sv cv, array;
    uint64_t list = sampler_sv_read_as(i, frame->cv, l->sv_type_cv, &cv)
                        ? sampler_memory_pointer(m, cv.body + l->xpvcv_padlist)
                        : 0;
    int64_t most = list != 0 ? (int64_t)sampler_memory_pointer(m, list + l->padlist_max) : -1;
    uint64_t pads = list != 0 ? sampler_memory_pointer(m, list + l->padlist_alloc) : 0;
    int64_t depth = (int64_t)frame->depth + 1; /* pad 0 has names */
    if (pads == 0 || depth < 1 || depth > most)
        return 0;
    uint64_t pad = sampler_memory_pointer(m, pads + (uint64_t)depth * l->pointer_size);
    return sampler_sv_read_as(i, pad, l->sv_type_av, &array) ? sampler_memory_pointer(m, array.u) : 0;
}

int64_t sampler_values_of(const sampler_interpreter *i, const sampler_frame *frame, sampler_value_fn *use,
                          void *context)
{
    const sampler_layout *l = &i->layout;
    sampler_sv array;
    if (frame->kind != SAMPLER_FRAME_SUB || !frame->has_args ||
        !sampler_sv_read_as(i, find_array(i, frame), l->sv_type_av, &array))
        return -1;
    int64_t last = (int64_t)sampler_memory_pointer(&i->memory, array.body + l->xpvav_fill);
    if (last < -1 || last >= MOST_ELEMENTS)
        return -1;
    for (int64_t n = 0; n <= last && n < MOST_VALUES; n++)
        use_value(i, sampler_memory_pointer(&i->memory, array.u + (uint64_t)n * l->pointer_size), use,
                  context);
    return last + 1;
}
