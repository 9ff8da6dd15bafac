#include "events/timed_subs.h"

#include "base/labels.h"
#include "events/filter.h"
#include "model/eval_name.h"

static uint8_t kind_by_name(nytp_str name)
{
    return nytp_sub_op(name).length > 0 ? NYTP_NO_STATEMENTS
           : nytp_is_eval_frame(name)   ? NYTP_HAS_THOSE_OF_CALLER
                                        : NYTP_STATEMENTS_UNKNOWN;
}

nytp_timed_subs nytp_timed_subs_new(void)
{
    return (nytp_timed_subs){nytp_name_bytes_new(kind_by_name), g_array_new(FALSE, TRUE, sizeof(uint32_t))};
}

void nytp_timed_subs_clear(nytp_timed_subs *subs)
{
    nytp_name_bytes_clear(&subs->kinds);
    g_array_free(subs->numbers, TRUE);
}

static void set(const nytp_timed_subs *subs, const nytp_str *name, enum nytp_own_statements kind)
{
    const uint32_t number = nytp_name_bytes_number(&subs->kinds, name);
    *nytp_name_byte(&subs->kinds, number) = (uint8_t)kind;
}

void nytp_timed_subs_add(const nytp_timed_subs *subs, const nytp_chunk *chunk)
{
    if (chunk->tag == NYTP_SUB_INFO)
        set(subs, &chunk->sub_info.name,
            chunk->sub_info.first_line > 0 ? NYTP_HAS_STATEMENTS : NYTP_NO_STATEMENTS);
    else if (nytp_is_xsub_mark(chunk))
        set(subs, &chunk->sub_callers.called, NYTP_NO_STATEMENTS);
}

void nytp_timed_subs_forget(const nytp_timed_subs *subs)
{
    nytp_name_bytes_reset(&subs->kinds);
}

enum nytp_own_statements nytp_timed_subs_get(const nytp_timed_subs *subs, const nytp_names *names,
                                             uint32_t number)
{
    if (number >= subs->numbers->len)
        g_array_set_size(subs->numbers, number + 1);
    uint32_t *known = &g_array_index(subs->numbers, uint32_t, number);
    if (*known == 0) {
        const nytp_str name = nytp_names_get(names, number);
        *known = nytp_name_bytes_number(&subs->kinds, &name) + 1;
    }
    return (enum nytp_own_statements) * nytp_name_byte(&subs->kinds, *known - 1);
}
