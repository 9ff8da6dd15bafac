/* What is known of calls, by their depth: of open ones, or of those that have returned and wait for the
 * return of their caller. In a damaged profile a call may return at any depth, so there is a level only where
 * something is known, and none that is deeper than the last event.
 */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <string.h>

/* Each level is a struct that begins with its depth, a uint32_t. */
typedef struct nytp_levels {
    char *all; /* sorted by depth */
    size_t size;
    guint count, capacity;
} nytp_levels;

/* size: that of the struct. The caller must call nytp_levels_free(). */
static inline nytp_levels nytp_levels_new(size_t size)
{
    return (nytp_levels){.size = size};
}

static inline void nytp_levels_free(nytp_levels *levels)
{
    g_free(levels->all);
}

/* Returns a level, counted from 0, the outermost first. */
static inline void *nytp_levels_nth(const nytp_levels *levels, guint n)
{
    return levels->all + n * levels->size;
}

/* Returns the deepest level, or NULL if there is none. */
static inline void *nytp_levels_last(const nytp_levels *levels)
{
    return levels->count > 0 ? nytp_levels_nth(levels, levels->count - 1) : NULL;
}

/* Returns the deepest level if it is deeper than depth, otherwise NULL. */
static inline void *nytp_levels_below(const nytp_levels *levels, uint32_t depth)
{
    void *last = nytp_levels_last(levels);
    return last != NULL && *(const uint32_t *)last > depth ? last : NULL;
}

static inline void nytp_levels_remove_last(nytp_levels *levels)
{
    levels->count--;
}

/* Returns the level at that depth, of which nothing but its depth is set if it is new. There must be none
 * that is deeper. It is valid until a level is added. */
static inline void *nytp_levels_at(nytp_levels *levels, uint32_t depth)
{
    void *last = nytp_levels_last(levels);
    if (last != NULL && *(const uint32_t *)last == depth)
        return last;
    if (levels->count == levels->capacity) {
        levels->capacity = MAX(2 * levels->capacity, 16);
        levels->all = g_realloc_n(levels->all, levels->capacity, levels->size);
    }
    levels->count++;
    last = memset(nytp_levels_last(levels), 0, levels->size);
    *(uint32_t *)last = depth;
    return last;
}
