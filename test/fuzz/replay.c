/* Runs a fuzz target on files, without libFuzzer:
 *
 *   fuzz-TARGET FILE ...
 */
#include "test/fuzz/fuzz.h"

#include <stdlib.h>
#include <sys/stat.h>

/* Returns its bytes in a block of exactly that size, so that a sanitizer notices a read past them. */
static bool replay(const char *path)
{
    struct stat st;
    FILE *in = fopen(path, "rb");
    if (in == NULL || fstat(fileno(in), &st) != 0) {
        perror(path);
        return false;
    }
    size_t size = (size_t)st.st_size;
    uint8_t *data = malloc(size > 0 ? size : 1);
    bool read = data != NULL && fread(data, 1, size, in) == size;
    fclose(in);
    if (read) {
        printf("%s\n", path);
        fflush(stdout); /* the last one is the one that ended the program */
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    return read;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!replay(argv[i]))
            return 1;
    return 0;
}
