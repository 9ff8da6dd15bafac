/* A reading that is only for sinks, before that of a program. */
#pragma once

#include "events/events.h"

/* Reads all profiles of the reader. Calls end, which may be NULL, at the end of each. What is wrong with one
 * ends the reading; reading it again reports it. */
void nytp_events_read_all(nytp_events *events, nytp_reader *reader, void (*end)(void *context),
                          void *context);
