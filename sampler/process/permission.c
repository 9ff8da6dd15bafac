#include "base/small_file.h"
#include "sampler/process/process.h"

#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* yama's setting; 0 where there is no yama. */
static int ptrace_scope(void)
{
    char line[16];
    nytp_small_file_read("/proc/sys/kernel/yama/ptrace_scope", line, sizeof line);
    return (int)strtol(line, NULL, 10);
}

static bool may_trace(void)
{
    struct __user_cap_header_struct of_this_one = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct words[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return syscall(SYS_capget, &of_this_one, words) == 0 && (words[0].effective >> CAP_SYS_PTRACE & 1) != 0;
}

static const char *reason(const struct stat *owner, bool owner_known)
{
    uid_t user = geteuid();
    int scope = ptrace_scope();
    if (scope == 3)
        return "this system lets nobody read other processes (/proc/sys/kernel/yama/ptrace_scope is 3, "
               "until the next reboot)";
    if (user == 0 && !may_trace())
        return "root lacks the capability SYS_PTRACE here; a container gets it by --cap-add=SYS_PTRACE";
    if (user == 0)
        return "a security module or a user namespace forbids it";
    if (owner_known && owner->st_uid != user)
        return "it belongs to another user, or has changed its user and so cannot be read; run this as root";
    if (scope == 2)
        return "only root may read other processes here (/proc/sys/kernel/yama/ptrace_scope is 2); run this "
               "as root";
    if (scope == 1)
        return "a user may read only processes that this program has started "
               "(/proc/sys/kernel/yama/ptrace_scope is 1); run this as root, or start the program with it: "
               "nytp-record COMMAND, or allow reading until the next reboot: sysctl "
               "kernel.yama.ptrace_scope=0";
    return "the process cannot be read (it may have changed its user); run this as root";
}

void sampler_permission_explain(pid_t pid, int error_number, char *to, size_t size)
{
    char path[32];
    struct stat owner;
    snprintf(path, sizeof path, "/proc/%ld", (long)pid);
    bool known = stat(path, &owner) == 0;
    if (error_number == EPERM || error_number == EACCES)
        snprintf(to, size, "%ld: not permitted: %s", (long)pid, reason(&owner, known));
    else if (error_number == ENOSYS)
        snprintf(to, size, "%ld: this system cannot read other processes (process_vm_readv): %s", (long)pid,
                 strerror(error_number));
    else if (error_number == 0)
        snprintf(to, size, "%ld: has no memory that can be read at this moment", (long)pid);
    else
        snprintf(to, size, "%ld: cannot be read: %s", (long)pid, strerror(error_number));
}

bool sampler_permission_explain_absent(pid_t pid, int error_number, char *to, size_t size)
{
    const bool hidden = error_number == ENOENT && (kill(pid, 0) == 0 || errno == EPERM);
    const bool is_gone = (error_number == ENOENT || error_number == ESRCH) && !hidden;
    if (error_number == EMFILE || error_number == ENFILE)
        snprintf(to, size, "%ld: cannot be opened: %s; ulimit -n says how many one process may have",
                 (long)pid, strerror(error_number));
    else if (hidden)
        snprintf(to, size,
                 "%ld: /proc hides this process, which exists (mount option hidepid); run this as root",
                 (long)pid);
    else if (is_gone)
        snprintf(to, size, "%ld: there is no such process", (long)pid);
    else
        sampler_permission_explain(pid, error_number, to, size);
    return !is_gone;
}

const char *sampler_permission_of_proc(void)
{
    char self[32];
    ssize_t length = readlink("/proc/self", self, sizeof self - 1);
    if (length < 0)
        return "/proc is not mounted: mount -t proc proc /proc";
    self[length] = '\0';
    return strtol(self, NULL, 10) == getpid() ? NULL
                                              : "/proc is that of another PID namespace, so it has other "
                                                "processes under these numbers; mount "
                                                "it again: mount -t proc proc /proc";
}
