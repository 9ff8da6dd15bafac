#include "model/waits.h"

#include "base/labels.h"
#include "base/str.h"
#include "model/measure.h"
#include "model/profile.h"

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

bool nytp_sub_waits(nytp_str name)
{
    return find(name) != NULL;
}

bool nytp_sub_idles(nytp_str name)
{
    const waiter *found = find(name);
    return found != NULL && found->idles;
}

static bool is_waiting(const nytp_profile *profile, const nytp_arc *arc)
{
    nytp_sub callee;
    return arc->excl_ticks > 0 && nytp_profile_sub(profile, arc->callee, &callee) &&
           nytp_sub_waits(callee.name);
}

bool nytp_profile_waits(const nytp_profile *profile)
{
    const nytp_measure measure = nytp_profile_measure(profile);
    const nytp_arc *arc;
    if (profile->has_waited || !nytp_measure_is_time(&measure))
        return profile->has_waited;
    for (size_t i = 0; (arc = nytp_profile_arc(profile, i)) != NULL; i++)
        if (is_waiting(profile, arc))
            return true;
    return false;
}
