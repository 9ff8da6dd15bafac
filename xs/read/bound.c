/* The bound on the memory that a profile may take. */
#include "bound.h"

enum {
    MIB = 1 << 20,
    READER_BYTES = 32 * MIB, /* and so many for each byte of the file */
    READER_PER_BYTE = 8,
    DATA_BYTES = 64 * MIB, /* as above; string evals, which are most, take some 100 a byte */
    DATA_PER_BYTE = 512
};

static uint64_t wished_bytes(void)
{
    const char *wish = getenv("NYTP_MEMORY_MIB");
    return wish != NULL ? strtoull(wish, NULL, 10) * MIB : 0;
}

nytp_reader *bound_reader(pTHX_ const char *path)
{
    nytp_reader *reader = nytp_reader_new(nytp_source_file(path));
    uint64_t wished = wished_bytes();
    if (reader == NULL)
        croak("out of memory");
    if (wished > 0)
        nytp_reader_set_memory(reader, wished, 0);
    else
        nytp_reader_set_memory(reader, READER_BYTES, READER_PER_BYTE);
    return reader;
}

/* At the line of whoever asked for the profile. */
static void refuse(pTHX_ SV *why)
{
    dSP;
    PUSHMARK(SP);
    mXPUSHs(why);
    PUTBACK;
    call_pv("Devel::NYTProf::ReadStream::_complain", G_VOID | G_DISCARD);
}

void bound_extend(pTHX_ bound *b)
{
    uint64_t taken, size, wished = wished_bytes();
    nytp_reader_position(b->reader, &taken, &size);
    b->allowed_bytes = wished > 0 ? wished : DATA_BYTES + DATA_PER_BYTE * (taken > size ? taken : size);
    if (b->taken_bytes > b->allowed_bytes)
        refuse(aTHX_ newSVpvf(
            "%s: its data may take %lu MiB: %d MiB and %d times its size, or NYTP_MEMORY_MIB", b->path,
            (unsigned long)(b->allowed_bytes / MIB), DATA_BYTES / MIB, DATA_PER_BYTE));
}
