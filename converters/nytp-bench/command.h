/* The command line of nytp-bench. */
#pragma once

#include "options.h"

/* Returns -1 to go on, or the exit status. The caller must call bench_command_clear() in any case. */
int bench_command_parse(bench_options *options, int argc, char **argv);
void bench_command_clear(bench_options *options);

/* Whether --bisect is among the options, also if others of them are wrong. */
bool bench_command_bisects(int argc, char **argv);
