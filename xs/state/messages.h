/* Messages to the user. They go to the file of log=, or to standard error as long as the program has not
 * closed it. */
#pragma once

#include "prof.h"

#include <sys/types.h>

typedef struct prof_messages {
    char *log_path;    /* absolute; NULL: standard error */
    bool stderr_known; /* the device and inode of standard error are known */
    bool stderr_lost;  /* the program has closed it, and may open another file on its descriptor */
    dev_t stderr_device;
    ino_t stderr_inode;
} prof_messages;

void prof_messages_free(prof_messages *messages);

/* Sets the file of the messages. path may be NULL. */
void prof_set_log(prof_messages *messages, const char *path);

/* Remembers the device and inode of standard error, or that the program has closed it. */
void prof_note_stderr(pTHX_ prof_messages *messages);

/* Prints a message. Does not use perl's handles, because the program may have tied or closed STDERR. */
void prof_say(const prof_messages *messages, const char *format, ...) __attribute__((format(printf, 2, 3)));
