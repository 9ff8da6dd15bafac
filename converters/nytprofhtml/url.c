#include "url.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

char *html_url_complaint(const char *template)
{
    static const char *const words[] = {"{file}", "{line}", "{sub}", "{package}"};
    for (const char *brace = template; (brace = strchr(brace, '{')) != NULL; brace++) {
        size_t i = 0;
        while (i < G_N_ELEMENTS(words) && !g_str_has_prefix(brace, words[i]))
            i++;
        if (i == G_N_ELEMENTS(words))
            return strdup("expected {file}, {line}, {sub} or {package} after each brace");
    }
    /* A script in a link would run with what the page knows. */
    if (g_ascii_strncasecmp(template, "javascript:", strlen("javascript:")) == 0 ||
        !g_utf8_validate(template, -1, NULL))
        return strdup("expected the address of a page or an editor, such as vscode://file{file}:{line}");
    return NULL;
}
