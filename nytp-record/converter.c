#include "converter.h"

#include "child.h"

#include <stddef.h>

const char *const record_formats[] = {"profile", "folded", "speedscope", "pprof", "callgrind", NULL};

/* The root is shown, so that the samples outside of all subs are there; nytprofcalls does so only if asked.
 */
const record_converter record_converters[] = {
    [RECORD_PROFILE] = {NULL, "nytprof.out", NULL},
    [RECORD_FOLDED] = {"nytprofcalls", "nytprof.folded", "--root"},
    [RECORD_SPEEDSCOPE] = {"nytp-speedscope", "nytprof.speedscope.json", NULL},
    [RECORD_PPROF] = {"nytp-pprof", "nytprof.pb.gz", NULL},
    [RECORD_CALLGRIND] = {"nytprofcg", "nytprof.callgrind", NULL},
};

bool record_converter_run(enum record_format format, const char *output, int from)
{
    const record_converter *c = &record_converters[format];
    const char *arguments[] = {c->program, "-o", output, "-", c->option, NULL};
    return record_child_run(arguments, from, -1);
}
