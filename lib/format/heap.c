#include "format/heap.h"

static bool take_number(nytp_str *left, uint64_t *value)
{
    enum { MORE = 1 << NYTP_HEAP_BITS, MOST_BITS = 64 };
    *value = 0;
    for (unsigned bits = 0; left->length > 0 && bits < MOST_BITS; bits += NYTP_HEAP_BITS) {
        const unsigned digit = (unsigned)(unsigned char)*left->bytes - NYTP_HEAP_ZERO;
        if (digit >= 2 * MORE)
            return false;
        left->bytes++;
        left->length--;
        *value |= (uint64_t)(digit & (MORE - 1)) << bits;
        if (digit < MORE)
            return true;
    }
    return false;
}

static bool take_text(nytp_str *left, uint64_t tagged, nytp_str *text)
{
    *text = (nytp_str){left->bytes, (size_t)(tagged >> 1), (tagged & 1) != 0};
    if (text->length > left->length)
        return false;
    left->bytes += text->length;
    left->length -= text->length;
    return true;
}

bool nytp_heap_take(nytp_str *left, nytp_heap_fields *f)
{
    static const uint8_t more[] = {[NYTP_HEAP_ALLOC] = 3,  [NYTP_HEAP_FREE] = 1, [NYTP_HEAP_OTHERS] = 6,
                                   [NYTP_HEAP_NODE] = 3,   [NYTP_HEAP_SITE] = 3, [NYTP_HEAP_TOTALS] = 1,
                                   [NYTP_HEAP_HOLDER] = 1, [NYTP_HEAP_HELD] = 1, [NYTP_HEAP_SPARSER] = 0};
    uint64_t tagged;
    if (!take_number(left, &tagged))
        return false;
    const unsigned kind = (unsigned)tagged & ((1U << NYTP_HEAP_RECORD_BITS) - 1);
    if (kind >= sizeof more)
        return false;
    *f = (nytp_heap_fields){.kind = (nytp_heap_record)kind, .first = tagged >> NYTP_HEAP_RECORD_BITS};
    for (int i = 0; i < more[kind]; i++)
        if (!take_number(left, &f->more[i]))
            return false;
    return kind != NYTP_HEAP_NAME || take_text(left, f->first, &f->text);
}
