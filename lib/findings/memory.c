#include "findings/finder.h"

#include "base/order.h"
#include "export/amount.h"
#include "model/grow.h"
#include "model/measure.h"

enum { MOST_NAMED = 3 /* files */ };

static const char *const room_kind = "room for values";

static double bytes_of_kind(const nytp_kinds *kinds, const char *name)
{
    const GArray *files = nytp_kinds_by_file(kinds);
    const int64_t kind = nytp_kinds_find(kinds, name);
    double sum = 0;
    NYTP_EACH(const nytp_kind_sum, one, files)
        if (one->kind == kind)
            sum += one->bytes;
    return sum;
}

static gint most_bytes_first(gconstpointer x, gconstpointer y)
{
    const nytp_kind_sum *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(b->bytes, a->bytes), NYTP_ORDER(a->owner, b->owner));
}

/* Returns what files have of a kind, that with most first. */
static GArray *files_of_kind(const nytp_kinds *kinds, int64_t kind)
{
    const GArray *files = nytp_kinds_by_file(kinds);
    GArray *found = NYTP_ARRAY(nytp_kind_sum);
    NYTP_EACH(const nytp_kind_sum, sum, files) {
        const nytp_kind_sum one = *sum;
        if (one.kind == kind && one.bytes > 0)
            g_array_append_val(found, one);
    }
    g_array_sort(found, most_bytes_first);
    return found;
}

static void find_compiled_code(nytp_finder *f, const nytp_kinds *kinds, double bytes)
{
    g_autoptr(GArray) files = files_of_kind(kinds, nytp_kinds_find(kinds, "code"));
    g_autoptr(GString) named = g_string_new(NULL);
    const guint shown = MIN(files->len, MOST_NAMED);
    for (guint i = 0; i < shown; i++) {
        const nytp_kind_sum *one = &g_array_index(files, nytp_kind_sum, i);
        g_autofree char *name = nytp_found_file(f, one->owner);
        g_string_append_printf(named, "%s%s (%s)",
                               i == 0          ? ""
                               : i + 1 < shown ? ", "
                                               : " and ",
                               name, nytp_amount_measured(&f->measure, one->bytes).text);
    }
    nytp_find(f, NYTP_FOUND_COMPILED_CODE, bytes,
              (nytp_found_place){.subject = "compiled code", .sub = UINT32_MAX},
              files->len > shown ? "of %s, the largest of %s" : "of %s: %s",
              nytp_amount_of(files->len, "file").text, named->str);
}

/* What a sub has, of which code may not count. */
typedef struct holder {
    double bytes, most_bytes;
    uint64_t blocks;
    uint32_t kind; /* that has most_bytes */
} holder;

static void find_holder(nytp_finder *f, const nytp_kinds *kinds, uint32_t number, const holder *h)
{
    const double least_share = 0.2;
    nytp_sub sub;
    if (h->bytes <= least_share * f->whole_ticks || !nytp_profile_sub(f->profile, number, &sub))
        return;
    g_autofree char *name =
        nytp_sub_is_root(&sub) ? g_strdup("code outside of subs") : nytp_found_name(f, sub.name);
    g_autofree char *kind = nytp_name_clean(nytp_kinds_name(kinds, h->kind));
    const nytp_range *range = nytp_sub_main_range(&sub);
    const nytp_found_place place = {g_string_chunk_insert(f->subjects, name), number,
                                    range != NULL ? range->fid : 0, range != NULL ? range->first_line : 0};
    nytp_find(f, NYTP_FOUND_HOLDER, h->bytes, place, "has %s, the largest part %s",
              nytp_amount_of((double)h->blocks, "block").text, kind);
}

/* Sums are sorted by sub. What is in arenas is not of the sub that needed the next one, and room is nobody's.
 */
