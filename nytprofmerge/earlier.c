#include "state.h"

#include "cli/say.h"
#include "model/hashes.h"

#include <glib.h>
#include <string.h>

typedef struct span {
    double start_s, end_s; /* 0: none was seen */
} span;

struct merge_earlier {
    span *of; /* by number of the input */
    size_t count;
};

merge_earlier *merge_earlier_new(size_t inputs)
{
    merge_earlier *e = g_new0(merge_earlier, 1);
    e->of = g_new0(span, inputs);
    e->count = inputs;
    return e;
}

void merge_earlier_free(merge_earlier *e)
{
    g_free(e->of);
    g_free(e);
}

void merge_earlier_begin(merge_earlier *e, size_t input, double start_s)
{
    span *s = &e->of[input];
    s->start_s = s->start_s == 0 ? start_s : MIN(s->start_s, start_s);
}

void merge_earlier_end(merge_earlier *e, size_t input, double end_s)
{
    span *s = &e->of[input];
    s->end_s = MAX(s->end_s, end_s);
}

/* FILE of FILE.PID or FILE.PID.2; NULL: the name is another one. */
static char *without_pid(const char *name)
{
    size_t length = strlen(name), end = length;
    for (int numbers = 0; numbers < 2; numbers++) {
        size_t dot = end;
        while (dot > 0 && g_ascii_isdigit(name[dot - 1]))
            dot--;
        if (dot == end || dot < 2 || name[dot - 1] != '.')
            break;
        end = dot - 1;
    }
    return end < length ? g_strndup(name, end) : NULL;
}

static bool is_earlier(const merge_earlier *e, size_t input, const merge_inputs *inputs, GHashTable *numbers)
{
    gpointer number;
    g_autofree char *file = without_pid(merge_inputs_name(inputs, input));
    if (file == NULL || e->of[input].end_s == 0 ||
        !g_hash_table_lookup_extended(numbers, file, NULL, &number))
        return false;
    return e->of[input].end_s < e->of[GPOINTER_TO_SIZE(number)].start_s;
}

void merge_earlier_warn(const merge_earlier *e, const merge_inputs *inputs)
{
    size_t found = 0, first = 0;
    g_autoptr(GHashTable) numbers = g_hash_table_new(nytp_hash_of_text, g_str_equal);
    for (size_t i = 0; i < e->count; i++)
        g_hash_table_insert(numbers, (char *)merge_inputs_name(inputs, i), GSIZE_TO_POINTER(i));
    for (size_t i = e->count; i-- > 0;)
        if (is_earlier(e, i, inputs, numbers)) {
            found++;
            first = i;
        }
    if (found == 0)
        return;
    g_autofree char *file = without_pid(merge_inputs_name(inputs, first)),
                    *more = found > 1 ? g_strdup_printf(" and %zu more", found - 1) : g_strdup("");
    nytp_say("warning: %s%s ended before %s began; are they of an earlier run?",
             merge_inputs_name(inputs, first), more, file);
}
