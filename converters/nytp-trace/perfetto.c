/* Perfetto's trace format: one packet after another, each a field of the message Trace. */
#include "model/protobuf.h"
#include "trace.h"

#include <string.h>

/* Field numbers of Perfetto's messages. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_TRACK = 60
};
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { EVENT_TYPE = 9, EVENT_NAME_IID = 10, EVENT_TRACK = 11, EVENT_NAME = 23, EVENT_LOCATION_IID = 34 };
enum { INTERNED_NAME = 2, INTERNED_LOCATION = 4, IID = 1, NAME_TEXT = 2 };
enum { LOCATION_FILE = 2, LOCATION_FUNCTION = 3, LOCATION_LINE = 4 };
enum { BEGINS = 1, ENDS = 2 };                                   /* event types */
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };                     /* sequence flags */
enum { PROCESS_TRACK = 1, CALL_TRACK, PHASE_TRACK, TRACKS = 4 }; /* of each process */

typedef struct perfetto {
    FILE *out;
    nytp_frames *frames;
    uint32_t sequence; /* each process has one: number + 1 */
    bool first;        /* packet of the sequence */
    GByteArray *packet, *message, *inner;
    GHashTable *interned; /* frames whose names the sequence has */
} perfetto;

static void *begin(FILE *out, nytp_frames *frames)
{
    perfetto *p = g_new0(perfetto, 1);
    *p = (perfetto){.out = out,
                    .frames = frames,
                    .packet = g_byte_array_new(),
                    .message = g_byte_array_new(),
                    .inner = g_byte_array_new(),
                    .interned = g_hash_table_new(NULL, NULL)};
    return p;
}

static uint64_t track(const perfetto *p, unsigned which)
{
    return (uint64_t)p->sequence * TRACKS + which;
}

static void write_packet(perfetto *p)
{
    nytp_proto_number(p->packet, PACKET_SEQUENCE, p->sequence);
    nytp_proto_number(p->packet, PACKET_FLAGS, p->first ? STATE_CLEARED | NEEDS_STATE : NEEDS_STATE);
    nytp_proto_write(p->out, TRACE_PACKET, p->packet);
    g_byte_array_set_size(p->packet, 0);
    p->first = false;
}

/* ---- tracks ---- */

static void begin_track(perfetto *p, unsigned which)
{
    g_byte_array_set_size(p->message, 0);
    g_byte_array_set_size(p->inner, 0);
    nytp_proto_number(p->message, TRACK_UUID, track(p, which));
}

static void write_track(perfetto *p)
{
    nytp_proto_message(p->packet, PACKET_TRACK, p->message);
    write_packet(p);
}

static void process(void *writer, uint32_t number, const nytp_process_of_calls *calls)
{
    static const char thread_name[] = "calls", phase_name[] = "compile phase";
    perfetto *p = writer;
    const uint32_t pid = calls->process.pid != 0 ? calls->process.pid : number + 1;
    p->sequence = number + 1;
    p->first = true;
    g_hash_table_remove_all(p->interned);
    begin_track(p, PROCESS_TRACK);
    nytp_proto_number(p->inner, PROCESS_PID, pid);
    nytp_proto_bytes(p->inner, PROCESS_NAME, calls->application.bytes, calls->application.length);
    nytp_proto_message(p->message, TRACK_PROCESS, p->inner);
    write_track(p);
    begin_track(p, CALL_TRACK);
    nytp_proto_number(p->inner, THREAD_PID, pid);
    nytp_proto_number(p->inner, THREAD_TID, pid);
    nytp_proto_bytes(p->inner, THREAD_NAME, thread_name, sizeof thread_name - 1);
    nytp_proto_number(p->message, TRACK_PARENT, track(p, PROCESS_TRACK));
    nytp_proto_message(p->message, TRACK_THREAD, p->inner);
    write_track(p);
    begin_track(p, PHASE_TRACK);
    nytp_proto_number(p->message, TRACK_PARENT, track(p, PROCESS_TRACK));
    nytp_proto_bytes(p->message, TRACK_NAME, phase_name, sizeof phase_name - 1);
    write_track(p);
}

/* ---- names ---- */

/* Adds the frame's name, and where it is, to the packet that uses them first. */
static void intern(perfetto *p, uint32_t number)
{
    nytp_frame frame = nytp_frames_get(p->frames, number);
    g_byte_array_set_size(p->message, 0);
    g_byte_array_set_size(p->inner, 0);
    nytp_proto_number(p->inner, IID, (uint64_t)number + 1);
    nytp_proto_bytes(p->inner, NAME_TEXT, frame.name.bytes, frame.name.length);
    nytp_proto_message(p->message, INTERNED_NAME, p->inner);
    if (frame.file.length > 0) {
        g_byte_array_set_size(p->inner, 0);
        nytp_proto_number(p->inner, IID, (uint64_t)number + 1);
        nytp_proto_bytes(p->inner, LOCATION_FILE, frame.file.bytes, frame.file.length);
        nytp_proto_bytes(p->inner, LOCATION_FUNCTION, frame.name.bytes, frame.name.length);
        nytp_proto_number(p->inner, LOCATION_LINE, frame.first_line);
        nytp_proto_message(p->message, INTERNED_LOCATION, p->inner);
    }
    nytp_proto_message(p->packet, PACKET_INTERNED, p->message);
}

/* ---- events ---- */

static void begin_event(perfetto *p, unsigned type, unsigned which, int64_t at_ns)
{
    nytp_proto_number_always(p->packet, PACKET_TIMESTAMP, (uint64_t)at_ns);
    g_byte_array_set_size(p->message, 0);
    nytp_proto_number(p->message, EVENT_TYPE, type);
    nytp_proto_number(p->message, EVENT_TRACK, track(p, which));
}

static void write_event(perfetto *p)
{
    nytp_proto_message(p->packet, PACKET_EVENT, p->message);
    write_packet(p);
}

static void enter(void *writer, uint32_t frame, int64_t at_ns)
{
    perfetto *p = writer;
    if (g_hash_table_add(p->interned, GUINT_TO_POINTER(frame + 1)))
        intern(p, frame);
    begin_event(p, BEGINS, CALL_TRACK, at_ns);
    nytp_proto_number(p->message, EVENT_NAME_IID, (uint64_t)frame + 1);
    if (nytp_frames_get(p->frames, frame).file.length > 0)
        nytp_proto_number(p->message, EVENT_LOCATION_IID, (uint64_t)frame + 1);
    write_event(p);
}

static void leave(void *writer, uint32_t frame, int64_t at_ns)
{
    (void)frame; /* the innermost call ends */
    begin_event(writer, ENDS, CALL_TRACK, at_ns);
    write_event(writer);
}

static void begin_phase(void *writer, int64_t at_ns)
{
    static const char name[] = "BEGIN blocks";
    perfetto *p = writer;
    begin_event(p, BEGINS, PHASE_TRACK, at_ns);
    nytp_proto_bytes(p->message, EVENT_NAME, name, sizeof name - 1);
    write_event(p);
}

static void end_phase(void *writer, int64_t at_ns)
{
    begin_event(writer, ENDS, PHASE_TRACK, at_ns);
    write_event(writer);
}

static void end(void *writer)
{
    perfetto *p = writer;
    g_byte_array_unref(p->packet);
    g_byte_array_unref(p->message);
    g_byte_array_unref(p->inner);
    g_hash_table_destroy(p->interned);
    g_free(p);
}

const trace_format trace_perfetto = {begin, process, enter, leave, begin_phase, end_phase, end};
