/* JSON: all that is known, for programs of one's own. The manual describes it. */
#include "show.h"

#include "base/str.h"
#include "export/json.h"
#include "model/display.h"
#include "model/grow.h"

static void put_string(FILE *out, nytp_str text)
{
    size_t length;
    g_autofree char *valid = nytp_text_utf8(text, &length);
    nytp_json_string(out, (nytp_str){valid, length, true});
}

static const char *comma(guint i)
{
    return i > 0 ? "," : "";
}

static void put_counts(FILE *out, const nytp_cover_counts *counts)
{
    for (guint i = 0; i < NYTP_COVER_CRITERIA; i++)
        fprintf(out, "%s\"%s\":{\"seen\":%llu,\"all\":%llu}", comma(i), nytp_cover_criteria[i],
                (unsigned long long)counts->of[i].seen, (unsigned long long)counts->of[i].all);
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
        put_string(out, sub->name);
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
        put_string(out, nytp_str_of(f->name));
        fprintf(out, ",\"eval\":%s,", f->is_eval ? "true" : "false");
        put_counts(out, &f->counts);
        fputs(",\n\"line_list\":[", out);
        put_lists(out, f);
        fputs("]}", out);
    }
    fputs("\n]}\n", out);
}
