/* What signals ask for. */
#pragma once

#include <stdbool.h>

/* From here on SIGINT, SIGTERM and SIGHUP ask for the end, SIGUSR1 for a complete file. */
void record_signals_begin(void);

bool record_signals_end_wanted(void);
bool record_signals_take_conclude(void);   /* whether SIGUSR1 came since the last time */
bool record_signals_was_interrupted(void); /* the same for SIGINT */
