/* Ticks and executions by file and line. */
#include "lines.h"

enum { PAGE_BITS = 7, PAGE_LINES = 1 << PAGE_BITS };

typedef struct line_total {
    int64_t ticks;
    uint64_t executions;
    bool seen;
} line_total;

typedef struct page {
    line_total lines[PAGE_LINES];
} page;

struct lines_file {
    page **pages; /* NULL: none of those lines */
    size_t page_count;
};

static lines_file *file_of(lines *l, uint32_t fid)
{
    if (fid >= l->file_count) {
        size_t count = fid + fid / 2 + 16;
        Renew(l->files, count, lines_file);
        Zero(l->files + l->file_count, count - l->file_count, lines_file);
        l->file_count = count;
    }
    return &l->files[fid];
}

static page *page_of(lines_file *file, uint32_t number)
{
    if (number >= file->page_count) {
        size_t count = number + number / 2 + 4;
        Renew(file->pages, count, page *);
        Zero(file->pages + file->page_count, count - file->page_count, page *);
        file->page_count = count;
    }
    if (file->pages[number] == NULL)
        Newxz(file->pages[number], 1, page);
    return file->pages[number];
}

void lines_add(lines *l, uint32_t fid, uint32_t line, int64_t ticks, bool executed)
{
    uint32_t number = line >> PAGE_BITS;
    lines_file *file = fid < l->file_count ? &l->files[fid] : file_of(l, fid);
    page *p = number < file->page_count ? file->pages[number] : NULL;
    if (p == NULL)
        p = page_of(file, number);
    line_total *total = &p->lines[line % PAGE_LINES];
    total->ticks += ticks;
    total->executions += executed;
    total->seen = true;
}

void lines_free(lines *l)
{
    for (lines_file *file = l->files; file < l->files + l->file_count; file++) {
        for (size_t i = 0; i < file->page_count; i++)
            Safefree(file->pages[i]);
        Safefree(file->pages);
    }
    Safefree(l->files);
}

/* ---- as perl sees them ---- */

static SV *line_to_sv(pTHX_ const line_total *total, double ticks_per_sec)
{
    AV *pair = newAV();
    av_extend(pair, 1);
    av_push(pair, newSVnv((double)total->ticks / ticks_per_sec));
    av_push(pair, newSViv((IV)total->executions));
    return newRV_noinc(MUTABLE_SV(pair));
}

/* Behind the last line seen, or 0. */
static SSize_t end_of(const lines_file *file)
{
    size_t end = 0;
    for (size_t i = file->page_count; end == 0 && i-- > 0;)
        for (size_t j = 0; file->pages[i] != NULL && j < PAGE_LINES; j++)
            if (file->pages[i]->lines[j].seen)
                end = i * PAGE_LINES + j + 1;
    return (SSize_t)end;
}

static AV *file_to_av(pTHX_ const lines_file *file, double ticks_per_sec)
{
    SSize_t end = end_of(file);
    if (end == 0)
        return NULL;
    AV *av = newAV();
    av_extend(av, end - 1);
    for (size_t i = 0; i < file->page_count; i++)
        for (size_t j = 0; file->pages[i] != NULL && j < PAGE_LINES; j++)
            if (file->pages[i]->lines[j].seen)
                av_store(av, (SSize_t)(i * PAGE_LINES + j),
                         line_to_sv(aTHX_ & file->pages[i]->lines[j], ticks_per_sec));
    return av;
}

AV *lines_to_av(pTHX_ const lines *l, double ticks_per_sec)
{
    AV *av = newAV();
    for (size_t fid = 0; fid < l->file_count; fid++) {
        AV *file = file_to_av(aTHX_ & l->files[fid], ticks_per_sec);
        if (file != NULL)
            av_store(av, (SSize_t)fid, newRV_noinc(MUTABLE_SV(file)));
    }
    return av;
}
