#include "model/waits.h"

#include <string.h>

/* Built-ins that wait, by the names that slowops gives them, in whichever package they are called. sselect is
 * select() with four arguments. backtick and system wait for a command. */
static const char *const builtins[] = {"accept", "backtick", "connect", "flock", "recv",
                                       "sleep",  "sselect",  "system",  "wait",  "waitpid"};

/* Xsubs. EV, Event, Glib and IO::Poll are the event loops on which AnyEvent, IO::Async, Mojo::Reactor and POE
 * are built. */
static const char *const xsubs[] = {"Coro::EV::loop_oneshot",
                                    "EV::loop",
                                    "EV::run",
                                    "Event::Lib::event_mainloop",
                                    "Event::_loop",
                                    "Event::one_event",
                                    "Glib::MainContext::iteration",
                                    "Glib::MainLoop::run",
                                    "IO::Epoll::epoll_wait",
                                    "IO::Poll::_poll",
                                    "Linux::Epoll::wait",
                                    "POSIX::nanosleep",
                                    "POSIX::pause",
                                    "POSIX::sigsuspend",
                                    "POSIX::wait",
                                    "POSIX::waitpid",
                                    "Time::HiRes::clock_nanosleep",
                                    "Time::HiRes::nanosleep",
                                    "Time::HiRes::sleep",
                                    "Time::HiRes::usleep",
                                    "UV::Loop::run",
                                    "UV::run",
                                    "threads::join",
                                    "threads::shared::cond_timedwait",
                                    "threads::shared::cond_wait"};

static bool is_in(nytp_str name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (name.length == strlen(list[i]) && memcmp(name.bytes, list[i], name.length) == 0)
            return true;
    return false;
}

bool nytp_sub_waits(nytp_str name)
{
    static const char mark[] = "::CORE:";
    const char *core = memmem(name.bytes, name.length, mark, strlen(mark));
    if (core == NULL)
        return is_in(name, xsubs, sizeof xsubs / sizeof *xsubs);
    const size_t before = (size_t)(core - name.bytes) + strlen(mark);
    return is_in((nytp_str){name.bytes + before, name.length - before, name.utf8}, builtins,
                 sizeof builtins / sizeof *builtins);
}
