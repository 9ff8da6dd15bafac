#include "stream.h"

MODULE = Devel::NYTProf::ReadStream  PACKAGE = Devel::NYTProf::ReadStream

PROTOTYPES: DISABLE

BOOT:
    read_deliver_boot(aTHX);

SV *
open_stream(const char *path, SV *callbacks)
CODE:
    RETVAL = read_stream_open(aTHX_ path, callbacks);
OUTPUT:
    RETVAL

void
deliver(...)
CODE:
    PERL_UNUSED_VAR(items);
    croak("deliver is an op");

void
problems(SV *reference)
PPCODE:
    read_stream *s = read_stream_of(reference);
    SV *error, *warning;
    read_stream_problems(aTHX_ s->reader, s->path, s->ended, &error, &warning);
    EXTEND(SP, 2);
    PUSHs(sv_2mortal(error));
    PUSHs(sv_2mortal(warning));

void
load(HV *profile, const char *path)
PPCODE:
    SV *error, *warning;
    read_load_profile(aTHX_ profile, path, &error, &warning);
    EXTEND(SP, 2);
    PUSHs(sv_2mortal(error));
    PUSHs(sv_2mortal(warning));
