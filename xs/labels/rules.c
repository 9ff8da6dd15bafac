#include "rules.h"

#include "../alloc.h"

static const struct {
    const char *name;
    unsigned bits;
} kinds[] = {
    {"sql", PROF_LABELS_SQL},           {"regex", PROF_LABELS_REGEX}, {"file", PROF_LABELS_FILE},
    {"command", PROF_LABELS_COMMAND},   {"host", PROF_LABELS_HOST},   {"http", PROF_LABELS_HTTP},
    {"template", PROF_LABELS_TEMPLATE},
};

/* Returns the kind that a word names, or all of them; 0: it names none. */
static unsigned kind_of(const char *word, size_t length)
{
    unsigned all = 0;
    for (size_t i = 0; i < C_ARRAY_LENGTH(kinds); i++) {
        all |= kinds[i].bits;
        if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, word, length) == 0)
            return kinds[i].bits;
    }
    return length == 3 && memcmp(word, "all", 3) == 0 ? all : 0;
}

void prof_rules_parse(pTHX_ prof_rules *rules, const char *text, bool warn)
{
    for (const char *word = text != NULL ? text : ""; *word != '\0';) {
        const size_t length = strcspn(word, ",");
        const unsigned kind = kind_of(word, length);
        rules->kinds |= kind;
        if (kind == 0 && length > 0 && warn)
            Perl_warn(aTHX_ "Devel::NYTProf: labels: '%.*s' is ignored: it is not a kind of labels\n",
                      (int)length, word);
        word += length + (word[length] == ',');
    }
}

char *prof_rules_list(const prof_rules *rules)
{
    char text[256] = "";
    for (size_t i = 0; i < C_ARRAY_LENGTH(kinds); i++) {
        if ((rules->kinds & kinds[i].bits) == 0)
            continue;
        if (*text != '\0')
            my_strlcat(text, ",", sizeof text);
        my_strlcat(text, kinds[i].name, sizeof text);
    }
    return prof_strdup(text);
}
