#include "events/read_all.h"

void nytp_events_read_all(nytp_events *events, nytp_reader *reader, void (*end)(void *context), void *context)
{
    do {
        nytp_reader_set_tags(reader, nytp_events_tags(events));
        while (nytp_events_read(events, reader) == NYTP_OK) {
        }
        if (end != NULL)
            end(context);
        nytp_events_end_profile(events);
    } while (nytp_reader_error(reader)->code >= 0 && nytp_reader_next_profile(reader, NULL) == NYTP_OK);
}
