#include "ops/builtins.h"

#include "ops/entersub.h"
#include "hot.h"
#include "basics/ops.h"

OP *prof_run_builtin(pTHX_ prof *p, int op_type, Perl_ppaddr_t original)
{
    prof_callee callee = {.op_type = op_type};
    callee.name = prof_name_of_op(aTHX_ op_type, &callee.package);
    return prof_run_in_frame(aTHX_ p, &callee, original);
}

/* clang-format off */
/* Built-ins in which a process may wait for hours. */
#define WAITING_OPS(OP) \
    OP(BACKTICK) OP(FLOCK) OP(MSGRCV) OP(READ) OP(READLINE) OP(RECV) OP(SEMOP) OP(SLEEP) OP(SSELECT) OP(SYSREAD) \
    OP(SYSTEM) OP(WAIT) OP(WAITPID)
/* Others that may wait, do I/O, call the system, or run for long. The names are those of opcode.h. */
#define BUILTIN_OPS(OP) \
    /* regular expressions */ \
    OP(REGCOMP) OP(MATCH) OP(QR) OP(SUBST) OP(SUBSTCONT) \
    /* strings and lists */ \
    OP(FORMLINE) OP(CRYPT) OP(PACK) OP(UNPACK) OP(SORT) \
    /* reading and printing */ \
    OP(GLOB) OP(RCATLINE) OP(GETC) OP(EOF) OP(ENTERWRITE) \
    OP(LEAVEWRITE) OP(PRTF) OP(PRINT) OP(SAY) OP(SYSWRITE) \
    /* file handles */ \
    OP(OPEN) OP(CLOSE) OP(SYSOPEN) OP(SYSSEEK) OP(SEEK) OP(TELL) OP(TRUNCATE) OP(FCNTL) OP(IOCTL) \
    OP(UMASK) OP(BINMODE) OP(DBMOPEN) OP(DBMCLOSE) OP(SELECT) OP(DUMP) \
    /* sockets */ \
    OP(SEND) OP(SOCKET) OP(BIND) OP(CONNECT) OP(LISTEN) OP(SHUTDOWN) OP(GSOCKOPT) \
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
    /* threads */ \
    OP(LOCK) \
    /* System V IPC */ \
    OP(SHMGET) OP(SHMCTL) OP(SHMREAD) OP(SHMWRITE) OP(MSGGET) OP(MSGCTL) OP(MSGSND) \
    OP(SEMGET) OP(SEMCTL) \
    /* hosts, networks, protocols, services */ \
    OP(GHBYNAME) OP(GHBYADDR) OP(GHOSTENT) OP(GNBYNAME) OP(GNBYADDR) OP(GNETENT) OP(GPBYNAME) \
    OP(GPBYNUMBER) OP(GPROTOENT) OP(GSBYNAME) OP(GSBYPORT) OP(GSERVENT) OP(SHOSTENT) OP(SNETENT) \
    OP(SPROTOENT) OP(SSERVENT) OP(EHOSTENT) OP(ENETENT) OP(EPROTOENT) OP(ESERVENT) \
    /* users and groups */ \
    OP(GPWNAM) OP(GPWUID) OP(GPWENT) OP(SPWENT) OP(EPWENT) OP(GGRNAM) OP(GGRGID) OP(GGRENT) OP(SGRENT) \
    OP(EGRENT) OP(GETLOGIN)
/* clang-format on */

static OP *run_op(pTHX_ int op_type)
{
    prof *p = prof_of(aTHX);
    if (p == NULL || !p->enabled.builtins)
        return prof_original[op_type](aTHX);
    return prof_run_builtin(aTHX_ p, op_type, prof_original[op_type]);
}

#define HANDLER(name)                                                                                        \
    static OP *handle_##name(pTHX)                                                                           \
    {                                                                                                        \
        return run_op(aTHX_ OP_##name);                                                                      \
    }

BUILTIN_OPS(HANDLER)

/* The process may be killed while it waits, so records of memory that are not due yet are written before. */
static void write_before_wait(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p != NULL && p->probe.records_at != UINT64_MAX)
        prof_probe_schedule_records(&p->probe, 0);
}

