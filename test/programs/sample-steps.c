/* Samples a perl that executes one machine instruction, a step, after another, so that each sample can be
 * compared with what the program did then. The program sends itself SIGUSR1, which does not arrive, where the
 * steps begin, and again where they end.
 *
 *   sample-steps OFFSETS DELAY,... PERL ARG ...
 *
 * OFFSETS is a directory of tables. Each DELAY is an observer, which takes one sample after another. Up to
 * DELAY steps are made between two pieces of memory that it reads. With 0 it reads a program that is stopped,
 * after each step. The lines of the output have tabs between their fields:
 *
 *   statement STEPS             a statement began when STEPS steps had been made
 *   DELAY BEGIN READ END STACK  a sample: when it was begun, when what runs was read, and when it was taken
 *
 * STACK is "torn", or "SUB PLACE;SUB PLACE;...;PLACE", outermost first: each sub, and where it was called,
 * and where the innermost one is. Built-ins are left out.
 */
#include "sampler/sampler.h"

#include <elf.h>
#include <glib.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_DEPTH = 1000, PAUSE = 200 /* steps at most between two samples of an observer with a delay */ };

typedef struct program {
    pid_t pid;
    sampler_interpreter interpreter;
    sampler_optypes types;
    uint64_t steps;
    bool has_ended;
    uint64_t op;        /* that runs */
    uint64_t successor; /* of an op that is a statement: the op after it; else 0 */
    uint64_t loop; /* where perl goes on after it has stored the next op that it executes; 0: not known */
} program;

/* An observer with a delay is a thread, but only one thread runs at a time: it, or the one that makes the
 * steps. */
typedef struct observer {
    program *program;
    unsigned delay;
    uint64_t random;
    sampler_interpreter interpreter; /* reads as slowly as delay says */
    nytp_strings *strings;
    sampler_stacks *stacks;
    sampler_stack stack;
    uint64_t due; /* the number of steps after which it goes on */
    uint64_t begin, read;
    pthread_t thread;
    sem_t turn, rest;
} observer;

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

/* ---- the program ---- */

/* Lets the program go on by a ptrace request. Returns false if it has sent itself the signal. */
static bool go_on(const program *p, int request)
{
    int status;
    if (ptrace(request, p->pid, NULL, NULL) != 0 || waitpid(p->pid, &status, 0) != p->pid)
        fail("ptrace");
    if (!WIFSTOPPED(status)) {
        fprintf(stderr, "the program has ended\n");
        exit(EXIT_FAILURE);
    }
    return WSTOPSIG(status) != SIGUSR1;
}

/* The program and the observers run one at a time. To wake one on another processor takes longer. */
static void stay_on_this_processor(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
}

/* Executes the perl so that it has the same addresses and the same order of hashes in each run. */
static void execute(char **command)
{
    personality(ADDR_NO_RANDOMIZE);
    setenv("PERL_HASH_SEED", "0", 1);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
        execvp(command[0], command);
    perror(command[0]);
    _exit(127);
}

static void start(program *p, const char *offsets, char **command)
{
    sampler_identity identity;
    sampler_pthreads threads;
    int status;
    p->pid = fork();
    if (p->pid == 0)
        execute(command);
    if (waitpid(p->pid, &status, 0) != p->pid || !WIFSTOPPED(status) ||
        ptrace(PTRACE_SETOPTIONS, p->pid, NULL, PTRACE_O_EXITKILL) != 0)
        fail("ptrace");
    while (go_on(p, PTRACE_CONT))
        ;
    if (sampler_interpreter_find(&p->interpreter, &p->pid, offsets, &identity, &threads) != SAMPLER_FOUND ||
        !sampler_optypes_read(&p->types, &p->interpreter))
        fail("sampler_interpreter_find");
}

static uint64_t program_counter(const program *p)
{
    struct user_regs_struct registers;
    struct iovec to = {&registers, sizeof registers};
    if (ptrace(PTRACE_GETREGSET, p->pid, NT_PRSTATUS, &to) != 0)
        fail("ptrace");
#ifdef __aarch64__
    return registers.pc;
#else
    return registers.rip;
#endif
}

/* Says that a statement begins when perl goes on from its op to the next one. Perl's compiler changes PL_op,
 * too, in other places than the loop that executes ops; at first no compiler runs. */
static void look_for_statement(program *p)
{
    const sampler_memory *memory = &p->interpreter.memory;
    const uint64_t op = sampler_memory_pointer(memory, p->interpreter.at.op);
    if (op == p->op)
        return;
    if (p->op != 0 && p->loop == 0)
        p->loop = program_counter(p);
    if (op != 0 && op == p->successor && program_counter(p) == p->loop)
        printf("statement\t%" PRIu64 "\n", p->steps);
    const bool is_statement =
        op != 0 && sampler_optypes_is_statement(&p->types, sampler_optype_read(&p->interpreter, op));
    p->op = op;
    p->successor = is_statement ? sampler_memory_pointer(memory, op + p->interpreter.layout.op_next) : 0;
}

