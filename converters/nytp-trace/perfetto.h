/* Perfetto's trace format. */
#pragma once

#include "format.h"

extern const trace_format trace_perfetto;
