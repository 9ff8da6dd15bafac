#include "sampler/perl/layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset;
    bool is_later;
} fields[] = {
#define DESCRIBE(name, value) {#name, offsetof(sampler_layout, name), false},
    SAMPLER_LAYOUT_FIELDS(DESCRIBE)
#undef DESCRIBE
#define DESCRIBE(name, value) {#name, offsetof(sampler_layout, name), true},
        SAMPLER_LAYOUT_LATER_FIELDS(DESCRIBE)
#undef DESCRIBE
};
enum { FIELD_COUNT = sizeof fields / sizeof fields[0] };

static char complaint[160];

static bool complain(const char **why, const char *what, const char *which)
{
    snprintf(complaint, sizeof complaint, what, which);
    *why = complaint;
    return false;
}

/* A number below 2^32 - 1, or "-" for what that perl does not have. */
static bool parse_value(const char *text, uint32_t *value)
{
    char *end;
    if (strcmp(text, "-") == 0) {
        *value = SAMPLER_ABSENT;
        return true;
    }
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    *value = (uint32_t)number;
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && number < UINT32_MAX;
}

static bool copy_text(char *to, size_t size, const char *text)
{
    if (strlen(text) >= size)
        return false;
    memcpy(to, text, strlen(text) + 1);
    return true;
}

static uint32_t *field_of(sampler_layout *layout, size_t field)
{
    return (uint32_t *)(void *)((char *)layout + fields[field].offset);
}

/* One line, which is `key value`. */
static bool take_line(sampler_layout *layout, bool *seen, char *line, const char **why)
{
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#' || line[0] == '\0')
        return true;
    char *value = strchr(line, ' ');
    if (value == NULL)
        return complain(why, "\"%.80s\" has no value", line);
    *value++ = '\0';
    if (strcmp(line, "perl") == 0)
        return copy_text(layout->version, sizeof layout->version, value) ||
               complain(why, "bad version %.80s", value);
    if (strcmp(line, "options") == 0)
        return copy_text(layout->options, sizeof layout->options, value) ||
               complain(why, "%.80s are too long", line);
    if (strcmp(line, "releases") == 0)
        return copy_text(layout->releases, sizeof layout->releases, value) ||
               complain(why, "%.80s are too long", line);
    if (strcmp(line, "machine") == 0)
        return copy_text(layout->machine, sizeof layout->machine, value) ||
               complain(why, "bad machine %.80s", value);
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (strcmp(line, fields[i].name) == 0) {
            seen[i] = parse_value(value, field_of(layout, i));
            return seen[i] || complain(why, "%.80s is not a number", line);
        }
    return true; /* of a newer generator */
}

/* Returns the name of a member that is not within its structure, whose bytes are read as a whole; NULL: there
 * is none. */
static const char *find_outside(const sampler_layout *l)
{
    const struct {
        const char *name;
        uint32_t offset, bytes, size;
    } members[] = {
        {"si_stack", l->si_stack, 8, l->si_size},
        {"si_cxstack", l->si_cxstack, 8, l->si_size},
        {"si_prev", l->si_prev, 8, l->si_size},
        {"si_cxix", l->si_cxix, 4, l->si_size},
        {"si_cxmax", l->si_cxmax, 4, l->si_size},
        {"si_type", l->si_type, 4, l->si_size},
        {"cx_kind", l->cx_kind, 1, l->cx_size},
        {"cx_u16", l->cx_u16, 2, l->cx_size},
        {"cx_oldcop", l->cx_oldcop, 8, l->cx_size},
        {"cx_sub_cv", l->cx_sub_cv, 8, l->cx_size},
        {"cx_sub_olddepth", l->cx_sub_olddepth, 4, l->cx_size},
        {"cx_format_cv", l->cx_format_cv, 8, l->cx_size},
        {"sv_any", l->sv_any, 8, l->sv_size},
        {"sv_flags", l->sv_flags, 4, l->sv_size},
        {"sv_u", l->sv_u, 8, l->sv_size},
        {"xpvcv_stash", l->xpvcv_stash, 8, l->xpvcv_size},
        {"xpvcv_start", l->xpvcv_start, 8, l->xpvcv_size},
        {"xpvcv_root", l->xpvcv_root, 8, l->xpvcv_size},
        {"xpvcv_gv", l->xpvcv_gv, 8, l->xpvcv_size},
        {"xpvcv_flags", l->xpvcv_flags, 4, l->xpvcv_size},
        {"xpvcv_outside_seq", l->xpvcv_outside_seq, 4, l->xpvcv_size},
        {"op_type", l->op_type, 2, l->cop_size},
        {"cop_line", l->cop_line, 4, l->cop_size},
        {"cop_seq", l->cop_seq, 4, l->cop_size},
        {"the file of a COP", sampler_layout_file(l), 8, l->cop_size},
        {"the stash of a COP", sampler_layout_stash(l), 8, l->cop_size},
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        if ((uint64_t)members[i].offset + members[i].bytes > members[i].size)
            return members[i].name;
    return NULL;
}

static bool is_whole(const sampler_layout *layout, const bool *seen, const char **why)
{
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (!seen[i] && !fields[i].is_later)
            return complain(why, "%s is missing", fields[i].name);
    if (layout->version[0] == '\0')
        return complain(why, "%s is missing", "perl");
    if (layout->si_size > SAMPLER_SI_ROOM || layout->cx_size > SAMPLER_CX_ROOM ||
        layout->sv_size > SAMPLER_SV_ROOM || layout->xpvcv_size > SAMPLER_XPVCV_ROOM ||
        layout->cop_size > SAMPLER_COP_ROOM || layout->op_count > SAMPLER_MOST_OPS ||
        layout->cx_u16_op_shift >= 16)
        return complain(why, "%s are impossible", "its sizes or counts");
    const char *outside = find_outside(layout);
    return outside == NULL || complain(why, "%s is not within its structure", outside);
}

bool sampler_layout_parse(sampler_layout *layout, FILE *table, const char **why)
{
    char line[sizeof layout->options + 64];
    bool seen[FIELD_COUNT] = {false}, good = true;
    memset(layout, 0, sizeof *layout);
    for (size_t i = 0; i < FIELD_COUNT; i++)
        *field_of(layout, i) = SAMPLER_ABSENT;
    while (good && fgets(line, sizeof line, table) != NULL)
        good = take_line(layout, seen, line, why);
    if (ferror(table))
        good = complain(why, "%s", strerror(errno));
    return good && is_whole(layout, seen, why);
}

bool sampler_layout_read(sampler_layout *layout, const char *path, const char **why)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return complain(why, "%s", strerror(errno));
    bool good = sampler_layout_parse(layout, file, why);
    fclose(file);
    return good;
}
