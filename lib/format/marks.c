#include "format/marks.h"

#include "base/str.h"
#include "base/ticks.h"

#include <math.h>
#include <stdio.h>

/* Numbers and ids; longer values make no sense. */
enum { LONGEST = 96 };

typedef struct mark_kind {
    nytp_str key;
    unsigned most_numbers;
    enum nytp_mark_number numbers[NYTP_MARK_MOST_NUMBERS];
    bool has_words, is_of_moment;
} mark_kind;

static const mark_kind kinds[] = {
#define ONE(type, name)  +1
#define TYPE(type, name) NYTP_MARK_##type,
#define ROW(name, key, has_words, is_of_moment)                                                              \
    [NYTP_MARK_##name] = {{#key, sizeof #key - 1, false},                                                    \
                          0 NYTP_MARK_NUMBERS_##key(ONE),                                                    \
                          {NYTP_MARK_NUMBERS_##key(TYPE)},                                                   \
                          has_words,                                                                         \
                          is_of_moment},
    NYTP_MARKS(ROW)
#undef ROW
#undef TYPE
#undef ONE
};

enum nytp_mark_kind nytp_mark_kind(const nytp_chunk *chunk)
{
    for (size_t i = NYTP_NO_MARK + 1; chunk->tag == NYTP_ATTRIBUTE && i < sizeof kinds / sizeof *kinds; i++)
        if (nytp_str_same(chunk->attribute.key, kinds[i].key))
            return (enum nytp_mark_kind)i;
    return NYTP_NO_MARK;
}

enum nytp_mark_number nytp_mark_number(enum nytp_mark_kind kind, unsigned number)
{
    return kinds[kind].numbers[number];
}

bool nytp_mark_is_same(const nytp_mark *a, const nytp_mark *b)
{
    bool is_same = a->count == b->count;
    for (unsigned i = 0; is_same && i < a->count; i++)
        is_same = a->numbers[i] == b->numbers[i];
    return is_same;
}

bool nytp_mark_is_of_moment(enum nytp_mark_kind kind)
{
    return kinds[kind].is_of_moment;
}

/* Depths, fids and lines have 32 bits in the stream. */
static bool makes_sense(double number, enum nytp_mark_number what)
{
    switch (what) {
    case NYTP_MARK_CHANGE: return nytp_is_ticks(number) && number == floor(number);
    case NYTP_MARK_NUMBER:
    case NYTP_MARK_TICKS: return number >= 0 && nytp_is_ticks(number);
    case NYTP_MARK_DEPTH:
    case NYTP_MARK_OPEN:
    case NYTP_MARK_FID:
    case NYTP_MARK_LINE: return number >= 0 && number < INT32_MAX && number == floor(number);
    }
    return false;
}

bool nytp_mark_read(const nytp_chunk *chunk, nytp_mark *mark)
{
    const nytp_str value = chunk->attribute.value;
    char copy[LONGEST] = "", *at = copy, *end;
    *mark = (nytp_mark){.kind = nytp_mark_kind(chunk)};
    const mark_kind *kind = &kinds[mark->kind];
    if (mark->kind == NYTP_NO_MARK || (value.length >= sizeof copy && !kind->has_words))
        return false;
    if (value.length > 0)
        memcpy(copy, value.bytes, value.length < sizeof copy ? value.length : sizeof copy - 1);
    for (; mark->count < kind->most_numbers; mark->count++, at = end) {
        const double number = strtod(at, &end);
        if (end == at)
            break;
        mark->numbers[mark->count] = number;
        if (!makes_sense(number, kind->numbers[mark->count]))
            return false;
    }
    const size_t used = (size_t)(at - copy);
    mark->words = (nytp_str){value.bytes + used, value.length - used, value.utf8};
    return mark->count > 0 && (kind->has_words || mark->words.length == 0);
}

static size_t write_number(char *at, size_t size, double number)
{
    const bool is_whole = number == floor(number);
    return (size_t)snprintf(at, size, is_whole ? "%.0f" : "%.15g", number);
}

void nytp_mark_write(const nytp_mark *mark, nytp_mark_text *text)
{
    enum { LONGEST_NUMBER = 24 };
    _Static_assert((size_t)NYTP_MARK_MOST_NUMBERS * LONGEST_NUMBER < sizeof text->text, "numbers and blanks fit in");
    size_t length = 0;
    for (unsigned i = 0; i < mark->count; i++) {
        if (i > 0)
            text->text[length++] = ' ';
        length += write_number(text->text + length, LONGEST_NUMBER, mark->numbers[i]);
    }
    const size_t left = sizeof text->text - length;
    const size_t words = mark->words.length < left ? mark->words.length : 0;
    if (words > 0)
        memcpy(text->text + length, mark->words.bytes, words);
    text->chunk =
        (nytp_chunk){.tag = NYTP_ATTRIBUTE,
                     .attribute = {kinds[mark->kind].key, {text->text, length + words, mark->words.utf8}}};
}
