/* Whose code a file is. A profile does not say it, so the path decides. */
#ifndef HTML_ORIGIN_H
#define HTML_ORIGIN_H

enum html_origin { HTML_OWN, HTML_INSTALLED, HTML_CORE, HTML_ORIGINS };

enum html_origin html_origin_of(const char *path);

#endif
