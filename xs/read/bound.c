/* The bound on the memory that a profile may take. */
#include "bound.h"

#include "wish.h"

enum {
    MIB = 1 << 20,
    READER_BYTES = 32 * MIB, /* and so many for each byte of the file */
    READER_PER_BYTE = 8,
    DATA_BYTES = 64 * MIB, /* as above; string evals, which are most, take some 100 a byte */
    DATA_PER_BYTE = 512
};

/* At the line of whoever asked for the profile. */
static void refuse(pTHX_ SV *why)
{
    dSP;
    PUSHMARK(SP);
    mXPUSHs(why);
    PUTBACK;
    call_pv("Devel::NYTProf::ReadStream::_complain", G_VOID | G_DISCARD);
}

/* 0: nobody knows better. */
static uint64_t wished_bytes(pTHX)
{
    nytp_error error = {0};
    uint64_t bytes;
    if (!nytp_wished_bytes(&bytes, &error))
        refuse(aTHX_ newSVpv(error.message, 0));
    return bytes;
}

nytp_reader *bound_reader(pTHX_ const char *path)
{
    uint64_t wished = wished_bytes(aTHX);
    nytp_reader *reader = nytp_reader_new(nytp_source_file(path));
    if (reader == NULL)
        croak("out of memory");
    if (wished > 0)
        nytp_reader_set_memory(reader, wished, 0);
    else
        nytp_reader_set_memory(reader, READER_BYTES, READER_PER_BYTE);
    return reader;
}

void bound_extend(pTHX_ bound *b)
{
    uint64_t taken, size, wished = wished_bytes(aTHX);
    nytp_reader_position(b->reader, &taken, &size);
    b->allowed_bytes = wished > 0 ? wished : DATA_BYTES + DATA_PER_BYTE * (taken > size ? taken : size);
    if (b->taken_bytes > b->allowed_bytes)
        refuse(aTHX_ newSVpvf("%s: its data take more than the %lu MiB allowed; NYTP_MEMORY_MIB allows more",
                              b->path, (unsigned long)(b->allowed_bytes / MIB)));
}
