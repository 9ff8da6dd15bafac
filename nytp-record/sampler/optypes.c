#include "optypes.h"

#include <glib.h>
#include <string.h>

/* The built-ins that the collector shows as subs, xs/builtins.c; a test compares the two lists. */
static const char *const builtins[] = {
    "regcomp",  "match",    "qr",         "subst",       "substcont",   "formline",  "crypt",    "pack",
    "unpack",   "sort",     "backtick",   "glob",        "readline",    "rcatline",  "getc",     "read",
    "sysread",  "eof",      "enterwrite", "leavewrite",  "prtf",        "print",     "say",      "syswrite",
    "open",     "close",    "sysopen",    "sysseek",     "seek",        "tell",      "truncate", "fcntl",
    "ioctl",    "flock",    "umask",      "binmode",     "dbmopen",     "dbmclose",  "sselect",  "select",
    "dump",     "send",     "recv",       "socket",      "bind",        "connect",   "listen",   "accept",
    "shutdown", "gsockopt", "ssockopt",   "getsockname", "getpeername", "lstat",     "stat",     "ftrread",
    "ftrwrite", "ftrexec",  "fteread",    "ftewrite",    "fteexec",     "ftis",      "ftsize",   "ftmtime",
    "ftatime",  "ftctime",  "ftrowned",   "fteowned",    "ftzero",      "ftsock",    "ftchr",    "ftblk",
    "ftfile",   "ftdir",    "ftpipe",     "ftsuid",      "ftsgid",      "ftsvtx",    "ftlink",   "fttty",
    "fttext",   "ftbinary", "chdir",      "chown",       "chroot",      "unlink",    "chmod",    "utime",
    "rename",   "link",     "symlink",    "readlink",    "mkdir",       "rmdir",     "open_dir", "readdir",
    "telldir",  "seekdir",  "rewinddir",  "closedir",    "wait",        "waitpid",   "system",   "sleep",
    "syscall",  "lock",     "shmget",     "shmctl",      "shmread",     "shmwrite",  "msgget",   "msgctl",
    "msgsnd",   "msgrcv",   "semop",      "semget",      "semctl",      "ghbyname",  "ghbyaddr", "ghostent",
    "gnbyname", "gnbyaddr", "gnetent",    "gpbyname",    "gpbynumber",  "gprotoent", "gsbyname", "gsbyport",
    "gservent", "shostent", "snetent",    "sprotoent",   "sservent",    "ehostent",  "enetent",  "eprotoent",
    "eservent", "gpwnam",   "gpwuid",     "gpwent",      "spwent",      "epwent",    "ggrnam",   "ggrgid",
    "ggrent",   "sgrent",   "egrent",     "getlogin",
};

static bool is_builtin(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++)
        if (strcmp(builtins[i], name) == 0)
            return true;
    return false;
}

static uint32_t find(const record_optypes *types, const char *name)
{
    for (uint32_t i = 0; i < types->count; i++)
        if (strcmp(types->of[i].name, name) == 0)
            return i;
    return RECORD_ABSENT;
}

/* All of them in few system calls, which works unless the last ones are at the very end of a page. */
static void read_names(record_optypes *types, const record_interpreter *i, const uint64_t *names)
{
    record_piece pieces[RECORD_MOST_OPS];
    for (uint32_t n = 0; n < types->count; n++)
        pieces[n] = (record_piece){names[n], sizeof types->of[n].name - 1, types->of[n].name};
    int got = record_memory_read_pieces(&i->memory, pieces, (int)types->count);
    for (uint32_t n = (uint32_t)got; n < types->count; n++)
        record_memory_string(&i->memory, names[n], types->of[n].name, sizeof types->of[n].name);
    for (uint32_t n = 0; n < types->count; n++)
        types->of[n].is_builtin = is_builtin(types->of[n].name);
}

bool record_optypes_read(record_optypes *types, const record_interpreter *i)
{
    uint64_t names[RECORD_MOST_OPS];
    uint32_t count = i->layout.op_count;
    memset(types, 0, sizeof *types);
    if (i->op_names == 0 || !record_memory_read(&i->memory, i->op_names, names, count * sizeof names[0]))
        return false;
    types->count = count;
    types->of = g_malloc0_n(count, sizeof *types->of);
    read_names(types, i, names);
    types->nextstate = find(types, "nextstate");
    types->dbstate = find(types, "dbstate");
    types->entersub = find(types, "entersub");
    types->entereval = find(types, "entereval");
    types->require = find(types, "require");
    types->dofile = find(types, "dofile");
    types->pushmark = find(types, "pushmark");
    types->gv = find(types, "gv");
    types->rv2cv = find(types, "rv2cv");
    types->substcont = find(types, "substcont");
    return types->nextstate != RECORD_ABSENT && types->entersub != RECORD_ABSENT;
}

uint32_t record_optype_read(const record_interpreter *i, uint64_t op)
{
    uint16_t bytes;
    return record_memory_read(&i->memory, op + i->layout.op_type, &bytes, sizeof bytes)
               ? record_optype_parse(&i->layout, &bytes)
               : RECORD_ABSENT;
}

void record_optypes_clear(record_optypes *types)
{
    g_free(types->of);
    memset(types, 0, sizeof *types);
}

const char *record_optypes_builtin(const record_optypes *types, uint32_t type)
{
    return type < types->count && types->of[type].is_builtin ? types->of[type].name : NULL;
}
