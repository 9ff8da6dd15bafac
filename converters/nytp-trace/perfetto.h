/* Perfetto's trace format. */
#ifndef TRACE_PERFETTO_H
#define TRACE_PERFETTO_H

#include "format.h"

extern const trace_format trace_perfetto;

#endif
