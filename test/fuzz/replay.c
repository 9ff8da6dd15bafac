/* Runs a fuzz target on files, without libFuzzer, or on each file cut at every STEP-th byte from FIRST on:
 *
 *   fuzz-TARGET FILE ...
 *   fuzz-TARGET --cuts FIRST STEP FILE ...
 */
#include "test/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Runs the target on a block of exactly that size, so that a sanitizer notices a read past it. */
static bool run(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL)
        return false;
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return true;
}

/* step 0: whole. */
static bool replay(const char *path, size_t first, size_t step)
{
    struct stat st;
    FILE *in = fopen(path, "rb");
    if (in == NULL || fstat(fileno(in), &st) != 0) {
        perror(path);
        return false;
    }
    size_t size = (size_t)st.st_size;
    uint8_t *data = malloc(size > 0 ? size : 1);
    bool done = data != NULL && fread(data, 1, size, in) == size;
    fclose(in);
    if (done)
        printf("%s\n", path);
    for (size_t cut = step > 0 ? first : size; done && cut <= size; cut += step > 0 ? step : 1) {
        if (step > 0)
            printf("%zu\n", cut);
        fflush(stdout); /* the last one is the one that ended the program */
        done = run(data, cut);
    }
    free(data);
    return done;
}

int main(int argc, char **argv)
{
    const bool cuts = argc > 4 && strcmp(argv[1], "--cuts") == 0;
    const size_t first = cuts ? strtoul(argv[2], NULL, 10) : 0, step = cuts ? strtoul(argv[3], NULL, 10) : 0;
    for (int i = cuts ? 4 : 1; i < argc; i++)
        if (!replay(argv[i], first, step))
            return 1;
    return 0;
}
