/* The end of the process, when C code calls exit(), the main thread returns, or the last thread ends. */
#ifndef PROF_EXIT_H
#define PROF_EXIT_H

#include "prof.h"

/* From here on, completes the outputs of the process at its end. Call it once. */
void prof_watch_exit(void);

/* In a forked child: completes the output of the calling thread when that thread ends. If it is not the
 * process's first thread, the process ends with it, unless another thread runs; the writing thread would. */
void prof_watch_thread(prof *p);

/* Call it when the interpreter ends. */
void prof_unwatch_thread(const prof *p);

/* Does not return if another thread is ending the process. */
void prof_stop_if_process_ends(prof *p);

#endif
