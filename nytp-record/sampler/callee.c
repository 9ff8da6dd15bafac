#include "callee.h"

#include "structure.h"

enum { MOST_KIDS = 256, OP_ROOM = 128 };

/* The type of an op, and its children, siblings and flags. */
typedef struct opnode {
    uint32_t type;
    uint64_t first, sibling;
} opnode;

static bool read_op(const record_interpreter *i, uint64_t op, opnode *node)
{
    const record_layout *l = &i->layout;
    uint64_t sibparent, first = 0;
    uint16_t word, more;
    uint8_t flags;
    record_piece pieces[] = {
        {op + l->op_type, sizeof word, &word},
        {op + l->op_moresib, sizeof more, &more},
        {op + l->op_sibparent, sizeof sibparent, &sibparent},
        {op + l->op_flags, sizeof flags, &flags},
    };
    if (op == 0 || record_memory_read_pieces(&i->memory, pieces, 4) != 4)
        return false;
    if (flags & l->op_flag_kids)
        first = record_memory_pointer(&i->memory, op + l->op_first);
    *node = (opnode){word & l->op_type_mask, first, (more & l->op_moresib_mask) != 0 ? sibparent : 0};
    return true;
}

/* The op that says what is called is the last child: an ex-rv2cv, below which there is a gv. */
static uint64_t find_gv_op(const record_interpreter *i, const record_optypes *types, uint64_t entersub)
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

static bool is_xsub(const record_interpreter *i, uint64_t cv)
{
    const record_layout *l = &i->layout;
    unsigned char head[256];
    if (cv == 0 || !record_memory_read(&i->memory, cv, head, l->sv_size) ||
        (record_u32(head + l->sv_flags) & l->sv_type_mask) != l->sv_type_cv)
        return false;
    uint64_t body = record_u64(head + l->sv_any);
    return body != 0 && (record_memory_u32(&i->memory, body + l->xpvcv_flags) & l->cv_flag_isxsub) != 0;
}

/* The sub in a glob. */
static uint64_t sub_of(const record_interpreter *i, uint64_t gv)
{
    const record_layout *l = &i->layout;
    unsigned char head[256];
    if (gv == 0 || !record_memory_read(&i->memory, gv, head, l->sv_size) ||
        (record_u32(head + l->sv_flags) & l->sv_type_mask) != l->sv_type_gv)
        return 0;
    uint64_t gp = record_u64(head + l->sv_u);
    return gp == 0 ? 0 : record_memory_pointer(&i->memory, gp + l->gp_cv);
}

/* The name of the sub itself, which may be another one than the glob's, where it was imported. */
static bool name_sub(const record_interpreter *i, uint64_t cv, record_name *name)
{
    const record_layout *l = &i->layout;
    uint64_t body = record_memory_pointer(&i->memory, cv + l->sv_any);
    if (body == 0 || (record_memory_u32(&i->memory, body + l->xpvcv_flags) & l->cv_flag_named) != 0)
        return false;
    return record_name_add_gv(i, name, record_memory_pointer(&i->memory, body + l->xpvcv_gv));
}

bool record_callee_name(const record_interpreter *i, const record_optypes *types, uint64_t op,
                        uint64_t curpad, record_name *name)
{
    const record_layout *l = &i->layout;
    uint64_t gv_op = l->op_moresib_mask != 0 ? find_gv_op(i, types, op) : 0, gv;
    if (gv_op == 0)
        return false;
    if (l->cop_file != RECORD_ABSENT) { /* with threads the glob is in the pad */
        uint64_t index = record_memory_pointer(&i->memory, gv_op + l->op_padix);
        gv = curpad != 0 && index < UINT32_MAX
                 ? record_memory_pointer(&i->memory, curpad + index * l->pointer_size)
                 : 0;
    } else {
        gv = record_memory_pointer(&i->memory, gv_op + l->op_sv);
    }
    uint64_t cv = sub_of(i, gv);
    return is_xsub(i, cv) && (name_sub(i, cv, name) || record_name_add_gv(i, name, gv));
}
