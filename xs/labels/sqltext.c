#include "labels/sqltext.h"

#include "labels/labeltext.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

typedef struct normalising {
    const char *at, *end;
    prof_sql_dialect dialect;
    char *to;
    size_t length;
    bool blank;     /* one is due before the next token */
    bool ends_here; /* the rest cannot be read safely */
    size_t or_end;  /* where the term after the last OR begins; 0 if there is none */
    /* The rows of VALUES. */
    size_t depth,
        values_depth; /* of parentheses; that of VALUES + 1, 0 if there is no VALUES or its rows have ended */
    size_t row, row_end, last_row, last_row_end; /* where rows begin and end; 0 if there is none */
} normalising;

static char peek(const normalising *n, size_t ahead)
{
    return (char)((size_t)(n->end - n->at) > ahead ? n->at[ahead] : '\0');
}

static void put(normalising *n, const char *bytes, size_t length)
{
    const char first = *bytes, last = (char)(n->length > 0 ? n->to[n->length - 1] : '(');
    if (n->blank && last != '(' && first != ',' && first != ')')
        n->to[n->length++] = ' ';
    n->blank = false;
    memcpy(n->to + n->length, bytes, length);
    n->length += length;
}

/* Returns whether the first `end` bytes of the output end with a text, in capitals or not. Usually the last
 * character differs, so it is compared first. */
static inline bool ends_with(const normalising *n, size_t end, const char *text)
{
    const size_t length = strlen(text);
    return end >= length && ((n->to[end - 1] ^ text[length - 1]) & ~0x20) == 0 &&
           strncasecmp(n->to + end - length, text, length) == 0;
}

static bool ends_with_word(const normalising *n, size_t end, const char *word)
{
    const size_t length = strlen(word);
    return ends_with(n, end, word) && (end == length || !is_in_name(n->to[end - length - 1]));
}

/* Makes "a = ? OR a = ?" and "a = ? OR+ OR a = ?" into "a = ? OR+". */
static void join_terms(normalising *n)
{
    static const char or_more[] = " OR+";
    const size_t begin = n->or_end, length = n->length - begin;
    if (n->length <= begin || !ends_with(n, begin, " OR "))
        return;
    size_t end = begin - strlen(" OR ");
    const size_t more = ends_with(n, end, or_more) ? strlen(or_more) : 0;
    if (end < length + more || memcmp(n->to + end - more - length, n->to + begin, length) != 0)
        return;
    const size_t first = end - more - length;
    if (first > 0 && n->to[first - 1] != ' ' && n->to[first - 1] != '(')
        return;
    n->length = first + length;
    n->or_end = 0;
    put(n, or_more, strlen(or_more));
}

/* Puts "?", or "?+" for a list. If a literal and a comma precede, both become one "?+". */
static void put_literal(normalising *n, bool is_list)
{
    /* A sign belongs to the number. */
    const size_t end = n->length;
    if (end > 1 && (n->to[end - 1] == '-' || n->to[end - 1] == '+') &&
        strchr("(,=<>", n->to[end - 2 - (n->to[end - 2] == ' ' && end > 2)]) != NULL) {
        n->length--;
        n->blank = n->to[n->length - 1] == ' ';
        n->length -= n->blank;
    }
    const bool follows = ends_with(n, n->length, "?,") || ends_with(n, n->length, "?+,");
    if (follows) {
        n->length -= ends_with(n, n->length, "?,") ? strlen("?,") : strlen("?+,");
        n->blank = n->length > 0 && n->to[n->length - 1] == ' ';
        n->length -= n->blank;
    }
    put(n, "?+", follows || is_list ? 2 : 1);
    join_terms(n);
}

static void end_here(normalising *n)
{
    n->blank = false;
    put(n, "...", 3);
    n->ends_here = true;
}

static void put_unreadable(normalising *n)
{
    put_literal(n, false);
    end_here(n);
}

/* Skips a string. A quote is doubled. If a backslash is before a quote, it depends on the server where the
 * string ends. */
static void put_string(normalising *n, char quote)
{
    n->at++;
    while (n->at < n->end) {
        const char c = *n->at++;
        if (c == '\\' && n->at < n->end && *n->at == quote) {
            put_unreadable(n);
            return;
        }
        if (c == quote) {
            if (n->at == n->end || *n->at != quote)
                break;
            n->at++;
        }
    }
    put_literal(n, false);
}

static void put_number(normalising *n)
{
    const bool is_hex = *n->at == '0' && (peek(n, 1) | 0x20) == 'x';
    while (n->at < n->end && (is_in_name(*n->at) || *n->at == '.')) {
        const bool is_exponent = !is_hex && (*n->at | 0x20) == 'e';
        n->at++;
        if (is_exponent && (peek(n, 0) == '-' || peek(n, 0) == '+') && is_digit(peek(n, 1)))
            n->at++;
    }
    put_literal(n, false);
}

