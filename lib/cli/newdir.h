/* A directory for results: if they cannot be written, nothing is left of it. */
#pragma once

/* Creates a directory and those above it, unless they are there. Returns 0 and sets *made to the outermost
 * one that is new, which the caller must g_free(), or to NULL; -1 with errno, and nothing is left. */
int nytp_newdir_make(const char *path, char **made);

/* Removes the new directories of nytp_newdir_make() that are empty. made may be NULL. */
void nytp_newdir_undo(const char *path, const char *made);
