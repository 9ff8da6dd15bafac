#include "data.h"

enum {
    PAGE_BITS = 4, /* small, because there may be many string evals, each of a few lines */
    PAGE_LINES = 1 << PAGE_BITS,
    LINE_BYTES = 200, /* of a line as perl data, and of a file */
    FILE_BYTES = 150
};

typedef struct line_total {
    int64_t ticks;
    uint64_t executions;
    bool seen;
} line_total;

typedef struct page {
    line_total lines[PAGE_LINES];
} page;

struct read_lines_file {
    page **pages; /* NULL if none of its lines was seen */
    size_t page_count;
};

static read_lines_file *file_of(pTHX_ read_lines *l, uint32_t fid)
{
    if (fid >= l->file_count) {
        size_t count = (size_t)fid + fid / 2 + 16;
        read_bound_charge(aTHX_ l->bound, count * sizeof *l->files);
        Renew(l->files, count, read_lines_file);
        Zero(l->files + l->file_count, count - l->file_count, read_lines_file);
        l->file_count = count;
    }
    return &l->files[fid];
}

static page *page_of(pTHX_ read_bound *b, read_lines_file *file, uint32_t number)
{
    if (number >= file->page_count) {
        size_t count = (size_t)number + number / 4 + 2;
        read_bound_charge(aTHX_ b, count * sizeof *file->pages);
        Renew(file->pages, count, page *);
        Zero(file->pages + file->page_count, count - file->page_count, page *);
        file->page_count = count;
    }
    if (file->pages[number] == NULL) {
        read_bound_charge(aTHX_ b, sizeof(page));
        Newxz(file->pages[number], 1, page);
    }
    return file->pages[number];
}

void read_lines_add(pTHX_ read_lines *l, uint32_t fid, uint32_t line, int64_t ticks, bool executed)
{
    uint32_t number = line >> PAGE_BITS;
    read_lines_file *file = fid < l->file_count ? &l->files[fid] : file_of(aTHX_ l, fid);
    page *p = number < file->page_count ? file->pages[number] : NULL;
    if (p == NULL)
        p = page_of(aTHX_ l->bound, file, number);
    line_total *total = &p->lines[line % PAGE_LINES];
    total->ticks += ticks;
    total->executions += executed;
    total->seen = true;
}

static void free_pages(read_lines_file *file)
{
    for (size_t i = 0; i < file->page_count; i++)
        Safefree(file->pages[i]);
    Safefree(file->pages);
    *file = (read_lines_file){0};
}

void read_lines_free(read_lines *l)
{
    for (read_lines_file *file = l->files; file < l->files + l->file_count; file++)
        free_pages(file);
    Safefree(l->files);
}

static SV *line_to_sv(pTHX_ const line_total *total, double ticks_per_sec)
{
    AV *pair = newAV();
    av_extend(pair, 1);
    av_push(pair, newSVnv((double)total->ticks / ticks_per_sec));
    av_push(pair, newSViv((IV)total->executions));
    return newRV_noinc(MUTABLE_SV(pair));
}

/* Returns the number after that of the last line seen. */
static SSize_t end_of(const read_lines_file *file)
{
    size_t end = 0;
    for (size_t i = file->page_count; end == 0 && i-- > 0;)
        for (size_t j = 0; file->pages[i] != NULL && j < PAGE_LINES; j++)
            if (file->pages[i]->lines[j].seen)
                end = i * PAGE_LINES + j + 1;
    return (SSize_t)end;
}

static void file_to_av(pTHX_ read_lines_file *file, read_bound *b, AV *av, double ticks_per_sec)
{
    SSize_t end = end_of(file);
    read_bound_charge(aTHX_ b, (uint64_t)end * sizeof(SV *));
    av_extend(av, end - 1);
    for (size_t i = 0; i < file->page_count; i++)
        for (size_t j = 0; file->pages[i] != NULL && j < PAGE_LINES; j++)
            if (file->pages[i]->lines[j].seen) {
                read_bound_charge(aTHX_ b, LINE_BYTES);
                av_store(av, (SSize_t)(i * PAGE_LINES + j),
                         line_to_sv(aTHX_ & file->pages[i]->lines[j], ticks_per_sec));
            }
}

void read_lines_to_av(pTHX_ read_lines *l, AV *av, double ticks_per_sec)
{
    read_bound_charge(aTHX_ l->bound, l->file_count * sizeof(SV *));
    for (size_t fid = 0; fid < l->file_count; fid++) {
        if (l->files[fid].page_count == 0)
            continue;
        read_bound_charge(aTHX_ l->bound, FILE_BYTES);
        AV *lines_of_file = newAV();
        av_store(av, (SSize_t)fid, newRV_noinc(MUTABLE_SV(lines_of_file)));
        file_to_av(aTHX_ & l->files[fid], l->bound, lines_of_file, ticks_per_sec);
        free_pages(&l->files[fid]);
    }
}
