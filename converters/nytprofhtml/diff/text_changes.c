#include "difference.h"

#include "compare/match.h"
#include "model/grow.h"

#include <string.h>

void html_text_changes_free(html_text_changes *changes)
{
    g_array_unref(changes->files);
    g_array_unref(changes->runs);
    g_free(changes);
}

static bool are_equal(const GArray *a, const GArray *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len * sizeof(uint64_t)) == 0;
}

/* Adds the runs of lines of which both texts have one after the other. */
static void add_runs(GArray *runs, const uint32_t *new_of, uint32_t count)
{
    html_same_lines run = {0};
    for (uint32_t i = 0; i <= count; i++) {
        const uint32_t new = i < count ? new_of[i] : NYTP_NO_LINE;
        if (run.count > 0 && new == run.new + run.count - 1) {
            run.count++;
            continue;
        }
        if (run.count > 0)
            g_array_append_val(runs, run);
        run = (html_same_lines){i + 1, new + 1, new != NYTP_NO_LINE};
    }
}

static void add_file(html_text_changes *c, int64_t file, GArray *old, GArray *new)
{
    html_text_change change = {.file = file, .first_run = c->runs->len};
    g_autofree uint32_t *new_of = nytp_align((const uint64_t *)(const void *)old->data, old->len,
                                             (const uint64_t *)(const void *)new->data, new->len);
    add_runs(c->runs, new_of, old->len);
    change.run_count = c->runs->len - change.first_run;
    g_array_append_val(c->files, change);
}

/* fid: one that NEW does not have. */
static void add_text(html_source *source, const GString *text, uint32_t fid, html_text_change *to)
{
    if (text == NULL)
        return;
    html_source_add_text(source, fid, text->str, text->len);
    html_source_end_input(source, NULL, NULL);
    if (!html_source_place(source, fid, &to->from, &to->bytes))
        to->bytes = 0;
}

html_text_changes *html_text_changes_new(const html_line_sources *sources, const nytp_source_text *new_text,
                                         html_old_text *old_text)
{
    html_text_changes *c = g_new(html_text_changes, 1);
    const nytp_source_text *old_hashes = html_old_text_hashes(old_text);
    uint32_t free_fid = UINT32_MAX;
    c->files = NYTP_ARRAY(html_text_change);
    c->runs = NYTP_ARRAY(html_same_lines);
    for (uint32_t i = 0; i < nytp_profile_file_count(sources->old); i++) {
        const uint32_t old_fid = nytp_profile_file(sources->old, i)->fid;
        const int64_t file = html_file_of_old(sources, i);
        GArray *old = nytp_source_text_hashes(old_hashes, old_fid);
        GArray *new =
            file < 0
                ? NULL
                : nytp_source_text_hashes(new_text, html_report_file(sources->report, (size_t)file)->of->fid);
        if (old == NULL || new == NULL || are_equal(old, new))
            continue;
        add_file(c, file, old, new);
        while (nytp_profile_file_by_fid(sources->report->profile, free_fid) != NULL)
            free_fid--;
        add_text(sources->report->source, html_old_text_get(old_text, old_fid), free_fid--,
                 &g_array_index(c->files, html_text_change, c->files->len - 1));
    }
    return c;
}