static bool step(program *p)
{
    if (!go_on(p, PTRACE_SINGLESTEP))
        return false;
    p->steps++;
    look_for_statement(p);
    return true;
}

/* ---- observers ---- */

static unsigned pick(observer *o, unsigned most)
{
    o->random = o->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((o->random >> 33) % (most + UINT64_C(1)));
}

/* Has the program make some steps. */
static void rest(observer *o, unsigned steps)
{
    if (steps == 0 || o->program->has_ended)
        return;
    o->due = o->program->steps + steps;
    sem_post(&o->rest);
    sem_wait(&o->turn);
}

/* What runs is the first of the pieces that a sample begins with. */
static int read_slowly(void *context, const sampler_piece *pieces, int count)
{
    observer *o = context;
    const program *p = o->program;
    if (count > 1 && p->interpreter.at.op - pieces[0].address < pieces[0].size)
        o->read = p->steps;
    for (int n = 0; n < count; n++) {
        if (!sampler_memory_read(&p->interpreter.memory, pieces[n].address, pieces[n].to, pieces[n].size))
            return n;
        rest(o, pick(o, o->delay));
    }
    return count;
}

static void print_place(const observer *o, uint32_t file, uint32_t line)
{
    size_t length;
    printf("%s:%" PRIu32, file != SAMPLER_NO_STRING ? nytp_strings_get(o->strings, file, &length) : "?",
           line);
}

/* Returns the name that caller() has, with the place that the sampler adds to it, or NULL if that shows no
 * such call. */
static const char *name_of(const observer *o, const sampler_frame *frame)
{
    size_t length;
    switch (frame->kind) {
    case SAMPLER_FRAME_BUILTIN: return NULL;
    case SAMPLER_FRAME_EVAL_STRING: return "(string)";
    case SAMPLER_FRAME_EVAL_BLOCK: return "(block)";
    case SAMPLER_FRAME_REQUIRE: return "(require)";
    default:
        return frame->name != SAMPLER_NO_STRING ? nytp_strings_get(o->strings, frame->name, &length) : NULL;
    }
}

static void print_stack(const observer *o, const sampler_stack *stack)
{
    for (size_t n = 0; n < stack->count; n++) {
        const char *name = name_of(o, &stack->frames[n]);
        if (name == NULL)
            continue;
        printf("%.*s ", (int)strcspn(name, "["), name);
        print_place(o, stack->frames[n].file, stack->frames[n].line);
        printf(";");
    }
    print_place(o, stack->file, stack->line);
}

static void take(observer *o)
{
    o->begin = o->read = o->program->steps;
    const enum sampler_taken taken = sampler_stacks_take(o->stacks, &o->stack);
    printf("%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t", o->delay, o->begin, o->read, o->program->steps);
    if (taken == SAMPLER_TAKEN)
        print_stack(o, &o->stack);
    else
        printf("torn");
    printf("\n");
}

static void *observe(void *context)
{
    observer *o = context;
    sem_wait(&o->turn);
    while (!o->program->has_ended) {
        take(o);
        rest(o, 1 + pick(o, PAUSE));
    }
    sem_post(&o->rest);
    return NULL;
}

static void begin(observer *o, program *p, unsigned delay, unsigned number)
{
    *o = (observer){.program = p, .random = number, .interpreter = p->interpreter};
    o->interpreter.memory = (sampler_memory){read_slowly, o};
    o->strings = nytp_strings_new();
    o->stacks = o->strings != NULL ? sampler_stacks_new(&o->interpreter, o->strings, MAX_DEPTH) : NULL;
    o->delay = delay;
    if (o->stacks == NULL || sem_init(&o->turn, 0, 0) != 0 || sem_init(&o->rest, 0, 0) != 0 ||
        (delay > 0 && pthread_create(&o->thread, NULL, observe, o) != 0))
        fail("observer");
}

static void give_turn(observer *o)
{
    sem_post(&o->turn);
    sem_wait(&o->rest);
}

static void end(observer *o)
{
    if (o->delay > 0) {
        give_turn(o);
        pthread_join(o->thread, NULL);
    }
    sampler_stack_clear(&o->stack);
    sampler_stacks_free(o->stacks);
    nytp_strings_free(o->strings);
}

int main(int argc, char **argv)
{
    program p = {0};
    if (argc < 4)
        return 2;
    stay_on_this_processor();
    start(&p, argv[1], argv + 3);
    g_auto(GStrv) delays = g_strsplit(argv[2], ",", -1);
    const unsigned count = g_strv_length(delays);
    g_autofree observer *observers = g_new(observer, count);
    for (unsigned n = 0; n < count; n++)
        begin(&observers[n], &p, (unsigned)strtoul(delays[n], NULL, 10), n);
    while (step(&p))
        for (unsigned n = 0; n < count; n++)
            if (observers[n].delay == 0)
                take(&observers[n]);
            else if (observers[n].due <= p.steps)
                give_turn(&observers[n]);
    p.has_ended = true;
    for (unsigned n = 0; n < count; n++)
        end(&observers[n]);
    sampler_optypes_clear(&p.types);
    return 0;
}
