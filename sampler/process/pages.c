#include "sampler/process/remote.h"

#include <glib.h>
#include <string.h>

enum { PAGE = 4096, PAGES = 32 };

typedef struct page {
    uint64_t address, turn; /* turn: of sampler_pages when it was read; 0: never */
    unsigned char bytes[PAGE];
} page;

struct sampler_pages {
    const sampler_memory *memory;
    uint64_t turn;
    page pages[PAGES]; /* each has one place, given by its address */
};

sampler_pages *sampler_pages_new(const sampler_memory *memory)
{
    sampler_pages *p = g_new0(sampler_pages, 1);
    p->memory = memory;
    p->turn = 1;
    return p;
}

void sampler_pages_free(sampler_pages *pages)
{
    g_free(pages);
}

void sampler_pages_forget(sampler_pages *pages)
{
    pages->turn++;
}

/* Returns NULL if the page cannot be read as a whole. */
static const page *find_page(sampler_pages *p, uint64_t address)
{
    page *found = &p->pages[address / PAGE % PAGES];
    if (found->turn == p->turn && found->address == address)
        return found;
    found->turn = 0;
    if (!sampler_memory_read(p->memory, address, found->bytes, PAGE))
        return NULL;
    found->address = address;
    found->turn = p->turn;
    return found;
}

static bool read_piece(sampler_pages *p, const sampler_piece *piece)
{
    uint64_t address = piece->address;
    unsigned char *to = piece->to;
    for (size_t left = piece->size; left > 0;) {
        size_t offset = address % PAGE, part = left < PAGE - offset ? left : PAGE - offset;
        const page *from = find_page(p, address - offset);
        if (from != NULL)
            memcpy(to, from->bytes + offset, part);
        else if (!sampler_memory_read(p->memory, address, to, part))
            return false;
        address += part;
        to += part;
        left -= part;
    }
    return true;
}

static int read_pieces(void *context, const sampler_piece *pieces, int count)
{
    for (int i = 0; i < count; i++)
        if (!read_piece(context, &pieces[i]))
            return i;
    return count;
}

sampler_memory sampler_pages_memory(sampler_pages *pages)
{
    return (sampler_memory){read_pieces, pages};
}
