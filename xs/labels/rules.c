#include "labels/rules.h"

#include "basics/alloc.h"

/* A word of the user, or of the table below. */
typedef struct words {
    const char *at, *end;
} words;

/* What is in which argument of which subs. "!" is what prof_part_form calls a statement. */
static const char sql_rules[] =
    "DBI::db::prepare=1!,DBI::db::prepare_cached=1!,DBI::db::do=1!,DBI::db::selectrow_array=1!,"
    "DBI::db::selectrow_arrayref=1!,DBI::db::selectrow_hashref=1!,DBI::db::selectall_arrayref=1!,"
    "DBI::db::selectall_array=1!,DBI::db::selectall_hashref=1!,DBI::db::selectcol_arrayref=1!,"
    "DBI::st::execute=0!,DBI::st::execute_array=0!,DBI::st::execute_for_fetch=0!,DBI::st::fetch=0!,"
    "DBI::st::fetchrow_arrayref=0!,DBI::st::fetchrow_array=0!,DBI::st::fetchrow_hashref=0!,"
    "DBI::st::fetchall_arrayref=0!,DBI::st::fetchall_hashref=0!,DBI::st::finish=0!,DBI::st::more_results=0!,"
    "DBI::connect=1dsn";
static const char http_rules[] =
    "HTTP::Tiny::request=1+2url,LWP::UserAgent::request=1{_method}+1{_uri}$url,"
    "Mojo::UserAgent::start=1{req}{method}+1{req}{url}{host}+1{req}{url}{port}port+"
    "1{req}{url}{path}{path}path";
static const char template_rules[] =
    "Template::process=1,Template::Context::include=1,Template::Context::process=1";

static const struct {
    const char *name;
    unsigned bits;
    const char *rules; /* NULL if its labels are those of built-ins */
} kinds[] = {
    {"sql", PROF_LABELS_SQL, sql_rules},
    {"regex", PROF_LABELS_REGEX, NULL},
    {"file", PROF_LABELS_FILE, NULL},
    {"command", PROF_LABELS_COMMAND, NULL},
    {"host", PROF_LABELS_HOST, NULL},
    {"http", PROF_LABELS_HTTP, http_rules},
    {"template", PROF_LABELS_TEMPLATE, template_rules},
};

/* Returns the kind that a word names, or all of them; 0 if it names none. */
static unsigned kind_of(words word)
{
    const size_t length = (size_t)(word.end - word.at);
    unsigned all = 0;
    for (size_t i = 0; i < C_ARRAY_LENGTH(kinds); i++) {
        all |= kinds[i].bits;
        if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, word.at, length) == 0)
            return kinds[i].bits;
    }
    return length == 3 && memcmp(word.at, "all", 3) == 0 ? all : 0;
}

static bool skip(words *w, const char *text)
{
    const size_t length = strlen(text);
    const bool is_there = (size_t)(w->end - w->at) >= length && memcmp(w->at, text, length) == 0;
    w->at += is_there ? length : 0;
    return is_there;
}

/* Reads a number of at most two digits. */
static bool read_number(words *w, SSize_t *number)
{
    const char *from = w->at;
    for (*number = 0; w->at < w->end && isDIGIT(*w->at) && *number <= PROF_ARGUMENT_MAX; w->at++)
        *number = *number * 10 + (*w->at - '0');
    return w->at > from && *number <= PROF_ARGUMENT_MAX;
}

static bool read_step(pTHX_ words *w, prof_rule_step *step)
{
    if (skip(w, "["))
        return read_number(w, &step->index) && skip(w, "]");
    if (!skip(w, "{"))
        return false;
    const char *key = w->at;
    while (w->at < w->end && *w->at != '}')
        w->at++;
    step->key = prof_key_of(aTHX_ key, (I32)(w->at - key));
    return w->at > key && skip(w, "}");
}

static bool read_part(pTHX_ words *w, prof_rule_part *part)
{
    if (!read_number(w, &part->argument))
        return false;
    while (w->at < w->end && (*w->at == '{' || *w->at == '['))
        if (part->step_count == PROF_STEPS_MAX || !read_step(aTHX_ w, &part->steps[part->step_count++]))
            return false;
    part->follows = skip(w, "$");
    if (skip(w, "!"))
        part->form = PROF_PART_STATEMENT;
    else if (skip(w, "url"))
        part->form = PROF_PART_URL;
    else if (skip(w, "port"))
        part->form = PROF_PART_PORT;
    else if (skip(w, "path"))
        part->form = PROF_PART_PATH;
    else if (skip(w, "dsn"))
        part->form = PROF_PART_DSN;
    else if (skip(w, "sql"))
        part->form = PROF_PART_SQL;
    return w->at == w->end || skip(w, "+");
}