/* $1 is a parameter, $tag$...$tag$ a string. */
static void put_dollar(normalising *n)
{
    const char *from = n->at++;
    const bool has_parameters = n->dialect == PROF_SQL_STANDARD || n->dialect == PROF_SQL_SQLITE;
    while (n->at < n->end && is_in_name(*n->at) && *n->at != '$')
        n->at++;
    const size_t length = (size_t)(n->at - from);
    const bool is_number = length > 1 && is_digit(from[1]);
    if (is_number && !has_parameters) {
        put_literal(n, false);
        return;
    }
    if (is_number || peek(n, 0) != '$') {
        put(n, from, length);
        return;
    }
    n->at++;
    const char *closing = memmem(n->at, (size_t)(n->end - n->at), from, length + 1);
    n->at = closing != NULL ? closing + length + 1 : n->end;
    put_literal(n, false);
}

/* SQLite takes a name in quotes for a string if there is no such column. Returns whether a value usually
 * stands here. */
static bool is_after_operator(const normalising *n)
{
    const char last = (char)(n->length > 0 ? n->to[n->length - 1] : ',');
    const bool in_row = n->values_depth > 0 && n->depth >= n->values_depth;
    return in_row || strchr("=<>|", last) != NULL || ends_with_word(n, n->length, "LIKE") ||
           ends_with(n, n->length, " IN (") || ends_with(n, n->length, "?,");
}

/* A name in quotes that does not look like a name may be a string. */
static void put_quoted_name(normalising *n, char quote)
{
    const char *from = n->at++;
    bool is_name = true;
    while (n->at < n->end && *n->at != quote) {
        is_name &= is_in_name(*n->at) || *n->at == '.' || *n->at == ' ' || *n->at == '-';
        n->at++;
    }
    const bool is_closed = n->at < n->end;
    n->at += is_closed;
    if (n->dialect == PROF_SQL_SQLITE && quote == '"' && (peek(n, 0) != '.' || is_digit(peek(n, 1))))
        is_name &= !is_after_operator(n);
    if (!is_closed || peek(n, 0) == quote || n->at[-2] == '\\')
        put_unreadable(n);
    else if (is_name)
        put(n, from, (size_t)(n->at - from));
    else
        put_literal(n, false);
}

static bool has_quote(const char *from, const char *to)
{
    while (from < to && *from != '\'' && *from != '"' && *from != '`')
        from++;
    return from < to;
}

/* Skips "--" and "#" up to the end of the line. is_sure: they begin a comment; otherwise they do if that does
 * not matter. */
static void skip_line(normalising *n, bool is_sure)
{
    const char *newline = memchr(n->at, '\n', (size_t)(n->end - n->at));
    const char *end = newline != NULL ? newline : n->end;
    if (!is_sure && has_quote(n->at, end)) {
        end_here(n);
        return;
    }
    n->at = end;
    n->blank = true;
}

/* Comments may contain others or not, and MySQL executes some. */
static void skip_comment(normalising *n)
{
    const char *from = n->at + 2;
    const char *end = memmem(from, (size_t)(n->end - from), "*/", 2);
    const char *inner = memmem(from, (size_t)(n->end - from), "/*", 2);
    if (peek(n, 2) == '!' || (end != NULL && inner != NULL && inner < end)) {
        end_here(n);
        return;
    }
    n->at = end != NULL ? end + 2 : n->end;
    n->blank = true;
}

/* Whether a string follows that these letters belong to: x'ff', E'...', N'...', _utf8'...'. */
static bool is_prefix(const char *word, size_t length)
{
    return (length == 1 && strchr("xXbBeEnN", *word) != NULL) || (length > 1 && *word == '_');
}

static void put_word(normalising *n)
{
    const char *word = n->at;
    while (n->at < n->end && is_in_name(*n->at))
        n->at++;
    const size_t length = (size_t)(n->at - word);
    const bool is_oracle = length <= 2 && (n->at[-1] | 0x20) == 'q'; /* q'[it's]' */
    if (peek(n, 0) == '\'' && is_prefix(word, length)) {
        put_string(n, '\'');
    } else if (peek(n, 0) == '\'' && is_oracle && n->dialect != PROF_SQL_MYSQL) {
        put_unreadable(n);
    } else if (length == 2 && strncasecmp(word, "OR", 2) == 0) {
        const bool is_joined = peek(n, 0) == '+' && (n->at + 1 == n->end || !is_in_name(n->at[1]));
        put(n, word, length);
        n->or_end = n->length + 1;
        if (is_joined) {
            put(n, n->at++, 1);
            n->or_end = 0;
        }
    } else {
        put(n, word, length);
        if (length == 6 && strncasecmp(word, "VALUES", 6) == 0) {
            n->values_depth = n->depth + 1;
            n->last_row_end = 0;
        }
    }
}

static void open_list(normalising *n)
{
    put(n, n->at++, 1);
    n->depth++;
    if (n->depth == n->values_depth)
        n->row = n->length - 1;
}

