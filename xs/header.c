#include "header.h"

#include "context.h"
#include "alloc.h"
#include "directories.h"

static nytp_str str_of(const char *text)
{
    return (nytp_str){text, strlen(text), false};
}

/* Replaces newlines in the value, $0 for example, because a newline ends the attribute. */
static void write_attribute(prof *p, nytp_tag tag, const char *key, const char *value)
{
    nytp_chunk chunk = {.tag = tag};
    char *line = prof_strdup(value);
    for (char *c = line; *c != '\0'; c++)
        if (*c == '\n')
            *c = ' ';
    chunk.attribute.key = str_of(key);
    chunk.attribute.value = str_of(line);
    prof_output_chunk(p->out, &chunk);
    free(line);
}

void prof_write_number(prof *p, const char *key, long value)
{
    char text[32];
    my_snprintf(text, sizeof text, "%ld", value);
    write_attribute(p, NYTP_ATTRIBUTE, key, text);
}

static void write_option(void *context, const char *key, int value)
{
    char text[32];
    my_snprintf(text, sizeof text, "%d", value);
    write_attribute(context, NYTP_OPTION, key, text);
}

static void write_directories(void *context, const char *key, const char *list)
{
    write_attribute(context, NYTP_ATTRIBUTE, key, list);
}

static const char *string_of(pTHX_ const char *name)
{
    SV *sv = get_sv(name, 0);
    return sv != NULL && SvPOK(sv) ? SvPVX(sv) : "";
}

/* Programs show it as it is. xs_version alone would be that of stock's collector. */
static void write_collector(pTHX_ prof *p)
{
    char text[128];
    my_snprintf(text, sizeof text, "Devel::NYTProf %.40s of nytprof-tools " NYTP_VERSION_STRING,
                string_of(aTHX_ "Devel::NYTProf::VERSION"));
    write_attribute(p, NYTP_ATTRIBUTE, "collector", text);
}

static void write_comment(prof *p, const char *text)
{
    nytp_chunk chunk = {.tag = NYTP_COMMENT};
    chunk.comment.text = str_of(text);
    prof_output_chunk(p->out, &chunk);
}

void prof_header_write(pTHX_ prof *p)
{
    nytp_chunk chunk = {.tag = NYTP_VERSION};
    chunk.version.major = 5;
    prof_output_chunk(p->out, &chunk);
    write_comment(p, " Perl profile, written by Devel::NYTProf");
    prof_write_number(p, "basetime", (long)PL_basetime);
    write_attribute(p, NYTP_ATTRIBUTE, "application", string_of(aTHX_ "0"));
    char version[48];
    my_snprintf(version, sizeof version, "%d.%d.%d", PERL_REVISION, PERL_VERSION, PERL_SUBVERSION);
    write_attribute(p, NYTP_ATTRIBUTE, "perl_version", version);
    prof_write_number(p, "nv_size", (long)sizeof(double));
    write_attribute(p, NYTP_ATTRIBUTE, "xs_version", string_of(aTHX_ "Devel::NYTProf::VERSION"));
    write_collector(aTHX_ p);
    prof_write_number(p, "PL_perldb", (long)PL_perldb);
    prof_write_number(p, "clock_id", (long)p->probe.clock.id);
    prof_write_number(p, "ticks_per_sec", PROF_TICKS_PER_S);
    prof_directories_each(aTHX_ write_directories, p);
    prof_options_each(&p->options, write_option, p);
}
