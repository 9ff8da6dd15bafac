#include "model/waits.h"

#include "base/labels.h"
#include "base/str.h"
#include "model/measure.h"
#include "model/profile.h"

#include <stddef.h>
#include <stdlib.h>

/* idles: it waits until there is something to do, as a server does for clients, and a parent for its
 * children. The others may do that, too, but also wait for what the program has asked for. Both lists are
 * sorted. */
typedef struct waiter {
    const char *name;
    bool idles;
} waiter;

/* Built-ins, by perl's names of ops. sselect is select() with four arguments; ghbyname and ghbyaddr ask the
 * name server; backtick and system wait for a command. read, readline and sysread are not here: they usually
 * read files. */
static const waiter builtins[] = {
    {"accept", true},    {"backtick", false}, {"connect", false}, {"flock", false},
    {"ghbyaddr", false}, {"ghbyname", false}, {"lock", false},    {"msgrcv", false},
    {"msgsnd", false},   {"recv", false},     {"semop", false},   {"sleep", false},
    {"sselect", false},  {"system", false},   {"wait", true},     {"waitpid", true}};

/* Xsubs. Those of EV, Event, Glib, IO::Poll, Linux::Epoll and UV are the loops on which AnyEvent, IO::Async,
 * Mojo::Reactor and POE are built, besides select(). */
static const waiter xsubs[] = {{"BDB::poll_wait", true},
                               {"Coro::EV::loop_oneshot", true},
                               {"EV::Loop::loop", true},
                               {"EV::Loop::run", true},
                               {"EV::loop", true},
                               {"EV::run", true},
                               {"Event::Lib::event_mainloop", true},
                               {"Event::Lib::event_one_loop", true},
                               {"Event::_loop", true},
                               {"Event::one_event", true},
                               {"FCGI::Accept", true},
                               {"Glib::MainContext::iteration", true},
                               {"Glib::MainLoop::run", true},
                               {"IO::AIO::poll_wait", true},
                               {"IO::Epoll::epoll_pwait", true},
                               {"IO::Epoll::epoll_wait", true},
                               {"IO::KQueue::kevent", true},
                               {"IO::Poll::_poll", false},
                               {"Linux::Epoll::wait", true},
                               {"POSIX::nanosleep", false},
                               {"POSIX::pause", true},
                               {"POSIX::sigsuspend", true},
                               {"POSIX::wait", true},
                               {"POSIX::waitpid", true},
                               {"Socket::getaddrinfo", false},
                               {"Socket::getnameinfo", false},
                               {"Time::HiRes::clock_nanosleep", false},
                               {"Time::HiRes::nanosleep", false},
                               {"Time::HiRes::sleep", false},
                               {"Time::HiRes::usleep", false},
                               {"Tk::DoOneEvent", true},
                               {"UV::Loop::run", true},
                               {"UV::run", true},
                               {"threads::join", true},
                               {"threads::shared::cond_timedwait", true},
                               {"threads::shared::cond_wait", true}};

static int compare(const void *key, const void *listed)
{
    const char *name = ((const waiter *)listed)->name;
    return nytp_str_order(*(const nytp_str *)key, nytp_str_of(name));
}

/* The names above have no blanks. */
static const waiter *find(nytp_str name)
{
    name = nytp_up_to_blank(name);
    const nytp_str op = nytp_sub_op(name);
    return op.length > 0
               ? bsearch(&op, builtins, sizeof builtins / sizeof *builtins, sizeof *builtins, compare)
               : bsearch(&name, xsubs, sizeof xsubs / sizeof *xsubs, sizeof *xsubs, compare);
}

bool nytp_waits_by_name(nytp_str name)
{
    return find(name) != NULL;
}

bool nytp_idles_by_name(nytp_str name)
{
    const waiter *found = find(name);
    return found != NULL && found->idles;
}

nytp_waited nytp_waited_of(const nytp_mark *mark)
{
    return (nytp_waited){mark->waited.asleep_ticks, mark->waited.queued_ticks};
}

nytp_waited nytp_waited_share(const nytp_mark *state)
{
    const double all_ns = state->state.run_ns + state->state.wait_ns + state->state.sleep_ns;
    return all_ns > 0 ? (nytp_waited){state->state.sleep_ns / all_ns, state->state.wait_ns / all_ns}
                      : (nytp_waited){0};
}

static bool is_waiting(const nytp_profile *profile, const nytp_arc *arc)
{
    nytp_sub callee;
    return arc->excl_ticks > 0 && nytp_profile_sub(profile, arc->callee, &callee) &&
           nytp_waits_by_name(callee.name);
}

bool nytp_profile_waits(const nytp_profile *profile)
{
    const nytp_measure measure = nytp_profile_measure(profile);
    return nytp_measure_is_time(&measure) && nytp_waited_ticks(nytp_profile_waited(profile)) > 0;
}

bool nytp_profile_measures_waits(const nytp_profile *profile)
{
    return profile->measures_waits;
}

nytp_waited nytp_profile_waited(const nytp_profile *profile)
{
    const nytp_arc *arc;
    nytp_waited waited = profile->waited;
    if (profile->measures_waits)
        return waited;
    if (nytp_profile_is_off(profile, "subs") || nytp_profile_is_off(profile, "slowops"))
        return (nytp_waited){.asleep_ticks = -1};
    for (size_t i = 0; (arc = nytp_profile_arc(profile, i)) != NULL; i++)
        waited.asleep_ticks += is_waiting(profile, arc) ? (double)arc->excl_ticks : 0;
    return waited;
}

void nytp_line_waited_join(void *into, const void *record)
{
    nytp_waited_add(&((nytp_line_waited *)into)->waited, ((const nytp_line_waited *)record)->waited);
}

nytp_records nytp_profile_line_waits(const nytp_profile *profile)
{
    const nytp_measure measure = nytp_profile_measure(profile);
    const nytp_arc *arc;
    nytp_records waits;
    nytp_records_init(&waits, sizeof(nytp_line_waited), offsetof(nytp_line_waited, waited));
    for (uint32_t i = 0; i < profile->line_waits.count; i++)
        nytp_records_number(&waits, nytp_records_at(&profile->line_waits, i), NULL);
    if (profile->measures_waits || !nytp_measure_is_time(&measure))
        return waits;
    for (size_t i = 0; (arc = nytp_profile_arc(profile, i)) != NULL; i++) {
        const nytp_line_waited line = {arc->fid, arc->line, {.asleep_ticks = (double)arc->excl_ticks}};
        if (is_waiting(profile, arc))
            nytp_records_add(&waits, &line, nytp_line_waited_join);
    }
    return waits;
}

nytp_waited nytp_line_waits_at(const nytp_records *waits, uint32_t fid, uint32_t line, double ticks)
{
    const nytp_line_waited key = {.fid = fid, .line = line};
    const nytp_line_waited *found = nytp_records_find(waits, &key);
    return found != NULL ? nytp_waited_within(found->waited, ticks) : (nytp_waited){0};
}
