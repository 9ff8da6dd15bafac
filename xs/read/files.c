#include "data.h"

enum { FILE_EVAL = 8, FILE_EVALS = 9 };

AV *read_files_find(pTHX_ const read_data *l, uint32_t fid)
{
    SV **item = (SSize_t)fid <= AvMAX(l->files) ? av_fetch(l->files, (SSize_t)fid, 0) : NULL;
    return item != NULL && SvROK(*item) ? MUTABLE_AV(SvRV(*item)) : NULL;
}

/* Adds the new file to the evals of the file that executed it. */
static void add_to_parent(pTHX_ read_data *l, AV *parent, AV *item)
{
    SV **evals = av_fetch(parent, FILE_EVALS, 1);
    if (!SvROK(*evals))
        read_data_array(aTHX_ l, *evals);
    av_push(MUTABLE_AV(SvRV(*evals)), newRV_inc(MUTABLE_SV(item)));
    av_store(item, FILE_EVAL, sv_rvweaken(newRV_inc(MUTABLE_SV(parent))));
}

void read_files_add(pTHX_ read_data *l, const nytp_chunk *chunk)
{
    uint32_t fid = chunk->new_fid.fid, eval_fid = chunk->new_fid.eval_fid;
    /* An eval that comes before its parent counts as a plain file. */
    AV *parent = eval_fid != 0 && eval_fid != fid ? read_files_find(aTHX_ l, eval_fid) : NULL;
    read_data_reach(aTHX_ l, l->files, fid);
    read_bound_charge(aTHX_ & l->bound, READ_FILE_BYTES);
    AV *item = newAV();
    SV *reference = newRV_noinc(MUTABLE_SV(item));
    av_store(l->files, (SSize_t)fid, reference);
    av_extend(item, READ_FILE_CALLS);
    av_push(item, read_data_string(aTHX_ l, chunk->new_fid.name));
    av_push(item, parent != NULL ? newSVuv(eval_fid) : newSVsv(&PL_sv_no));
    av_push(item, parent != NULL ? newSVuv(chunk->new_fid.eval_line) : newSVsv(&PL_sv_no));
    av_push(item, newSVuv(fid));
    av_push(item, newSVuv(chunk->new_fid.flags));
    av_push(item, newSVuv(chunk->new_fid.size));
    av_push(item, newSVuv(chunk->new_fid.mtime));
    av_push(item, read_data_owner(aTHX_ l));
    av_push(item, newSV(0));
    av_push(item, newSV(0));
    av_push(item, newRV_noinc(MUTABLE_SV(newHV())));
    av_push(item, newRV_noinc(MUTABLE_SV(newHV())));
    sv_bless(reference, gv_stashpvs("Devel::NYTProf::FileInfo", GV_ADD));
    if (parent != NULL)
        add_to_parent(aTHX_ l, parent, item);
}

void read_files_add_source(pTHX_ read_data *l, const nytp_chunk *chunk)
{
    uint32_t fid = chunk->src_line.fid, line = chunk->src_line.line;
    read_data_reach(aTHX_ l, l->source, fid);
    SV **texts = av_fetch(l->source, (SSize_t)fid, 1);
    if (!SvROK(*texts))
        read_data_array(aTHX_ l, *texts);
    AV *av = MUTABLE_AV(SvRV(*texts));
    read_data_reach(aTHX_ l, av, line);
    av_store(av, (SSize_t)line, read_data_string(aTHX_ l, chunk->src_line.text));
}
