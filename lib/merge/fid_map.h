/* Several profiles as one: which files and string evals of them are the same.
 *
 * Each input numbers its files with fids of its own. The map gives every file a fid of the merged profile.
 * Two files are the same if their names are. Each run of a string eval is a file of its own, even if its name
 * has come before, because "(eval 7)" is another eval in every process.
 *
 * Evals are of one place if they were executed at the same line of the same file, or of evals that are of one
 * place themselves. The first eval of a place shows the subs of all of them, at the lines where each sub was
 * seen first. So the lines of such a sub move there from the other evals. All other lines of those evals stay
 * where they are, and so does a sub that an eval has at other lines.
 *
 * Example. Line 3 of t.pl, executed twice, is
 *
 *     eval "sub f { work() }\nf(); f()";
 *
 *     input fid  name                merged fid  first of its place
 *             1  t.pl                         1                   1
 *             2  (eval 1)[t.pl:3]             2                   2
 *             3  (eval 2)[t.pl:3]             3                   2
 *
 * Both evals define main::f at line 1. So the merged profile has main::f at line 1 of fid 2 alone. All that
 * the input has at line 1 of its fid 3 (statements, calls, source) moves to line 1 of fid 2; line 2 stays in
 * fid 3. If the second eval defined f at line 5, its f would stay in fid 3, and no line would move. The next
 * process that runs t.pl names its evals 2 and 3 again. They become fids 4 and 5, and their first is fid 2.
 *
 * Anonymous subs stay in their evals, because their names contain the eval's: __ANON__[(eval 2)[t.pl:3]:1].
 *
 * For each input, in this order:
 *
 *   1. nytp_fid_map_begin_input().
 *   2. nytp_fid_map_add() for each NEW_FID. From then on nytp_fid_map_direct() says where files and
 *      first evals are shown, but not yet where other evals are.
 *   3. nytp_sub_map_add() for each SUB_INFO (sub_map.h), which calls nytp_fid_map_move_lines().
 *   4. nytp_fid_map_end_moves(), when all of them were added. From then on nytp_fid_map_place() is right for
 * every line of every file.
 */
#pragma once

#include "nytprof.h"

/* A file of the current input. */
typedef struct nytp_mapped_file {
    uint32_t input_fid;
    uint32_t fid;       /* in the merged profile */
    uint32_t first_fid; /* of the first eval of its place; its own fid for that eval and for a plain file */
    bool is_eval;
    bool has_moved; /* some of its lines are shown in the first eval */
} nytp_mapped_file;

typedef struct nytp_fid_map nytp_fid_map;

nytp_fid_map *nytp_fid_map_new(void);
void nytp_fid_map_free(nytp_fid_map *map); /* NULL is fine */

/* Forgets the fids of the previous input. */
void nytp_fid_map_begin_input(nytp_fid_map *map);

/* Adds a NEW_FID of the input. Returns false if the fid has come before with another name. (The name of an
 * eval may change, because no other input has that eval.) An eval whose parent is not known counts as a plain
 * file. */
bool nytp_fid_map_add(nytp_fid_map *map, const nytp_chunk *new_fid);

/* Returns the file with that fid of the input, or NULL. Valid until the next one is added. */
nytp_mapped_file *nytp_fid_map_find(const nytp_fid_map *map, uint32_t input_fid);

/* Changes the fids of a NEW_FID that was added into those of the merged profile. Returns false if the merged
 * profile has that file already. */
bool nytp_fid_map_translate(nytp_fid_map *map, nytp_chunk *new_fid);

/* Returns an array of merged fids, indexed by those of the input. It has the files that are known to be shown
 * in one file, and 0 for all others. After nytp_fid_map_end_moves() it also has the evals of which no line
 * moved. Valid until the next file is added. */
const uint32_t *nytp_fid_map_direct(const nytp_fid_map *map, size_t *count);

/* Moves lines of an eval to the first eval of its place. */
void nytp_fid_map_move_lines(nytp_fid_map *map, nytp_mapped_file *file, uint32_t first_line,
                             uint32_t last_line);

/* Call it after all moves of the input. */
void nytp_fid_map_end_moves(nytp_fid_map *map);

/* Returns the merged fid of the file where that line of a file of the input is shown. */
uint32_t nytp_fid_map_place(const nytp_fid_map *map, const nytp_mapped_file *file, uint32_t line);

/* Returns how many files the merged profile has. */
uint32_t nytp_fid_map_count(const nytp_fid_map *map);
