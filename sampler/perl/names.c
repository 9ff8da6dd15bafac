#include "sampler/perl/interpreter.h"

#include <string.h>

enum { MOST_NAMES = 1000 /* of one package: xhv_name_count */ };

static bool has_high_bytes(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)bytes[i] >= 0x80)
            return true;
    return false;
}

/* Appends one character of Latin-1 in UTF-8. */
static void add_latin1(sampler_name *name, unsigned char c)
{
    if (name->length + 2 > sizeof name->bytes)
        return;
    if (c >= 0x80) {
        name->bytes[name->length++] = (char)(0xC0 | c >> 6);
        c = 0x80 | (c & 0x3F);
    }
    name->bytes[name->length++] = (char)c;
}

/* Perl joins bytes and characters by taking the bytes for Latin-1. */
static void upgrade(sampler_name *name)
{
    if (!name->utf8 && has_high_bytes(name->bytes, name->length)) {
        sampler_name bytes = *name;
        name->length = 0;
        for (size_t i = 0; i < bytes.length; i++)
            add_latin1(name, (unsigned char)bytes.bytes[i]);
    }
    name->utf8 = true;
}

void sampler_name_add(sampler_name *name, const char *bytes, size_t length, bool utf8)
{
    if (utf8)
        upgrade(name);
    if (name->utf8 && !utf8 && has_high_bytes(bytes, length)) {
        for (size_t i = 0; i < length; i++)
            add_latin1(name, (unsigned char)bytes[i]);
        return;
    }
    if (length > sizeof name->bytes - name->length)
        length = sizeof name->bytes - name->length;
    memcpy(name->bytes + name->length, bytes, length);
    name->length += length;
}

void sampler_name_add_text(sampler_name *name, const char *text)
{
    sampler_name_add(name, text, strlen(text), false);
}

bool sampler_name_add_hek(const sampler_interpreter *i, sampler_name *name, uint64_t hek)
{
    const sampler_layout *l = &i->layout;
    char bytes[SAMPLER_NAME_ROOM + 2]; /* a 0 byte and the flags follow the name */
    uint32_t length = sampler_memory_u32(&i->memory, hek == 0 ? 0 : hek + l->hek_len);
    uint8_t flags;
    if (hek == 0 || length == 0 || length > SAMPLER_NAME_ROOM ||
        !sampler_memory_read(&i->memory, hek + l->hek_key, bytes, length + 2) || bytes[length] != '\0')
        return false;
    flags = (uint8_t)bytes[length + 1];
    if ((flags & l->hek_flag_wasutf8) != 0)
        upgrade(name); /* has what follows taken for Latin-1 */
    sampler_name_add(name, bytes, length, (flags & l->hek_flag_utf8) != 0);
    return true;
}

/* Returns the address of the auxiliary structure of a hash, or 0 if it has none. */
static uint64_t find_aux(const sampler_interpreter *i, uint64_t hash)
{
    const sampler_layout *l = &i->layout;
    sampler_sv hv;
    uint64_t max;
    if (!sampler_sv_read_as(i, hash, l->sv_type_hv, &hv) || (hv.flags & l->sv_flag_ook) == 0)
        return 0;
    if (l->hv_aux != SAMPLER_ABSENT)
        return hv.body + l->hv_aux;
    if (hv.u == 0 || !sampler_memory_read(&i->memory, hv.body + l->xpvhv_max, &max, sizeof max) ||
        max >= UINT32_MAX)
        return 0;
    return hv.u + (max + 1) * l->pointer_size;
}

bool sampler_name_add_stash(const sampler_interpreter *i, sampler_name *name, uint64_t stash)
{
    const sampler_layout *l = &i->layout;
    uint64_t aux = find_aux(i, stash);
    if (aux == 0)
        return false;
    uint64_t hek = sampler_memory_pointer(&i->memory, aux + l->aux_name);
    int32_t count = (int32_t)sampler_memory_u32(&i->memory, aux + l->aux_name_count);
    if (count < -MOST_NAMES || count > MOST_NAMES)
        return false;
    if (count != 0) /* an array of names, the first of which is the package's own */
        hek = sampler_memory_pointer(&i->memory, hek);
    return sampler_name_add_hek(i, name, hek);
}

bool sampler_name_add_gv(const sampler_interpreter *i, sampler_name *name, uint64_t gv)
{
    const sampler_layout *l = &i->layout;
    sampler_sv sv;
    sampler_name before = *name;
    if (!sampler_sv_read_as(i, gv, l->sv_type_gv, &sv) ||
        !sampler_name_add_stash(i, name, sampler_memory_pointer(&i->memory, sv.body + l->xpvgv_stash)))
        return false;
    sampler_name_add_text(name, "::");
    if (sampler_name_add_hek(i, name, sampler_memory_pointer(&i->memory, sv.body + l->xpvgv_namehek)))
        return true;
    *name = before;
    return false;
}

bool sampler_name_stash_is(const sampler_interpreter *i, uint64_t stash, const char *text)
{
    sampler_name name = {0};
    return sampler_name_add_stash(i, &name, stash) && name.length == strlen(text) &&
           memcmp(name.bytes, text, name.length) == 0;
}

sampler_sv sampler_sv_parse(const sampler_layout *l, const unsigned char *head)
{
    return (sampler_sv){.body = sampler_u64(head + l->sv_any),
                        .u = sampler_u64(head + l->sv_u),
                        .flags = sampler_u32(head + l->sv_flags)};
}

bool sampler_sv_read(const sampler_interpreter *i, uint64_t address, sampler_sv *sv)
{
    unsigned char head[SAMPLER_SV_ROOM];
    if (address == 0 || !sampler_memory_read(&i->memory, address, head, i->layout.sv_size))
        return false;
    *sv = sampler_sv_parse(&i->layout, head);
    return true;
}

bool sampler_sv_read_as(const sampler_interpreter *i, uint64_t address, uint32_t type, sampler_sv *sv)
{
    return sampler_sv_read(i, address, sv) && sampler_sv_is(&i->layout, sv, type) && sv->body != 0;
}
