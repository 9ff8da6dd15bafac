/* Options of the command line. */
#pragma once

#include "cli/options.h"
#include "cli/perl_file.h"
#include "cover/cover.h"
#include "nytprof-model.h"

typedef struct html_options {
    const char *title;           /* NULL: that of the program */
    const char *url;             /* template of links to source, or NULL */
    const char *trace_url;       /* template of links to traces, or NULL */
    const char *library;         /* where to look for source that was not saved, or NULL */
    const nytp_operands *inputs; /* the profiles, as they were named */
    nytp_perl_files *files;      /* where source that was not saved is read */
    nytp_source_line_fn
        *on_source; /* gets the source of the profile, for comparing; NULL: nothing is compared */
    void *on_source_context;
    const nytp_filter_options *filters; /* that were given for the profiles; NULL: none */
    nytp_least min;                     /* stacks with less are left out */
    nytp_cover *coverage;               /* which lines tests have run; NULL: not given */
    bool no_source;
    bool no_flame;   /* no stacks */
    bool keep_evals; /* string evals stay apart */
} html_options;
