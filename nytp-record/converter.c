#include "converter.h"

#include "processes.h"

#include <stddef.h>

#define NAME(constant, name, ...) name,
const char *const record_formats[] = {RECORD_FORMATS(NAME) NULL};

#define CONVERTER(constant, name, ...) {__VA_ARGS__},
const record_converter record_converters[] = {RECORD_FORMATS(CONVERTER)};

bool record_converter_run(enum record_format format, const char *output, int from)
{
    const record_converter *c = &record_converters[format];
    const char *arguments[] = {c->program, "-o", output, "-", c->option, NULL};
    return record_child_run(arguments, from, -1);
}
