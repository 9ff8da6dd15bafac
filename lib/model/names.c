#include "model/names.h"

#include "base/hash.h"
#include "base/str.h"

#include <glib.h>
#include <string.h>

typedef struct entry {
    uint32_t hash;
    uint32_t at;          /* in bytes */
    uint32_t length : 31; /* a string of the stream is shorter */
    uint32_t utf8 : 1;
} entry;

/* A name that was asked for lately, if its length is the usual: its words, which may overlap, are all of it.
 * Programs repeat themselves, so most names are found here, by comparing no more than these. */
enum {
    RECENT_NAMES = 256,
    WORD = sizeof(uint64_t),
    TWO_WORDS = 2 * WORD,
    SHORTEST = WORD,
    LONGEST = 4 * WORD
};
typedef struct recent_name {
    uint64_t words[4];
    uint32_t length; /* 0: there is none */
    uint32_t number;
} recent_name;

/* There may be millions of names, so arrays grow by a quarter and do not double. */
struct nytp_names {
    entry *entries;
    char *bytes; /* all names, one behind the other */
    size_t count, room, bytes_used, bytes_room;
    uint32_t *slots;   /* number + 1, 0: free; linear probing */
    size_t slots_mask; /* their number, a power of two, less one */
    recent_name recent[RECENT_NAMES];
};

nytp_names *nytp_names_new(void)
{
    enum { FIRST_SLOTS = 256 };
    nytp_names *names = g_new0(nytp_names, 1);
    names->slots = g_new0(uint32_t, FIRST_SLOTS);
    names->slots_mask = FIRST_SLOTS - 1;
    return names;
}

void nytp_names_free(nytp_names *names)
{
    if (names == NULL)
        return;
    g_free(names->entries);
    g_free(names->bytes);
    g_free(names->slots);
    g_free(names);
}

static inline entry *entry_at(const nytp_names *names, uint32_t number)
{
    return &names->entries[number];
}

static void grow_slots(nytp_names *names)
{
    size_t count = (names->slots_mask + 1) * 2;
    g_free(names->slots);
    names->slots = g_new0(uint32_t, count);
    names->slots_mask = count - 1;
    for (uint32_t n = 0; n < names->count; n++) {
        size_t i = entry_at(names, n)->hash & names->slots_mask;
        while (names->slots[i] != 0)
            i = (i + 1) & names->slots_mask;
        names->slots[i] = n + 1;
    }
}

static void make_room(nytp_names *names, size_t length)
{
    enum { FIRST_BYTES = 4096 };
    if (names->count == names->room) {
        names->room += names->room / 4 + 64;
        names->entries = g_renew(entry, names->entries, names->room);
    }
    if (names->bytes_used + length > UINT32_MAX)
        g_error("more than 4 GiB of names");
    if (names->bytes_used + length >= names->bytes_room) { /* for an empty first name, too */
        names->bytes_room += names->bytes_room / 4 + length + FIRST_BYTES;
        names->bytes = g_realloc(names->bytes, names->bytes_room);
    }
}

static uint32_t add_at(nytp_names *names, size_t slot, const nytp_str *name, uint32_t hash)
{
    make_room(names, name->length);
    names->entries[names->count] =
        (entry){hash, (uint32_t)names->bytes_used, (uint32_t)name->length & INT32_MAX, name->utf8};
    if (name->length > 0)
        memcpy(names->bytes + names->bytes_used, name->bytes, name->length);
    names->bytes_used += name->length;
    names->slots[slot] = (uint32_t)++names->count;
    if (names->count > names->slots_mask - names->slots_mask / 4)
        grow_slots(names);
    return (uint32_t)names->count - 1;
}

static inline bool has_bytes(const nytp_names *names, const entry *e, const nytp_str *name)
{
    return e->length == name->length &&
           (e->length == 0 || memcmp(names->bytes + e->at, name->bytes, e->length) == 0);
}

static uint32_t look_up(nytp_names *names, const nytp_str *name)
{
    uint32_t hash = (uint32_t)nytp_hash_bytes(name->bytes, name->length);
    size_t i = hash & names->slots_mask;
    for (; names->slots[i] != 0; i = (i + 1) & names->slots_mask) {
        const entry *e = entry_at(names, names->slots[i] - 1);
        if (e->hash == hash && has_bytes(names, e, name))
            return names->slots[i] - 1;
    }
    return add_at(names, i, name, hash);
}

static inline void get_words(const nytp_str *name, uint64_t words[4])
{
    const char *bytes = name->bytes, *end = bytes + name->length;
    bool is_long = name->length >= TWO_WORDS;
    words[0] = nytp_load64(bytes);
    words[1] = nytp_load64(is_long ? bytes + WORD : bytes);
    words[2] = nytp_load64(is_long ? end - TWO_WORDS : bytes);
    words[3] = nytp_load64(end - WORD);
}

