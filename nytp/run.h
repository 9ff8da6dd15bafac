/* nytp run: a script under the profiler, its children too, and the report. */
#pragma once

/* Takes the arguments from "run" on. Returns the exit status. */
int verb_run(int argc, char **argv);
