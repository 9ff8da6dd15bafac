/* Perfetto's trace format: one packet after another, each a field of the message Trace.
 *
 * Each process is a sequence of packets. Its first packet sets what the others need not repeat: the track of
 * calls, and a clock of its own, on which the time of an event is the difference to that of the event before.
 */
#include "trace.h"

#include "export/protobuf.h"

#include <glib.h>
#include <string.h>

/* Field numbers of Perfetto's messages. */
enum { TRACE_PACKET = 1 };
enum {
    PACKET_CLOCKS = 6,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_CLOCK = 58,
    PACKET_DEFAULTS = 59, /* a message with fields of a packet */
    PACKET_TRACK = 60
};
enum { CLOCKS_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIMESTAMP = 2, CLOCK_IS_INCREMENTAL = 3 };
enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_THREAD = 4,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8
};
enum { COUNTER_UNIT = 3, COUNT = 2, BYTES = 3 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum {
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK = 11,
    EVENT_NAME = 23,
    EVENT_VALUE = 30,
    EVENT_LOCATION_IID = 34
};
enum { INTERNED_NAME = 2, INTERNED_LOCATION = 4, IID = 1, NAME_TEXT = 2 };
enum { LOCATION_FILE = 2, LOCATION_FUNCTION = 3, LOCATION_LINE = 4 };
enum { ANNOTATION_TEXT = 6, ANNOTATION_NAME = 10 };
enum { BEGINS = 1, ENDS = 2, COUNTS = 4 };    /* event types */
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };  /* sequence flags */
enum { BOOT_CLOCK = 6, SEQUENCE_CLOCK = 64 }; /* the axis, and the first one of a sequence's own */
enum {
    PROCESS_TRACK = 1,
    CALL_TRACK,
    PHASE_TRACK,
    MEMORY_TRACK,
    VALUES_TRACK,
    TRACKS = 8
}; /* of a process */

typedef struct interned {
    uint32_t sequence; /* the last one that has the frame's name */
    bool is_located;   /* has a file and a line */
    bool is_traced;    /* has the ids of a trace */
} interned;

typedef struct perfetto {
    nytp_proto proto;
    nytp_frames *frames;
    interned *interned; /* by frame */
    uint32_t sequence;  /* each process has one: number + 1 */
    int64_t at_ns;      /* of the last event */
    bool has_counters;  /* the process has tracks of memory */
} perfetto;

static void *begin(FILE *out, nytp_frames *frames)
{
    perfetto *p = g_new0(perfetto, 1);
    nytp_proto_init(&p->proto, out);
    p->frames = frames;
    p->interned = g_new0(interned, nytp_frames_count(frames));
    return p;
}

static uint64_t track(const perfetto *p, unsigned which)
{
    return (uint64_t)p->sequence * TRACKS + which;
}

static void end_packet(perfetto *p, size_t packet, unsigned flags)
{
    nytp_proto_number(&p->proto, PACKET_SEQUENCE, p->sequence);
    nytp_proto_number(&p->proto, PACKET_FLAGS, flags);
    nytp_proto_end(&p->proto, packet);
}

static void write_clock(nytp_proto *proto, unsigned id, bool is_incremental)
{
    size_t clock = nytp_proto_begin(proto, CLOCKS_CLOCK);
    nytp_proto_number(proto, CLOCK_ID, id);
    nytp_proto_number_always(proto, CLOCK_TIMESTAMP, 0);
    nytp_proto_number(proto, CLOCK_IS_INCREMENTAL, is_incremental);
    nytp_proto_end(proto, clock);
}

static void begin_sequence(perfetto *p)
{
    nytp_proto *proto = &p->proto;
    size_t packet = nytp_proto_begin(proto, TRACE_PACKET);
    size_t clocks = nytp_proto_begin(proto, PACKET_CLOCKS);
    write_clock(proto, BOOT_CLOCK, false);
    write_clock(proto, SEQUENCE_CLOCK, true);
    nytp_proto_end(proto, clocks);
    size_t defaults = nytp_proto_begin(proto, PACKET_DEFAULTS);
    nytp_proto_number(proto, PACKET_CLOCK, SEQUENCE_CLOCK);
    size_t event = nytp_proto_begin(proto, PACKET_EVENT);
    nytp_proto_number(proto, EVENT_TRACK, track(p, CALL_TRACK));
    nytp_proto_end(proto, event);
    nytp_proto_end(proto, defaults);
    end_packet(p, packet, STATE_CLEARED | NEEDS_STATE);
    p->at_ns = 0;
}

/* A packet that describes a track, between begin_track() and end_track(). */
typedef struct descriptor {
    size_t packet, track;
} descriptor;

static descriptor begin_track(perfetto *p, unsigned which)
{
    descriptor d = {.packet = nytp_proto_begin(&p->proto, TRACE_PACKET)};
    d.track = nytp_proto_begin(&p->proto, PACKET_TRACK);
    nytp_proto_number(&p->proto, TRACK_UUID, track(p, which));
    if (which != PROCESS_TRACK)
        nytp_proto_number(&p->proto, TRACK_PARENT, track(p, PROCESS_TRACK));
    return d;
}