#define WAITING_HANDLER(name)                                                                                \
    static OP *handle_##name(pTHX)                                                                           \
    {                                                                                                        \
        write_before_wait(aTHX);                                                                             \
        return run_op(aTHX_ OP_##name);                                                                      \
    }

WAITING_OPS(WAITING_HANDLER)

#define ALL_BUILTIN_OPS(OP) BUILTIN_OPS(OP) WAITING_OPS(OP)
PROF_DEFINE_REPLACE(prof_replace_builtins, ALL_BUILTIN_OPS)

/* Waiting counts as the profiler's own time. */
static OP *accept_idly(pTHX)
{
    prof *p = prof_of(aTHX);
    const uint64_t began = prof_now(p);
    OP *next = prof_original[OP_ACCEPT](aTHX);
    const uint64_t now = prof_now(p);
    prof_probe_add_idle(&p->probe, now - began);
    prof_waits_leave_out(p, prof_active_ticks(p, now));
    return next;
}

static OP *handle_ACCEPT(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p == NULL)
        return prof_original[OP_ACCEPT](aTHX);
    write_before_wait(aTHX);
    if (!p->enabled.builtins)
        return accept_idly(aTHX);
    return prof_run_builtin(aTHX_ p, OP_ACCEPT, accept_idly);
}

#define ACCEPT_OP(OP) OP(ACCEPT)
PROF_DEFINE_REPLACE(prof_replace_accept, ACCEPT_OP)

/* `require 5.010` loads nothing. */
static bool is_version(int op_type, SV *sv)
{
    return op_type == OP_REQUIRE && (SvNIOKp(sv) || SvVOK(sv));
}

/* A file whose name only running code of the program would say is not named: the call is then that of a
 * built-in in the package that calls it. */
static prof_callee callee_of(pTHX_ int op_type, SV *sv)
{
    prof_callee callee = {.op_type = op_type};
    if (SvPOK(sv) && SvCUR(sv) > 0 && !SvROK(sv) && !SvGMAGICAL(sv))
        callee.file = sv;
    else
        callee.name = prof_name_of_op(aTHX_ op_type, &callee.package);
    return callee;
}

/* Whether perl has compiled the file, and runs it next. (If something catches exceptions around the op, the
 * original handler has also run it.) */
static bool runs_next(pTHX_ const PERL_SI *stack, I32 innermost)
{
    return PL_curstackinfo == stack && cxstack_ix > innermost && CxTYPE(CX_CUR()) == CXt_EVAL;
}

/* A first destructor, in the caller's scope, ends the frame if the op dies. If the file runs next, a second
 * one ends it in the file's scope. */
static OP *run_load(pTHX_ int op_type)
{
    prof *p = prof_of(aTHX);
    uint64_t began;
    if (p == NULL || !p->enabled.builtins || p->options.slowops < 3 || is_version(op_type, *PL_stack_sp))
        return prof_original[op_type](aTHX);
    const prof_callee callee = callee_of(aTHX_ op_type, *PL_stack_sp);
    if (!prof_call_begin(aTHX_ p, &callee, cxstack_ix, &began))
        return prof_original[op_type](aTHX);
    prof_frame_count(p, prof_top_frame(p)); /* a file may do itself */
    const uintptr_t serial = p->frames.serial;
    const PERL_SI *stack = PL_curstackinfo;
    const I32 innermost = cxstack_ix;
    const I32 before = PL_savestack_ix;
    const I32 after = prof_destructor_push(aTHX_ serial);
    prof_probe_end(p, PROF_PROBE_CALL, began);
    OP *next = prof_original[op_type](aTHX);
    if (runs_next(aTHX_ stack, innermost)) {
        prof_destructor_push(aTHX_ serial);
        return next;
    }
    prof_frame_end(aTHX_ p, serial);
    if (PL_savestack_ix == after && cxstack_ix == innermost)
        PL_savestack_ix = before;
    return next;
}

static OP *handle_REQUIRE(pTHX)
{
    return run_load(aTHX_ OP_REQUIRE);
}

static OP *handle_DOFILE(pTHX)
{
    return run_load(aTHX_ OP_DOFILE);
}

#define LOAD_OPS(OP) OP(REQUIRE) OP(DOFILE)
PROF_DEFINE_REPLACE(prof_replace_loads, LOAD_OPS)
