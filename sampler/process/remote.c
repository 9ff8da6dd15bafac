#include "sampler/process/remote.h"

#include <string.h>
#include <sys/uio.h>

enum { MOST_AT_ONCE = 512 /* below IOV_MAX */, PAGE = 4096 };

static int read_process(void *context, const sampler_piece *pieces, int count)
{
    struct iovec local[MOST_AT_ONCE], remote[MOST_AT_ONCE];
    int most = count < MOST_AT_ONCE ? count : MOST_AT_ONCE;
    if (most <= 0)
        return 0;
    for (int i = 0; i < most; i++) {
        local[i] = (struct iovec){pieces[i].to, pieces[i].size};
        remote[i] = (struct iovec){(void *)(uintptr_t)pieces[i].address, pieces[i].size}; /* NOLINT */
    }
    ssize_t got =
        process_vm_readv(*(const pid_t *)context, local, (unsigned long)most, remote, (unsigned long)most, 0);
    int whole = 0;
    while (whole < most && got >= (ssize_t)pieces[whole].size)
        got -= (ssize_t)pieces[whole++].size;
    return whole;
}

sampler_memory sampler_memory_of(const pid_t *pid)
{
    return (sampler_memory){read_process, (void *)(uintptr_t)pid};
}

int sampler_memory_read_pieces(const sampler_memory *memory, const sampler_piece *pieces, int count)
{
    int done = 0;
    while (done < count) {
        int most = count - done < MOST_AT_ONCE ? count - done : MOST_AT_ONCE;
        int got = memory->read(memory->context, pieces + done, most);
        done += got;
        if (got < most)
            break;
    }
    return done;
}

bool sampler_memory_read(const sampler_memory *memory, uint64_t address, void *to, size_t size)
{
    sampler_piece piece = {address, size, to};
    return memory->read(memory->context, &piece, 1) == 1;
}

uint64_t sampler_memory_pointer(const sampler_memory *memory, uint64_t address)
{
    uint64_t value = 0;
    return address != 0 && sampler_memory_read(memory, address, &value, sizeof value) ? value : 0;
}

uint32_t sampler_memory_u32(const sampler_memory *memory, uint64_t address)
{
    uint32_t value = 0;
    return address != 0 && sampler_memory_read(memory, address, &value, sizeof value) ? value : 0;
}

/* Page by page at most, since the page after the string's may not be there. */
bool sampler_memory_string(const sampler_memory *memory, uint64_t address, char *to, size_t size)
{
    enum { AT_FIRST = 128 };
    size_t have = 0;
    while (address != 0 && have + 1 < size) {
        size_t part = PAGE - (address + have) % PAGE;
        if (have == 0 && part > AT_FIRST)
            part = AT_FIRST;
        if (part > size - 1 - have)
            part = size - 1 - have;
        if (!sampler_memory_read(memory, address + have, to + have, part))
            break;
        if (memchr(to + have, '\0', part) != NULL)
            return true;
        have += part;
    }
    to[0] = '\0';
    return false;
}
