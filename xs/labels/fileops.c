#include "labelops.h"

#include "commandtext.h"
#include "values.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

/* ---- files ---- */

/* A text that is read from an argument. */
typedef struct argument_text {
    prof_value value;
    char made[PROF_COMMAND_MAX + 4];
    prof_label_text text;
} argument_text;

static prof_label_text no_text(void)
{
    return (prof_label_text){.form = PROF_LABEL_PLAIN};
}

static void set_value(pTHX_ argument_text *a, SV *sv)
{
    a->text = no_text();
    if (prof_value_of(sv, &a->value)) {
        a->text.bytes = a->value.bytes;
        a->text.length = a->value.length;
        a->text.utf8 = a->value.utf8;
    }
}

/* Runs an op whose label is what a value on perl's stack says; sv NULL: it has no label. */
static OP *run_with_value(pTHX_ int op_type, SV *sv)
{
    prof *p = prof_of(aTHX);
    argument_text a;
    if (!prof_is_recorded(p))
        return prof_original[op_type](aTHX);
    const uint64_t began = prof_now(&p->probe.clock);
    set_value(aTHX_ & a, sv);
    return prof_run_with_text(aTHX_ p, op_type, &a.text, began);
}

/* The argument on top of perl's stack. With OPf_REF it is a handle, or the buffer of the last stat(); of
 * stacked file tests only the first has a path. */
static OP *run_with_top(pTHX_ int op_type, bool is_test)
{
    const bool has_path =
        !is_test || ((PL_op->op_flags & OPf_REF) == 0 && (PL_op->op_private & OPpFT_STACKED) == 0);
    return run_with_value(aTHX_ op_type, has_path ? *PL_stack_sp : NULL);
}

static int argument_count(pTHX)
{
    PERL_UNUSED_CONTEXT;
    return PL_op->op_private & OPpARG4_MASK;
}

/* Argument `index` of a list of them, counted from 1; NULL: there are fewer. */
static SV *listed_argument(pTHX_ SSize_t index)
{
    SV **before = PL_stack_base + *PL_markstack_ptr;
    return index <= PL_stack_sp - before ? before[index] : NULL;
}

/* clang-format off */
#define TEST_OPS(OP) OP(LSTAT) OP(STAT) OP(FTRREAD) OP(FTRWRITE) OP(FTREXEC) OP(FTEREAD) OP(FTEWRITE) OP(FTEEXEC) \
    OP(FTIS) OP(FTSIZE) OP(FTMTIME) OP(FTATIME) OP(FTCTIME) OP(FTROWNED) OP(FTEOWNED) OP(FTZERO) OP(FTSOCK) \
    OP(FTCHR) OP(FTBLK) OP(FTFILE) OP(FTDIR) OP(FTPIPE) OP(FTSUID) OP(FTSGID) OP(FTSVTX) OP(FTLINK) OP(FTTTY) \
    OP(FTTEXT) OP(FTBINARY)
#define PATH_OPS(OP) OP(OPEN_DIR) OP(RMDIR) OP(READLINK)
#define OTHER_FILE_OPS(OP) OP(CHDIR) OP(MKDIR) OP(RENAME) OP(UNLINK) OP(SYSOPEN)
#define COMMAND_OPS(OP) OP(SYSTEM) OP(BACKTICK) OP(SLEEP)
#define HOST_OPS(OP) OP(CONNECT) OP(GHBYNAME)
#define OPEN_OP(OP) OP(OPEN)
/* clang-format on */

