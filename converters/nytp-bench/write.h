/* The result, for people and for programs. */
#pragma once

#include "verdict.h"

#include <stdio.h>

/* where: what changed, as nytp-diff says it, or NULL. */
void bench_write_text(const bench_verdict *verdict, const bench_pairs *pairs, const bench_options *options,
                      const char *where, FILE *out);
void bench_write_json(const bench_verdict *verdict, const bench_pairs *pairs, const bench_options *options,
                      FILE *out);