static void end_track(perfetto *p, descriptor d)
{
    nytp_proto_end(&p->proto, d.track);
    end_packet(p, d.packet, NEEDS_STATE);
}

static void write_tracks(perfetto *p, uint32_t pid, nytp_str name)
{
    static const char calls[] = "calls", phases[] = "compile phase";
    nytp_proto *proto = &p->proto;
    descriptor d = begin_track(p, PROCESS_TRACK);
    size_t process = nytp_proto_begin(proto, TRACK_PROCESS);
    nytp_proto_number(proto, PROCESS_PID, pid);
    nytp_proto_bytes(proto, PROCESS_NAME, name.bytes, name.length);
    nytp_proto_end(proto, process);
    end_track(p, d);

    d = begin_track(p, CALL_TRACK);
    size_t thread = nytp_proto_begin(proto, TRACK_THREAD);
    nytp_proto_number(proto, THREAD_PID, pid);
    nytp_proto_number(proto, THREAD_TID, pid);
    nytp_proto_bytes(proto, THREAD_NAME, calls, sizeof calls - 1);
    nytp_proto_end(proto, thread);
    end_track(p, d);

    d = begin_track(p, PHASE_TRACK);
    nytp_proto_bytes(proto, TRACK_NAME, phases, sizeof phases - 1);
    end_track(p, d);
}

static void process(void *writer, uint32_t number, uint32_t pid, nytp_str application)
{
    perfetto *p = writer;
    p->sequence = number + 1;
    p->has_counters = false;
    begin_sequence(p);
    write_tracks(p, pid, application);
}

static void write_counter_track(perfetto *p, unsigned which, const char *name, unsigned unit)
{
    const descriptor d = begin_track(p, which);
    nytp_proto_bytes(&p->proto, TRACK_NAME, name, strlen(name));
    const size_t counter = nytp_proto_begin(&p->proto, TRACK_COUNTER);
    nytp_proto_number(&p->proto, COUNTER_UNIT, unit);
    nytp_proto_end(&p->proto, counter);
    end_track(p, d);
}

/* Begins an event that is not by the clock of the sequence, which passes with its calls. *packet receives
 * what end_packet() needs. Returns what nytp_proto_end() needs. */
static size_t begin_event_at(perfetto *p, unsigned type, uint64_t track_uuid, int64_t at_ns, size_t *packet)
{
    nytp_proto *proto = &p->proto;
    *packet = nytp_proto_begin(proto, TRACE_PACKET);
    nytp_proto_number_always(proto, PACKET_TIMESTAMP, (uint64_t)at_ns);
    nytp_proto_number(proto, PACKET_CLOCK, BOOT_CLOCK);
    const size_t event = nytp_proto_begin(proto, PACKET_EVENT);
    nytp_proto_number(proto, EVENT_TYPE, type);
    nytp_proto_number(proto, EVENT_TRACK, track_uuid);
    return event;
}

static void count(perfetto *p, unsigned which, int64_t at_ns, int64_t value)
{
    size_t packet;
    const size_t event = begin_event_at(p, COUNTS, track(p, which), at_ns, &packet);
    nytp_proto_number_always(&p->proto, EVENT_VALUE, (uint64_t)value);
    nytp_proto_end(&p->proto, event);
    end_packet(p, packet, NEEDS_STATE);
}

static void memory(void *writer, int64_t at_ns, int64_t rss_bytes, int64_t values)
{
    perfetto *p = writer;
    if (!p->has_counters) {
        write_counter_track(p, MEMORY_TRACK, "memory (RSS)", BYTES);
        if (values > 0)
            write_counter_track(p, VALUES_TRACK, "values", COUNT);
    }
    p->has_counters = true;
    count(p, MEMORY_TRACK, at_ns, rss_bytes);
    if (values > 0)
        count(p, VALUES_TRACK, at_ns, values);
}

/* Requests overlap each other, so each has a track. Their uuids are not those of the tracks of processes. */
static uint64_t request_track(uint64_t number)
{
    return (uint64_t)1 << 63 | number;
}

static void write_request_event(perfetto *p, unsigned type, uint64_t number, nytp_str name, int64_t at_ns)
{
    size_t packet;
    const size_t event = begin_event_at(p, type, request_track(number), at_ns, &packet);
    if (type == BEGINS)
        nytp_proto_bytes(&p->proto, EVENT_NAME, name.bytes, name.length);
    nytp_proto_end(&p->proto, event);
    end_packet(p, packet, NEEDS_STATE);
}

