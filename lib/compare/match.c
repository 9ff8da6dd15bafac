#include "compare/match.h"
#include "model/grow.h"
#include "model/hashes.h"

#include <ctype.h>
#include <string.h>

/* Returns the length of the directories of an absolute path, which ends before a line. */
static size_t directories_length(const char *path)
{
    const size_t length = *path == '/' ? strcspn(path, ":[]") : 0;
    const char *slash = memrchr(path, '/', length);
    return slash != NULL ? (size_t)(slash + 1 - path) : 0;
}

static bool begins_number(const char *begin, const char *at)
{
    return isdigit((unsigned char)*at) && at > begin && strchr(":@.", at[-1]) != NULL;
}

/* Returns the name without directories and with # for lines, or NULL if it has neither. */
static char *group_of(const char *name, bool is_sub)
{
    const char *at = is_sub ? name + strcspn(name, "[@") : name;
    GString *group = g_string_new_len(name, at - name);
    bool path_begins = !is_sub;
    while (*at != '\0') {
        if (path_begins)
            at += directories_length(at);
        path_begins = *at == '[';
        if (begins_number(name, at)) {
            g_string_append_c(group, '#');
            at += strspn(at, "0123456789");
        } else if (*at != '\0') {
            g_string_append_c(group, *at++);
        }
    }
    const bool differs = strcmp(group->str, name) != 0;
    return g_string_free(group, !differs);
}

typedef struct member {
    const char *name;
    uint32_t key;
    uint8_t sides;
} member;

enum { IN_OLD = 1 << NYTP_OLD, IN_NEW = 1 << NYTP_NEW, IN_BOTH = IN_OLD | IN_NEW };

static void add_row(GArray *rows, uint32_t old_key, uint32_t new_key, uint32_t sum)
{
    const nytp_match row = {{old_key, new_key}, sum, NULL};
    g_array_append_val(rows, row);
}

static void add_alone(GArray *rows, uint32_t key, uint8_t sides, uint32_t sum)
{
    add_row(rows, sides & IN_OLD ? key : NYTP_NO_KEY, sides & IN_NEW ? key : NYTP_NO_KEY, sum);
}

/* Numbers in names are compared as numbers. */
static gint by_line(gconstpointer a, gconstpointer b)
{
    return strverscmp(((const member *)a)->name, ((const member *)b)->name);
}

static guint next_in(const GArray *members, guint from, uint8_t side, bool moved)
{
    while (from < members->len) {
        const member *m = &g_array_index(members, member, from);
        if ((m->sides & side) != 0 && (moved || m->sides == side))
            break;
        from++;
    }
    return from;
}

/* Matches in order of lines the members that are in one side only; with `moved`, all. */
static void match_in_order(GArray *rows, const GArray *members, bool moved)
{
    guint old = 0, new = 0;
    while ((old = next_in(members, old, IN_OLD, moved)) < members->len &&
           (new = next_in(members, new, IN_NEW, moved)) < members->len)
        add_row(rows, g_array_index(members, member, old++).key, g_array_index(members, member, new ++).key,
                0);
}

/* Adds a row for each member with those sides. */
static void add_each_alone(GArray *rows, const GArray *members, bool in_both, uint32_t sum)
{
    NYTP_EACH(const member, m, members)
        if ((m->sides == IN_BOTH) == in_both)
            add_alone(rows, m->key, m->sides, sum);
}

/* The rest of a group that is larger in one side: a sum, and after it the parts. */
static void add_rest(GArray *rows, const char *group, const GArray *members)
{
    const nytp_match sum = {{NYTP_NO_KEY, NYTP_NO_KEY}, 0, g_strdup(group)};
    g_array_append_val(rows, sum);
    add_each_alone(rows, members, false, rows->len);
}

