#include "layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset;
} fields[] = {
#define DESCRIBE(name) {#name, offsetof(record_layout, name)},
    RECORD_LAYOUT_FIELDS(DESCRIBE)
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
        *value = RECORD_ABSENT;
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

/* One line, which is `key value`. */
static bool take_line(record_layout *layout, bool *seen, char *line, const char **why)
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
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (strcmp(line, fields[i].name) == 0) {
            seen[i] = parse_value(value, (uint32_t *)(void *)((char *)layout + fields[i].offset));
            return seen[i] || complain(why, "%.80s is not a number", line);
        }
    return true; /* of a newer generator */
}

static bool is_whole(const record_layout *layout, const bool *seen, const char **why)
{
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (!seen[i])
            return complain(why, "%s is missing", fields[i].name);
    if (layout->version[0] == '\0')
        return complain(why, "%s is missing", "perl");
    /* What is multiplied by, or allocated from. */
    if (layout->cx_size == 0 || layout->cx_size > 4096 || layout->si_size > 256 || layout->cop_size > 4096 ||
        layout->xpvcv_size > 4096 || layout->sv_size > 256 || layout->op_count > 4096)
        return complain(why, "%s are impossible", "its sizes");
    return true;
}

bool record_layout_read(record_layout *layout, const char *path, const char **why)
{
    char line[sizeof layout->options + 64];
    bool seen[FIELD_COUNT] = {false}, good = true;
    memset(layout, 0, sizeof *layout);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return complain(why, "%s", strerror(errno));
    while (good && fgets(line, sizeof line, file) != NULL)
        good = take_line(layout, seen, line, why);
    fclose(file);
    return good && is_whole(layout, seen, why);
}
