#include "ops/labelops.h"

#include "labels/values.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

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

/* Sets a->text. Without bytes, the op has no label. kinds: of labels, that are wanted. */
typedef void text_fn(pTHX_ argument_text *a, unsigned kinds);

static OP *run_with(pTHX_ int op_type, text_fn *set_text)
{
    prof *p = prof_of(aTHX);
    argument_text a;
    if (!prof_is_recorded(p))
        return prof_original[op_type](aTHX);
    const uint64_t began = prof_now(p);
    set_text(aTHX_ & a, p->labels.rules.kinds);
    return prof_run_with_text(aTHX_ p, op_type, &a.text, began);
}

#define HANDLER(name, set_text)                                                                              \
    static OP *handle_##name(pTHX)                                                                           \
    {                                                                                                        \
        return run_with(aTHX_ OP_##name, set_text);                                                          \
    }
#define ROW(name, set_text) {OP_##name, handle_##name},

/* Defines a function whose text is a value on perl's stack; NULL if the op has no label. */
#define TEXT_IS(set_text, value)                                                                             \
    static void set_text(pTHX_ argument_text *a, unsigned kinds)                                             \
    {                                                                                                        \
        PERL_UNUSED_VAR(kinds);                                                                              \
        set_value(aTHX_ a, value);                                                                           \
    }

static int argument_count(pTHX)
{
    PERL_UNUSED_CONTEXT;
    return PL_op->op_private & OPpARG4_MASK;
}

/* Argument `index` of a list of them, counted from 1; NULL if there are fewer. */
static SV *listed_argument(pTHX_ SSize_t index)
{
    SV **before = PL_stack_base + *PL_markstack_ptr;
    return index <= PL_stack_sp - before ? before[index] : NULL;
}

/* With OPf_REF the argument is a handle, or the buffer of the last stat(); of stacked file tests only the
 * first has a path. */
TEXT_IS(set_tested,
        (PL_op->op_flags & OPf_REF) == 0 && (PL_op->op_private & OPpFT_STACKED) == 0 ? *PL_stack_sp : NULL)
TEXT_IS(set_top, *PL_stack_sp)
TEXT_IS(set_second, PL_stack_sp[-1])
TEXT_IS(set_given, argument_count(aTHX) > 0 ? *PL_stack_sp : NULL)
TEXT_IS(set_before_mode, argument_count(aTHX) > 1 ? PL_stack_sp[-1] : *PL_stack_sp)
TEXT_IS(set_listed_first, listed_argument(aTHX_ 1))
TEXT_IS(set_listed_second, listed_argument(aTHX_ 2))

/* clang-format off */
#define FILE_OPS(OP) \
    OP(LSTAT, set_tested) OP(STAT, set_tested) OP(FTRREAD, set_tested) OP(FTRWRITE, set_tested) \
    OP(FTREXEC, set_tested) OP(FTEREAD, set_tested) OP(FTEWRITE, set_tested) OP(FTEEXEC, set_tested) \
    OP(FTIS, set_tested) OP(FTSIZE, set_tested) OP(FTMTIME, set_tested) OP(FTATIME, set_tested) \
    OP(FTCTIME, set_tested) OP(FTROWNED, set_tested) OP(FTEOWNED, set_tested) OP(FTZERO, set_tested) \
    OP(FTSOCK, set_tested) OP(FTCHR, set_tested) OP(FTBLK, set_tested) OP(FTFILE, set_tested) \
    OP(FTDIR, set_tested) OP(FTPIPE, set_tested) OP(FTSUID, set_tested) OP(FTSGID, set_tested) \
    OP(FTSVTX, set_tested) OP(FTLINK, set_tested) OP(FTTTY, set_tested) OP(FTTEXT, set_tested) \
    OP(FTBINARY, set_tested) OP(OPEN_DIR, set_top) OP(RMDIR, set_top) OP(READLINK, set_top) \
    OP(CHDIR, set_given) OP(MKDIR, set_before_mode) OP(RENAME, set_second) OP(UNLINK, set_listed_first) \
    OP(SYSOPEN, set_listed_second)
/* clang-format on */

FILE_OPS(HANDLER)
static const prof_handler file_ops[] = {FILE_OPS(ROW)};

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

/* Also of system { PROGRAM } ARGUMENTS. */
static void set_program(pTHX_ argument_text *a, unsigned kinds)
{
    PERL_UNUSED_VAR(kinds);
    set_value(aTHX_ a, listed_argument(aTHX_ 1));
    set_command(aTHX_ a, listed_argument(aTHX_ PL_op->op_flags & OPf_STACKED ? 3 : 2), "%.*s");
}

static void set_shell_command(pTHX_ argument_text *a, unsigned kinds)
{
    PERL_UNUSED_VAR(kinds);
    set_value(aTHX_ a, *PL_stack_sp);
    set_command(aTHX_ a, NULL, "%.*s");
}

/* SLEEP: a process that waits, as for a command. */
#define COMMAND_OPS(OP) OP(SYSTEM, set_program) OP(BACKTICK, set_shell_command) OP(SLEEP, set_given)
COMMAND_OPS(HANDLER)
static const prof_handler command_ops[] = {COMMAND_OPS(ROW)};

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

HANDLER(OPEN, set_opened)
static const prof_handler open_op[] = {PROF_HANDLER_ROW(OPEN)};

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
static void set_address(pTHX_ argument_text *a, unsigned kinds)
{
    union {
        struct sockaddr any;
        struct sockaddr_in in;
        struct sockaddr_in6 in6;
        struct sockaddr_un un;
        char bytes[sizeof(struct sockaddr_un) + 1]; /* with a NUL at the end */
    } to = {.bytes = ""};
    PERL_UNUSED_VAR(kinds);
    set_value(aTHX_ a, *PL_stack_sp);
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

#define HOST_OPS(OP) OP(CONNECT, set_address) OP(GHBYNAME, set_top)
HOST_OPS(HANDLER)
static const prof_handler host_ops[] = {HOST_OPS(ROW)};

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
