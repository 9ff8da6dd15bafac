#include "sampler/perl/xsubs.h"

#include "sampler/perl/interpreter.h"

#include "base/hash.h"

#include <glib.h>
#include <string.h>

enum {
    MOST_KIDS = 256,
    MOST_BUCKETS = 1024, /* of a stash */
    MOST_SAME = 64,      /* entries in one of them */
    KEPT = 1024,         /* ops */
    MOST_USES = 100,
};

/* What says which sub an entersub calls. */
typedef struct named_by {
    enum {
        BY_NOTHING,
        BY_GLOB,        /* a gv op */
        BY_METHOD_NAME, /* a method op that has a constant name, and the stack of values */
        BY_METHOD,      /* the stack of values: the sub */
        BY_REFERENCE,   /* the stack of values: the sub, a reference to it, or a glob */
    } how;
    uint64_t op;
} named_by;

typedef struct kept {
    uint64_t op;
    sampler_codeid within;
    int uses;
    named_by by;
    bool has_callee;
    uint64_t above; /* the value that the callee was found by; 0: none */
    sampler_label callee;
} kept;

struct sampler_xsubs {
    const sampler_interpreter *i;
    const sampler_optypes *types;
    nytp_strings *strings;
    kept kept[KEPT]; /* each has one place, which its address gives */
};

sampler_xsubs *sampler_xsubs_new(const sampler_interpreter *i, const sampler_optypes *types,
                                 nytp_strings *strings)
{
    sampler_xsubs *c = g_new0(sampler_xsubs, 1);
    c->i = i;
    c->types = types;
    c->strings = strings;
    return c;
}

void sampler_xsubs_free(sampler_xsubs *c)
{
    g_free(c);
}

/* An op's type, first child and next sibling. */
typedef struct opnode {
    uint32_t type;
    uint64_t first, sibling;
} opnode;

static bool read_op(const sampler_interpreter *i, uint64_t op, opnode *node)
{
    const sampler_layout *l = &i->layout;
    uint64_t sibparent, first = 0;
    uint16_t word, more;
    uint8_t flags;
    sampler_piece pieces[] = {
        {op + l->op_type, sizeof word, &word},
        {op + l->op_moresib, sizeof more, &more},
        {op + l->op_sibparent, sizeof sibparent, &sibparent},
        {op + l->op_flags, sizeof flags, &flags},
    };
    if (op == 0 || sampler_memory_read_pieces(&i->memory, pieces, 4) != 4)
        return false;
    if (flags & l->op_flag_kids)
        first = sampler_memory_pointer(&i->memory, op + l->op_first);
    *node = (opnode){sampler_optype_parse(l, &word), first, (more & l->op_moresib_mask) != 0 ? sibparent : 0};
    return true;
}

/* Returns the last child of an entersub, or 0. */
static uint64_t find_last_kid(const sampler_interpreter *i, const sampler_optypes *types, uint64_t entersub,
                              opnode *node)
{
    if (!read_op(i, entersub, node) || node->type != types->entersub)
        return 0;
    uint64_t op = node->first;
    if (!read_op(i, op, node))
        return 0;
    if (node->first !=
        0) { /* a list; the arguments begin with an op without children, a pushmark or padrange */
        op = node->first;
        if (!read_op(i, op, node))
            return 0;
    }
    for (int kids = 0; node->sibling != 0; kids++) {
        op = node->sibling;
        if (kids == MOST_KIDS || !read_op(i, op, node))
            return 0;
    }
    return op;
}

static bool has_constant_name(const sampler_optypes *t, uint32_t type)
{
    return type == t->method_named || type == t->method_super || type == t->method_redir ||
           type == t->method_redir_super;
}

/* The last child says what is called: a method op, or an ex-rv2cv, below which there is a gv if the sub is
 * called by name. */
static named_by find_name(const sampler_interpreter *i, const sampler_optypes *types, uint64_t entersub)
{
    opnode node;
    uint64_t op = find_last_kid(i, types, entersub, &node);
    if (op == 0)
        return (named_by){BY_NOTHING, 0};
    if (has_constant_name(types, node.type))
        return (named_by){BY_METHOD_NAME, op};
    if (node.type == types->method)
        return (named_by){BY_METHOD, op};
    if (node.type != 0 && node.type != types->rv2cv) /* 0: an op that was optimized away */
        return (named_by){BY_NOTHING, 0};
    op = node.first;
    if (!read_op(i, op, &node))
        return (named_by){BY_NOTHING, 0};
    return (named_by){node.type == types->gv ? BY_GLOB : BY_REFERENCE, op};
}

