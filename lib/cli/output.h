/* Output that appears complete or not at all. */
#pragma once

#include "export/table.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Where an output goes. A directory may belong to somebody else than the user, who may be root. So links and
 * FIFOs of others are refused: they lead where their owner wants. Those of root are trusted, as root may
 * write everything. */

/* Returns what the links that begin at path lead to, which need not exist. The caller must free() it. Does
 * not follow links in /dev and /proc: what they lead to is written to as it is. Returns NULL if a link is
 * refused, and sets *why. */
char *nytp_destination_follow(const char *path, const char **why);

/* Returns whether path is written to as it is: a device, a FIFO, or an open file such as /dev/stdout. Other
 * files are replaced. */
bool nytp_destination_is_in_place(const char *path);

/* Opens what is written to as it is. Waits for the reader of a FIFO. Names of open files, such as /dev/fd/3,
 * become duplicates of their descriptors, so that those who share a file go on where the others are. Returns
 * the descriptor, or -1 and sets *why. */
int nytp_destination_open(const char *path, const char **why);

/* Returns whether path could be written or replaced, as far as can be told before. If not, sets *why. */
bool nytp_destination_is_writable(const char *path, const char **why);

/* Returns whether path is a regular file, and not a link, whose first 4,096 bytes contain text. */
bool nytp_file_mentions(const char *path, const char *text);

/* Returns whether a name has a number, a level of stock's reports and then this suffix at its end, such as
 * "Foo-pm-12-line.csv". */
bool nytp_is_level_name(const char *name, const char *suffix);

/* Returns the paths of what is in a directory, sorted, without hidden names, and with those alone that begin
 * with the prefix, for g_ptr_array_unref(). What cannot be read has nothing. */
GPtrArray *nytp_directory_list(const char *path, const char *prefix);

/* The temporary file or directory that becomes the output when it is complete. There can be one of each at a
 * time. A signal that ends the program removes both. */

/* Creates a file for writing, in the directory of path. Its name is hidden, because KCachegrind loads all
 * files whose names begin like the one it opens. Returns a descriptor, and sets *name, which the caller frees
 * after nytp_tempfile_release(); or returns -1 with errno set. */
int nytp_tempfile_create(const char *path, char **name);

/* Call it when the file was renamed or removed: signals no longer remove it. */
void nytp_tempfile_release(void);

/* Removes the file and the directory, if there are any. A signal handler may call it. Only a release, or the
 * end of the program, may follow. */
void nytp_tempfile_remove(void);

/* Returns the mode that a new file or directory has: `most` without the bits of the process's umask. */
mode_t nytp_new_mode(mode_t most);

/* Creates a directory with a hidden name in the directory of path. Returns its name, which the caller must
 * free() after releasing it, or NULL with errno set. */
char *nytp_tempdir_create(const char *path);

/* Creates the file `number` in it, for writing; numbers count from 0. Returns NULL with errno set if it
 * fails. */
FILE *nytp_tempdir_file(unsigned number);

/* Removes the directory and its files, if there is one. A release must follow. */
void nytp_tempdir_remove(void);

/* Call it when the directory was renamed or removed: signals no longer remove it. */
void nytp_tempdir_release(void);

/* A directory of files that appear together or not at all.
 *
 *     nytp_outdir *dir = nytp_outdir_open("nytprof");
 *     FILE *out = dir != NULL ? nytp_outdir_file(dir, "subs.csv") : NULL;
 *     ... more files
 *     if (out != NULL)
 *         rc = nytp_outdir_commit(dir);
 */

typedef struct nytp_outdir nytp_outdir;

/* Creates a temporary directory: in path if that is a directory, otherwise beside it. A signal that ends the
 * program removes it. There can be one at a time. Returns NULL after saying why it failed. */
nytp_outdir *nytp_outdir_open(const char *path);

/* Begins the file of that name, and completes the one before. The stream is valid until the next call.
 * Returns NULL after saying why it failed; then only nytp_outdir_discard() may follow. */
FILE *nytp_outdir_file(nytp_outdir *dir, const char *name);

/* Closes the last file, so that all of them are written. Returns 0, or -1 after saying why it failed. Commit
 * does this, too. */
int nytp_outdir_complete(nytp_outdir *dir);

/* Both free dir. Commit: a new directory appears with all of its files; in an existing one the files replace
 * those of the same names, and others stay. Returns 0, or -1 after saying why it failed. In that case no file
 * was changed, unless the system refused to rename some of them. */
int nytp_outdir_commit(nytp_outdir *dir);
void nytp_outdir_discard(nytp_outdir *dir);

/* Creates a directory and those above it, unless they are there. Returns 0 and sets *made to the outermost
 * one that is new, which the caller must g_free(), or to NULL; -1 with errno, and nothing is left. */
int nytp_newdir_make(const char *path, char **made);

/* Removes the new directories of nytp_newdir_make() that are empty. made may be NULL. */
void nytp_newdir_undo(const char *path, const char *made);

typedef struct nytp_output nytp_output;

/* Opens standard output if path is "-" or NULL. Otherwise creates a temporary file in the directory of path,
 * which replaces path when it is committed; a signal that ends the program removes it. There can be one
 * output at a time. Returns NULL after saying why it failed. */
nytp_output *nytp_output_open(const char *path);

/* Returns whether the input is the file that an output to path would replace. If so, says so; the message
 * calls the input `name`. */
bool nytp_output_refuses(const char *path, const char *name, const struct stat *input);

/* For binary output: returns whether path is standard output and that is a terminal, and says so. */
bool nytp_output_refuses_terminal(const char *path);

/* Returns the stream to write to. It belongs to output. */
FILE *nytp_output_stream(nytp_output *output);

/* Returns the stream for text, whose lines fit what shows the output. */
FILE *nytp_output_text(nytp_output *output, const nytp_look *look);

/* Compresses the output from here on, as one gzip member. Ask for the stream afterwards. Returns 0, or -1
 * after saying why. */
int nytp_output_compress(nytp_output *output);

/* Says once that the output is large when it has more than most_mb million bytes, and gives the advice, which
 * must stay valid. Not for compressed output. Ask for the stream afterwards. Returns 0, or -1 after saying
 * why. */
int nytp_output_warn_above(nytp_output *output, uint32_t most_mb, const char *advice);

/* The last words where standard error is a terminal: which file was written, its size, and what comes next.
 * path is that of -o; of standard output there is nothing to say. */
void nytp_say_written(const char *path, const char *next);

/* Returns the exit status of a program that is done, and says so, or has failed and said why. */
int nytp_exit_written(bool done, const char *path, const char *next);

/* Both free output. Commit returns 0, or -1 after saying why it failed; path is then as it was before. */
int nytp_output_commit(nytp_output *output);
void nytp_output_discard(nytp_output *output);

/* For results that pass through an unnamed file: commits if error_number is 0. Otherwise says what went wrong
 * with that file, discards, and returns -1. */
int nytp_output_end(nytp_output *output, int error_number);

/* For results that were printed to standard output: flushes it. Returns the exit status, after a message if
 * any of it was lost. */
int nytp_flush_stdout(void);

/* When there are colours: if a terminal has them, always, never; the words of --color. */
enum nytp_color { NYTP_COLOR_AUTO, NYTP_COLOR_ALWAYS, NYTP_COLOR_NEVER };
extern const char *const nytp_color_words[];

/* Returns what shows an output: a terminal, if path, that of -o, is NULL or "-" and standard output is one.
 */
nytp_look nytp_look_of(const char *path, enum nytp_color color);
