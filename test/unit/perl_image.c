#include "perl_image.h"

#include "test/unit/support.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

static unsigned char *page_of(perl_image *im, uint64_t number)
{
    unsigned char *page = g_hash_table_lookup(im->pages, GSIZE_TO_POINTER(number));
    if (page != NULL || im->pid == 0)
        return page;
    sampler_memory process = sampler_memory_of(&im->pid);
    page = g_malloc(PAGE);
    if (!sampler_memory_read(&process, number * PAGE, page, PAGE)) {
        g_free(page);
        return NULL;
    }
    g_hash_table_insert(im->pages, GSIZE_TO_POINTER(number), page);
    g_ptr_array_add(im->in_order, page);
    return page;
}

static bool read_piece(perl_image *im, const sampler_piece *piece)
{
    for (size_t done = 0; done < piece->size;) {
        uint64_t address = piece->address + done;
        size_t some = MIN(PAGE - address % PAGE, piece->size - done);
        const unsigned char *page = page_of(im, address / PAGE);
        if (page == NULL)
            return false;
        memcpy((char *)piece->to + done, page + address % PAGE, some);
        done += some;
    }
    return true;
}

static int read_image(void *context, const sampler_piece *pieces, int count)
{
    int whole = 0;
    while (whole < count && read_piece(context, &pieces[whole]))
        whole++;
    return whole;
}

/* What it does last is sleep. */
static void wait_for_sleep(pid_t pid)
{
    char path[64], text[256], *state;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    do {
        g_usleep(1000);
        FILE *in = fopen(path, "r");
        assert_non_null(in);
        assert_non_null(fgets(text, sizeof text, in));
        fclose(in);
        state = strrchr(text, ')');
    } while (state == NULL || strncmp(state, ") S ", 4) != 0);
}

static pid_t start_perl(const char *script)
{
    int ends[2];
    char ready;
    if (pipe(ends) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], STDOUT_FILENO);
        execlp("perl", "perl", "-e", script, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    bool started = read(ends[0], &ready, 1) == 1;
    close(ends[0]);
    assert_true(started);
    wait_for_sleep(pid);
    return pid;
}

/* The tables of the build that this test is part of. */
const char *perl_image_offsets(void)
{
    static char path[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    assert_true(length > 0);
    path[length] = '\0';
    char *build_end = strstr(path, "/test/unit/");
    assert_non_null(build_end);
    snprintf(build_end, sizeof path - (size_t)(build_end - path), "/share/nytprof/offsets");
    return path;
}

perl_image *perl_image_new(const char *script)
{
    perl_image *im = g_new0(perl_image, 1);
    sampler_identity identity;
    im->pid = start_perl(script);
    im->pages = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    im->in_order = g_ptr_array_new();
    errno = 0;
    int found = sampler_interpreter_find(&im->interpreter, &im->pid, perl_image_offsets(), &identity,
                                         &(sampler_pthreads){0});
    if (found == SAMPLER_NOT_READABLE && (errno == EPERM || errno == ENOSYS))
        im->why_forbidden = strerror(errno);
    assert_true(im->why_forbidden != NULL || found == SAMPLER_FOUND);
    im->interpreter.memory = (sampler_memory){read_image, im};
    return im;
}

void perl_image_end(perl_image *im)
{
    if (im->pid > 0) {
        kill(im->pid, SIGKILL);
        waitpid(im->pid, NULL, 0);
    }
    im->pid = 0;
}

void perl_image_free(perl_image *im)
{
    perl_image_end(im);
    g_hash_table_destroy(im->pages);
    g_ptr_array_free(im->in_order, TRUE);
    g_free(im);
}

unsigned char *perl_image_at(const perl_image *im, uint64_t address)
{
    unsigned char *page = g_hash_table_lookup(im->pages, GSIZE_TO_POINTER(address / PAGE));
    return page + address % PAGE;
}
