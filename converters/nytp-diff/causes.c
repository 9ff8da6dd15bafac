#include "rows.h"

#include "findings/causes.h"

static void clear_cause(gpointer cause)
{
    g_free(((diff_cause *)cause)->sentence);
}

GArray *diff_causes_new(nytp_comparison *comparison)
{
    static const char *const kinds[] = {
        [NYTP_CAUSE_CALLS] = "calls", [NYTP_CAUSE_CYCLE] = "recursion", [NYTP_CAUSE_EACH] = "each",
        [NYTP_CAUSE_NEW] = "new",     [NYTP_CAUSE_GONE] = "gone",       [NYTP_CAUSE_SELF] = "self"};
    GArray *all = g_array_new(FALSE, FALSE, sizeof(diff_cause));
    g_autoptr(GArray) found = comparison != NULL ? nytp_causes_new(comparison) : NULL;
    g_array_set_clear_func(all, clear_cause);
    for (guint i = 0; found != NULL && i < found->len; i++) {
        const nytp_cause *cause = &g_array_index(found, nytp_cause, i);
        GString *sentence = nytp_cause_say(comparison, cause).sentence;
        const diff_cause shown = {kinds[cause->kind], cause->amount, g_string_free(sentence, FALSE)};
        g_array_append_val(all, shown);
    }
    return all;
}