/* Kept out of the way of the names that are recent. The name becomes *recent, unless that is NULL. */
static __attribute__((noinline)) uint32_t intern_other(nytp_names *names, const nytp_str *name, bool *added,
                                                       recent_name *recent)
{
    const size_t count = names->count;
    uint32_t number = look_up(names, name);
    if (added != NULL)
        *added = number == count;
    if (recent != NULL) {
        get_words(name, recent->words);
        recent->length = (uint32_t)name->length;
        recent->number = number;
    }
    return number;
}

uint32_t nytp_names_intern(nytp_names *names, const nytp_str *name, bool *added)
{
    if (name->length < SHORTEST || name->length > LONGEST)
        return intern_other(names, name, added, NULL);
    uint64_t words[4];
    get_words(name, words);
    uint64_t hash = (words[2] * 5 + words[3]) * UINT64_C(0x9E3779B97F4A7C15);
    recent_name *recent = &names->recent[(hash >> 32) % RECENT_NAMES];
    if (recent->length != name->length ||
        ((recent->words[0] ^ words[0]) | (recent->words[1] ^ words[1]) | (recent->words[2] ^ words[2]) |
         (recent->words[3] ^ words[3])) != 0)
        return intern_other(names, name, added, recent);
    if (added != NULL)
        *added = false;
    return recent->number;
}

nytp_str nytp_names_get(const nytp_names *names, uint32_t number)
{
    const entry *e = entry_at(names, number);
    return (nytp_str){names->bytes + e->at, e->length, e->utf8};
}

uint32_t nytp_names_count(const nytp_names *names)
{
    return (uint32_t)names->count;
}

static gint compare_names(gconstpointer a, gconstpointer b, gpointer context)
{
    const nytp_names *names = context;
    return nytp_str_order(nytp_names_get(names, *(const uint32_t *)a),
                          nytp_names_get(names, *(const uint32_t *)b));
}

uint32_t *nytp_names_ranks(const nytp_names *names)
{
    uint32_t count = nytp_names_count(names);
    uint32_t *sorted = g_new(uint32_t, count), *ranks = g_new(uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = i;
    g_qsort_with_data(sorted, (gint)count, sizeof *sorted, compare_names, (gpointer)names);
    for (uint32_t i = 0; i < count; i++)
        ranks[sorted[i]] = i;
    g_free(sorted);
    return ranks;
}

bool nytp_name_is_utf8(nytp_str name)
{
    if (name.length == 0) /* bytes may be NULL */
        return true;
    for (const char *at = name.bytes, *end = at + name.length; at < end; at++) /* on to behind a NUL */
        if (!g_utf8_validate_len(at, (gsize)(end - at), &at) && *at != '\0')
            return false;
    return true;
}

/* ---- names as shown ---- */

/* UTF-8 as it is, other bytes as the Latin-1 that they are to perl. */
static GString *as_utf8(nytp_str s)
{
    GString *out = g_string_sized_new(s.length + 1);
    if (nytp_name_is_utf8(s))
        return g_string_append_len(out, s.bytes, (gssize)s.length);
    for (size_t i = 0; i < s.length; i++)
        g_string_append_unichar(out, (unsigned char)s.bytes[i]);
    return out;
}

static void append_escape(GString *out, unsigned char c)
{
    switch (c) {
    case '\0': g_string_append(out, "\\0"); break;
    case '\n': g_string_append(out, "\\n"); break;
    case '\r': g_string_append(out, "\\r"); break;
    case '\t': g_string_append(out, "\\t"); break;
    default: g_string_append_printf(out, "\\x%02x", c); break;
    }
}

const char *nytp_name_not_in_xml(const char *at, const char *end)
{
    if (end - at < NYTP_NOT_IN_XML || at[0] != '\xEF' || at[1] != '\xBF')
        return NULL;
    return at[2] == '\xBE' ? "\\x{fffe}" : at[2] == '\xBF' ? "\\x{ffff}" : NULL;
}

char *nytp_name_clean(nytp_str name)
{
    GString *in = as_utf8(name), *out = g_string_sized_new(in->len + 1);
    for (size_t i = 0; i < in->len; i++) {
        unsigned char c = (unsigned char)in->str[i];
        bool at_end = i == 0 || i + 1 == in->len;
        const char *instead = nytp_name_not_in_xml(in->str + i, in->str + in->len);
        if (instead != NULL) {
            g_string_append(out, instead);
            i += NYTP_NOT_IN_XML - 1;
        } else if (c < ' ' || c == 0x7F || (c == ' ' && at_end)) {
            append_escape(out, c);
        } else {
            g_string_append_c(out, (char)c);
        }
    }
    g_string_free(in, TRUE);
    return g_string_free(out, FALSE);
}

char *nytp_name_reserve(GHashTable *taken, char *name)
{
    char *unique = g_strdup(name);
    for (unsigned n = 2; g_hash_table_contains(taken, unique); n++) {
        g_free(unique);
        unique = g_strdup_printf("%s (%u)", name, n);
    }
    g_free(name);
    g_hash_table_add(taken, unique);
    return unique;
}
