/* The files of the merged profile, and which of them the fids of an input mean.
 *
 * Files are the same if their names are. Each string eval is a file of its own. But evals of one place (the
 * same line of the same file, or of evals that are of one place themselves) have a first one, in which subs
 * of the others may be shown: see folds.h.
 */
#ifndef MERGE_FILES_H
#define MERGE_FILES_H

#include "nytprof.h"

/* What a fid of the input at hand is in the merged profile. */
typedef struct merge_file {
    uint32_t input_fid;
    uint32_t fid;
    uint32_t first; /* fid of the first eval of its place; its own fid if it is that, or no eval */
    bool is_eval;
    bool has_moved; /* lines of it are shown in the first */
} merge_file;

typedef struct merge_files merge_files;

merge_files *merge_files_new(void);
void merge_files_free(merge_files *files);

/* From here on fids are those of another input. */
void merge_files_begin_input(merge_files *files);

/* Takes a NEW_FID of the input. One of a fid that is known must have the same name again; false: it has not.
 * (But an eval's name may change, as no other input has it; the last one counts.) */
bool merge_files_learn(merge_files *files, const nytp_chunk *new_fid);

/* Valid until the next one is learned. NULL: the input has not named it. */
merge_file *merge_files_find(const merge_files *files, uint32_t fid);

/* Changes the fids of a NEW_FID that was learned into those of the merged profile. False: the merged profile
 * has that file already. */
bool merge_files_translate(merge_files *files, nytp_chunk *new_fid);

/* Fids of the merged profile by those of the input, for files that are shown whole in one place; 0 for
 * others. Of evals that are not the first of their places it is known from settle() on whether they are: if
 * none of their lines was moved. Valid until the next file is learned. */
const uint32_t *merge_files_plain(const merge_files *files, size_t *count);
void merge_files_settle(merge_files *files);

/* move() is for before settle(): those lines of an eval are shown in the first eval of its place. has_moved()
 * is for after it: whether that was said of a line of a file whose has_moved is true. */
void merge_files_move(merge_files *files, merge_file *file, uint32_t first_line, uint32_t last_line);
bool merge_files_has_moved(const merge_files *files, const merge_file *file, uint32_t line);

/* Files of the merged profile so far. */
uint32_t merge_files_count(const merge_files *files);

#endif
