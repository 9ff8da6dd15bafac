/* A program with perl in it, as web servers have.
 *
 *   embed TIMES WORKERS ARGUMENT...
 *
 * TIMES interpreters, one after the other, are made, given the arguments of a
 * perl command line (%d in them is the number of the interpreter, from 1) and
 * destroyed. Each calls the sub `handler` of the program three times, with some time
 * between; then so does each of the processes that are forked here, which perl does not know of.
 */
#include <EXTERN.h>
#include <perl.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS = 32, REQUESTS = 3, BETWEEN_US = 50000 };

EXTERN_C void boot_DynaLoader(pTHX_ CV *cv);

static void init_xs(pTHX)
{
    newXS("DynaLoader::boot_DynaLoader", boot_DynaLoader, __FILE__);
}

static void serve(pTHX_ int requests)
{
    for (int i = 0; i < requests; i++) {
        dSP;
        ENTER;
        SAVETMPS;
        PUSHMARK(SP);
        mXPUSHi(i);
        PUTBACK;
        call_pv("handler", G_SCALAR | G_EVAL);
        SPAGAIN;
        SV *answer = POPs;
        printf("%s\n", SvPV_nolen(answer));
        PUTBACK;
        FREETMPS;
        LEAVE;
        usleep(BETWEEN_US);
    }
    fflush(stdout);
}

static int end_of(PerlInterpreter *my_perl)
{
    int status = perl_destruct(my_perl);
    perl_free(my_perl);
    return status;
}

static int run_interpreter(int number, int workers, int argc, char **argv)
{
    static char texts[ARGUMENTS][4096];
    char *arguments[ARGUMENTS + 1] = {0};
    for (int i = 0; i < argc && i < ARGUMENTS; i++) {
        const char *mark = strstr(argv[i], "%d");
        int before = mark != NULL ? (int)(mark - argv[i]) : 0;
        if (mark != NULL)
            snprintf(texts[i], sizeof texts[i], "%.*s%d%s", before, argv[i], number, mark + 2);
        else
            snprintf(texts[i], sizeof texts[i], "%s", argv[i]);
        arguments[i] = texts[i];
    }
    PerlInterpreter *my_perl = perl_alloc();
    perl_construct(my_perl);
    PL_exit_flags |= PERL_EXIT_DESTRUCT_END;
    PL_perl_destruct_level = 1;
    if (perl_parse(my_perl, init_xs, argc, arguments, NULL) != 0 || perl_run(my_perl) != 0)
        return 1;
    serve(aTHX_ REQUESTS);
    for (int i = 0; i < workers; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            serve(aTHX_ REQUESTS);
            exit(end_of(my_perl));
        }
        waitpid(pid, NULL, 0);
    }
    return end_of(my_perl);
}

int main(int argc, char **argv, char **env)
{
    if (argc < 4)
        return 2;
    int times = atoi(argv[1]), workers = atoi(argv[2]), status = 0;
    PERL_SYS_INIT3(&argc, &argv, &env);
    /* perl's own name for itself, then its arguments */
    argv[2] = argv[0];
    for (int number = 1; number <= times; number++)
        status |= run_interpreter(number, workers, argc - 2, argv + 2);
    PERL_SYS_TERM();
    return status;
}
