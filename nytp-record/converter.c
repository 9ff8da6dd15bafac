#include "converter.h"

#include "child.h"

#include <glib.h>

const char *const record_formats[] = {"profile", "folded", "speedscope", "pprof", "callgrind", NULL};

/* The root is shown, so that the samples outside of all subs are there; nytprofcalls does so only if asked.
 */
static const struct {
    const char *program, *output, *option;
} converters[] = {
    [RECORD_PROFILE] = {NULL, "nytprof.out", NULL},
    [RECORD_FOLDED] = {"nytprofcalls", "nytprof.folded", "--root"},
    [RECORD_SPEEDSCOPE] = {"nytp-speedscope", "nytprof.speedscope.json", NULL},
    [RECORD_PPROF] = {"nytp-pprof", "nytprof.pb.gz", NULL},
    [RECORD_CALLGRIND] = {"nytprofcg", "nytprof.callgrind", NULL},
};

const char *record_converter_default(enum record_format format)
{
    return converters[format].output;
}

const char *record_converter_name(enum record_format format)
{
    return converters[format].program;
}

const char *record_converter_option(enum record_format format)
{
    return converters[format].option;
}

char *record_converter_find(enum record_format format)
{
    return record_child_find(converters[format].program);
}

bool record_converter_run(enum record_format format, const char *output, int from)
{
    const char *arguments[] = {converters[format].program, "-o", output, "-",
                               converters[format].option,  NULL};
    return record_child_run(arguments, from, -1);
}
