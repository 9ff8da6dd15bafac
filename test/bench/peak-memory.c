/* Runs a program and appends its peak memory, in KiB, to a file. It is small itself, because the kernel also
 * counts what a process held before its exec.
 *
 *   peak-memory FILE PROGRAM [ARGUMENT ...]
 */
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: peak-memory FILE PROGRAM [ARGUMENT ...]\n", stderr);
        return 2;
    }
    pid_t pid;
    int status, rc = posix_spawnp(&pid, argv[2], NULL, NULL, argv + 2, environ);
    if (rc != 0) {
        fprintf(stderr, "peak-memory: %s: %s\n", argv[2], strerror(rc));
        return 1;
    }
    struct rusage used;
    FILE *out = fopen(argv[1], "a");
    if (wait4(pid, &status, 0, &used) != pid || out == NULL) {
        perror("peak-memory");
        return 1;
    }
    fprintf(out, "%ld\n", used.ru_maxrss);
    return fclose(out) == 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
