/* The end of the process, when C code calls exit() or the main thread returns. */
#ifndef PROF_EXIT_H
#define PROF_EXIT_H

#include "prof.h"

/* From here on, completes the outputs of the process at its end. Call it once. */
void prof_watch_exit(void);

/* Does not return if another thread is ending the process. */
void prof_stop_if_process_ends(prof *p);

#endif