/* Viewers show tracks of the same name as one. */
static void request(void *writer, uint64_t number, nytp_str name, int64_t begin_ns, int64_t end_ns)
{
    static const char tracks[] = "requests";
    perfetto *p = writer;
    const size_t packet = nytp_proto_begin(&p->proto, TRACE_PACKET);
    const size_t of = nytp_proto_begin(&p->proto, PACKET_TRACK);
    nytp_proto_number(&p->proto, TRACK_UUID, request_track(number));
    nytp_proto_number(&p->proto, TRACK_PARENT, track(p, PROCESS_TRACK));
    nytp_proto_bytes(&p->proto, TRACK_NAME, tracks, sizeof tracks - 1);
    end_track(p, (descriptor){packet, of});
    write_request_event(p, BEGINS, number, name, begin_ns);
    write_request_event(p, ENDS, number, name, end_ns);
}

/* Adds the frame's name, and where it is, to the packet that uses them first. */
static void intern(perfetto *p, uint32_t number)
{
    nytp_proto *proto = &p->proto;
    const nytp_frame frame = nytp_frames_get(p->frames, number);
    const uint64_t iid = (uint64_t)number + 1;
    p->interned[number] = (interned){p->sequence, frame.file.length > 0, frame.trace.length > 0};
    size_t data = nytp_proto_begin(proto, PACKET_INTERNED), name = nytp_proto_begin(proto, INTERNED_NAME);
    nytp_proto_number(proto, IID, iid);
    nytp_proto_bytes(proto, NAME_TEXT, frame.name.bytes, frame.name.length);
    nytp_proto_end(proto, name);
    if (frame.file.length > 0) {
        size_t location = nytp_proto_begin(proto, INTERNED_LOCATION);
        nytp_proto_number(proto, IID, iid);
        nytp_proto_bytes(proto, LOCATION_FILE, frame.file.bytes, frame.file.length);
        nytp_proto_bytes(proto, LOCATION_FUNCTION, frame.name.bytes, frame.name.length);
        nytp_proto_number(proto, LOCATION_LINE, frame.first_line);
        nytp_proto_end(proto, location);
    }
    nytp_proto_end(proto, data);
}

/* What follows in the packet is the event, until end_event(). */
static size_t begin_event(perfetto *p, unsigned type, int64_t at_ns)
{
    nytp_proto_number_always(&p->proto, PACKET_TIMESTAMP, (uint64_t)(at_ns - p->at_ns));
    p->at_ns = at_ns;
    size_t event = nytp_proto_begin(&p->proto, PACKET_EVENT);
    nytp_proto_number(&p->proto, EVENT_TYPE, type);
    return event;
}

static void end_event(perfetto *p, size_t packet, size_t event)
{
    nytp_proto_end(&p->proto, event);
    end_packet(p, packet, NEEDS_STATE);
}

static void annotate(nytp_proto *proto, const char *name, nytp_str text)
{
    const size_t annotation = nytp_proto_begin(proto, EVENT_ANNOTATION);
    nytp_proto_bytes(proto, ANNOTATION_NAME, name, strlen(name));
    nytp_proto_bytes(proto, ANNOTATION_TEXT, text.bytes, text.length);
    nytp_proto_end(proto, annotation);
}

static void annotate_trace(const perfetto *p, nytp_proto *proto, uint32_t number)
{
    const nytp_frame frame = nytp_frames_get(p->frames, number);
    annotate(proto, "trace_id", frame.trace);
    annotate(proto, "span_id", frame.span);
}

/* It is the innermost call that ends. */
static void call(void *writer, bool begins, uint32_t frame, int64_t at_ns)
{
    perfetto *p = writer;
    size_t packet = nytp_proto_begin(&p->proto, TRACE_PACKET);
    if (begins && p->interned[frame].sequence != p->sequence)
        intern(p, frame);
    size_t event = begin_event(p, begins ? BEGINS : ENDS, at_ns);
    if (begins)
        nytp_proto_number(&p->proto, EVENT_NAME_IID, (uint64_t)frame + 1);
    if (begins && p->interned[frame].is_located)
        nytp_proto_number(&p->proto, EVENT_LOCATION_IID, (uint64_t)frame + 1);
    if (begins && p->interned[frame].is_traced)
        annotate_trace(p, &p->proto, frame);
    end_event(p, packet, event);
}

static void phase(void *writer, bool begins, int64_t at_ns)
{
    static const char name[] = "BEGIN blocks";
    perfetto *p = writer;
    size_t packet = nytp_proto_begin(&p->proto, TRACE_PACKET);
    size_t event = begin_event(p, begins ? BEGINS : ENDS, at_ns);
    nytp_proto_number(&p->proto, EVENT_TRACK, track(p, PHASE_TRACK));
    if (begins)
        nytp_proto_bytes(&p->proto, EVENT_NAME, name, sizeof name - 1);
    end_event(p, packet, event);
}

static void end(void *writer)
{
    perfetto *p = writer;
    nytp_proto_finish(&p->proto);
    g_free(p->interned);
    g_free(p);
}

const trace_format trace_perfetto = {begin, process, memory, request, call, phase, end};
