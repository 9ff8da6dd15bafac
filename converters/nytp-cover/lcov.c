/* A tracefile of lcov, which genhtml, codecov, coveralls and many other programs read (geninfo(1) has the
 * format). Counts are 1 or 0: how often a line ran is not known. */
#include "show.h"

#include "model/grow.h"

#include <string.h>

/* Each record is a line. */
static void put_name(FILE *out, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        putc((unsigned char)name[i] < ' ' ? '?' : name[i], out);
}

/* Subs are known by name there, and anonymous ones of a package have the same. */
static void put_sub_name(FILE *out, const nytp_cover_sub *sub)
{
    put_name(out, sub->name.bytes, sub->name.length);
    if (sub->name.length >= strlen("__ANON__") &&
        memcmp(sub->name.bytes + sub->name.length - strlen("__ANON__"), "__ANON__", strlen("__ANON__")) == 0)
        fprintf(out, ":%u", sub->line);
}

static void put_subs(FILE *out, const nytp_cover_file *f)
{
    NYTP_EACH(const nytp_cover_sub, sub, f->subs) {
        fprintf(out, "FN:%u,", sub->line);
        put_sub_name(out, sub);
        fprintf(out, "\nFNDA:%d,", sub->ran);
        put_sub_name(out, sub);
        putc('\n', out);
    }
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
            const bool taken = (b->seen & (n == 0 ? NYTP_COVER_RAN : NYTP_COVER_SKIPPED)) != 0;
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