static void find_holders(nytp_finder *f, const nytp_kinds *kinds, const GArray *sums, bool with_code)
{
    const int64_t code = nytp_kinds_find(kinds, "code"), heads = nytp_kinds_find(kinds, "value heads"),
                  bodies = nytp_kinds_find(kinds, "value bodies"), room = nytp_kinds_find(kinds, room_kind);
    for (guint i = 0; i < sums->len;) {
        const uint32_t sub = g_array_index(sums, nytp_kind_sum, i).owner;
        holder h = {0};
        for (; i < sums->len && g_array_index(sums, nytp_kind_sum, i).owner == sub; i++) {
            const nytp_kind_sum *sum = &g_array_index(sums, nytp_kind_sum, i);
            if ((sum->kind == code && !with_code) || sum->kind == heads || sum->kind == bodies ||
                sum->kind == room)
                continue;
            h.bytes += sum->bytes;
            h.blocks += sum->blocks;
            if (sum->bytes > h.most_bytes)
                h.most_bytes = sum->bytes, h.kind = sum->kind;
        }
        find_holder(f, kinds, sub, &h);
    }
}

/* Returns the type that most values have, but for one; -1 leaves none out. */
static int largest_but(const double values[NYTP_VALUE_TYPE_COUNT], int left_out)
{
    int largest = left_out == 0;
    for (int type = largest + 1; type < NYTP_VALUES_OF_free; type++)
        if (type != left_out && values[type] > values[largest])
            largest = type;
    return largest;
}

/* Returns which types the live values have most, and how much room there is for more: "; of 612,000 values,
 * 300,000 are references and 200,000 strings; 35 % of their heads are free". Empty if the profile does not
 * say. */
static char *values_in_words(const nytp_profile *profile)
{
    const double percent = 100;
    nytp_memory_about about = {0};
    double sum = 0;
    for (size_t i = 0; i < nytp_profile_setting_count(profile); i++) {
        const nytp_setting *s = nytp_profile_setting(profile, i);
        nytp_memory_about_note(&about, s->key, s->value);
    }
    for (int type = 0; type < NYTP_VALUES_OF_free; type++)
        sum += about.values[type];
    const double free_heads = about.values[NYTP_VALUES_OF_free];
    g_autofree char *room = free_heads > 0 ? g_strdup_printf("; %.0f %% of their heads are free",
                                                             percent * free_heads / (sum + free_heads))
                                           : g_strdup("");
    const int first = largest_but(about.values, -1), second = largest_but(about.values, first);
    return sum > 0
               ? g_strdup_printf("; of %s, %s are %s and %s %s%s", nytp_amount_of(sum, "value").text,
                                 nytp_amount_count(about.values[first]).text, nytp_value_types[first],
                                 nytp_amount_count(about.values[second]).text, nytp_value_types[second], room)
               : g_strdup("");
}

/* Arenas of which it is known who keeps them have only room left that is nobody's. */
static void find_arenas(nytp_finder *f, const nytp_kinds *kinds)
{
    const double least = 0.4, room = bytes_of_kind(kinds, room_kind);
    const double bytes =
        room > 0 ? room : bytes_of_kind(kinds, "value heads") + bytes_of_kind(kinds, "value bodies");
    if (bytes <= least * f->whole_ticks)
        return;
    g_autofree char *values = values_in_words(f->profile);
    nytp_find(
        f, NYTP_FOUND_ARENAS, bytes,
        (nytp_found_place){.subject = room > 0 ? room_kind : "value heads and bodies", .sub = UINT32_MAX},
        room > 0 ? "is in arenas, which perl keeps for more of them%s"
                 : "are in arenas, each of the sub that needed the next one, not of the sub that holds the "
                   "values%s",
        values);
}

void nytp_find_in_memory(nytp_finder *f, const nytp_kinds *kinds, const GArray *sums)
{
    const double least_code = 0.3, code = bytes_of_kind(kinds, "code");
    const bool is_much_code = code > least_code * f->whole_ticks;
    if (is_much_code)
        find_compiled_code(f, kinds, code);
    find_holders(f, kinds, sums, !is_much_code);
    find_arenas(f, kinds);
}
