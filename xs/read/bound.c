#include "stream.h"

#include "base/cgroups.h"

enum {
    MIB = 1 << 20,
    /* A bound is a fixed number of bytes, and a number for each byte of the file. String evals need the most:
     * about 100 bytes for each byte of the file. */
    READER_BYTES = 32 * MIB,
    READER_PER_BYTE = 8,
    DATA_BYTES = 64 * MIB,
    DATA_PER_BYTE = 512
};

void read_complain(pTHX_ SV *message)
{
    dSP;
    PUSHMARK(SP);
    mXPUSHs(message);
    PUTBACK;
    call_pv("Devel::NYTProf::ReadStream::_complain", G_VOID | G_DISCARD);
    croak_sv(message); /* only if Carp's croak was replaced by a sub that returns */
}

/* Returns the number of bytes that NYTP_MEMORY_MIB allows; 0 if it is not set. */
static uint64_t env_bytes(pTHX)
{
    nytp_error error = {0};
    uint64_t bytes;
    if (!nytp_memory_from_env(&bytes, &error))
        read_complain(aTHX_ newSVpv(error.message, 0));
    return bytes;
}

nytp_reader *read_bound_reader(pTHX_ const char *path)
{
    uint64_t env = env_bytes(aTHX);
    nytp_reader *reader = nytp_reader_new(nytp_source_file(path));
    if (reader == NULL)
        croak("out of memory");
    if (env > 0)
        nytp_reader_set_memory(reader, env, 0);
    else
        nytp_reader_set_memory(reader, READER_BYTES, READER_PER_BYTE);
    return reader;
}

void read_bound_extend(pTHX_ read_bound *b)
{
    uint64_t taken, size, env = env_bytes(aTHX);
    nytp_reader_position(b->reader, &taken, &size);
    b->allowed_bytes = env > 0 ? env : DATA_BYTES + DATA_PER_BYTE * (taken > size ? taken : size);
    if (b->taken_bytes > b->allowed_bytes)
        read_complain(
            aTHX_ newSVpvf("%s: its data take more than the %lu MiB allowed; NYTP_MEMORY_MIB allows more",
                           b->path, (unsigned long)(b->allowed_bytes / MIB)));
}
