/* The built-ins that are shown as subs: whatever may wait, do I/O, ask the
 * system, or run long. The names are those of perl's opcode.h.
 */
#include "slowops.h"

/* clang-format off */
#define SLOWOPS(OP) \
    /* regular expressions */ \
    OP(REGCOMP) OP(MATCH) OP(QR) OP(SUBST) OP(SUBSTCONT) \
    /* strings and lists */ \
    OP(FORMLINE) OP(CRYPT) OP(PACK) OP(UNPACK) OP(SORT) \
    /* reading and printing */ \
    OP(BACKTICK) OP(GLOB) OP(READLINE) OP(RCATLINE) OP(GETC) OP(READ) OP(SYSREAD) OP(EOF) OP(ENTERWRITE) \
    OP(LEAVEWRITE) OP(PRTF) OP(PRINT) OP(SAY) OP(SYSWRITE) \
    /* file handles */ \
    OP(OPEN) OP(CLOSE) OP(SYSOPEN) OP(SYSSEEK) OP(SEEK) OP(TELL) OP(TRUNCATE) OP(FCNTL) OP(IOCTL) \
    OP(FLOCK) OP(UMASK) OP(BINMODE) OP(DBMOPEN) OP(DBMCLOSE) OP(SSELECT) OP(SELECT) OP(DUMP) \
    /* sockets */ \
    OP(SEND) OP(RECV) OP(SOCKET) OP(BIND) OP(CONNECT) OP(LISTEN) OP(ACCEPT) OP(SHUTDOWN) OP(GSOCKOPT) \
    OP(SSOCKOPT) OP(GETSOCKNAME) OP(GETPEERNAME) \
    /* file tests */ \
    OP(LSTAT) OP(STAT) OP(FTRREAD) OP(FTRWRITE) OP(FTREXEC) OP(FTEREAD) OP(FTEWRITE) OP(FTEEXEC) OP(FTIS) \
    OP(FTSIZE) OP(FTMTIME) OP(FTATIME) OP(FTCTIME) OP(FTROWNED) OP(FTEOWNED) OP(FTZERO) OP(FTSOCK) \
    OP(FTCHR) OP(FTBLK) OP(FTFILE) OP(FTDIR) OP(FTPIPE) OP(FTSUID) OP(FTSGID) OP(FTSVTX) OP(FTLINK) \
    OP(FTTTY) OP(FTTEXT) OP(FTBINARY) \
    /* files and directories */ \
    OP(CHDIR) OP(CHOWN) OP(CHROOT) OP(UNLINK) OP(CHMOD) OP(UTIME) OP(RENAME) OP(LINK) OP(SYMLINK) \
    OP(READLINK) OP(MKDIR) OP(RMDIR) OP(OPEN_DIR) OP(READDIR) OP(TELLDIR) OP(SEEKDIR) OP(REWINDDIR) \
    OP(CLOSEDIR) \
    /* processes */ \
    OP(WAIT) OP(WAITPID) OP(SYSTEM) OP(SLEEP) OP(SYSCALL) OP(LOCK) \
    /* System V IPC */ \
    OP(SHMGET) OP(SHMCTL) OP(SHMREAD) OP(SHMWRITE) OP(MSGGET) OP(MSGCTL) OP(MSGSND) OP(MSGRCV) OP(SEMOP) \
    OP(SEMGET) OP(SEMCTL) \
    /* hosts, networks, protocols, services */ \
    OP(GHBYNAME) OP(GHBYADDR) OP(GHOSTENT) OP(GNBYNAME) OP(GNBYADDR) OP(GNETENT) OP(GPBYNAME) \
    OP(GPBYNUMBER) OP(GPROTOENT) OP(GSBYNAME) OP(GSBYPORT) OP(GSERVENT) OP(SHOSTENT) OP(SNETENT) \
    OP(SPROTOENT) OP(SSERVENT) OP(EHOSTENT) OP(ENETENT) OP(EPROTOENT) OP(ESERVENT) \
    /* users and groups */ \
    OP(GPWNAM) OP(GPWUID) OP(GPWENT) OP(SPWENT) OP(EPWENT) OP(GGRNAM) OP(GGRGID) OP(GGRENT) OP(SGRENT) \
    OP(EGRENT) OP(GETLOGIN)
/* clang-format on */

#define HANDLER(name)                                                                                        \
    static OP *handle_##name(pTHX)                                                                           \
    {                                                                                                        \
        return prof_slowop(aTHX_ OP_##name);                                                                 \
    }

SLOWOPS(HANDLER)
PROF_DEFINE_EACH(prof_each_slowop, SLOWOPS)