/* A row that is the same as the one before is left out. */
static void end_row(normalising *n)
{
    const size_t length = n->length - n->row;
    const char *between = n->to + n->last_row_end;
    const size_t gap = n->row - n->last_row_end;
    if (n->last_row_end > 0 && (gap == 1 || (gap == 2 && between[1] == ' ')) && *between == ',' &&
        length == n->last_row_end - n->last_row && memcmp(n->to + n->row, n->to + n->last_row, length) == 0) {
        n->length = n->last_row_end;
        n->or_end = 0;
        return;
    }
    n->last_row = n->row;
    n->last_row_end = n->length;
}

static void close_list(normalising *n)
{
    const bool is_row = n->depth > 0 && n->depth == n->values_depth;
    const bool is_one = n->length > 2 && ends_with(n, n->length, "(?");
    const size_t word_end = is_one ? n->length - 2 - (n->to[n->length - 3] == ' ') : 0;
    n->blank = false;
    if (is_one && (is_row || ends_with_word(n, word_end, "IN")))
        put(n, "+", 1);
    put(n, n->at++, 1);
    if (is_row)
        end_row(n);
    else if (n->depth < n->values_depth)
        n->values_depth = 0;
    n->depth -= n->depth > 0;
    join_terms(n);
}

/* "?" is a parameter, and "?+" what a list has become. */
static void put_parameter(normalising *n)
{
    n->at++;
    put_literal(n, peek(n, 0) == '+');
    n->at += peek(n, 0) == '+';
}

static void put_bracket(normalising *n)
{
    const char *end = memchr(n->at, ']', (size_t)(n->end - n->at));
    const bool may_be_name = n->dialect == PROF_SQL_SQLITE || n->dialect == PROF_SQL_UNKNOWN;
    if (may_be_name && has_quote(n->at, end != NULL ? end : n->end))
        end_here(n);
    else
        put(n, n->at++, 1);
}

static void put_quote(normalising *n)
{
    const bool is_name = n->dialect == PROF_SQL_STANDARD || n->dialect == PROF_SQL_SQLITE;
    if (*n->at == '`' || (*n->at == '"' && is_name))
        put_quoted_name(n, *n->at);
    else
        put_string(n, *n->at);
}

/* "?+" is a term, of a list or of a sum: the result is the same. */
static void put_operator(normalising *n)
{
    const bool is_term = *n->at == '+' && !n->blank && ends_with(n, n->length, "?");
    put(n, n->at++, 1);
    if (is_term)
        join_terms(n);
}

static void put_sign(normalising *n)
{
    const char c = *n->at, next = peek(n, 1);
    if (c == '-' && next == '-')
        skip_line(n, n->dialect == PROF_SQL_MYSQL ? is_blank(peek(n, 2))
                                                  : n->dialect != PROF_SQL_UNKNOWN || is_blank(peek(n, 2)));
    else if (c == '#' && n->dialect != PROF_SQL_STANDARD)
        skip_line(n, n->dialect == PROF_SQL_MYSQL);
    else if (c == '/' && next == '*')
        skip_comment(n);
    else if (c == '.' && is_digit(next))
        put_number(n);
    else
        put_operator(n);
}

static void put_token(normalising *n)
{
    const char c = *n->at;
    if (is_blank(c)) {
        n->blank = true;
        n->at++;
    } else if (begins_name(c)) {
        put_word(n);
    } else if (is_digit(c)) {
        put_number(n);
    } else {
        switch (c) {
        case '\'':
        case '"':
        case '`': put_quote(n); break;
        case '$': put_dollar(n); break;
        case '?': put_parameter(n); break;
        case '(': open_list(n); break;
        case ')': close_list(n); break;
        case '[': put_bracket(n); break;
        default: put_sign(n); break;
        }
    }
}

/* The limit has cut the statement, anywhere. Leaves out a row of VALUES that is not whole, and a comma, so
 * that statements with many rows are one text. */
static void end_cut(normalising *n)
{
    if (n->values_depth > 0 && n->last_row_end > 0)
        n->length = n->last_row_end;
    while (n->length > 0 && (n->to[n->length - 1] == ',' || n->to[n->length - 1] == ' '))
        n->length--;
}

size_t prof_sql_normalise(const char *sql, size_t length, prof_sql_dialect dialect, char *to)
{
    normalising n = {.at = sql, .dialect = dialect, .to = to};
    n.end = sql + (length < PROF_LABEL_RAW_MAX ? length : PROF_LABEL_RAW_MAX);
    while (n.at < n.end && !n.ends_here)
        put_token(&n);
    if (length > PROF_LABEL_RAW_MAX && !n.ends_here)
        end_cut(&n);
    while (n.length > 0 && (to[n.length - 1] == ';' || to[n.length - 1] == ' '))
        n.length--;
    return n.length;
}
