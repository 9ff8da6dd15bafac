/* What every program does first. */
#pragma once

/* Sets the program's name for messages. Opens /dev/null in place of closed standard descriptors, so that no
 * other file gets their numbers. Restores the default action of SIGPIPE, so that a broken pipe ends the
 * program without a message. Limits the program's memory (limit.h). */
void nytp_start(const char *name, char **argv);
