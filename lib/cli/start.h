/* What every program does first. */
#ifndef NYTP_CLI_START_H
#define NYTP_CLI_START_H

/* Keeps the program's name for messages, also for those of getopt. Opens /dev/null in the place of a closed
 * standard descriptor, so that no file gets its number. Lets a broken pipe end the program quietly, whatever
 * the parent did to SIGPIPE. Bounds the program's memory (limit.h). */
void nytp_start(const char *name, char **argv);

#endif
