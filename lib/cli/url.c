#include "cli/url.h"

#include "cli/option_value.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t nytp_url_word(const char *text, const char *const *words)
{
    size_t i = 0;
    while (words[i] != NULL && strncmp(text, words[i], strlen(words[i])) != 0)
        i++;
    return i;
}

static char *expect_words(const char *const *words, const char *where, const char *argument)
{
    char names[128], *wrong;
    nytp_option_list_words(words, -1, names, sizeof names);
    return asprintf(&wrong, "expected %s %s '%s'", names, where, argument) < 0 ? NULL : wrong;
}

char *nytp_set_url(const nytp_option *option, const char *argument)
{
    const nytp_url_option *o = option->context;
    *o->url = argument;
    for (const char *brace = argument; (brace = strchr(brace, '{')) != NULL; brace++)
        if (o->words[nytp_url_word(brace, o->words)] == NULL)
            return expect_words(o->words, "at", brace);
    /* A script in a link would run with what the page knows. Browsers skip blanks before it. */
    const char *start = argument + strspn(argument, "\t\n\v\f\r ");
    if (g_ascii_strncasecmp(start, "javascript:", strlen("javascript:")) == 0 ||
        !g_utf8_validate(argument, -1, NULL))
        return strdup("expected the address of a page or an editor, such as vscode://file{file}:{line}");
    if (*argument != '\0' && strchr(argument, '{') == NULL)
        return expect_words(o->words, "in", argument);
    return NULL;
}