#define TEST_HANDLER(name)                                                                                   \
    static OP *handle_##name(pTHX)                                                                           \
    {                                                                                                        \
        return run_with_top(aTHX_ OP_##name, true);                                                          \
    }
#define PATH_HANDLER(name)                                                                                   \
    static OP *handle_##name(pTHX)                                                                           \
    {                                                                                                        \
        return run_with_top(aTHX_ OP_##name, false);                                                         \
    }
TEST_OPS(TEST_HANDLER)
PATH_OPS(PATH_HANDLER)

static OP *handle_CHDIR(pTHX)
{
    return run_with_value(aTHX_ OP_CHDIR, argument_count(aTHX) > 0 ? *PL_stack_sp : NULL);
}

static OP *handle_MKDIR(pTHX)
{
    return run_with_value(aTHX_ OP_MKDIR, argument_count(aTHX) > 1 ? PL_stack_sp[-1] : *PL_stack_sp);
}

static OP *handle_RENAME(pTHX)
{
    return run_with_value(aTHX_ OP_RENAME, PL_stack_sp[-1]);
}

static OP *handle_UNLINK(pTHX)
{
    return run_with_value(aTHX_ OP_UNLINK, listed_argument(aTHX_ 1));
}

static OP *handle_SYSOPEN(pTHX)
{
    return run_with_value(aTHX_ OP_SYSOPEN, listed_argument(aTHX_ 2));
}

/* clang-format off */
static const prof_handler file_ops[] = {
    TEST_OPS(PROF_HANDLER_ROW) PATH_OPS(PROF_HANDLER_ROW) OTHER_FILE_OPS(PROF_HANDLER_ROW)
};
/* clang-format on */

/* ---- commands ---- */

/* Makes the text that of the command that a->value is. next: its second word, or NULL for what a shell
 * gets. format: how the label is made of the command. */
static void set_command(pTHX_ argument_text *a, SV *next, const char *format)
{
    char command[PROF_COMMAND_MAX];
    prof_value second = {.bytes = NULL};
    if (a->text.bytes == NULL || (next != NULL && !prof_value_of(next, &second)))
        second.bytes = "";
    const size_t length =
        a->text.bytes == NULL
            ? 0
            : prof_command_normalise(a->text.bytes, a->text.length, second.bytes, second.length, command);
    const bool utf8 = a->text.utf8;
    a->text = no_text();
    if (length == 0)
        return;
    a->text.bytes = a->made;
    a->text.length = (size_t)my_snprintf(a->made, sizeof a->made, format, (int)length, command);
    a->text.utf8 = utf8;
}

static OP *handle_SYSTEM(pTHX)
{
    prof *p = prof_of(aTHX);
    argument_text a;
    if (!prof_is_recorded(p))
        return prof_original[OP_SYSTEM](aTHX);
    const uint64_t began = prof_now(&p->probe.clock);
    set_value(aTHX_ & a, listed_argument(aTHX_ 1)); /* also of system { PROGRAM } ARGUMENTS */
    set_command(aTHX_ & a, listed_argument(aTHX_ PL_op->op_flags & OPf_STACKED ? 3 : 2), "%.*s");
    return prof_run_with_text(aTHX_ p, OP_SYSTEM, &a.text, began);
}

static OP *handle_BACKTICK(pTHX)
{
    prof *p = prof_of(aTHX);
    argument_text a;
    if (!prof_is_recorded(p))
        return prof_original[OP_BACKTICK](aTHX);
    const uint64_t began = prof_now(&p->probe.clock);
    set_value(aTHX_ & a, *PL_stack_sp);
    set_command(aTHX_ & a, NULL, "%.*s");
    return prof_run_with_text(aTHX_ p, OP_BACKTICK, &a.text, began);
}

/* A process that waits, as for a command. */
static OP *handle_SLEEP(pTHX)
{
    return run_with_value(aTHX_ OP_SLEEP, argument_count(aTHX) > 0 ? *PL_stack_sp : NULL);
}

static const prof_handler command_ops[] = {COMMAND_OPS(PROF_HANDLER_ROW)};

/* Removes a "|" at the beginning or the end of a command, and blanks. Returns the format of the label, or
 * NULL if open() would not run the text as a command. */
static const char *cut_pipe(prof_label_text *text)
{
    while (text->length > 0 && isSPACE(*text->bytes)) {
        text->bytes++;
        text->length--;
    }
    while (text->length > 0 && isSPACE(text->bytes[text->length - 1]))
        text->length--;
    if (text->length == 0)
        return NULL;
    const bool writes = *text->bytes == '|', reads = text->bytes[text->length - 1] == '|';
    text->bytes += writes;
    text->length -= writes || reads;
    return writes ? "| %.*s" : reads ? "%.*s |" : NULL;
}

/* open(FH, "file"), open(FH, "program |"), open(FH, MODE, file or program, arguments) */
static void set_opened(pTHX_ argument_text *a, unsigned kinds)
{
    SV *path = listed_argument(aTHX_ 3);
    const char *pipe;
    set_value(aTHX_ a, listed_argument(aTHX_ 2));
    if (a->text.bytes == NULL)
        return;
    if (path == NULL) {
        const prof_label_text whole = a->text;
        if ((pipe = cut_pipe(&a->text)) == NULL)
            a->text = whole;
    } else {
        pipe = memchr(a->text.bytes, '|', a->text.length) == NULL ? NULL
               : *a->text.bytes == '|'                            ? "| %.*s"
                                                                  : "%.*s |";
        set_value(aTHX_ a, path);
    }
    if (pipe != NULL)
        set_command(aTHX_ a, path != NULL ? listed_argument(aTHX_ 4) : NULL, pipe);
    if ((kinds & (pipe != NULL ? PROF_LABELS_COMMAND : PROF_LABELS_FILE)) == 0)
        a->text = no_text();
}

static OP *handle_OPEN(pTHX)
{
    prof *p = prof_of(aTHX);
    argument_text a;
    if (!prof_is_recorded(p))
        return prof_original[OP_OPEN](aTHX);
    const uint64_t began = prof_now(&p->probe.clock);
    set_opened(aTHX_ & a, p->labels.rules.kinds);
    return prof_run_with_text(aTHX_ p, OP_OPEN, &a.text, began);
}

static const prof_handler open_op[] = {OPEN_OP(PROF_HANDLER_ROW)};

/* ---- hosts ---- */

/* Without "::", which a label cannot have. */
static void put_in6(argument_text *a, const struct sockaddr_in6 *to)
{
    const uint8_t *b = to->sin6_addr.s6_addr;
    size_t length = 0;
    for (int i = 0; i < 16; i += 2)
        length += (size_t)my_snprintf(a->made + length, sizeof a->made - length, "%c%x", i > 0 ? ':' : '[',
                                      (unsigned)b[i] << 8 | b[i + 1]);
    my_snprintf(a->made + length, sizeof a->made - length, "]:%u", (unsigned)ntohs(to->sin6_port));
}

/* "127.0.0.1:80", "[0:0:0:0:0:0:0:1]:80", or the path of a unix socket; nothing for what is no address. */
static void set_address(argument_text *a)
{
    union {
        struct sockaddr any;
        struct sockaddr_in in;
        struct sockaddr_in6 in6;
        struct sockaddr_un un;
        char bytes[sizeof(struct sockaddr_un) + 1]; /* with a NUL at the end */
    } to = {.bytes = ""};
    const size_t length = a->text.bytes != NULL ? a->text.length : 0;
    if (length > 0)
        memcpy(&to, a->text.bytes, length < sizeof to.un ? length : sizeof to.un);
    a->text = no_text();
    if (to.any.sa_family == AF_INET && length >= sizeof to.in) {
        const uint8_t *b = (const uint8_t *)&to.in.sin_addr;
        my_snprintf(a->made, sizeof a->made, "%u.%u.%u.%u:%u", b[0], b[1], b[2], b[3],
                    (unsigned)ntohs(to.in.sin_port));
    } else if (to.any.sa_family == AF_INET6 && length >= sizeof to.in6) {
        put_in6(a, &to.in6);
    } else if (to.any.sa_family == AF_UNIX && length > offsetof(struct sockaddr_un, sun_path)) {
        my_snprintf(a->made, sizeof a->made, "%s", to.un.sun_path);
    } else {
        return;
    }
    a->text.bytes = a->made;
    a->text.length = strlen(a->made);
}

static OP *handle_CONNECT(pTHX)
{
    prof *p = prof_of(aTHX);
    argument_text a;
    if (!prof_is_recorded(p))
        return prof_original[OP_CONNECT](aTHX);
    const uint64_t began = prof_now(&p->probe.clock);
    set_value(aTHX_ & a, *PL_stack_sp);
    set_address(&a);
    return prof_run_with_text(aTHX_ p, OP_CONNECT, &a.text, began);
}

static OP *handle_GHBYNAME(pTHX)
{
    return run_with_value(aTHX_ OP_GHBYNAME, *PL_stack_sp);
}

static const prof_handler host_ops[] = {HOST_OPS(PROF_HANDLER_ROW)};

/* ---- all ---- */

void prof_replace_file_ops(const prof_rules *rules)
{
    if (rules->kinds & PROF_LABELS_FILE)
        PROF_REPLACE(file_ops);
    if (rules->kinds & (PROF_LABELS_FILE | PROF_LABELS_COMMAND))
        PROF_REPLACE(open_op);
    if (rules->kinds & PROF_LABELS_COMMAND)
        PROF_REPLACE(command_ops);
    if (rules->kinds & PROF_LABELS_HOST)
        PROF_REPLACE(host_ops);
}
