/* Other forms than a profile, which our other programs make of it. */
#pragma once

#include <stdbool.h>

/* A row for each format: its constant and name; the program that makes it of a profile, NULL if it is one;
 * the file that is written by default; an option for the program, or NULL; the command that shows the file,
 * in two parts with its name in between. The root is shown, so that samples outside of all subs are there. */
/* clang-format off */
#define RECORD_FORMATS(ROW) \
    ROW(RECORD_PROFILE, "profile", NULL, "nytprof.out", NULL, "nytprofhtml --open ", "") \
    ROW(RECORD_FOLDED, "folded", "nytprofcalls", "nytprof.folded", "--root", "flamegraph.pl ", " >flame.svg") \
    ROW(RECORD_SPEEDSCOPE, "speedscope", "nytp-speedscope", "nytprof.speedscope.json", NULL, "speedscope ", "") \
    ROW(RECORD_PPROF, "pprof", "nytp-pprof", "nytprof.pb.gz", NULL, "go tool pprof -http=: ", "") \
    ROW(RECORD_CALLGRIND, "callgrind", "nytprofcg", "nytprof.callgrind", NULL, "kcachegrind ", "")
/* clang-format on */

#define RECORD_FORMAT_CONSTANT(constant, ...) constant,
enum record_format { RECORD_FORMATS(RECORD_FORMAT_CONSTANT) };

/* Their names, ended by NULL. */
extern const char *const record_formats[];

typedef struct record_converter {
    const char *program, *output, *option, *view_before, *view_after;
} record_converter;

/* By format. */
extern const record_converter record_converters[];

/* Runs the program on the profile that `from` reads, as record_child_run() does. */
bool record_converter_run(enum record_format format, const char *output, int from);
