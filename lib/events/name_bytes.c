#include "events/name_bytes.h"

nytp_name_bytes nytp_name_bytes_new(nytp_byte_of_name *first)
{
    return (nytp_name_bytes){nytp_names_new(), g_byte_array_new(), first};
}

void nytp_name_bytes_clear(nytp_name_bytes *all)
{
    nytp_names_free(all->names);
    g_byte_array_free(all->bytes, TRUE);
}

void nytp_name_bytes_begin(const nytp_name_bytes *all, const nytp_str *name)
{
    const guint8 first = all->first(*name);
    g_byte_array_append(all->bytes, &first, 1);
}

void nytp_name_bytes_reset(const nytp_name_bytes *all)
{
    for (guint i = 0; i < all->bytes->len; i++)
        all->bytes->data[i] = all->first(nytp_names_get(all->names, i));
}
