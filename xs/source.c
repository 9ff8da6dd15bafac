#include "source.h"

#include "context.h"
#include "alloc.h"

AV *prof_source_of(pTHX_ const char *name, STRLEN length)
{
    char *key = prof_alloc(length + 2);
    key[0] = '_';
    key[1] = '<';
    memcpy(key + 2, name, length);
    SV **found = hv_fetch(PL_defstash, key, (I32)(length + 2), 0);
    free(key);
    if (found == NULL || !isGV_with_GP(*found))
        return NULL;
    AV *lines = GvAV((GV *)*found);
    return lines != NULL && AvFILLp(lines) >= 0 ? lines : NULL;
}

static void write_line(pTHX_ prof *p, uint32_t fid, uint32_t line, SV *text)
{
    nytp_chunk chunk = {.tag = NYTP_SRC_LINE};
    STRLEN length = 0;
    chunk.src_line.fid = fid;
    chunk.src_line.line = line;
    if (text != NULL && SvPOK(text)) {
        chunk.src_line.text.bytes = SvPV_nomg(text, length);
        chunk.src_line.text.length = length;
        chunk.src_line.text.utf8 = SvUTF8(text);
    }
    prof_output_chunk(p->out, &chunk);
}

/* Lines that perl has not kept are written as empty ones, but at most GAP_MAX in a row: after a #line
 * directive there may be millions. */
void prof_source_write(pTHX_ prof *p, uint32_t fid, AV *lines)
{
    enum { GAP_MAX = 1000 };
    SSize_t written = 0;
    for (SSize_t line = 1; line <= AvFILLp(lines); line++) {
        SV *text = AvARRAY(lines)[line];
        if (text == NULL || !SvPOK(text))
            continue;
        while (line - written <= GAP_MAX && ++written < line)
            write_line(aTHX_ p, fid, (uint32_t)written, NULL);
        write_line(aTHX_ p, fid, (uint32_t)line, text);
        written = line;
    }
}
