#include "model/hashes.h"
#include "sampler/sample/evals.h"

#include "sampler/perl/recent.h"

#include "base/str.h"
#include "model/eval_name.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_EVALS = 4096,  /* that are remembered, see recent.h */
    MOST_PLACES = 2048, /* the same */
    PLACE_ROOM = 1024,  /* evals in evals in evals: an outer place that is longer is left out */
};

typedef struct place {
    int evals;    /* that have names of their own */
    char *shared; /* the name of all others; NULL if none */
} place;

struct sampler_evals {
    int apart;              /* how many of a place have names of their own */
    sampler_recent *names;  /* what is shown, by perl's name */
    sampler_recent *places; /* of place, by `[FILE:LINE]`; empty for evals without one */
};

static void free_place(void *context)
{
    place *p = context;
    g_free(p->shared);
    g_free(p);
}

sampler_evals *sampler_evals_new(int apart)
{
    sampler_evals *e = g_new(sampler_evals, 1);
    e->apart = apart;
    e->names = sampler_recent_new(MOST_EVALS, nytp_hash_of_text, g_str_equal, g_free, g_free);
    e->places = sampler_recent_new(MOST_PLACES, nytp_hash_of_text, g_str_equal, g_free, free_place);
    return e;
}

void sampler_evals_free(sampler_evals *e)
{
    if (e == NULL)
        return;
    sampler_recent_free(e->names);
    sampler_recent_free(e->places);
    g_free(e);
}

void sampler_evals_clear(sampler_evals *e)
{
    sampler_recent_clear(e->names);
    sampler_recent_clear(e->places);
}

/* `(eval N)` and `(re_eval N)`, whose places perl does not name. */
static bool is_unnamed_eval(const char *name)
{
    nytp_eval_name eval;
    return name[0] == '(' && nytp_eval_name_parse(nytp_str_of(name), &eval) && eval.file.length == 0;
}

static place *place_of(sampler_evals *e, const char *text)
{
    place *found = sampler_recent_find(e->places, text);
    if (found == NULL) {
        found = g_new0(place, 1);
        sampler_recent_add(e->places, g_strdup(text), found);
    }
    return found;
}

/* Names an eval that is done at a place. */
static const char *add_eval(sampler_evals *e, const char *eval, const char *at)
{
    place *p = place_of(e, at);
    const char *own = e->apart > 0 ? eval : "(eval 0)";
    char *shown = p->shared != NULL ? g_strdup(p->shared) : g_strconcat(own, at, NULL);
    if (p->evals < e->apart)
        p->evals++;
    else if (p->shared == NULL)
        p->shared = g_strdup(shown);
    sampler_recent_add(e->names, g_strdup(eval), shown);
    return shown;
}

const char *sampler_evals_file(sampler_evals *e, const char *file)
{
    if (!is_unnamed_eval(file))
        return file;
    const char *shown = sampler_recent_find(e->names, file);
    return shown != NULL ? shown : add_eval(e, file, "");
}

/* Outer evals come first, so they are named before those that are done in them. With #line a program can have
 * evals be within each other: the outer one has no place then. */
void sampler_evals_see(sampler_evals *e, const nytp_strings *strings, const sampler_stack *stack)
{
    size_t length;
    char at[PLACE_ROOM];
    for (size_t n = 0; n < stack->count; n++) {
        const sampler_frame *frame = &stack->frames[n];
        uint32_t file = sampler_stack_spot(stack, n + 1).file;
        if (frame->kind != SAMPLER_FRAME_EVAL_STRING || file == SAMPLER_NO_STRING ||
            frame->file == SAMPLER_NO_STRING)
            continue;
        const char *eval = nytp_strings_get(strings, file, &length);
        if (!is_unnamed_eval(eval) || sampler_recent_find(e->names, eval) != NULL)
            continue;
        const char *outer = sampler_evals_file(e, nytp_strings_get(strings, frame->file, &length));
        if (snprintf(at, sizeof at, "[%s:%u]", outer, (unsigned)frame->line) >= (int)sizeof at)
            at[0] = '\0';
        if (sampler_recent_find(e->names, eval) == NULL)
            add_eval(e, eval, at);
    }
}

char *sampler_evals_sub(sampler_evals *e, const char *sub, const char *file)
{
    static const char anonymous[] = "::__ANON__[";
    const char *shown = sampler_evals_file(e, file), *open = shown != file ? strstr(sub, anonymous) : NULL;
    size_t length = strlen(file);
    if (open == NULL || strncmp(open + strlen(anonymous), file, length) != 0)
        return NULL;
    int before = (int)(open - sub) + (int)strlen(anonymous);
    return g_strdup_printf("%.*s%s%s", before, sub, shown, sub + before + length);
}