static bool is_xsub(const sampler_interpreter *i, uint64_t cv)
{
    const sampler_layout *l = &i->layout;
    sampler_sv sv;
    return sampler_sv_read_as(i, cv, l->sv_type_cv, &sv) &&
           (sampler_memory_u32(&i->memory, sv.body + l->xpvcv_flags) & l->cv_flag_isxsub) != 0;
}

/* The sub in a glob. */
static uint64_t sub_of(const sampler_interpreter *i, uint64_t gv)
{
    const sampler_layout *l = &i->layout;
    sampler_sv sv;
    return sampler_sv_read_as(i, gv, l->sv_type_gv, &sv) && sv.u != 0
               ? sampler_memory_pointer(&i->memory, sv.u + l->gp_cv)
               : 0;
}

/* The name of the sub itself, which may be another one than the glob's, where it was imported. */
static bool name_sub(const sampler_interpreter *i, uint64_t cv, sampler_name *name)
{
    const sampler_layout *l = &i->layout;
    uint64_t body = sampler_memory_pointer(&i->memory, cv + l->sv_any);
    if (body == 0 || (sampler_memory_u32(&i->memory, body + l->xpvcv_flags) & l->cv_flag_named) != 0)
        return false;
    return sampler_name_add_gv(i, name, sampler_memory_pointer(&i->memory, body + l->xpvcv_gv));
}

static uint64_t in_pad(const sampler_interpreter *i, uint64_t curpad, uint64_t index)
{
    return curpad != 0 && index < UINT32_MAX
               ? sampler_memory_pointer(&i->memory, curpad + index * i->layout.pointer_size)
               : 0;
}

/* The glob of a gv op; with threads it is in the pad. */
static uint64_t glob_of(const sampler_interpreter *i, uint64_t gv_op, uint64_t curpad)
{
    const sampler_layout *l = &i->layout;
    return l->cop_file != SAMPLER_ABSENT
               ? in_pad(i, curpad, sampler_memory_pointer(&i->memory, gv_op + l->op_padix))
               : sampler_memory_pointer(&i->memory, gv_op + l->op_sv);
}

static bool name_by_glob(const sampler_interpreter *i, uint64_t gv, sampler_name *name)
{
    uint64_t cv = sub_of(i, gv);
    return is_xsub(i, cv) && (name_sub(i, cv, name) || sampler_name_add_gv(i, name, gv));
}

/* The sub that a value is, which is a reference to it, or is in its glob. */
static uint64_t referent_of(const sampler_interpreter *i, uint64_t value)
{
    const sampler_layout *l = &i->layout;
    sampler_sv sv;
    if (!sampler_sv_read(i, value, &sv) || sampler_sv_is(l, &sv, l->sv_type_cv))
        return value;
    if (sampler_sv_is(l, &sv, l->sv_type_gv))
        return sub_of(i, value);
    return (sv.flags & l->sv_flag_rok) != 0 ? sv.u : 0;
}

/* The name that a method op has: a string, which is in the pad with threads. */
static bool read_method_name(const sampler_interpreter *i, uint64_t op, uint64_t curpad, sampler_name *name)
{
    const sampler_layout *l = &i->layout;
    sampler_sv sv;
    uint64_t length, value = sampler_memory_pointer(&i->memory, op + l->op_meth_sv);
    if (value == 0)
        value = in_pad(i, curpad, sampler_memory_pointer(&i->memory, op + l->op_targ));
    if (!sampler_sv_read(i, value, &sv) || (sv.flags & l->sv_flag_pok) == 0 || sv.body == 0)
        return false;
    length = sampler_memory_pointer(&i->memory, sv.body + l->xpv_cur);
    char bytes[SAMPLER_NAME_ROOM];
    if (length == 0 || length > sizeof bytes || !sampler_memory_read(&i->memory, sv.u, bytes, length))
        return false;
    sampler_name_add(name, bytes, length, (sv.flags & l->sv_flag_utf8) != 0);
    return true;
}

static bool is_named(const sampler_interpreter *i, uint64_t hek, const sampler_name *wanted)
{
    sampler_name name;
    name.length = 0;
    name.utf8 = false;
    return sampler_name_add_hek(i, &name, hek) && name.length == wanted->length &&
           memcmp(name.bytes, wanted->bytes, name.length) == 0;
}

