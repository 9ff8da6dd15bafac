/* Which line of an old text is which line of a new one. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define NYTP_NO_LINE UINT32_MAX

/* Aligns two texts, given as the hashes of their lines. Returns by index of an old line the index of the new
 * one, in ascending order, or NYTP_NO_LINE if the line is gone. The caller must g_free() it.
 *
 * Lines that occur once in both texts are anchors; between two anchors the same is done again (patience
 * diff). Where as many lines were taken away as were put in their place, they are the same lines, edited. */
uint32_t *nytp_align(const uint64_t *old, uint32_t old_count, const uint64_t *new, uint32_t new_count);
