#include "cover/collect.h"

#include "base/dirlist.h"
#include "base/small_file.h"
#include "base/thread.h"
#include "format/chunks.h"
#include "output/outfile.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* The first part of the file stays mapped until the process ends: with it stays the open file, and its lock,
 * which says that the file is being written, although its descriptor is closed. Of the others the last one is
 * mapped. */
enum { FIRST_BYTES = 64 << 10, MORE_BYTES = 256 << 10 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct {
    const char *path, *directory, *program;
    bool add_pid;

    /* of this process; a forked child begins without a file */
    pid_t pid;
    bool is_child;
    bool ended; /* nothing more is recorded */
    uint32_t number;
    prof_outfile file;
    unsigned char *first, *part; /* NULL: there is no file */
    size_t part_bytes;
    off_t part_offset;
    unsigned char *at; /* where the next chunk goes */
} cover;

prof_cover_guard prof_cover_lock(void)
{
    const int error_number = errno;
    const sigset_t signals = nytp_signals_block();
    pthread_mutex_lock(&mutex);
    return (prof_cover_guard){signals, error_number};
}

void prof_cover_unlock(const prof_cover_guard *guard)
{
    pthread_mutex_unlock(&mutex);
    nytp_signals_restore(&guard->signals);
    errno = guard->error_number;
}

/* The thread that forks has the lock, and its child, too. */
static prof_cover_guard of_fork;

static void lock_for_fork(void)
{
    const prof_cover_guard guard = prof_cover_lock();
    of_fork = guard;
}

static void unlock_after_fork(void)
{
    const prof_cover_guard guard = of_fork;
    prof_cover_unlock(&guard);
}

static void fail(const char *why)
{
    dprintf(STDERR_FILENO, "Devel::NYTProf::Cover: %s: %s. What runs from here on is not recorded.\n",
            cover.file.path != NULL ? cover.file.path : cover.path, why);
    cover.ended = true;
}

static size_t left(void)
{
    return cover.part_bytes - (size_t)(cover.at - cover.part);
}

static void unmap(void)
{
    if (cover.part != cover.first)
        munmap(cover.part, cover.part_bytes);
}

/* Writes NULs up to that size: on a full disk that fails, where writing to mapped memory would end the
 * program. */
static int extend(off_t bytes)
{
    static char nuls[FIRST_BYTES];
    int rc = 0;
    while (rc == 0 && cover.file.size_bytes < bytes) {
        const off_t more = bytes - cover.file.size_bytes;
        rc = prof_outfile_write(&cover.file, nuls, more < FIRST_BYTES ? (size_t)more : FIRST_BYTES);
    }
    return -rc;
}

/* Maps that part of the file, which is open, and closes its descriptor. A forked child does not have the
 * part. Returns 0 or an errno. */
static int map(off_t offset, size_t bytes)
{
    unsigned char *part = MAP_FAILED;
    int error_number = extend(offset + (off_t)bytes);
    if (error_number == 0) {
        part = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, cover.file.fd, offset);
        error_number = part == MAP_FAILED ? errno : 0;
    }
    close(cover.file.fd);
    cover.file.fd = -1;
    if (error_number != 0)
        return error_number;
    madvise(part, bytes, MADV_DONTFORK);
    cover.part = part;
    cover.part_bytes = bytes;
    cover.part_offset = offset;
    return 0;
}

