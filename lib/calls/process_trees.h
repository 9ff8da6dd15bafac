/* The calls of profiles by process, as a call tree for each. */
#pragma once

#include "calls/process_calls.h"

enum nytp_process_trees_of {
    NYTP_TREES_OF_FRAMES,      /* by their shown names */
    NYTP_TREES_OF_LINED_FRAMES /* of frames and the lines where they were called; see nytp_lined_frame_of() */
};

/* With shows_root, main::RUNTIME is the root of all stacks, as after nytp_calltree_show_root(). Trees of
 * samples always have that root: each sample has a stack. reads_waited: for
 * nytp_process_trees_find_waiting(). */
nytp_process_calls *nytp_process_trees_new(bool keep_evals, enum nytp_process_trees_of of, bool shows_root,
                                           bool reads_waited);

/* Has the trees read statements, whose time is needed for nytp_process_trees_prune() by a share and for
 * roots. To be called before reading. */
void nytp_process_trees_read_whole(nytp_process_calls *trees);

/* Returns the tree of a process, in ns, by its index, or NULL if nothing of it was read. */
nytp_calltree *nytp_process_tree(const nytp_process_calls *trees, size_t process);

/* Makes a tree of waiting (waiting_tree.h) for each process. To be called after reading, before the trees are
 * pruned, which prunes those of waiting, too. */
void nytp_process_trees_find_waiting(nytp_process_calls *trees);

/* Returns the tree of waiting of a process, or NULL if nothing of it waited. */
nytp_calltree *nytp_process_waiting_tree(const nytp_process_calls *trees, size_t process);

/* Folds stacks with less than that share of the time of all processes (model/whole.h), and calls deeper than
 * max_depth (0: no limit), into their callers. Returns how many levels were deeper than max_depth. */
uint32_t nytp_process_trees_prune(nytp_process_calls *trees, double min_percent, uint32_t max_depth);

/* What a node of a lined tree stands for: a frame, and the line where it was called, in the file of its
 * caller; 0: not known (recorded with calls=1). */
typedef struct nytp_lined_frame {
    uint32_t frame, line;
} nytp_lined_frame;
nytp_lined_frame nytp_lined_frame_of(const nytp_process_calls *trees, size_t process, const nytp_call *call);