/* Reads NAME=PART+PART... */
static bool read_rule(pTHX_ words w, prof_rule *rule)
{
    const char *equals = memchr(w.at, '=', (size_t)(w.end - w.at));
    if (equals == NULL || equals == w.at || equals + 1 == w.end ||
        memchr(w.at, ' ', (size_t)(equals - w.at)) != NULL)
        return false;
    rule->name = w.at;
    rule->length = (size_t)(equals - w.at);
    for (w.at = equals + 1; w.at < w.end;)
        if (rule->part_count == PROF_PARTS_MAX || !read_part(aTHX_ & w, &rule->parts[rule->part_count++]))
            return false;
    return w.end[-1] != '+';
}

static void note_name(pTHX_ prof_rules *rules, const prof_rule *rule)
{
    const char *name = rule->name + rule->length;
    U32 hash;
    PERL_UNUSED_CONTEXT;
    while (name > rule->name && name[-1] != ':')
        name--;
    PERL_HASH(hash, name, (size_t)(rule->name + rule->length - name));
    rules->filter[hash >> 6 & 3] |= UINT64_C(1) << (hash & 63);
}

/* Returns what is wrong with a rule; NULL if it was added. The first of two rules for a sub counts. */
static const char *add_rule(pTHX_ prof_rules *rules, words word, const char *kind)
{
    prof_rule rule = {.kind = kind};
    if (!read_rule(aTHX_ word, &rule))
        return "it is neither a kind of labels nor a rule, such as My::Cache::get=1";
    if (rules->count == PROF_RULES_MAX)
        return "there are too many rules";
    if (prof_rule_find(rules, rule.name, rule.length) >= 0)
        return "there is a rule for that sub";
    rules->at[rules->count++] = rule;
    note_name(aTHX_ rules, &rule);
    return NULL;
}

/* Calls for each word. They are separated by commas. */
static bool next_word(const char **at, words *word)
{
    *at += strspn(*at, ",");
    const size_t length = strcspn(*at, ",");
    *word = (words){*at, *at + length};
    *at += length;
    return length > 0;
}

static void add_rules(pTHX_ prof_rules *rules, const char *text, const char *kind)
{
    words word;
    while (next_word(&text, &word))
        add_rule(aTHX_ rules, word, kind);
}

/* Rules of the user come first, so that they count in the place of built-in ones. */
void prof_rules_parse(pTHX_ prof_rules *rules, const char *text, bool complains)
{
    words word;
    if (text == NULL)
        return;
    rules->text = prof_strdup(text);
    rules->at = prof_alloc(PROF_RULES_MAX * sizeof *rules->at);
    prof_handles_init(aTHX_ & rules->handles);
    for (const char *at = rules->text; next_word(&at, &word);) {
        const unsigned kind = kind_of(word);
        const char *wrong = kind == 0 ? add_rule(aTHX_ rules, word, "call") : NULL;
        rules->kinds |= kind;
        if (wrong != NULL && complains)
            Perl_warn(aTHX_ "Devel::NYTProf: labels: '%.*s' is ignored: %s\n", (int)(word.end - word.at),
                      word.at, wrong);
    }
    for (size_t i = 0; i < C_ARRAY_LENGTH(kinds); i++)
        if (rules->kinds & kinds[i].bits && kinds[i].rules != NULL)
            add_rules(aTHX_ rules, kinds[i].rules, kinds[i].name);
}

void prof_rules_free(pTHX_ prof_rules *rules)
{
    prof_handles_free(aTHX_ & rules->handles);
    free(rules->text);
    free(rules->at);
}

int prof_rule_find(const prof_rules *rules, const char *name, size_t length)
{
    for (unsigned i = 0; i < rules->count; i++)
        if (rules->at[i].length == length && memcmp(rules->at[i].name, name, length) == 0)
            return (int)i;
    return -1;
}

char *prof_rules_list(const prof_rules *rules)
{
    size_t size = 256;
    for (unsigned i = 0; i < rules->count; i++)
        size += strlen(rules->at[i].kind) + rules->at[i].length + 2;
    char *list = prof_alloc(size);
    size_t length = 0;
    for (size_t i = 0; i < C_ARRAY_LENGTH(kinds); i++)
        if (rules->kinds & kinds[i].bits)
            length += (size_t)my_snprintf(list + length, size - length, "%s%s", length > 0 ? "," : "",
                                          kinds[i].name);
    for (unsigned i = 0; i < rules->count; i++)
        length += (size_t)my_snprintf(list + length, size - length, "%s%s=%.*s", length > 0 ? "," : "",
                                      rules->at[i].kind, (int)rules->at[i].length, rules->at[i].name);
    return list;
}