/* Opens the file again, whose lock the mapped part has. */
static bool reopen(void)
{
    const int fd = open(cover.file.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
    return fd >= 0 && prof_outfile_use_fd(&cover.file, fd) == 0 && lseek(fd, 0, SEEK_END) >= 0;
}

/* Makes space for that many bytes. The last bytes before them are in the new part, too, as it begins with a
 * page. */
static bool make_space(size_t bytes)
{
    const off_t page = sysconf(_SC_PAGESIZE);
    const off_t end = cover.part_offset + (cover.at - cover.part), offset = end / page * page;
    const size_t needed = bytes + (size_t)page < MORE_BYTES ? MORE_BYTES : bytes + (size_t)page + MORE_BYTES;
    if (!reopen()) {
        fail("the file cannot be opened again");
        return false;
    }
    unmap();
    cover.part = cover.first;
    const int error_number = map(offset, needed / (size_t)page * (size_t)page);
    if (error_number != 0) {
        fail(strerror(error_number));
        return false;
    }
    cover.at = cover.part + (end - offset);
    return true;
}

/* The tag comes last: a process that is killed in between leaves a NUL there, and a reader stops before it.
 */
static void append(const unsigned char *bytes, size_t size)
{
    memcpy(cover.at + 1, bytes + 1, size - 1);
    __atomic_store_n(cover.at, bytes[0], __ATOMIC_RELEASE);
    cover.at += size;
}

void prof_coverfile_chunk(const nytp_chunk *chunk)
{
    const size_t capacity = nytp_chunk_capacity(chunk);
    if (cover.part == NULL || cover.ended || capacity == 0 || (left() < capacity && !make_space(capacity)))
        return;
    unsigned char *const end = nytp_put_fields(cover.at + 1, chunk);
    __atomic_store_n(cover.at, (unsigned char)chunk->tag, __ATOMIC_RELEASE);
    cover.at = end;
}

/* Returns "PID START", when the process began in the system's ticks since boot: it is the same after exec().
 */
static const char *this_process(char *text, size_t size)
{
    enum { START_FIELD = 22, FIRST_AFTER_NAME = 3 };
    char stat[1024];
    const char *at = nytp_small_file_read("/proc/self/stat", stat, sizeof stat) ? strrchr(stat, ')') : NULL;
    for (int field = FIRST_AFTER_NAME - 1; at != NULL && field < START_FIELD; field++)
        at = strchr(at + 1, ' ');
    snprintf(text, size, "%ld %llu", (long)getpid(), at != NULL ? strtoull(at, NULL, 10) : 0);
    return text;
}

/* Returns whether the file must stay: another program has written it that was executed by the same process
 * before. */
static bool must_stay(const char *path)
{
    char head[4096], process[64], line[128];
    struct stat there;
    if (cover.add_pid)
        return lstat(path, &there) == 0;
    snprintf(line, sizeof line, "\n:cover_process=%s\n", this_process(process, sizeof process));
    return nytp_small_file_read(path, head, sizeof head) && strstr(head, line) != NULL;
}

/* Returns the first of PATH, PATH.PID, PATH.PID.2, ... that may be written, malloc()ed; NULL if memory is
 * out. */
static char *free_path(void)
{
    const long pid = (long)getpid();
    char *path = NULL;
    for (int nth = cover.add_pid || cover.is_child ? 1 : 0; path == NULL; nth++) {
        const int length = nth == 0   ? asprintf(&path, "%s", cover.path)
                           : nth == 1 ? asprintf(&path, "%s.%ld", cover.path, pid)
                                      : asprintf(&path, "%s.%ld.%d", cover.path, pid, nth);
        if (length < 0)
            return NULL;
        if (must_stay(path)) {
            free(path);
            path = NULL;
        }
    }
    return path;
}

/* Puts a line of an attribute. A newline in the value would end it. */
static char *put_line(char *at, const char *key, const char *value)
{
    at = stpcpy(stpcpy(stpcpy(at, ":"), key), "=");
    for (; *value != '\0'; value++)
        *at++ = (char)(*value != '\n' ? *value : ' ');
    return stpcpy(at, "\n");
}

/* The directory, as lists of directories are written. */
static void put_directory(char *to)
{
    *nytp_dirlist_put(to, cover.directory, strlen(cover.directory)) = '\0';
}

static void write_head(void)
{
    char *const head = malloc(FIRST_BYTES), version[48], process[64], directory[2 * PATH_MAX], *at = head;
    struct timespec now;
    if (head == NULL) {
        fail(strerror(ENOMEM));
        return;
    }
    my_snprintf(version, sizeof version, "%d.%d.%d", PERL_REVISION, PERL_VERSION, PERL_SUBVERSION);
    put_directory(directory);
    at = stpcpy(at,
                "NYTProf 5 0\n# Which code has run, written by Devel::NYTProf::Cover; nytp cover reads it\n");
    at = put_line(at, "cover", "1");
    at = put_line(at, "cover_process", this_process(process, sizeof process));
    at = put_line(at, "cover_dir", directory);
    at = put_line(at, "application", cover.program);
    at = put_line(at, "perl_version", version);
    at = put_line(at, "nv_size", "8");
    at = put_line(at, "collector",
                  "Devel::NYTProf::Cover " XS_VERSION " of nytprof-tools " NYTP_VERSION_STRING);
    append((const unsigned char *)head, (size_t)(at - head));
    free(head);
    clock_gettime(CLOCK_REALTIME, &now);
    prof_coverfile_chunk(&(nytp_chunk){.tag = NYTP_PID_START,
                                       .pid_start = {(uint32_t)getpid(), (uint32_t)getppid(),
                                                     (double)now.tv_sec + (double)now.tv_nsec / 1e9}});
}

void prof_coverfile_open(void)
{
    const char *why = NULL;
    char *const path = free_path();
    const bool is_open = path != NULL && prof_outfile_open(&cover.file, path, &why);
    free(path);
    const int error_number = is_open ? map(0, FIRST_BYTES) : 0;
    if (error_number != 0 || !is_open) {
        fail(is_open ? strerror(error_number) : why != NULL ? why : strerror(ENOMEM));
        return;
    }
    cover.first = cover.at = cover.part;
    cover.number++;
    write_head();
}

static void begin_child(void)
{
    cover.pid = getpid();
    cover.is_child = true;
    cover.first = cover.part = cover.at = NULL;
    cover.ended = false;
    prof_outfile_free(&cover.file);
}

uint32_t prof_coverfile_number(bool begin)
{
    if (cover.pid != getpid())
        begin_child();
    if (begin && cover.part == NULL && !cover.ended)
        prof_coverfile_open();
    return cover.part != NULL && !cover.ended ? cover.number : 0;
}

/* Ends the file where its last chunk ends. */
static void end_file(void)
{
    struct timespec now;
    const prof_cover_guard guard = prof_cover_lock();
    if (prof_coverfile_number(false) != 0) {
        clock_gettime(CLOCK_REALTIME, &now);
        prof_coverfile_chunk(
            &(nytp_chunk){.tag = NYTP_PID_END,
                          .pid_end = {(uint32_t)getpid(), (double)now.tv_sec + (double)now.tv_nsec / 1e9}});
    }
    if (prof_coverfile_number(false) != 0) {
        const off_t bytes = cover.part_offset + (cover.at - cover.part);
        unmap();
        cover.part = NULL;
        cover.ended = true;
        if (reopen()) {
            (void)!ftruncate(cover.file.fd, bytes);
            close(cover.file.fd);
        }
    }
    prof_cover_unlock(&guard);
}

void prof_coverfile_set(const char *path, const char *directory, const char *program, bool add_pid)
{
    cover.path = path;
    cover.directory = directory;
    cover.program = program;
    cover.add_pid = add_pid;
    cover.pid = getpid();
    pthread_atfork(lock_for_fork, unlock_after_fork, unlock_after_fork);
    atexit(end_file);
}
