/* JSON: all that is known, for programs of one's own. The manual describes it. */
#include "show.h"

#include "export/json.h"
#include "model/grow.h"

#include <string.h>

static void put_string(FILE *out, const char *bytes, size_t length)
{
    g_autofree char *valid = g_utf8_make_valid(bytes, (gssize)length);
    nytp_json_string(out, (nytp_str){valid, strlen(valid), true});
}

static void put_count(FILE *out, const char *key, nytp_cover_count count)
{
    fprintf(out, "\"%s\":{\"seen\":%llu,\"all\":%llu}", key, (unsigned long long)count.seen,
            (unsigned long long)count.all);
}

static void put_counts(FILE *out, const nytp_cover_counts *counts)
{
    put_count(out, "lines", counts->lines);
    putc(',', out);
    put_count(out, "branches", counts->branches);
    putc(',', out);
    put_count(out, "conditions", counts->conditions);
    putc(',', out);
    put_count(out, "subs", counts->subs);
}

static const char *comma(guint i)
{
    return i > 0 ? "," : "";
}

static const char *outcome(const nytp_cover_branch *b, uint32_t bit)
{
    return (b->excused & bit) != 0 ? "null" : (b->seen & bit) != 0 ? "1" : "0";
}

static void put_lists(FILE *out, const nytp_cover_file *f)
{
    for (guint i = 0; i < f->lines->len; i++) {
        const nytp_cover_line *line = &g_array_index(f->lines, nytp_cover_line, i);
        fprintf(out, "%s[%u,%d]", comma(i), line->line, line->ran);
    }
    fputs("],\n\"branch_list\":[", out);
    for (guint i = 0; i < f->branches->len; i++) {
        const nytp_cover_branch *b = &g_array_index(f->branches, nytp_cover_branch, i);
        fprintf(out, "%s[%u,%s,%s", comma(i), b->line, outcome(b, NYTP_COVER_RAN),
                outcome(b, NYTP_COVER_SKIPPED));
        if (b->has_values)
            fprintf(out, ",%s,%s", outcome(b, NYTP_COVER_TRUE), outcome(b, NYTP_COVER_FALSE));
        putc(']', out);
    }
    fputs("],\n\"sub_list\":[", out);
    for (guint i = 0; i < f->subs->len; i++) {
        const nytp_cover_sub *sub = &g_array_index(f->subs, nytp_cover_sub, i);
        fprintf(out, "%s[%u,%d,", comma(i), sub->line, sub->ran);
        put_string(out, sub->name.bytes, sub->name.length);
        putc(']', out);
    }
}

void cover_write_json(FILE *out, const GPtrArray *files)
{
    const nytp_cover_counts totals = cover_totals_of(files, false);
    fputs("{\"total\":{", out);
    put_counts(out, &totals);
    fputs("},\n\"files\":[", out);
    for (guint i = 0; i < files->len; i++) {
        const nytp_cover_file *f = files->pdata[i];
        fprintf(out, "%s\n{\"name\":", comma(i));
        put_string(out, f->name, strlen(f->name));
        fprintf(out, ",\"eval\":%s,", f->is_eval ? "true" : "false");
        put_counts(out, &f->counts);
        fputs(",\n\"line_list\":[", out);
        put_lists(out, f);
        fputs("]}", out);
    }
    fputs("\n]}\n", out);
}
