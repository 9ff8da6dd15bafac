#include "source_dedup.h"

#include "base/hash.h"
#include "model/records.h"

#include <glib.h>

typedef struct text {
    uint32_t fid, line;
    uint64_t hash; /* of the last text */
} text;

struct merge_source_dedup {
    nytp_records all; /* text */
};

merge_source_dedup *merge_source_dedup_new(void)
{
    merge_source_dedup *dedup = g_new0(merge_source_dedup, 1);
    nytp_records_init(&dedup->all, sizeof(text), offsetof(text, hash));
    return dedup;
}

void merge_source_dedup_free(merge_source_dedup *dedup)
{
    nytp_records_clear(&dedup->all);
    g_free(dedup);
}

bool merge_source_dedup_is_new(merge_source_dedup *dedup, uint32_t fid, uint32_t line, nytp_str s)
{
    bool is_new;
    const text given = {fid, line, nytp_hash_bytes(s.bytes, s.length)};
    text *t = nytp_records_at(&dedup->all, nytp_records_number(&dedup->all, &given, &is_new));
    if (!is_new && t->hash == given.hash)
        return false;
    t->hash = given.hash;
    return true;
}