/* Whether a sub is in the glob that has a name in a stash. */
static bool is_in_stash(const sampler_interpreter *i, uint64_t stash, const sampler_name *wanted, uint64_t cv)
{
    const sampler_layout *l = &i->layout;
    sampler_sv hv;
    uint64_t max;
    if (!sampler_sv_read_as(i, stash, l->sv_type_hv, &hv) || hv.u == 0 ||
        !sampler_memory_read(&i->memory, hv.body + l->xpvhv_max, &max, sizeof max) || max >= MOST_BUCKETS)
        return false;
    for (uint64_t n = 0; n <= max; n++) {
        uint64_t entry = sampler_memory_pointer(&i->memory, hv.u + n * l->pointer_size);
        for (int same = 0; entry != 0 && same < MOST_SAME; same++) {
            if (is_named(i, sampler_memory_pointer(&i->memory, entry + l->he_hek), wanted))
                return sub_of(i, sampler_memory_pointer(&i->memory, entry + l->he_value)) == cv;
            entry = sampler_memory_pointer(&i->memory, entry + l->he_next);
        }
    }
    return false;
}

/* Whether an xsub is what a method op calls: it has that name, or another one in its own package. The latter
 * takes long, and is left out if the xsub may be one that was called before. */
static bool is_method(const sampler_interpreter *i, uint64_t cv, uint64_t method_op,
                      const sampler_calling *calling)
{
    const sampler_layout *l = &i->layout;
    sampler_name wanted = {0};
    sampler_sv sv, glob;
    return read_method_name(i, method_op, calling->curpad, &wanted) && sampler_sv_read(i, cv, &sv) &&
           sampler_sv_read_as(i, sampler_memory_pointer(&i->memory, sv.body + l->xpvcv_gv), l->sv_type_gv,
                              &glob) &&
           (is_named(i, sampler_memory_pointer(&i->memory, glob.body + l->xpvgv_namehek), &wanted) ||
            (calling->is_sure &&
             is_in_stash(i, sampler_memory_pointer(&i->memory, glob.body + l->xpvgv_stash), &wanted, cv)));
}

static bool name_by_value(const sampler_interpreter *i, const sampler_calling *calling, named_by by,
                          sampler_name *name)
{
    if (calling->above == 0 || i->layout.op_meth_sv == SAMPLER_ABSENT)
        return false;
    uint64_t cv = by.how == BY_REFERENCE ? referent_of(i, calling->above) : calling->above;
    return is_xsub(i, cv) && (by.how != BY_METHOD_NAME || is_method(i, cv, by.op, calling)) &&
           name_sub(i, cv, name);
}

static sampler_label read_callee(const sampler_xsubs *c, const sampler_calling *calling, named_by by)
{
    sampler_name name = {0};
    bool found = by.how == BY_GLOB ? name_by_glob(c->i, glob_of(c->i, by.op, calling->curpad), &name)
                                   : by.how != BY_NOTHING && name_by_value(c->i, calling, by, &name);
    if (!found)
        return (sampler_label){SAMPLER_NO_STRING, false};
    return (sampler_label){sampler_intern(c->strings, name.bytes, name.length), name.utf8};
}

static bool depends_on_value(named_by by)
{
    return by.how != BY_NOTHING && by.how != BY_GLOB;
}

/* Whether the answer may be another one with the right pad: by the sub itself it is not. */
static bool depends_on_pad(const sampler_interpreter *i, const sampler_calling *calling, named_by by,
                           sampler_label callee)
{
    return by.how == BY_GLOB || (by.how == BY_METHOD_NAME && callee.name == SAMPLER_NO_STRING &&
                                 calling->above != 0 && is_xsub(i, calling->above));
}

/* What names the callee of an op stays the same in the same code. */
static named_by find_name_of(sampler_xsubs *c, uint64_t op, sampler_codeid within, kept *place)
{
    if (within.root != 0 && place->op == op && sampler_codeid_is(place->within, within) &&
        place->uses < MOST_USES) {
        place->uses++;
        return place->by;
    }
    *place = (kept){.op = within.root != 0 ? op : 0, .within = within};
    if (c->i->layout.op_moresib_mask != 0)
        place->by = find_name(c->i, c->types, op);
    return place->by;
}

sampler_label sampler_xsubs_find(sampler_xsubs *c, sampler_calling calling, sampler_codeid within)
{
    kept *place = &c->kept[nytp_hash_mix(0, calling.op, 0) % KEPT];
    named_by by = find_name_of(c, calling.op, within, place);
    if (!depends_on_value(by))
        calling.above = 0;
    if (place->has_callee && place->above == calling.above)
        return place->callee;
    sampler_label callee = read_callee(c, &calling, by);
    if (calling.is_sure || !depends_on_pad(c->i, &calling, by, callee)) {
        place->has_callee = true;
        place->above = calling.above;
        place->callee = callee;
    }
    return callee;
}
