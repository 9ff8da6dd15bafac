#include "sampler/perl/optypes.h"

#include <glib.h>
#include <string.h>

/* The built-ins that the collector shows as subs, xs/ops/builtins.c; a test compares the two lists. */
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

static uint32_t find(const sampler_optypes *types, const char *name)
{
    for (uint32_t i = 0; i < types->count; i++)
        if (strcmp(types->of[i].name, name) == 0)
            return i;
    return SAMPLER_ABSENT;
}

/* All of them in few system calls, which works unless the last ones are at the very end of a page. */
static void read_names(sampler_optypes *types, const sampler_interpreter *i, const uint64_t *names)
{
    sampler_piece pieces[SAMPLER_MOST_OPS];
    for (uint32_t n = 0; n < types->count; n++)
        pieces[n] = (sampler_piece){names[n], sizeof types->of[n].name - 1, types->of[n].name};
    int got = sampler_memory_read_pieces(&i->memory, pieces, (int)types->count);
    for (uint32_t n = (uint32_t)got; n < types->count; n++)
        sampler_memory_string(&i->memory, names[n], types->of[n].name, sizeof types->of[n].name);
    for (uint32_t n = 0; n < types->count; n++)
        types->of[n].is_builtin = is_builtin(types->of[n].name);
}

bool sampler_optypes_read(sampler_optypes *types, const sampler_interpreter *i)
{
    uint64_t names[SAMPLER_MOST_OPS];
    uint32_t count = i->layout.op_count;
    memset(types, 0, sizeof *types);
    if (i->op_names == 0 || !sampler_memory_read(&i->memory, i->op_names, names, count * sizeof names[0]))
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
    types->gv = find(types, "gv");
    types->rv2cv = find(types, "rv2cv");
    types->substcont = find(types, "substcont");
    types->method = find(types, "method");
    types->method_named = find(types, "method_named");
    types->method_super = find(types, "method_super");
    types->method_redir = find(types, "method_redir");
    types->method_redir_super = find(types, "method_redir_super");
    return types->nextstate != SAMPLER_ABSENT && types->entersub != SAMPLER_ABSENT;
}

uint32_t sampler_optype_read(const sampler_interpreter *i, uint64_t op)
{
    uint16_t bytes;
    return sampler_memory_read(&i->memory, op + i->layout.op_type, &bytes, sizeof bytes)
               ? sampler_optype_parse(&i->layout, &bytes)
               : SAMPLER_ABSENT;
}

void sampler_optypes_clear(sampler_optypes *types)
{
    g_free(types->of);
    memset(types, 0, sizeof *types);
}

const char *sampler_optypes_builtin(const sampler_optypes *types, uint32_t type)
{
    return type < types->count && types->of[type].is_builtin ? types->of[type].name : NULL;
}
