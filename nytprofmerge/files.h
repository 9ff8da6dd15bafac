/* The files of the merged profile, and which of them an input's fids are.
 *
 * A file is known by its name. A string eval is another one each time; but the evals of one place (the
 * same line of the same file, or of evals of one place) have a first one, which the others' subs are shown
 * in: see folds.h.
 */
#ifndef MERGE_FILES_H
#define MERGE_FILES_H

#include "nytprof.h"

/* What a fid of the input at hand is in the merged profile. */
typedef struct merge_file {
    uint32_t input_fid;
    uint32_t fid;
    uint32_t first; /* fid of the first eval at its place; its own: it is that, or no eval */
    bool is_eval;
    bool has_moved; /* some of its lines are shown in the first */
} merge_file;

typedef struct merge_files merge_files;

merge_files *merge_files_new(void);
void merge_files_free(merge_files *files);

/* The fids that come are those of another input. */
void merge_files_begin_input(merge_files *files);

/* Takes a NEW_FID; a second time it is the same file again. False: that had another name. (An eval may have:
 * it is in no other input, and its last name counts.) */
bool merge_files_learn(merge_files *files, const nytp_chunk *new_fid);

/* Valid until the next one is learned. NULL: the input has not named it. */
merge_file *merge_files_find(const merge_files *files, uint32_t fid);

/* Makes the NEW_FID one of the merged profile. False: that has it already. */
bool merge_files_translate(merge_files *files, nytp_chunk *new_fid);

/* By the input's fid that of the merged profile, for those whose every line is shown there; else 0. An eval
 * that is not the first at its place is such a file from settle() on, if none of its lines was moved. Valid
 * until the next file is learned. */
const uint32_t *merge_files_plain(const merge_files *files, size_t *count);
void merge_files_settle(merge_files *files);

/* Before settle(): the lines of an eval's sub are shown in the first eval of the place. After it: whether
 * that holds for a line of a file that has_moved. */
void merge_files_move(merge_files *files, merge_file *file, uint32_t first_line, uint32_t last_line);
bool merge_files_has_moved(const merge_files *files, const merge_file *file, uint32_t line);

/* Fids given so far. */
uint32_t merge_files_count(const merge_files *files);

#endif
