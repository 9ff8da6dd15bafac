#include "model/waits.h"

#include "base/labels.h"
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

/* The names above have no blanks. */
bool nytp_sub_waits(nytp_str name)
{
    name = nytp_up_to_blank(name);
    const nytp_str op = nytp_sub_op(name);
    return op.length > 0 ? is_in(op, builtins, sizeof builtins / sizeof *builtins)
                         : is_in(name, xsubs, sizeof xsubs / sizeof *xsubs);
}
