/* Which code has run, by files, from many recordings of Devel::NYTProf::Cover.
 *
 *   recordings.c  reads them: units of all recordings, each once, and what was seen of their points
 *   names.c       which files of two recordings are the same
 *   operands.c    what operators in one another say of their operands
 *   files.c       lines, branches and subs of each file, in the order of the source
 *   comments.c    leaves out what comments in the source excuse
 *
 * The order of the recordings does not matter, nor how many there are, nor a recording that is read twice.
 * Ends the process when memory is exhausted. */
#pragma once

#include "nytprof.h"

#include "format/cover.h"

#include <glib.h>

typedef struct nytp_cover nytp_cover;

nytp_cover *nytp_cover_new(void);
void nytp_cover_free(nytp_cover *cover); /* NULL is fine */

/* The tags of the chunks that it reads. */
uint32_t nytp_cover_tags(void);

/* Adds a chunk of a recording. */
void nytp_cover_add(nytp_cover *cover, const nytp_chunk *chunk);

/* Ends a recording. */
void nytp_cover_end_recording(nytp_cover *cover);

/* Returns NULL, or the first reason why what was read must not be used: a file was changed between two
 * recordings, or a chunk makes no sense. */
const char *nytp_cover_error(const nytp_cover *cover);

/* How many recordings were read, not counting profiles. */
uint32_t nytp_cover_recordings(const nytp_cover *cover);

/* Returns the name of the program, $0, of the recording that was read last; NULL if it says none. */
const char *nytp_cover_program(const nytp_cover *cover);

typedef struct nytp_cover_line {
    uint32_t line;
    bool ran; /* one of its statements */
} nytp_cover_line;

/* An operator whose right operand may not run, or an if, unless, while or until. */
typedef struct nytp_cover_branch {
    uint32_t line;
    enum nytp_cover_op op;
    enum nytp_cover_want want;
    bool has_values;  /* the value of its right operand is seen */
    uint32_t seen;    /* bits of nytp_cover_outcome */
    uint32_t excused; /* the same, of what does not count */
} nytp_cover_branch;

typedef struct nytp_cover_sub {
    nytp_str name;
    uint32_t line;
    bool ran;
} nytp_cover_sub;

typedef struct nytp_cover_count {
    uint64_t seen, all;
} nytp_cover_count;

/* What is counted: both ways of a branch, and, as conditions, both values of a right operand. */
enum nytp_cover_criterion {
    NYTP_COVER_LINES,
    NYTP_COVER_BRANCHES,
    NYTP_COVER_CONDITIONS,
    NYTP_COVER_SUBS,
    NYTP_COVER_CRITERIA
};
extern const char *const nytp_cover_criteria[NYTP_COVER_CRITERIA]; /* "lines", "branches" */

typedef struct nytp_cover_counts {
    nytp_cover_count of[NYTP_COVER_CRITERIA];
} nytp_cover_counts;

void nytp_cover_counts_add(nytp_cover_counts *sum, const nytp_cover_counts *counts);

typedef struct nytp_cover_file {
    const char *name; /* below the directory of the project, or a whole path; of string evals FILE:LINE */
    const char *path; /* where it was */
    uint32_t size, mtime;
    bool is_eval;     /* the string evals of one line of a file */
    GArray *lines;    /* nytp_cover_line, by number */
    GArray *branches; /* nytp_cover_branch, by line */
    GArray *subs;     /* nytp_cover_sub, by line */
    nytp_cover_counts counts;
} nytp_cover_file;

/* How many outcomes of a branch were seen, of those that are not excused. */
nytp_cover_count nytp_cover_branch_count(const nytp_cover_branch *branch);

/* The same of the values of its right operand. */
nytp_cover_count nytp_cover_condition_count(const nytp_cover_branch *branch);

/* Returns the line of that number; NULL if it has no statement. */
const nytp_cover_line *nytp_cover_line_at(const nytp_cover_file *file, uint32_t line);

/* Returns the file of that name, which is no string eval; NULL: there is none. */
const nytp_cover_file *nytp_cover_file_named(nytp_cover *cover, const char *name);

/* The files by name, string evals last. They belong to cover. Nothing may be read after it. */
GPtrArray *nytp_cover_files(nytp_cover *cover);

/* Leaves in the file only what is on the lines of the list, uint32_t in order. */
void nytp_cover_keep_lines(nytp_cover_file *file, const GArray *lines);

/* What is wrong with a comment on a line: "statement" "has run". */
typedef void nytp_cover_say(void *context, const nytp_cover_file *file, uint32_t line, const char *criterion,
                            const char *what);

/* Leaves out what comments of Devel::Cover in the source excuse. */
void nytp_cover_excuse(nytp_cover_file *file, const char *source, nytp_cover_say *tell, void *context);
