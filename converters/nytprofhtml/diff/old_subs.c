#include "difference.h"

#include "model/grow.h"
#include "model/origin.h"

#include <string.h>

void html_old_subs_free(html_old_subs *subs)
{
    g_array_unref(subs->gone);
    g_free(subs->numbers);
    g_free(subs);
}

/* Returns the number in the report of a sub that the comparison does not have: what OLD knows by name alone.
 */
static uint32_t number_of_name(html_report *report, const nytp_portable *portable, nytp_str name)
{
    g_autoptr(GString) text = nytp_portable_name(portable, name);
    return html_report_number_of(report, (nytp_str){text->str, text->len, name.utf8});
}

/* Says of a sub that only OLD has what OLD says of it. */
static void add_gone(html_old_subs *subs, const html_line_sources *s, const html_report *old, uint32_t i,
                     const int64_t *file_of_old)
{
    const html_sub *from = html_report_sub(old, i);
    html_sub *to = html_report_sub(s->report, subs->numbers[i]);
    const html_gone_sub gone = {subs->numbers[i], from->first_line, from->last_line};
    to->kind = from->kind;
    to->file = from->file >= 0 ? file_of_old[from->file] : -1;
    g_array_append_val(subs->gone, gone);
}

/* Returns the numbers in the report, by those in OLD's; -1: none. */
static int64_t *files_of_old(const html_line_sources *s, const html_report *old)
{
    int64_t *numbers = g_new(int64_t, old->files->len + 1);
    memset(numbers, 0xFF, old->files->len * sizeof *numbers);
    for (uint32_t i = 0; i < nytp_profile_file_count(old->profile); i++)
        if (old->file_numbers[i] >= 0)
            numbers[old->file_numbers[i]] = html_file_of_old(s, i);
    return numbers;
}

/* Returns which subs of OLD are in its stacks or on its time line, by number. */
static bool *used_subs(const html_report *old)
{
    bool *used = g_new0(bool, old->subs->len + 1);
    size_t count;
    const nytp_long_call *calls = nytp_longest_calls_get(old->longest, &count);
    NYTP_EACH(const html_stack, stack, old->stacks)
        used[stack->sub] = true;
    for (size_t i = 0; i < count; i++)
        used[old->call_subs[calls[i].sub]] = true;
    return used;
}

html_old_subs *html_old_subs_new(const html_line_sources *sources, const html_report *old,
                                 const int64_t *numbers)
{
    const html_line_sources *s = sources;
    html_old_subs *subs = g_new(html_old_subs, 1);
    nytp_portable *portable = nytp_portable_new(old->profile);
    g_autofree int64_t *file_of_old = files_of_old(s, old);
    g_autofree bool *used = used_subs(old);
    const uint32_t own = (uint32_t)nytp_profile_sub_count(s->report->profile);
    subs->numbers = g_new0(uint32_t, old->subs->len + 1);
    subs->gone = NYTP_ARRAY(html_gone_sub);
    for (uint32_t i = 0; i < old->subs->len; i++) {
        nytp_sub sub = {.name = {html_report_sub(old, i)->name, strlen(html_report_sub(old, i)->name), true}};
        size_t row = SIZE_MAX;
        if (nytp_profile_sub(old->profile, i, &sub))
            row = nytp_comparison_find(s->comparison, NYTP_COMPARE_SUBS, NYTP_OLD, 0, i, 0);
        if (row != SIZE_MAX && numbers[row] >= 0)
            subs->numbers[i] = (uint32_t)numbers[row];
        else if (used[i])
            subs->numbers[i] = number_of_name(s->report, portable, sub.name);
        else
            continue;
        if (subs->numbers[i] >= own && html_report_sub(s->report, subs->numbers[i])->file < 0)
            add_gone(subs, s, old, i, file_of_old);
    }
    nytp_portable_free(portable);
    return subs;
}