static void match_group(GArray *rows, const char *group, GArray *members)
{
    guint count[IN_BOTH + 1] = {0};
    NYTP_EACH(member, m, members)
        count[m->sides]++;
    const bool same_number = count[IN_OLD] == count[IN_NEW];
    const bool all_moved = same_number && count[IN_BOTH] < count[IN_OLD];
    g_array_sort(members, by_line);
    if (!all_moved)
        add_each_alone(rows, members, true, 0);
    if (same_number)
        match_in_order(rows, members, all_moved);
    else if (count[IN_OLD] + count[IN_NEW] > 1)
        add_rest(rows, group, members);
    else
        add_each_alone(rows, members, false, 0);
}

/* Adds the member to its group. Returns false if the name belongs to no group. */
static bool add_to_group(GHashTable *groups, GPtrArray *order, const member *x, bool subs)
{
    char *group = group_of(x->name, subs);
    if (group == NULL)
        return false;
    GArray *members = g_hash_table_lookup(groups, group);
    if (members == NULL) {
        members = NYTP_ARRAY(member);
        g_hash_table_insert(groups, group, members);
        g_ptr_array_add(order, group);
    } else {
        g_free(group);
    }
    g_array_append_vals(members, x, 1);
    return true;
}

static void clear_row(gpointer row)
{
    g_free(((nytp_match *)row)->sum_name);
}

GArray *nytp_match_names(const nytp_names *names, const uint8_t *sides, bool subs)
{
    GArray *rows = NYTP_ARRAY(nytp_match);
    g_autoptr(GStringChunk) texts = g_string_chunk_new(4096);
    g_autoptr(GHashTable) groups =
        g_hash_table_new_full(nytp_hash_of_text, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
    g_autoptr(GPtrArray) order = g_ptr_array_new();
    g_array_set_clear_func(rows, clear_row);
    for (uint32_t key = 0; key < nytp_names_count(names); key++) {
        const nytp_str name = nytp_names_get(names, key);
        const member x = {g_string_chunk_insert_len(texts, name.bytes, (gssize)name.length), key, sides[key]};
        if (x.sides != 0 && !add_to_group(groups, order, &x, subs))
            add_alone(rows, key, x.sides, 0);
    }
    for (guint i = 0; i < order->len; i++)
        match_group(rows, g_ptr_array_index(order, i), g_hash_table_lookup(groups, order->pdata[i]));
    return rows;
}

typedef struct lists {
    nytp_names *names;
    uint8_t *sides;              /* by name */
    uint32_t *index[NYTP_SIDES]; /* by name */
} lists;

static void add_list(lists *l, const nytp_str *list, uint32_t count, enum nytp_side side)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t key = nytp_names_intern(l->names, &list[i], NULL);
        l->sides[key] |= (uint8_t)(1 << side);
        l->index[side][key] = i;
    }
}

uint32_t *nytp_match_lists(const nytp_str *old, uint32_t old_count, const nytp_str *new, uint32_t new_count)
{
    const size_t most = (size_t)old_count + new_count + 1;
    lists l = {nytp_names_new(), g_new0(uint8_t, most), {g_new(uint32_t, most), g_new(uint32_t, most)}};
    uint32_t *new_of = g_new(uint32_t, old_count + 1);
    memset(new_of, 0xFF, old_count * sizeof *new_of); /* NYTP_NO_KEY */
    add_list(&l, old, old_count, NYTP_OLD);
    add_list(&l, new, new_count, NYTP_NEW);
    g_autoptr(GArray) matches = nytp_match_names(l.names, l.sides, true);
    NYTP_EACH(const nytp_match, match, matches) {
        const uint32_t *key = match->key;
        if (key[NYTP_OLD] != NYTP_NO_KEY && key[NYTP_NEW] != NYTP_NO_KEY)
            new_of[l.index[NYTP_OLD][key[NYTP_OLD]]] = l.index[NYTP_NEW][key[NYTP_NEW]];
    }
    nytp_names_free(l.names);
    g_free(l.sides);
    g_free(l.index[NYTP_OLD]);
    g_free(l.index[NYTP_NEW]);
    return new_of;
}
