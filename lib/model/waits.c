#include "model/waits.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

/* Both lists are sorted. */

/* Built-ins, by perl's names of ops. sselect is select() with four arguments; ghbyname and ghbyaddr ask the
 * name server; backtick and system wait for a command. read, readline and sysread are not here: they usually
 * read files. */
static const char *const builtins[] = {"accept",  "backtick", "connect", "flock",  "ghbyaddr", "ghbyname",
                                       "lock",    "msgrcv",   "msgsnd",  "recv",   "semop",    "sleep",
                                       "sselect", "system",   "wait",    "waitpid"};

/* Xsubs. Those of EV, Event, Glib, IO::Poll, Linux::Epoll and UV are the loops on which AnyEvent, IO::Async,
 * Mojo::Reactor and POE are built, besides select(). */
static const char *const xsubs[] = {"BDB::poll_wait",
                                    "Coro::EV::loop_oneshot",
                                    "EV::Loop::loop",
                                    "EV::Loop::run",
                                    "EV::loop",
                                    "EV::run",
                                    "Event::Lib::event_mainloop",
                                    "Event::Lib::event_one_loop",
                                    "Event::_loop",
                                    "Event::one_event",
                                    "FCGI::Accept",
                                    "Glib::MainContext::iteration",
                                    "Glib::MainLoop::run",
                                    "IO::AIO::poll_wait",
                                    "IO::Epoll::epoll_pwait",
                                    "IO::Epoll::epoll_wait",
                                    "IO::KQueue::kevent",
                                    "IO::Poll::_poll",
                                    "Linux::Epoll::wait",
                                    "POSIX::nanosleep",
                                    "POSIX::pause",
                                    "POSIX::sigsuspend",
                                    "POSIX::wait",
                                    "POSIX::waitpid",
                                    "Socket::getaddrinfo",
                                    "Socket::getnameinfo",
                                    "Time::HiRes::clock_nanosleep",
                                    "Time::HiRes::nanosleep",
                                    "Time::HiRes::sleep",
                                    "Time::HiRes::usleep",
                                    "Tk::DoOneEvent",
                                    "UV::Loop::run",
                                    "UV::run",
                                    "threads::join",
                                    "threads::shared::cond_timedwait",
                                    "threads::shared::cond_wait"};

static int compare(const void *key, const void *listed)
{
    const char *name = *(const char *const *)listed;
    return nytp_str_order(*(const nytp_str *)key, (nytp_str){name, strlen(name), false});
}

static bool is_in(nytp_str name, const char *const *list, size_t count)
{
    return bsearch(&name, list, count, sizeof *list, compare) != NULL;
}

nytp_str nytp_sub_op(nytp_str name)
{
    static const char all[] = "CORE::", one[] = "::CORE:";
    const size_t all_length = strlen(all), one_length = strlen(one);
    const char *colon = memrchr(name.bytes, ':', name.length);
    const size_t before = colon != NULL ? (size_t)(colon - name.bytes) + 1 : 0;
    const nytp_str op = {name.bytes + before, name.length - before, name.utf8};
    if (before >= one_length && memcmp(colon + 1 - one_length, one, one_length) == 0)
        return op;
    const bool is_of_all = before == all_length && memcmp(name.bytes, all, all_length) == 0;
    return is_of_all ? op : (nytp_str){"", 0, false};
}

/* A label follows the name after a blank, which the names above do not have. */
bool nytp_sub_waits(nytp_str name)
{
    const char *blank = memchr(name.bytes, ' ', name.length);
    if (blank != NULL)
        name.length = (size_t)(blank - name.bytes);
    const nytp_str op = nytp_sub_op(name);
    return op.length > 0 ? is_in(op, builtins, sizeof builtins / sizeof *builtins)
                         : is_in(name, xsubs, sizeof xsubs / sizeof *xsubs);
}
