#include "test/unit/chunk_text.h"

#include <inttypes.h>

static void number(FILE *out, uint32_t value)
{
    fprintf(out, "\t%" PRIu32, value);
}

static void real(FILE *out, double value)
{
    fprintf(out, "\t%.17g", value);
}

static void string(FILE *out, nytp_str s)
{
    fputs(s.utf8 ? "\t\"" : "\t'", out);
    for (size_t i = 0; i < s.length; i++) {
        unsigned char byte = (unsigned char)s.bytes[i];
        if (byte > ' ' && byte < 0x7f && byte != '%')
            putc(byte, out);
        else
            fprintf(out, "%%%02X", byte);
    }
}

static void print_new_fid(FILE *out, const nytp_chunk *chunk)
{
    number(out, chunk->new_fid.fid);
    number(out, chunk->new_fid.eval_fid);
    number(out, chunk->new_fid.eval_line);
    number(out, chunk->new_fid.flags);
    number(out, chunk->new_fid.size);
    number(out, chunk->new_fid.mtime);
    string(out, chunk->new_fid.name);
}

static void print_time(FILE *out, const nytp_chunk *chunk)
{
    fprintf(out, "\t%" PRId32, chunk->time.ticks);
    number(out, chunk->time.fid);
    number(out, chunk->time.line);
    if (chunk->tag == NYTP_TIME_BLOCK) {
        number(out, chunk->time.block_line);
        number(out, chunk->time.sub_line);
    }
}

static void print_sub(FILE *out, const nytp_chunk *chunk)
{
    if (chunk->tag == NYTP_SUB_ENTRY) {
        number(out, chunk->sub_entry.fid);
        number(out, chunk->sub_entry.line);
        if (chunk->sub_entry.name.length > 0)
            string(out, chunk->sub_entry.name);
    } else if (chunk->tag == NYTP_SUB_RETURN) {
        number(out, chunk->sub_return.depth);
        real(out, chunk->sub_return.incl_ticks);
        real(out, chunk->sub_return.excl_ticks);
        string(out, chunk->sub_return.name);
    } else {
        number(out, chunk->sub_info.fid);
        number(out, chunk->sub_info.first_line);
        number(out, chunk->sub_info.last_line);
        string(out, chunk->sub_info.name);
    }
}

static void print_sub_callers(FILE *out, const nytp_chunk *chunk)
{
    number(out, chunk->sub_callers.fid);
    number(out, chunk->sub_callers.line);
    number(out, chunk->sub_callers.count);
    real(out, chunk->sub_callers.incl_s);
    real(out, chunk->sub_callers.excl_s);
    real(out, chunk->sub_callers.reci_s);
    number(out, chunk->sub_callers.max_depth);
    string(out, chunk->sub_callers.called);
    string(out, chunk->sub_callers.caller);
}

static void print_process(FILE *out, const nytp_chunk *chunk)
{
    if (chunk->tag == NYTP_PID_START) {
        number(out, chunk->pid_start.pid);
        number(out, chunk->pid_start.parent);
        real(out, chunk->pid_start.time_s);
    } else {
        number(out, chunk->pid_end.pid);
        real(out, chunk->pid_end.time_s);
    }
}

static void print_cover_unit(FILE *out, const nytp_chunk *chunk)
{
    number(out, chunk->cover_unit.unit);
    number(out, chunk->cover_unit.fid);
    number(out, chunk->cover_unit.line);
    number(out, chunk->cover_unit.kind);
    number(out, chunk->cover_unit.twin);
    string(out, chunk->cover_unit.name);
    number(out, chunk->cover_unit.points);
    string(out, chunk->cover_unit.list);
}

void chunk_print(FILE *out, const nytp_chunk *chunk)
{
    fputs(nytp_tag_name((int)chunk->tag), out);
    switch (chunk->tag) {
    case NYTP_VERSION:
        number(out, chunk->version.major);
        number(out, chunk->version.minor);
        break;
    case NYTP_COMMENT: string(out, chunk->comment.text); break;
    case NYTP_ATTRIBUTE:
    case NYTP_OPTION:
        string(out, chunk->attribute.key);
        string(out, chunk->attribute.value);
        break;
    case NYTP_START_DEFLATE:
    case NYTP_DISCOUNT: break;
    case NYTP_PID_START:
    case NYTP_PID_END: print_process(out, chunk); break;
    case NYTP_NEW_FID: print_new_fid(out, chunk); break;
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: print_time(out, chunk); break;
    case NYTP_SUB_ENTRY:
    case NYTP_SUB_RETURN:
    case NYTP_SUB_INFO: print_sub(out, chunk); break;
    case NYTP_SUB_CALLERS: print_sub_callers(out, chunk); break;
    case NYTP_SRC_LINE:
        number(out, chunk->src_line.fid);
        number(out, chunk->src_line.line);
        string(out, chunk->src_line.text);
        break;
    case NYTP_COVER_UNIT: print_cover_unit(out, chunk); break;
    case NYTP_COVER_HIT:
        number(out, chunk->cover_hit.unit);
        number(out, chunk->cover_hit.point);
        number(out, chunk->cover_hit.outcomes);
        break;
    }
    putc('\n', out);
}
