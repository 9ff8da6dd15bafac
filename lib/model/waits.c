#include "model/waits.h"

#include "base/labels.h"
#include "base/str.h"
#include "model/measure.h"
#include "model/profile.h"

#include <stddef.h>
#include <string.h>

/* Built-ins, by perl's names of ops, and xsubs, each with a blank after it. sselect is select() with four
 * arguments; ghbyname and ghbyaddr ask the name server; backtick and system wait for a command. read,
 * readline and sysread are not here: they usually read files. */
static const char waiting[] =
    "IO::Poll::_poll POSIX::nanosleep Socket::getaddrinfo Socket::getnameinfo "
    "Time::HiRes::clock_nanosleep Time::HiRes::nanosleep Time::HiRes::sleep Time::HiRes::usleep "
    "backtick connect flock ghbyaddr ghbyname lock msgrcv msgsnd recv semop sleep sselect system ";

/* They wait until there is something to do, as a server does for clients, and a parent for its children. (The
 * others may do that, too, but also wait for what the program has asked for.) Those of EV, Event, Glib,
 * Linux::Epoll and UV are the loops on which AnyEvent, IO::Async, Mojo::Reactor and POE are built, besides
 * select() and IO::Poll's. */
static const char idling[] =
    "BDB::poll_wait Coro::EV::loop_oneshot EV::Loop::loop EV::Loop::run EV::loop EV::run "
    "Event::Lib::event_mainloop Event::Lib::event_one_loop Event::_loop Event::one_event FCGI::Accept "
    "Glib::MainContext::iteration Glib::MainLoop::run IO::AIO::poll_wait IO::Epoll::epoll_pwait "
    "IO::Epoll::epoll_wait IO::KQueue::kevent Linux::Epoll::wait POSIX::pause POSIX::sigsuspend "
    "POSIX::wait POSIX::waitpid Tk::DoOneEvent UV::Loop::run UV::run accept threads::join "
    "threads::shared::cond_timedwait threads::shared::cond_wait wait waitpid ";

static bool has(const char *names, nytp_str name)
{
    const nytp_str sub = nytp_up_to_blank(name), op = nytp_sub_op(sub);
    for (size_t length; *names != '\0'; names += length + 1) {
        length = strcspn(names, " ");
        if (nytp_str_same((nytp_str){names, length, false}, op.length > 0 ? op : sub))
            return true;
    }
    return false;
}

bool nytp_idles_by_name(nytp_str name)
{
    return has(idling, name);
}

bool nytp_waits_by_name(nytp_str name)
{
    return nytp_idles_by_name(name) || has(waiting, name);
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
