#include "sampler/perl/xsubs.h"

#include "sampler/perl/sv.h"

#include "base/hash.h"

#include <glib.h>

enum {
    MOST_KIDS = 256,
    KEPT = 1024, /* ops */
    MOST_USES = 100,
};

typedef struct kept {
    uint64_t op;
    sampler_codeid within;
    sampler_label callee;
    int uses;
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

/* The type of an op, and its children, siblings and flags. */
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

/* The op that says what is called is the last child: an ex-rv2cv, below which there is a gv. */
static uint64_t find_gv_op(const sampler_interpreter *i, const sampler_optypes *types, uint64_t entersub)
{
    opnode node;
    if (!read_op(i, entersub, &node) || node.type != types->entersub)
        return 0;
    uint64_t op = node.first;
    if (!read_op(i, op, &node))
        return 0;
    if (node.type != types->pushmark) { /* a list of arguments begins with that */
        op = node.first;
        if (!read_op(i, op, &node))
            return 0;
    }
    for (int kids = 0; node.sibling != 0; kids++) {
        op = node.sibling;
        if (kids == MOST_KIDS || !read_op(i, op, &node))
            return 0;
    }
    if (node.type != 0 && node.type != types->rv2cv) /* 0: an op that was optimized away */
        return 0;
    op = node.first;
    return read_op(i, op, &node) && node.type == types->gv ? op : 0;
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

static sampler_label read_callee(const sampler_xsubs *c, uint64_t gv_op, uint64_t curpad)
{
    const sampler_layout *l = &c->i->layout;
    sampler_name name = {0};
    uint64_t gv;
    if (gv_op == 0)
        return (sampler_label){SAMPLER_NO_STRING, false};
    if (l->cop_file != SAMPLER_ABSENT) { /* with threads the glob is in the pad */
        uint64_t index = sampler_memory_pointer(&c->i->memory, gv_op + l->op_padix);
        gv = curpad != 0 && index < UINT32_MAX
                 ? sampler_memory_pointer(&c->i->memory, curpad + index * l->pointer_size)
                 : 0;
    } else {
        gv = sampler_memory_pointer(&c->i->memory, gv_op + l->op_sv);
    }
    uint64_t cv = sub_of(c->i, gv);
    if (!is_xsub(c->i, cv) || (!name_sub(c->i, cv, &name) && !sampler_name_add_gv(c->i, &name, gv)))
        return (sampler_label){SAMPLER_NO_STRING, false};
    return (sampler_label){sampler_intern(c->strings, name.bytes, name.length), name.utf8};
}

sampler_label sampler_xsubs_find(sampler_xsubs *c, uint64_t op, sampler_codeid within, uint64_t curpad,
                                 bool sure)
{
    kept *found = &c->kept[nytp_hash_mix(0, op, 0) % KEPT];
    if (within.root != 0 && found->op == op && sampler_codeid_is(found->within, within) &&
        found->uses < MOST_USES) {
        found->uses++;
        return found->callee;
    }
    uint64_t gv_op = c->i->layout.op_moresib_mask != 0 ? find_gv_op(c->i, c->types, op) : 0;
    sampler_label callee = read_callee(c, gv_op, curpad);
    if (within.root != 0 && (sure || gv_op == 0))
        *found = (kept){op, within, callee, 0};
    return callee;
}
