#include "base/labels.h"

#include "base/grow.h"
#include "base/str.h"
#include "base/stringtable.h"

const char *const nytp_label_kinds[] = {
    [NYTP_LABEL_NONE] = "none",
    [NYTP_LABEL_SQL] = "sql",
    [NYTP_LABEL_REGEX] = "regex",
    [NYTP_LABEL_FILE] = "file",
    [NYTP_LABEL_COMMAND] = "command",
    [NYTP_LABEL_HOST] = "host",
    [NYTP_LABEL_HTTP] = "http",
    [NYTP_LABEL_TEMPLATE] = "template",
    [NYTP_LABEL_CALL] = "call",
    [NYTP_LABEL_SPAN] = "span",
    NULL,
};

struct nytp_labels {
    nytp_strings *bases;
    unsigned char *kinds; /* enum nytp_label_kind, by number of the base */
    size_t capacity;
};

nytp_labels *nytp_labels_new(void)
{
    nytp_labels *labels = calloc(1, sizeof *labels);
    if (labels != NULL && (labels->bases = nytp_strings_new()) == NULL) {
        free(labels);
        return NULL;
    }
    return labels;
}

void nytp_labels_free(nytp_labels *labels)
{
    if (labels == NULL)
        return;
    nytp_strings_free(labels->bases);
    free(labels->kinds);
    free(labels);
}

bool nytp_is_about_labels(nytp_str key)
{
    static const char begin[] = "label_";
    return nytp_str_is(key, "labels") ||
           (key.length > sizeof begin - 1 && memcmp(key.bytes, begin, sizeof begin - 1) == 0);
}

static enum nytp_label_kind kind_of(nytp_str word)
{
    enum nytp_label_kind kind = NYTP_LABEL_SQL;
    while (nytp_label_kinds[kind] != NULL && !nytp_str_is(word, nytp_label_kinds[kind]))
        kind++;
    return nytp_label_kinds[kind] != NULL ? kind : NYTP_LABEL_CALL;
}

/* "KIND=BASE". Words without a base are about built-ins, whose names say what they are. */
static bool add_word(nytp_labels *labels, const char *word, size_t length)
{
    const char *equals = memchr(word, '=', length);
    if (equals == NULL)
        return true;
    const nytp_str kind = {word, (size_t)(equals - word), false};
    const int64_t number = nytp_strings_intern(labels->bases, equals + 1, length - kind.length - 1);
    unsigned char *kinds =
        number < 0 ? NULL : nytp_grow(labels->kinds, &labels->capacity, (size_t)number + 1, 1);
    if (kinds == NULL)
        return false;
    labels->kinds = kinds;
    kinds[number] = (unsigned char)kind_of(kind);
    return true;
}

bool nytp_labels_add(nytp_labels *labels, nytp_str value)
{
    for (const char *at = value.bytes, *end = at + value.length; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *word_end = comma != NULL ? comma : end;
        if (!add_word(labels, at, (size_t)(word_end - at)))
            return false;
        at = word_end + (comma != NULL);
    }
    return true;
}

nytp_str nytp_up_to_blank(nytp_str name)
{
    const char *blank = memchr(name.bytes, ' ', name.length);
    return blank != NULL ? (nytp_str){name.bytes, (size_t)(blank - name.bytes), name.utf8} : name;
}

/* Returns what follows "::CORE:", or "CORE::" at the beginning, if that is a word. */
static nytp_str op_at_end(nytp_str name)
{
    static const char all[] = "CORE::", one[] = "::CORE:";
    const size_t all_length = sizeof all - 1, one_length = sizeof one - 1;
    const char *colon = memrchr(name.bytes, ':', name.length);
    const size_t before = colon != NULL ? (size_t)(colon - name.bytes) + 1 : 0;
    const nytp_str op = {name.bytes + before, name.length - before, name.utf8};
    const bool is_of_one = before >= one_length && memcmp(colon + 1 - one_length, one, one_length) == 0;
    const bool is_of_all = before == all_length && memcmp(name.bytes, all, all_length) == 0;
    const bool is_word = memchr(op.bytes, ' ', op.length) == NULL;
    return (is_of_one || is_of_all) && is_word ? op : (nytp_str){"", 0, false};
}

/* With slowops=3 a file that is loaded is the package, and may have blanks. */
nytp_str nytp_sub_op(nytp_str name)
{
    const nytp_str base = nytp_up_to_blank(name), op = op_at_end(base);
    return op.length > 0 || base.length == name.length ? op : op_at_end(name);
}

/* Returns the kind of the labels of a built-in. */
static enum nytp_label_kind kind_of_builtin(nytp_str base, nytp_str label)
{
    static const struct {
        const char *op;
        enum nytp_label_kind kind;
    } ops[] = {{"match", NYTP_LABEL_REGEX},      {"subst", NYTP_LABEL_REGEX},
               {"substcont", NYTP_LABEL_REGEX},  {"qr", NYTP_LABEL_REGEX},
               {"regcomp", NYTP_LABEL_REGEX},    {"system", NYTP_LABEL_COMMAND},
               {"backtick", NYTP_LABEL_COMMAND}, {"connect", NYTP_LABEL_HOST},
               {"ghbyname", NYTP_LABEL_HOST},    {"sleep", NYTP_LABEL_COMMAND}};
    const nytp_str op = nytp_sub_op(base);
    if (op.length == 0)
        return NYTP_LABEL_NONE;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (nytp_str_is(op, ops[i].op))
            return ops[i].kind;
    /* open() of a pipe */
    return *label.bytes == '|' || label.bytes[label.length - 1] == '|' ? NYTP_LABEL_COMMAND : NYTP_LABEL_FILE;
}

bool nytp_labels_split(const nytp_labels *labels, nytp_str name, nytp_label *label)
{
    const nytp_str base = nytp_up_to_blank(name);
    *label = (nytp_label){.base = name};
    if (base.length + 1 >= name.length)
        return false;
    const nytp_str text = {name.bytes + base.length + 1, name.length - base.length - 1, name.utf8};
    const int64_t number = labels != NULL ? nytp_strings_find(labels->bases, base.bytes, base.length) : -1;
    if (number >= 0)
        label->kind = labels->kinds[number];
    else if (nytp_str_is(base, "NYTProf::span"))
        label->kind = NYTP_LABEL_SPAN;
    else if (labels != NULL)
        label->kind = kind_of_builtin(base, text);
    if (label->kind == NYTP_LABEL_NONE)
        return false;
    label->base = base;
    label->text = text;
    return true;
}

enum nytp_label_runs nytp_label_runs(const nytp_label *label)
{
    static const char *const others[] = {"prepare", "fetch", "finish", "more_results"};
    if (label->kind != NYTP_LABEL_SQL)
        return label->kind == NYTP_LABEL_SPAN ? NYTP_RUNS_EACH : NYTP_RUNS_OUTERMOST;
    const char *colon = memrchr(label->base.bytes, ':', label->base.length);
    const char *method = colon != NULL ? colon + 1 : label->base.bytes;
    const size_t length = (size_t)(label->base.bytes + label->base.length - method);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (length >= strlen(others[i]) && memcmp(method, others[i], strlen(others[i])) == 0)
            return NYTP_RUNS_NONE;
    return NYTP_RUNS_OUTERMOST;
}
