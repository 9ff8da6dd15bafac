#include "texts.h"

#include "base/hash.h"
#include "model/records.h"

#include <glib.h>

typedef struct text {
    uint32_t fid, line;
    uint64_t hash; /* of the text given last */
} text;

struct merge_texts {
    nytp_records all; /* text */
};

merge_texts *merge_texts_new(void)
{
    merge_texts *t = g_new0(merge_texts, 1);
    nytp_records_init(&t->all, sizeof(text), offsetof(text, hash));
    return t;
}

void merge_texts_free(merge_texts *texts)
{
    nytp_records_clear(&texts->all);
    g_free(texts);
}

bool merge_texts_is_new(merge_texts *texts, uint32_t fid, uint32_t line, nytp_str s)
{
    bool is_new;
    const text given = {fid, line, nytp_hash_bytes(s.bytes, s.length)};
    text *t = nytp_records_at(&texts->all, nytp_records_number(&texts->all, &given, &is_new));
    if (!is_new && t->hash == given.hash)
        return false;
    t->hash = given.hash;
    return true;
}
