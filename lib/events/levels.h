/* What is known of calls, by their depth: of open ones, or of those that have returned and wait for the
 * return of their caller. In a damaged profile a call may return at any depth, so there is a level only where
 * something is known, and none that is deeper than the last event.
 */
#pragma once

#include "format/runs.h"

#include "model/grow.h"

#include <glib.h>
#include <stdint.h>
#include <string.h>

/* Where the open calls were made, going by SUB_ENTRY and SUB_RETURN. Depths are the stream's own, so an entry
 * or a return that is missing does no harm to the calls around it. */

typedef struct nytp_open_places {
    GArray *places; /* nytp_place, by depth */
    guint depth;    /* how many calls are open */
} nytp_open_places;

static inline nytp_open_places nytp_open_places_new(void)
{
    return (nytp_open_places){.places = NYTP_ARRAY(nytp_place)};
}

static inline void nytp_open_places_free(nytp_open_places *open)
{
    g_array_free(open->places, TRUE);
}

static inline void nytp_open_places_enter(nytp_open_places *open, nytp_place place)
{
    enum { MOST_DEPTH = 1 << 22 }; /* only damaged profiles have more calls open */
    if (open->depth >= MOST_DEPTH)
        return;
    if (open->depth >= open->places->len)
        g_array_set_size(open->places, open->depth + 1);
    g_array_index(open->places, nytp_place, open->depth++) = place;
}

/* Returns where the call that returns at depth was made; fid and line are 0 if no entry has said it. */
static inline nytp_place nytp_open_places_leave(nytp_open_places *open, uint32_t depth)
{
    const bool is_known = depth > 0 && depth <= open->depth;
    open->depth = depth > 0 ? MIN(open->depth, depth - 1) : 0;
    return is_known ? g_array_index(open->places, nytp_place, depth - 1) : (nytp_place){0, 0};
}

/* Each level is a struct that begins with its depth, a uint32_t. */
typedef struct nytp_levels {
    char *all;  /* sorted by depth */
    void *last; /* the deepest one; NULL if there is none */
    size_t size;
    guint count, capacity;
    void (*clear)(void *level);
} nytp_levels;

/* size: that of the struct. clear frees its members; NULL if it has none to free. The caller must call
 * nytp_levels_free(). */
static inline nytp_levels nytp_levels_new(size_t size, void (*clear)(void *level))
{
    return (nytp_levels){.size = size, .clear = clear};
}

/* Returns a level, counted from 0, the outermost first. */
static inline void *nytp_levels_nth(const nytp_levels *levels, guint n)
{
    return levels->all + n * levels->size;
}

/* Returns the deepest level, or NULL if there is none. */
static inline void *nytp_levels_last(const nytp_levels *levels)
{
    return levels->last;
}

/* Returns the deepest level if it is deeper than depth, otherwise NULL. */
static inline void *nytp_levels_below(const nytp_levels *levels, uint32_t depth)
{
    void *last = nytp_levels_last(levels);
    return last != NULL && *(const uint32_t *)last > depth ? last : NULL;
}

/* The members of the level must have been freed, or are another's now. */
static inline void nytp_levels_remove_last(nytp_levels *levels)
{
    levels->count--;
    levels->last = levels->count > 0 ? (char *)levels->last - levels->size : NULL;
}

static inline void nytp_levels_forget_last(nytp_levels *levels)
{
    if (levels->clear != NULL)
        levels->clear(nytp_levels_last(levels));
    nytp_levels_remove_last(levels);
}

static inline void nytp_levels_empty(nytp_levels *levels)
{
    while (levels->count > 0)
        nytp_levels_forget_last(levels);
}

static inline void nytp_levels_free(nytp_levels *levels)
{
    nytp_levels_empty(levels);
    g_free(levels->all);
}

/* Removes the levels that are deeper than depth. */
static inline void nytp_levels_cut(nytp_levels *levels, uint32_t depth)
{
    while (nytp_levels_below(levels, depth) != NULL)
        nytp_levels_forget_last(levels);
}

/* Returns the level of the calls that a call of that depth has made, and removes those that are deeper; NULL
 * if it is not there. */
static inline void *nytp_levels_callees(nytp_levels *levels, uint32_t depth)
{
    void *l;
    while ((l = nytp_levels_below(levels, depth)) != NULL && *(const uint32_t *)l - depth > 1)
        nytp_levels_forget_last(levels);
    return l;
}

/* A call of that depth returns: moves that level to *callees, if it is there, and removes it. size: that of
 * the struct. */
static inline void nytp_levels_leave(nytp_levels *levels, uint32_t depth, void *callees, size_t size)
{
    const void *left = nytp_levels_callees(levels, depth);
    if (left == NULL)
        return;
    memcpy(callees, left, size);
    nytp_levels_remove_last(levels);
}

/* Use nytp_levels_at(). */
static inline void *nytp_levels_add(nytp_levels *levels, uint32_t depth)
{
    if (levels->count == levels->capacity) {
        levels->capacity = MAX(2 * levels->capacity, 16);
        levels->all = g_realloc_n(levels->all, levels->capacity, levels->size);
    }
    levels->last = memset(nytp_levels_nth(levels, levels->count++), 0, levels->size);
    *(uint32_t *)levels->last = depth;
    return levels->last;
}

/* Returns the level at that depth, of which nothing but its depth is set if it is new. Those that are deeper
 * stay. It is valid until a level is added. */
static inline void *nytp_levels_among(nytp_levels *levels, uint32_t depth)
{
    guint n = levels->count;
    while (n > 0 && *(const uint32_t *)nytp_levels_nth(levels, n - 1) > depth)
        n--;
    if (n > 0 && *(const uint32_t *)nytp_levels_nth(levels, n - 1) == depth)
        return nytp_levels_nth(levels, n - 1);
    nytp_levels_add(levels, depth);
    char *at = nytp_levels_nth(levels, n);
    memmove(at + levels->size, at, (levels->count - 1 - n) * levels->size);
    memset(at, 0, levels->size);
    *(uint32_t *)(void *)at = depth;
    return at;
}

/* Returns the level at that depth, of which nothing but its depth is set if it is new. There must be none
 * that is deeper. It is valid until a level is added. */
static inline void *nytp_levels_at(nytp_levels *levels, uint32_t depth)
{
    void *last = nytp_levels_last(levels);
    return last != NULL && *(const uint32_t *)last == depth ? last : nytp_levels_add(levels, depth);
}
