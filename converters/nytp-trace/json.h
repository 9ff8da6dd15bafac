/* Chrome's trace events, one on each line. */
#pragma once

#include "format.h"

extern const trace_format trace_json;
