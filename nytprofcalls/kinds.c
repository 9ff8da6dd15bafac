#include "collapse.h"

#include "base/labels.h"
#include "base/str.h"
#include "model/eval_name.h"
#include "model/names.h"
#include "model/package.h"

#include <stdlib.h>

struct calls_kinds {
    nytp_names *xsubs; /* their frames */
};

calls_kinds *calls_kinds_new(void)
{
    calls_kinds *k = g_new0(calls_kinds, 1);
    k->xsubs = nytp_names_new();
    return k;
}

void calls_kinds_free(calls_kinds *kinds)
{
    if (kinds == NULL)
        return;
    nytp_names_free(kinds->xsubs);
    g_free(kinds);
}

void calls_kinds_add(calls_kinds *kinds, const nytp_profile *profile)
{
    for (size_t i = 0; i < nytp_profile_sub_count(profile); i++) {
        nytp_sub sub;
        nytp_profile_sub(profile, i, &sub);
        if (sub.kind != NYTP_SUB_XSUB)
            continue;
        nytp_str frame = {.utf8 = true};
        char *bytes = calls_frame_name(NULL, sub.name, &frame.length);
        frame.bytes = bytes;
        nytp_names_intern(kinds->xsubs, &frame, NULL);
        free(bytes);
    }
}

const char *calls_kinds_suffix(const calls_kinds *kinds, nytp_str frame)
{
    const nytp_str name = nytp_up_to_blank(frame);
    const bool is_made_up = name.length > 0 && (name.bytes[0] == '(' || name.bytes[0] == '[');
    if (nytp_is_eval_frame(frame) || nytp_begin_block_length(name) > 0)
        return "_[i]";
    if (is_made_up || nytp_sub_op(name).length > 0 || nytp_names_find(kinds->xsubs, &name) >= 0)
        return "";
    return "_[j]";
}
