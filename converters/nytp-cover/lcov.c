/* A tracefile of lcov, which genhtml, codecov, coveralls and many other programs read (geninfo(1) has the
 * format). Counts are 1 or 0: how often a line ran is not known. */
#include "show.h"

#include "base/str.h"
#include "base/stringtable.h"
#include "model/grow.h"

#include <string.h>

/* Each record is a line. */
static void put_name(FILE *out, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        putc((unsigned char)name[i] < ' ' ? '?' : name[i], out);
}

/* Returns whether no sub had the name before. */
static bool is_new(nytp_strings *names, const char *name)
{
    const uint32_t before = nytp_strings_count(names);
    if (nytp_strings_intern(names, name, strlen(name)) < 0)
        g_error("out of memory");
    return nytp_strings_count(names) > before;
}

/* Returns the name of a sub, for g_free(). Subs are known by name there, and those that are anonymous or
 * defined again have the same one: they have their line, and which one of a line they are. */
static char *name_of_sub(nytp_strings *names, const nytp_cover_sub *sub)
{
    char *name = g_strndup(sub->name.bytes, sub->name.length);
    bool is_known = nytp_str_is_sub(sub->name, "__ANON__") || !is_new(names, name);
    for (guint nth = 1; is_known; nth++) {
        g_free(name);
        name = g_strdup_printf(nth > 1 ? "%.*s:%u:%u" : "%.*s:%u", (int)sub->name.length, sub->name.bytes,
                               sub->line, nth);
        is_known = !is_new(names, name);
    }
    return name;
}

static void put_subs(FILE *out, const nytp_cover_file *f)
{
    nytp_strings *names = nytp_strings_new();
    if (names == NULL)
        g_error("out of memory");
    NYTP_EACH(const nytp_cover_sub, sub, f->subs) {
        g_autofree char *name = name_of_sub(names, sub);
        fprintf(out, "FN:%u,", sub->line);
        put_name(out, name, strlen(name));
        fprintf(out, "\nFNDA:%d,", sub->ran);
        put_name(out, name, strlen(name));
        putc('\n', out);
    }
    nytp_strings_free(names);
    fprintf(out, "FNF:%llu\nFNH:%llu\n", (unsigned long long)f->sub_count.all,
            (unsigned long long)f->sub_count.seen);
}

static void put_branches(FILE *out, const nytp_cover_file *f)
{
    uint32_t line = 0;
    guint block = 0;
    NYTP_EACH(const nytp_cover_branch, b, f->branches) {
        block = b->line == line ? block + 1 : 0;
        line = b->line;
        for (guint n = 0; n < 2; n++) {
            const uint32_t outcome = n == 0 ? NYTP_COVER_RAN : NYTP_COVER_SKIPPED;
            const bool taken = (b->seen & outcome) != 0;
            if ((b->excused & outcome) == 0)
                fprintf(out, "BRDA:%u,%u,%u,%s\n", line, block, n, b->seen == 0 ? "-" : taken ? "1" : "0");
        }
    }
    fprintf(out, "BRF:%llu\nBRH:%llu\n", (unsigned long long)f->branch_count.all,
            (unsigned long long)f->branch_count.seen);
}

static void put_lines(FILE *out, const nytp_cover_file *f)
{
    NYTP_EACH(const nytp_cover_line, line, f->lines)
        fprintf(out, "DA:%u,%d\n", line->line, line->ran);
    fprintf(out, "LF:%llu\nLH:%llu\n", (unsigned long long)f->line_count.all,
            (unsigned long long)f->line_count.seen);
}

void cover_write_lcov(FILE *out, const GPtrArray *files)
{
    for (guint i = 0; i < files->len; i++) {
        const nytp_cover_file *f = files->pdata[i];
        if (f->is_eval)
            continue;
        fputs("TN:\nSF:", out);
        put_name(out, f->name, strlen(f->name));
        putc('\n', out);
        put_subs(out, f);
        put_branches(out, f);
        put_lines(out, f);
        fputs("end_of_record\n", out);
    }
}
