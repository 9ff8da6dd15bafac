/* A tracefile of lcov, which genhtml, codecov, coveralls and many other programs read (geninfo(1) has the
 * format). Counts are 1 or 0: how often a line ran is not known. Subs are not in it: lcov 2 refuses functions
 * without a last line, and lcov 1 takes that for their name. */
#include "show.h"

#include "model/grow.h"

#include <string.h>

/* Each record is a line. */
static void put_name(FILE *out, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        putc((unsigned char)name[i] < ' ' ? '?' : name[i], out);
}

/* Writes how many were found and hit. */
static void put_count(FILE *out, const char *of, nytp_cover_count count)
{
    fprintf(out, "%sF:%llu\n%sH:%llu\n", of, (unsigned long long)count.all, of,
            (unsigned long long)count.seen);
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
    put_count(out, "BR", f->counts.of[NYTP_COVER_BRANCHES]);
}

static void put_lines(FILE *out, const nytp_cover_file *f)
{
    NYTP_EACH(const nytp_cover_line, line, f->lines)
        fprintf(out, "DA:%u,%d\n", line->line, line->ran);
    put_count(out, "L", f->counts.of[NYTP_COVER_LINES]);
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
        put_branches(out, f);
        put_lines(out, f);
        fputs("end_of_record\n", out);
    }
}
