/* Chrome's trace events, one on each line. */
#ifndef TRACE_JSON_H
#define TRACE_JSON_H

#include "format.h"

extern const trace_format trace_json;

#endif
